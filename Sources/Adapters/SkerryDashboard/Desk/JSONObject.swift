import SkerryValues

/// An object of a request's JSON, which tells the place of what is wrong.
///
/// Members that are not asked for may have any value.
struct JSONObject {
    /// The members, each with its key.
    let entries: [(key: String, value: Value)]
    /// The place in the body, as a JSON pointer.
    private let place: String

    /// The deepest nesting of JSON that is read.
    private static let depth = 16

    init(_ body: [UInt8]) throws(Problem) {
        let value: Value
        do throws(JSONRefusal) {
            value = try JSONReader.value(
                of: body.span,
                limits: JSONLimits(bytes: body.count, depth: Self.depth)
            )
        } catch {
            throw .wrongBody(
                "no-json",
                "the body is no JSON: \(error.problem.summary), at byte \(error.offset)"
            )
        }
        guard case .map(let map) = value else {
            throw .wrongBody("wrong-type", "the body is no JSON object", at: "")
        }
        self.init(map, at: "")
    }

    private init(_ map: ValueMap, at place: String) {
        entries = map.entries.compactMap { entry in
            guard case .string(let key) = entry.key else { return nil }
            return (key, entry.value)
        }
        self.place = place
    }

    /// Refuses an object with more members than there may be.
    func check(limit: Int) throws(Problem) {
        guard entries.count <= limit else {
            throw .wrongBody(
                "too-many",
                "it has \(entries.count) members; \(limit) may come at once",
                at: place
            )
        }
    }

    /// The place of a member.
    func path(_ key: String) -> String { Self.pointer(place, key) }

    /// The JSON pointer of a member of an object at a place.
    static func pointer(_ place: String, _ key: String) -> String {
        place + "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// Returns whether a member is there and null.
    func isNull(_ key: String) -> Bool {
        if case .null? = member(key) { true } else { false }
    }

    /// The text of a member; nil when it is not there or null.
    func text(_ key: String, limit: Int) throws(Problem) -> String? {
        guard let value = member(key), !isNull(key) else { return nil }
        guard case .string(let text) = value else { throw wrongType(key, "text") }
        guard text.utf8.count <= limit else {
            throw .wrongBody("too-long", "it is longer than \(limit) bytes", at: path(key))
        }
        return text
    }

    /// The number of a member; nil when it is not there or null.
    func number(_ key: String) throws(Problem) -> Double? {
        switch member(key) {
        case nil, .null?: nil
        case .int(let number)?: Double(number)
        case .uint(let number)?: Double(number)
        case .double(let number)?: number
        default: throw wrongType(key, "a number")
        }
    }

    /// The truth value of a member; nil when it is not there or null.
    func truth(_ key: String) throws(Problem) -> Bool? {
        guard let value = member(key), !isNull(key) else { return nil }
        guard case .bool(let truth) = value else { throw wrongType(key, "true or false") }
        return truth
    }

    /// The object of a member; nil when it is not there or null.
    func object(_ key: String) throws(Problem) -> JSONObject? {
        guard let value = member(key), !isNull(key) else { return nil }
        guard case .map(let map) = value else { throw wrongType(key, "an object") }
        return JSONObject(map, at: path(key))
    }

    /// The values of a list; nil when it is not there or null.
    func list(_ key: String, limit: Int) throws(Problem) -> [Value]? {
        guard let value = member(key), !isNull(key) else { return nil }
        guard case .list(let list) = value else { throw wrongType(key, "a list") }
        guard list.count <= limit else {
            throw .wrongBody(
                "too-many",
                "it has \(list.count) members; \(limit) may come at once",
                at: path(key)
            )
        }
        return list
    }

    /// The objects of a list; nil when it is not there or null.
    func objects(_ key: String, limit: Int) throws(Problem) -> [JSONObject]? {
        guard let list = try list(key, limit: limit) else { return nil }
        var objects: [JSONObject] = []
        for (index, value) in list.enumerated() {
            let path = "\(path(key))/\(index)"
            guard case .map(let map) = value else {
                throw .wrongBody("wrong-type", "it must be an object", at: path)
            }
            objects.append(JSONObject(map, at: path))
        }
        return objects
    }

    private func member(_ key: String) -> Value? {
        entries.first { $0.key.hasSameCodePoints(as: key) }?.value
    }

    private func wrongType(_ key: String, _ expected: String) -> Problem {
        .wrongBody("wrong-type", "it must be \(expected)", at: path(key))
    }
}
