import SkerryExpressions
import SkerryValues

/// One line of the file of CEL cases: an expression, what it may name, and what must come out.
struct ExpressionCase {
    let title: String
    let expression: String
    private let scope: Scope
    private let source: BoundValues
    private let expected: Value

    /// Reads a line; throws what is wrong with it.
    init(
        line: [UInt8],
        timeZone: @escaping @Sendable (String) -> TimeZoneRules? = { _ in nil }
    ) throws(JSONRefusal) {
        guard case .map(let fields) = try JSONReader.value(of: line.span) else {
            throw JSONRefusal(problem: .badSyntax, offset: 0)
        }
        title = ["file", "section", "name"].map { fields[$0]?.text ?? "" }.joined(separator: "/")
        expression = fields["expr"]?.text ?? ""
        expected = fields["expect"] ?? .null
        var scope = Scope()
        scope.container = fields["container"]?.text ?? ""
        scope.timeZone = timeZone
        if case .bool(true) = fields["disable_check"] { scope.defersChecks = true }
        var source = BoundValues()
        if case .list(let variables) = fields["env"] {
            for case .map(let variable) in variables {
                let name = variable["var"]?.text ?? ""
                let reference = source.reference(name)
                scope.declare(name, type: ExpressionType(tagged: variable["type"] ?? .null), as: reference)
            }
        }
        if case .map(let bindings) = fields["bindings"] {
            for binding in bindings.entries {
                source.bind(binding.key.text ?? "", to: Value(tagged: binding.value))
            }
        }
        self.scope = scope
        self.source = source
    }

    /// Runs the case; nil when it passes, else what came out.
    func failure() -> String? {
        guard case .map(let expectation) = expected else { return "nothing is expected" }
        var paths = PathTable()
        let program: Program
        do {
            program = try Program.compile(expression, in: scope, paths: &paths)
        } catch {
            let message = error.findings.map { $0.message }.joined(separator: "; ")
            return expectation["error"] == nil ? "refused: " + message : nil
        }
        if let type = expectation["type"] {
            let deduced = program.type
            return deduced == ExpressionType(tagged: type) ? nil : "type " + deduced.description
        }
        let value = program.evaluate(from: source, (), costLimit: 1_000_000)
        if let wanted = expectation["value"] {
            return value.isIdentical(to: Value(tagged: wanted)) ? nil : "\(value)"
        }
        if case .error = value { return nil }
        return "\(value), not an error"
    }

    /// What is expected, for the report of a failure.
    var expectation: String {
        var writer = JSONWriter()
        writer.value(expected)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Values under names, as an expression reads them.
struct BoundValues: ValueSource {
    private var names: [String] = []
    private var values: [Value] = []

    /// The reference of a name; it has no value until one is bound.
    mutating func reference(_ name: String) -> Reference {
        if let index = names.firstIndex(of: name) { return Reference(kind: 0, index: UInt16(index)) }
        names.append(name)
        values.append(.error(.unset))
        return Reference(kind: 0, index: UInt16(names.count - 1))
    }

    mutating func bind(_ name: String, to value: Value) {
        values[Int(reference(name).index)] = value
    }

    func load(_ reference: Reference, _ context: borrowing Void) -> Value { values[Int(reference.index)] }
}

extension ExpressionType {
    /// Reads a type of the cases: a name, `{"list": T}`, `{"map": [K, V]}` or `{"optional": T}`.
    init(tagged json: Value) {
        switch json {
        case .string(let name): self = ExpressionType.named(name)
        case .map(let fields):
            if let element = fields["list"] {
                self = .list(ExpressionType(tagged: element))
            } else if case .list(let pair) = fields["map"], pair.count == 2 {
                self = .map(ExpressionType(tagged: pair[0]), ExpressionType(tagged: pair[1]))
            } else if let wrapped = fields["optional"] ?? fields["optional_type"] {
                self = .optional(ExpressionType(tagged: wrapped))
            } else if fields["type"] != nil {
                self = .type
            } else {
                self = .dyn
            }
        default: self = .dyn
        }
    }

    private static func named(_ name: String) -> ExpressionType {
        switch name {
        case "bool": .bool
        case "int", "int64": .int
        case "uint", "uint64": .uint
        case "double": .double
        case "string": .string
        case "bytes": .bytes
        case "null", "null_type": .null
        case "timestamp", "google.protobuf.Timestamp": .timestamp
        case "duration", "google.protobuf.Duration": .duration
        case "type": .type
        case "list": .list(.dyn)
        case "map": .map(.dyn, .dyn)
        default: .dyn
        }
    }
}

extension Value {
    /// Reads a value of the cases, such as `{"int": "42"}`.
    init(tagged json: Value) {
        guard case .map(let fields) = json, let field = fields.entries.first, let tag = field.key.text else {
            self = .error(.invalidArgument)
            return
        }
        let text = field.value.text ?? ""
        switch (tag, field.value) {
        case ("null", _): self = .null
        case ("bool", .bool(let flag)): self = .bool(flag)
        case ("int", _): self = Int64(text).map { .int($0) } ?? .error(.invalidArgument)
        case ("uint", _): self = UInt64(text).map { .uint($0) } ?? .error(.invalidArgument)
        case ("double", _): self = Double(text).map { .double($0) } ?? .error(.invalidArgument)
        case ("string", _): self = .string(text)
        case ("bytes", _): self = .bytes(Value.bytes(hexadecimal: text))
        case ("list", .list(let elements)): self = .list(elements.map { Value(tagged: $0) })
        case ("map", .list(let pairs)): self = .map(Value.map(pairs))
        case ("type", _): self = .type(text)
        case ("optional", .null): self = .optional([])
        case ("optional", let wrapped): self = .optional([Value(tagged: wrapped)])
        case ("duration", _), ("timestamp", _): self = Value.constant(tag + "(\"" + text + "\")")
        default: self = .error(.invalidArgument)
        }
    }

    private static func map(_ pairs: [Value]) -> ValueMap {
        var entries: [ValueMap.Entry] = []
        for case .list(let pair) in pairs where pair.count == 2 {
            entries.append(ValueMap.Entry(key: Value(tagged: pair[0]), value: Value(tagged: pair[1])))
        }
        return ValueMap(uniqueEntries: entries)
    }

    private static func bytes(hexadecimal text: String) -> [UInt8] {
        let digits = text.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The value of an expression that names nothing.
    static func constant(_ expression: String) -> Value {
        var paths = PathTable()
        guard let program = try? Program.compile(expression, in: Scope(), paths: &paths) else {
            return .error(.invalidArgument)
        }
        return program.evaluate(from: BoundValues(), (), costLimit: 1_000_000)
    }

    /// Whether two values are of the same types throughout and equal; not a number is itself here.
    func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)):
            return left.isNaN ? right.isNaN : left == right && left.sign == right.sign
        case (.int, .int), (.uint, .uint), (.null, .null), (.bool, .bool), (.string, .string),
            (.bytes, .bytes),
            (.type, .type), (.timestamp, .timestamp), (.duration, .duration):
            return equals(other)
        case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.map(let left), .map(let right)):
            return left.entries.count == right.entries.count
                && left.entries.allSatisfy { entry in
                    right.entries.contains {
                        $0.key.isIdentical(to: entry.key) && $0.value.isIdentical(to: entry.value)
                    }
                }
        default: return false
        }
    }
}
