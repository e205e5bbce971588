public import SkerryExpressions
public import SkerryValues

/// Values under names, as an expression reads them.
public struct BoundValues: ValueSource {
    private var names: [String] = []
    private var values: [Value] = []

    /// Makes a table without names.
    public init() {}

    /// The reference of a name; it has no value until one is bound.
    public mutating func reference(_ name: String) -> Reference {
        if let index = names.firstIndex(of: name) { return Reference(kind: 0, index: UInt16(index)) }
        names.append(name)
        values.append(.error(.unset))
        return Reference(kind: 0, index: UInt16(names.count - 1))
    }

    /// Gives a name its value.
    public mutating func bind(_ name: String, to value: Value) {
        values[Int(reference(name).index)] = value
    }

    /// The value of a name by its number.
    public func load(_ reference: Reference, _ context: borrowing Void) -> Value {
        values[Int(reference.index)]
    }
}

extension Value {
    /// The value of an expression that names nothing.
    public static func constant(_ expression: String) -> Value {
        var paths = PathTable()
        guard let program = try? Program.compile(expression, in: Scope(), paths: &paths) else {
            return .error(.invalidArgument)
        }
        return program.evaluate(from: BoundValues(), (), costLimit: 1_000_000)
    }

    /// Returns whether two values are of the same types throughout and equal; not a number is itself here.
    public func isIdentical(to other: Value) -> Bool {
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
