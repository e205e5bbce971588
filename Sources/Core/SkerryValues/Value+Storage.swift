extension Value {
    /// The longest text, in bytes, that needs no storage of its own.
    private static let inlineText = 15
    /// The storage of each text, list or map besides its contents.
    private static let header = 32
    /// The storage of a value within its container.
    private static let stride = 24

    /// About how many bytes its texts, lists and maps take; 0 for numbers, truth values, times and short texts.
    ///
    /// The figure is the same on every machine.
    ///
    /// - Parameter limit: Counting stops somewhere beyond this number.
    /// - Returns: the number of bytes.
    public func storage(limit: Int) -> Int {
        var size = 0
        addStorage(to: &size, limit)
        return size
    }

    private func addStorage(to size: inout Int, _ limit: Int) {
        switch self {
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .error: return
        case .string(let text), .type(let text):
            if text.utf8.count > Self.inlineText { size += Self.header + text.utf8.count }
        case .bytes(let bytes):
            if !bytes.isEmpty { size += Self.header + bytes.count }
        case .list(let elements), .optional(let elements):
            if elements.isEmpty { return }
            size += Self.header + Self.stride * elements.count
            for element in elements {
                if size > limit { return }
                element.addStorage(to: &size, limit)
            }
        case .map(let map):
            if map.entries.isEmpty { return }
            size += Self.header + 2 * Self.stride * map.entries.count
            for entry in map.entries {
                if size > limit { return }
                entry.key.addStorage(to: &size, limit)
                entry.value.addStorage(to: &size, limit)
            }
        }
    }
}

extension Value {
    /// The most lists and maps that a value of a device may have inside each other: as many as JSON may have.
    public static let depthLimit = JSONLimits.deepest

    /// True if lists and maps lie deeper inside each other than ``depthLimit``.
    ///
    /// Such a value must not be kept: an image with it is refused when it is read back.
    public var isTooDeep: Bool { isNested(beyond: Self.depthLimit) }

    private func isNested(beyond limit: Int) -> Bool {
        switch self {
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .error: false
        case .list(let elements), .optional(let elements):
            limit == 0 || elements.contains { $0.isNested(beyond: limit - 1) }
        case .map(let map): limit == 0 || map.entries.contains { $0.value.isNested(beyond: limit - 1) }
        }
    }
}
