/// A Swift file as the rules read it: its lines, and its code without comments and texts.
struct SourceText {
    /// From the root of the repository, as `Sources/Core/SkerryValues/Value.swift`.
    let path: String
    let lines: [String]
    /// The bytes of the file with blanks in place of comments, texts and back-ticked names.
    ///
    /// Line breaks stay where they were; code inside of interpolations stays.
    let code: [UInt8]
    let tokens: [Token]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var blanking = Blanking(bytes: Array(text.utf8))
        code = blanking.code()
        tokens = Token.all(in: code)
    }

    /// The name without folders and ending.
    var name: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.split(separator: ".").first ?? "")
    }

    /// The name of the target: the folder below `Tests`, and below `Sources` the one that bears a target's name.
    ///
    /// The sources of the daemon have a folder for each layer in between, as `Sources/Core/SkerryValues`.
    var target: String {
        let folders = path.split(separator: "/").drop { $0 != "Sources" && $0 != "Tests" }.dropFirst()
            .dropLast()
        let named = folders.first { $0.lowercased().hasPrefix("skerry") || $0.starts(with: /C[A-Z]/) }
        return String(named ?? folders.first ?? "")
    }

    func finding(_ token: Token, _ text: String) -> Finding {
        Finding(path: path, line: token.line, text: text)
    }
}

/// A word or a number in code, with what stands around it.
struct Token {
    let text: String
    /// Counted from 1.
    let line: Int
    let start: Int
    let end: Int
    /// The byte right before, 0 at the start of the file.
    let before: UInt8
    /// The byte right after, 0 at the end of the file.
    let after: UInt8

    static func all(in code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var line = 1
        var index = 0
        while index < code.count {
            let start = index
            while index < code.count, isWord(code[index]) { index += 1 }
            if index > start {
                tokens.append(
                    Token(
                        text: String(decoding: code[start..<index], as: UTF8.self),
                        line: line,
                        start: start,
                        end: index,
                        before: start > 0 ? code[start - 1] : 0,
                        after: index < code.count ? code[index] : 0
                    )
                )
            } else {
                if code[index] == UInt8(ascii: "\n") { line += 1 }
                index += 1
            }
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}

/// Where a rule is broken, and how.
struct Finding: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let text: String

    var description: String { "\(path):\(line): \(text)" }
}
