import SkerryValues

/// Names and literals of Swift, made from those of definitions.
enum SwiftName {
    /// The words that can't be the name of a property or a case, and names that structs and enums have already.
    private static let taken: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
        "inout", "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public",
        "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue",
        "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return",
        "throw", "switch", "where", "while", "any", "as", "await", "false", "is", "nil", "self", "some",
        "super", "throws", "true", "try", "type", "protocolType", "none", "hash", "hashValue", "encode",
        "rawValue", "description",
    ]

    /// Returns the name of a property or case: `time_left` becomes `timeLeft`, `3d` `value3d`, `init` `initValue`.
    static func member(_ name: String) -> String {
        var result = ""
        var beginsWord = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                beginsWord = !result.isEmpty
                continue
            }
            result += beginsWord ? character.uppercased() : String(character)
            beginsWord = false
        }
        guard let first = result.first else { return "value" }
        if !first.isLetter { return "value" + result }
        let isShouted = !result.contains { $0.isLowercase }
        result = isShouted ? result.lowercased() : first.lowercased() + result.dropFirst()
        return taken.contains(result) ? result + "Value" : result
    }

    /// Returns a text as a literal of Swift, with its quotes.
    static func literal(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// Returns a text as it stands within the quotes of a literal.
    static func escaped(_ text: String) -> String {
        text.rewritten { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u{" + String(scalar.value, radix: 16) + "}"
            default: nil
            }
        }
    }

    /// Returns a text for a comment: on one line, and at most 60 characters long.
    static func comment(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        return words.count > 60 ? words.prefix(59) + "…" : words
    }
}

/// The names of a scope, each used once.
struct SwiftNames {
    private var given: Set<String> = []

    /// Makes a scope in which some names are taken already.
    init(_ given: [String] = []) {
        self.given = Set(given)
    }

    /// Returns the name, or the first of `name2`, `name3`, … that is free.
    mutating func name(_ wish: String) -> String {
        var name = wish
        var number = 1
        while !given.insert(name).inserted {
            number += 1
            name = wish + String(number)
        }
        return name
    }
}
