import SkerryExpressions
import SkerryTesting
import SkerryValues

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
}
