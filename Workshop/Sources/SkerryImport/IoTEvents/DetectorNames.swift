/// Names of a detector model as expressions of a definition can use them.
struct DetectorNames {
    private var taken: Set<String>
    private var known: [String: String] = [:]

    /// Begins with names that are not to be given.
    init(avoiding taken: Set<String>) {
        self.taken = taken.union(Self.reserved)
    }

    /// Words of CEL.
    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let",
        "loop",
        "namespace", "null", "package", "return", "true", "var", "void", "while",
    ]
    /// Words of the language of definitions, and types of CEL, which signals can't be called.
    static let ofLanguage: Set<String> = [
        "bool", "bytes", "changed", "context", "device", "double", "duration", "elapsed", "event", "inState",
        "int",
        "list", "map", "now", "payload", "since", "state", "string", "timer", "timestamp", "topic", "type",
        "uint",
    ]

    /// The name for a name of the model: letters, digits and `_`, different from all others.
    mutating func name(for original: String) -> String {
        if let name = known[original] { return name }
        let name = free(original)
        known[original] = name
        return name
    }

    /// A name that nothing has yet, as near to a word as can be.
    mutating func free(_ word: String) -> String {
        let base = Self.identifier(word)
        var name = base
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }

    /// Whether a word can stand behind a dot.
    static func isField(_ word: String) -> Bool { identifier(word) == word && !reserved.contains(word) }

    /// A word with `_` for everything but letters and digits.
    static func identifier(_ word: String) -> String {
        var result = ""
        for byte in word.utf8 {
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, result.isEmpty { result = "_" }
            let isPart = isDigit || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            result.unicodeScalars.append(isPart ? Unicode.Scalar(byte) : "_")
        }
        return result.isEmpty ? "_" : result
    }
}
