import Foundation
import SkerryDevice
import SkerryFiles
import Testing

/// Nothing is concluded from what could not be read: one mistake in a good definition is one problem, in its line.
@Suite("One mistake is one problem")
struct OneMistakeTests {
    private static let files: [(name: String, lines: [String])] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../devices").standardizedFileURL
        // These need no other file, and a line of them stands for itself alone.
        return ["dryer-plug", "printer-bambu", "sprinkler", "washer-plug"].map { kind in
            let name = kind + ".yaml"
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            // A signal of the other file that these read.
            let whole = text?.replacing(
                /signals: { power: '\[payload\][^']*', pace/,
                with: "signals: { power: payload, off: payload > 0, pace"
            )
            return (name, withoutParts((whole ?? "").components(separatedBy: "\n")))
        }
    }()

    /// The lines without the elements that stand for those of another file.
    private static func withoutParts(_ lines: [String]) -> [String] {
        var isPart = false
        return lines.filter { line in
            if isPart { isPart = line.hasPrefix("    ") }
            if line.contains("extends: _plug.yaml") { isPart = true }
            return !isPart
        }
    }

    /// The lines of a definition before its tests, without comments.
    private func lines(of file: [String]) -> [Int] {
        let end = file.firstIndex { $0.hasPrefix("tests:") } ?? file.count
        return (0..<end).filter { !file[$0].drop { $0 == " " }.hasPrefix("#") }
    }

    /// Checks a file with one line changed.
    private func check(_ file: (name: String, lines: [String]), _ line: Int, _ changed: String) {
        var lines = file.lines
        lines[line] = changed
        var files = CompiledFiles([
            DefinitionFile(path: file.name, bytes: Array(lines.joined(separator: "\n").utf8))
        ])
        files.checkTests()
        let report = files.report(DiagnosticPrinter())
        #expect(files.problems.count == 1, "\(changed)\n\(report)")
        #expect(files.problems.first?.place.line == line + 1, "\(changed)\n\(report)")
    }

    @Test(
        arguments: [
            ("==", "="), ("&&", "and"), ("||", "or"), ("payload.", "$."), ("payload.", "value_json."),
            ("status: state.title", "status: {state.title}"),
            ("status: state.title", "status: \"{state.title}\""),
            ("status: state.title", "status: '{{ state.title }}'"),
            ("status: state.title", "status: \"It is {state.title}\""),
            ("state.title", "state.tittle"), ("payload.", "paylod."), ("inState(", "in_sate("),
            ("minutes(", "mins("), ("has(", "exists("), ("payload <", "payload < <"), ("timer.", "timmer."),
        ]
    )
    func `in an expression`(_ wrong: (from: String, to: String)) {
        for file in Self.files {
            for line in lines(of: file.lines) {
                guard let range = file.lines[line].range(of: wrong.from) else { continue }
                check(file, line, file.lines[line].replacingCharacters(in: range, with: wrong.to))
            }
        }
    }

    @Test func `in a key`() {
        // Not those that name a state, a signal or an event in some definition.
        let keys = Set(LanguagePart.allCases.flatMap { $0.mapping.names })
            .subtracting(["running", "paused", "remaining", "pause", "resume", "over"])
        for file in Self.files {
            for line in lines(of: file.lines) {
                let text = file.lines[line]
                let indented = text.drop { $0 == " " || $0 == "-" }
                let key = indented.prefix { $0.isLetter }
                guard keys.contains(String(key)), key.count > 3, indented.dropFirst(key.count).hasPrefix(":")
                else {
                    continue
                }
                check(file, line, text.replacing(key, with: key + "x", maxReplacements: 1))
            }
        }
    }

    @Test func `in the shape of a mapping`() {
        let keys: Set = [
            "sources", "signals", "timers", "states", "activity", "content", "attributes", "alerts",
        ]
        for file in Self.files {
            for line in lines(of: file.lines) {
                let text = file.lines[line]
                let key = text.drop { $0 == " " }.prefix { $0.isLetter }
                guard keys.contains(String(key)), text.hasSuffix(":") else { continue }
                var changed = file
                let depth = text.prefix { $0 == " " }.count
                let element = text.prefix(depth) + "- "
                let rest = file.lines[(line + 1)...]
                let end =
                    rest.firstIndex { row in
                        !row.isEmpty && row.prefix { $0 == " " }.count <= depth && !row.hasPrefix(element)
                    } ?? file.lines.count
                for row in line + 1..<end { changed.lines[row] = "" }
                check(changed, line, text + " nothing of the kind")
            }
        }
    }
}
