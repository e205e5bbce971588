public import SkerryValues

extension Value {
    /// Returns whether both are the same in JSON, where the order of members means nothing.
    ///
    /// Numbers of different kinds are the same when they are equal; texts when their code points are. Values that
    /// JSON does not know are never the same.
    public func isSameJSON(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameCodePoints(as: right)
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSameJSON(as: $1) }
        case (.map(let left), .map(let right)): left.isSameJSON(as: right)
        default: isSameScalar(as: other)
        }
    }

    private func isSameScalar(as other: Value) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)): left == right || !(left.isFinite || right.isFinite)
        case (.uint(let left), .uint(let right)): left == right
        case (.int(let left), .uint(let right)), (.uint(let right), .int(let left)): left == right
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)):
            Int64(exactly: right) == left
        case (.uint(let left), .double(let right)), (.double(let right), .uint(let left)):
            UInt64(exactly: right) == left
        default: false
        }
    }
}

extension ValueMap {
    fileprivate func isSameJSON(as other: ValueMap) -> Bool {
        entries.count == other.entries.count
            && entries.allSatisfy { entry in
                other.value(of: entry.key).map(entry.value.isSameJSON(as:)) ?? false
            }
    }

    /// The value of a key of any kind.
    func value(of key: Value) -> Value? {
        for entry in entries where entry.key.isSameJSON(as: key) { return entry.value }
        return nil
    }
}

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
