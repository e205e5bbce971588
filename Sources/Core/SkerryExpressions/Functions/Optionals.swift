import SkerryValues

extension Function {
    /// The functions that make and open optionals.
    func optional(_ argument: Value) -> Value {
        switch (self, argument) {
        case (.optionalOf, _): return .optional([argument])
        case (.optionalOfNonZero, _): return .optional(argument.isZero ? [] : [argument])
        case (.hasValue, .optional(let wrapped)): return .bool(!wrapped.isEmpty)
        case (.value, .optional(let wrapped)): return wrapped.first ?? .error(.invalidArgument)
        case (.first, .list(let elements)): return .optional(Array(elements.prefix(1)))
        case (.last, .list(let elements)): return .optional(Array(elements.suffix(1)))
        case (.optionalUnwrap, .list(let elements)):
            var unwrapped: [Value] = []
            for element in elements {
                guard case .optional(let wrapped) = element else { return .error(.noSuchOverload) }
                unwrapped += wrapped
            }
            return .list(unwrapped)
        default: return .error(.noSuchOverload)
        }
    }
}

extension Value {
    /// True if the value is the zero of its type: zero, empty, false, null.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let flag): !flag
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .list(let elements): elements.isEmpty
        case .map(let map): map.entries.isEmpty
        case .timestamp(let moment): moment.seconds == 0 && moment.nanoseconds == 0
        case .duration(let length): length.seconds == 0 && length.nanoseconds == 0
        case .optional(let wrapped): wrapped.isEmpty
        case .type, .error: false
        }
    }
}
