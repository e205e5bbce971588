import SkerryValues

extension Value {
    /// Returns the length in JSON, in bytes; nil when that is at most `limit`.
    ///
    /// It is written only when a rough bound does not tell.
    func jsonLength(beyond limit: Int) -> Int? {
        if roughLength <= limit { return nil }
        var writer = JSONWriter(capacity: limit)
        writer.value(self)
        return writer.bytes.count > limit ? writer.bytes.count : nil
    }

    /// At least as many bytes as it has in JSON.
    private var roughLength: Int {
        switch self {
        case .null, .bool, .error: 5
        case .int, .uint, .double, .timestamp, .duration: 32
        case .string(let text): 2 + 6 * text.utf8.count
        case .type(let name): 2 + 6 * name.utf8.count
        case .bytes(let data): 8 + 2 * data.count
        case .optional(let content): content.first?.roughLength ?? 5
        case .list(let elements): elements.reduce(2) { $0 + $1.roughLength + 1 }
        case .map(let map): map.entries.reduce(2) { $0 + $1.key.roughLength + $1.value.roughLength + 4 }
        }
    }
}
