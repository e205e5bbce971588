import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import Testing

/// The reference of the language: its examples are right, and it has every key.
@Suite("docs/language")
struct LanguageTests {
    private let pages: [Page]
    /// These pages and the one about tests, which has keys, too.
    private let tables: [Page.Table]
    /// What parts of a definition are completed with, by key.
    private let frame: [(key: String, text: String)]

    init() throws {
        pages = try Page.all(below: "docs/language")
        tables = try (pages + [Page.read("docs/testing.md")]).flatMap(\.tables)
        let frame = try #require(
            pages.flatMap { $0.blocks("yaml") }.first { $0.info.contains("frame") }
        )
        self.frame = Self.parts(of: frame.text)
    }

    /// The keys of a definition, each with its lines.
    private static func parts(of text: String) -> [(key: String, text: String)] {
        var parts: [(key: String, text: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let match = line.prefixMatch(of: /([A-Za-z]+):/) {
                parts.append((key: String(match.output.1), text: ""))
            }
            if !parts.isEmpty { parts[parts.count - 1].text += line + "\n" }
        }
        return parts
    }

    /// An example with what it leaves out.
    private func completed(_ text: String) -> String {
        if text.hasPrefix("skerry:") { return text }
        let own = Self.parts(of: text)
        let missing = frame.filter { part in !own.contains { $0.key == part.key } }
        return (missing + own).map(\.text).joined()
    }

    @Test func `every example is right, and its tests pass`() throws {
        var tests = 0
        for page in pages { tests += try check(page) }
        #expect(tests > 15)
    }

    @Test func `the definitions in README are right`() throws {
        let page = try Page.read("README.md")
        #expect(!page.blocks("yaml").isEmpty)
        _ = try check(page)
    }

    /// Compiles the examples of a page, runs their tests and returns how many there were.
    private func check(_ page: Page) throws -> Int {
        var tests = 0
        for block in page.blocks("yaml") {
            let text = completed(block.text)
            let name = "\(page.path), the example from line \(block.line) on"
            let files = CompiledFiles([DefinitionFile(path: name, bytes: Array(text.utf8))])
            let report = files.report(DiagnosticPrinter())
            guard !files.hasErrors, let definition = files.definitions.first else {
                Issue.record("\(report)")
                continue
            }
            let isWhole = block.text.hasPrefix("skerry:") && !block.info.contains("frame")
            #expect(!isWhole || files.problems.isEmpty, "\(report)")
            let drafts = files.files[0].source.reading.tests
            tests += drafts.count
            for outcome in DefinitionTestRunner(definition).run(drafts) {
                let failures = outcome.failures.map {
                    DiagnosticPrinter().text(of: $0, file: name, text: text)
                }
                #expect(outcome.hasPassed, "\(outcome.name.text)\n\(failures.joined())")
            }
        }
        return tests
    }

    // MARK: Keys

    /// What the first cell of a table of keys says, and the parts of the language that the table is about.
    private static let tables: [(header: String, parts: [LanguagePart])] = [
        ("a definition", [.definition]), ("a setting", [.setting]), ("a source", [.source]),
        ("a signal with possible values", [.signal]), ("`valid`", [.validRange]),
        ("a signal over time", [.signalForm]),
        ("an entry of `recognise`", [.recognition]), ("a timer", [.timer]), ("`learn`", [.learning]),
        ("a state", [.state, .machine]), ("a silence", [.silence]), ("a run", [.runKey]),
        ("a transition", [.transition, .waitingTransition]),
        ("an action", [.action]), ("a guarded action", [.guardedAction]),
        ("`start`", [.start]), ("`pause`", [.pause]), ("`extend`", [.extend]), ("`send`", [.send]),
        ("`publish`", [.publish]),
        ("an activity", [.activity]), ("an attribute", [.attribute]), ("a content field", [.field]),
        ("an alert", [.alert, .listedAlert]),
        ("an island", [.island]), ("`compact`", [.compact]), ("`expanded`", [.expanded]),
        ("a region", [.region, .cell]), ("a view", [.drawnSymbol, .drawnText, .drawnClock, .drawnBar]),
        ("a button with a link", [.button]),
        ("a test", [.test]), ("`place`", [.place]), ("a step", [.step]),
        ("a repetition", [.repetition]),
        ("`given`", [.given]),
        ("`event` in a test", [.event]), ("`expect`", [.expectation]),
        ("a timer in `expect`", [.timerExpectation]),
    ]

    @Test func `every key is in a table, and no other`() {
        #expect(Set(Self.tables.flatMap(\.parts)) == Set(LanguagePart.allCases))
        let tables = self.tables.filter { $0.header[0].hasPrefix("key of ") }
        #expect(Set(tables.map { $0.header[0] }) == Set(Self.tables.map { "key of \($0.header)" }))
        for (header, parts) in Self.tables {
            let rows = tables.filter { $0.header[0] == "key of \(header)" }.flatMap(\.rows)
            let documented = rows.flatMap { $0[0].codeSpans }
            #expect(Set(documented) == Set(parts.flatMap(\.mapping.names)), "keys of \(header)")
            #expect(documented.count == Set(documented).count, "keys of \(header)")
        }
    }

    @Test func `every word that can stand behind a key is named`() {
        for (header, parts) in Self.tables {
            let rows = tables.filter { $0.header[0] == "key of \(header)" }.flatMap(\.rows)
            for key in parts.flatMap(\.mapping.keys) {
                guard let row = rows.first(where: { $0[0] == "`\(key.name)`" }) else { continue }
                for word in key.value.words where !row[1].codeSpans.contains(where: { $0.contains(word) }) {
                    Issue.record("\(key.name) of \(header) can be \(word)")
                }
            }
        }
    }
}

extension LanguageValue {
    /// The words that can stand here.
    fileprivate var words: [String] {
        switch self {
        case .word(let words): words
        case .either(let values): values.flatMap(\.words)
        default: []
        }
    }
}
