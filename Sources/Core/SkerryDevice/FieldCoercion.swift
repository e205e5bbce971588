import SkerryActivity
import SkerryExpressions
import SkerryValues

extension Value {
    /// The number with at most so many decimals, rounded half away from zero; anything else as it is.
    func rounded(to decimals: Int) -> Value {
        guard case .double(let number) = self else { return self }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (number * scale).rounded() / scale
        return scaled.isFinite ? .double(scaled) : self
    }
}

extension FieldType {
    /// The type of a field without a declared one, from the type of its expression.
    init(_ type: ExpressionType) {
        switch type {
        case .bool: self = .bool
        case .int, .uint: self = .int
        case .double: self = .double
        case .string, .bytes, .type: self = .string
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .list, .map: self = .structure
        case .optional(let wrapped): self = FieldType(wrapped)
        case .null, .dyn: self = .any
        }
    }

    /// True if a value of an expression of this type can become one of the declared type.
    func canCoerce(_ type: ExpressionType) -> Bool {
        switch (self, FieldType(type)) {
        case (_, .any): true
        case (let declared, let given) where declared == given: true
        case (.string, let given): given != .structure
        case (.int, .double), (.int, .string), (.double, .int), (.double, .string), (.bool, .string): true
        case (.timestamp, .int), (.timestamp, .double), (.duration, .int), (.duration, .double): true
        default: false
        }
    }

    /// The value converted to this declared type; an error when that is impossible, while null and errors stay as they
    /// are.
    ///
    /// Numbers become whole by rounding half away from zero; texts are parsed as CEL's conversions parse them; moments
    /// and lengths of time can be given in seconds.
    func coerce(_ value: Value) -> Value {
        switch (self, value) {
        case (_, .null), (_, .error): value
        case (_, .optional(let content)): content.first.map(coerce) ?? .null
        case (.string, _): value.text.map(Value.string) ?? .error(.noSuchOverload)
        case (.int, .int), (.double, .double), (.bool, .bool): value
        case (.int, .uint(let number)): Int64(exactly: number).map(Value.int) ?? .error(.overflow)
        case (.int, .double(let number)): Int64(exactly: number.rounded()).map(Value.int) ?? .error(.overflow)
        case (.int, .string(let text)):
            Int64(text).map(Value.int) ?? Double(text).map { coerce(.double($0)) } ?? .error(.invalidArgument)
        case (.double, .int(let number)): .double(Double(number))
        case (.double, .uint(let number)): .double(Double(number))
        case (.double, .string(let text)): Double(text).map(Value.double) ?? .error(.invalidArgument)
        case (.bool, .string("true")): .bool(true)
        case (.bool, .string("false")): .bool(false)
        case (.timestamp, .timestamp), (.duration, .duration): value
        case (.timestamp, .int), (.timestamp, .uint), (.timestamp, .double), (.duration, .int),
            (.duration, .uint), (.duration, .double):
            FieldType.double.coerce(value)
        default: .error(.noSuchOverload)
        }
    }
}
