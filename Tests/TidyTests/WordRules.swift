/// The words of the project: those it must not have and those it must.
enum WordRules {
    /// Marks of unfinished work, written so that this file has none.
    static let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    /// Names that say nothing: what is inside, one has to guess.
    static let emptyNames: Set = [
        "Util", "Utils", "Utilities", "Helper", "Helpers", "Manager", "Managers", "Misc",
    ]
    /// The words with which a question begins.
    static let questions = ["What", "Whether", "How", "Where", "When"]
    /// The nouns a newcomer looks for; each is a word in the name of a file.
    static let nouns = [
        "activity", "definition", "device", "machine", "recording", "run", "signal", "sink", "source",
        "timer",
        "update",
    ]

    static func marksOfUnfinishedWork(in repository: Repository) -> [Finding] {
        repository.files.flatMap { path, text -> [Finding] in
            guard marks.contains(where: text.contains) else { return [] }
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .flatMap { number, line in
                    words(of: line).filter(marks.contains)
                        .map {
                            Finding(path: path, line: number + 1, text: "\($0): do it, or say it in an issue")
                        }
                }
        }
    }

    static func emptyNames(in repository: Repository) -> [Finding] {
        (repository.sources + repository.tests).flatMap { file in
            let inFileName = parts(of: file.name).filter(emptyNames.contains)
                .map { Finding(path: file.path, line: 1, text: "the file's name has \"\($0)\" in it") }
            let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
            let inTypes = file.tokens.indices.dropLast().filter { kinds.contains(file.tokens[$0].text) }
                .filter { !parts(of: file.tokens[$0 + 1].text).allSatisfy { !emptyNames.contains($0) } }
                .map { file.finding(file.tokens[$0], "\(file.tokens[$0 + 1].text) says nothing") }
            return inFileName + inTypes
        }
    }

    static func nounsWithoutFile(in repository: Repository) -> [String] {
        let known = Set(repository.sources.flatMap { parts(of: $0.name) }.map { $0.lowercased() })
        return nouns.filter { !known.contains($0) && !known.contains($0 + "s") }
    }

    /// Doc comments that begin with a question word, and leave it to the reader which thing is meant.
    static func questionsInDocs(in repository: Repository) -> [Finding] {
        repository.sources.flatMap { file in
            file.lines.indices.filter { index in
                let line = file.lines[index].drop { $0 == " " }
                // Most lines are no comments: a regular expression would take longer than all other rules.
                guard line.hasPrefix("/// ") else { return false }
                let isFirst = index == 0 || !file.lines[index - 1].drop { $0 == " " }.hasPrefix("///")
                return isFirst && questions.contains { line.hasPrefix("/// \($0) ") }
            }
            .map {
                Finding(
                    path: file.path,
                    line: $0 + 1,
                    text: "begin with the thing, or a verb: True if …, Returns …"
                )
            }
        }
    }

    /// Ways around the compiler's check of concurrency, outside of the C border or without a reason.
    static func uncheckedConcurrency(in repository: Repository) -> [Finding] {
        repository.sources.flatMap { file in
            file.tokens.filter { $0.isUnchecked(in: file) }.compactMap { token in
                guard file.target == "SkerryMosquitto" else {
                    return file.finding(token, "\(token.text): only at the border to C, in SkerryMosquitto")
                }
                let lineBefore = token.line > 1 ? file.lines[token.line - 2].drop { $0 == " " } : ""
                return lineBefore.hasPrefix("//")
                    ? nil : file.finding(token, "\(token.text): say in the line before why it is safe")
            }
        }
    }

    /// Lines of the log without the id of their kind, which docs/reference/log.md explains.
    static func logLinesWithoutID(in repository: Repository) -> [Finding] {
        let call = #/logger\.(?:trace|debug|info|notice|warning|error|critical)\((?!\s*(?:\.|id\b))/#
        return repository.files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
            .flatMap { path, text in
                text.matches(of: call).map { match in
                    let line = text[..<match.range.lowerBound].count { $0.isNewline } + 1
                    return Finding(path: path, line: line, text: "name the kind of the line: a case of LogID")
                }
            }
    }

    /// Waiting in tests by sleeping: slow on a fast machine, wrong on a slow one.
    static func sleepingTests(in repository: Repository) -> [Finding] {
        repository.tests.flatMap { file in
            file.tokens.filter {
                ["sleep", "usleep", "nanosleep"].contains($0.text) && $0.after == UInt8(ascii: "(")
            }
            .map { file.finding($0, "\($0.text): wait for a named event, or step a clock") }
        }
    }

    /// The words of a camel-case name: `Device`, `Draft` and `JSON` for `DeviceDraft+JSON`.
    static func parts(of name: String) -> [String] {
        // A word begins at a capital after a small letter, or at the last capital of several: MQTT, Sink.
        let words = name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/)
        return words.map { String($0.output) }
    }

    private static func words(of line: Substring) -> [String] {
        line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
}

extension Token {
    fileprivate func isUnchecked(in file: SourceText) -> Bool {
        text == "unchecked" && before == UInt8(ascii: "@")
            || text == "nonisolated" && file.code[end...].starts(with: "(unsafe)".utf8)
    }
}
