import SkerryValues

/// The type of an expression, as far as the checker knows it; `dyn` if it is known only at evaluation.
public indirect enum ExpressionType: Hashable, Sendable {
    /// A truth value.
    case bool
    /// A 64-bit signed integer.
    case int
    /// A 64-bit unsigned integer.
    case uint
    /// An IEEE 754 double.
    case double
    /// Text.
    case string
    /// Bytes.
    case bytes
    /// The null value.
    case null
    /// A moment.
    case timestamp
    /// A length of time.
    case duration
    /// A type, as a value.
    case type
    /// Anything; checked when evaluated.
    case dyn
    /// A list of elements of one type.
    case list(ExpressionType)
    /// A map from keys of one type to values of one type.
    case map(ExpressionType, ExpressionType)
    /// An optional value.
    case optional(ExpressionType)

    /// The type as CEL writes it, such as `list(int)`.
    public var description: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .null: "null_type"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .type: "type"
        case .dyn: "dyn"
        case .list(let element): "list(" + element.description + ")"
        case .map(let key, let value): "map(" + key.description + ", " + value.description + ")"
        case .optional(let wrapped): "optional(" + wrapped.description + ")"
        }
    }

    /// True if the type is one of the three kinds of number.
    var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }

    /// True if the whole type is known before the evaluation.
    var isKnown: Bool {
        switch self {
        case .dyn: false
        case .list(let element): element.isKnown
        case .map(let key, let value): key.isKnown && value.isKnown
        case .optional(let wrapped): wrapped.isKnown
        default: true
        }
    }

    /// Returns whether a value of this type may be used where `expected` is required; `dyn` fits everywhere.
    func fits(_ expected: ExpressionType) -> Bool {
        switch (self, expected) {
        case (.dyn, _), (_, .dyn): true
        case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
            left.fits(right)
        case (.map(let leftKey, let leftValue), .map(let rightKey, let rightValue)):
            leftKey.fits(rightKey) && leftValue.fits(rightValue)
        default: self == expected
        }
    }

    /// Returns whether `==` between the two makes sense: equal types, or two kinds of number.
    func isComparable(to other: ExpressionType) -> Bool {
        switch (self, other) {
        case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
            left.isComparable(to: right)
        case (.map(let leftKey, let leftValue), .map(let rightKey, let rightValue)):
            leftKey.isComparable(to: rightKey) && leftValue.isComparable(to: rightValue)
        case (.null, .timestamp), (.null, .duration), (.timestamp, .null), (.duration, .null): true
        default: fits(other) || (isNumber && other.isNumber)
        }
    }

    /// The narrowest type that holds values of both.
    func joined(with other: ExpressionType) -> ExpressionType {
        if self == other { return self }
        switch (self, other) {
        case (.list(let left), .list(let right)): return .list(left.joined(with: right))
        case (.optional(let left), .optional(let right)): return .optional(left.joined(with: right))
        case (.map(let leftKey, let leftValue), .map(let rightKey, let rightValue)):
            return .map(leftKey.joined(with: rightKey), leftValue.joined(with: rightValue))
        default: return .dyn
        }
    }
}

extension Value {
    /// The name of the value's type as `type(x)` gives it; nil for an error.
    var typeName: String? {
        switch self {
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .list: "list"
        case .map: "map"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .type: "type"
        case .optional: "optional_type"
        case .error: nil
        }
    }

    /// The checker's type of a literal.
    var literalType: ExpressionType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        case .list: .list(.dyn)
        case .map: .map(.dyn, .dyn)
        case .optional: .optional(.dyn)
        case .error: .dyn
        }
    }
}

/// The names of types that an expression may use as values.
let typeNames = [
    "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type", "optional_type",
    "google.protobuf.Timestamp", "google.protobuf.Duration",
]
