/// A map of CEL: entries in the order they were written, keys of the kinds bool, int, uint and string.
///
/// Maps of devices are small; a search walks the entries. The order is that of the text, never that of a hash.
public struct ValueMap: Sendable {
    /// One key with its value.
    public struct Entry: Sendable {
        /// The key.
        public var key: Value
        /// The value of the key.
        public var value: Value

        /// Makes an entry.
        public init(key: Value, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The entries, each key once.
    public internal(set) var entries: [Entry]

    /// Makes a map of entries whose keys are all different.
    public init(uniqueEntries entries: [Entry] = []) {
        self.entries = entries
    }

    /// The value that belongs to a text key, compared by code points; nil when there is none.
    public subscript(name: String) -> Value? {
        for entry in entries {
            if case .string(let key) = entry.key, key.hasSameCodePoints(as: name) { return entry.value }
        }
        return nil
    }

    /// Sets the value of a text key; a key that is there keeps its place.
    public mutating func set(_ name: String, to value: Value) {
        for index in entries.indices {
            if case .string(let key) = entries[index].key, key.hasSameCodePoints(as: name) {
                entries[index].value = value
                return
            }
        }
        entries.append(Entry(key: .string(name), value: value))
    }
}
