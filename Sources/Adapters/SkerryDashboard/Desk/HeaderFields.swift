/// The fields in the head of a request or a response, in their order.
///
/// The case of letters in names does not matter.
struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var entries: [(name: String, value: String)]

    init(dictionaryLiteral elements: (String, String)...) {
        entries = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The values of all fields with a name, joined by commas; setting it replaces them by one.
    subscript(name: String) -> String? {
        get {
            let values = values(name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            entries.removeAll { Self.areEqual($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all fields with a name.
    func values(_ name: String) -> [String] {
        entries.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    mutating func append(_ name: String, _ value: String) { entries.append((name: name, value: value)) }

    mutating func append(_ fields: HeaderFields) { entries += fields.entries }

    private static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}
