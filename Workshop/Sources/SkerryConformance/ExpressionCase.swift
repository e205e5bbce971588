import SkerryExpressions
import SkerryTesting
import SkerryValues

/// A line of the file of CEL cases: an expression, its variables, and the expected result.
struct ExpressionCase {
    let title: String
    let expression: String
    private let scope: Scope
    private let source: BoundValues
    private let expected: Value

    /// Reads a line; throws its mistake.
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

    /// Runs the case; nil when it passes, otherwise the actual result.
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

    /// The expected result, for the report of a failure.
    var expectation: String {
        var writer = JSONWriter()
        writer.value(expected)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
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
