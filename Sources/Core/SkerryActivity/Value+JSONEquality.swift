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
