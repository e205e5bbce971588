/// The names of a detector model, changed so that expressions of a definition can use them.
struct DetectorNames {
    private var taken: Set<String>
    private var known: [String: String] = [:]

    /// Starts with names that must not be used.
    init(avoiding taken: Set<String>) {
        self.taken = taken.union(Self.reserved)
    }

    /// The words of CEL, which can't be names.
    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let",
        "loop",
        "namespace", "null", "package", "return", "true", "var", "void", "while",
    ]
    /// The words of the definition language and the types of CEL, which can't be names of signals.
    static let ofLanguage: Set<String> = [
        "bool", "bytes", "changed", "context", "device", "double", "duration", "elapsed", "event", "inState",
        "int",
        "list", "map", "now", "payload", "since", "state", "string", "timer", "timestamp", "topic", "type",
        "uint",
    ]

    /// The name for a name of the model: letters, digits and `_`, different from all other names.
    mutating func name(for original: String) -> String {
        if let name = known[original] { return name }
        let name = free(original)
        known[original] = name
        return name
    }

    /// An unused name that is as similar to a word as possible.
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

    /// True if a word can be the name of a field after a dot.
    static func isField(_ word: String) -> Bool { identifier(word) == word && !reserved.contains(word) }

    /// A word in which `_` replaces all characters except letters and digits.
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
