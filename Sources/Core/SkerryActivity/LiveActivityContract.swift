import SkerryValues

/// The contract between the bridge and an app: the types that `ActivityAttributes` and its `ContentState` decode.
///
/// The static functions write what a push carries. Keys are sorted, so that equal states give equal bytes; times are Unix
/// seconds as numbers; texts are cut to ``longestText``; lists, objects and numbers beyond 64 bits are left out. Coercion to
/// the types that a definition declares comes before, where a device renders, so that all readers see the same values.
///
/// See docs/decisions/0015-one-content.md.
public struct LiveActivityContract: Sendable {
    /// A member of the attributes or the content.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its type.
        public var type: FieldType
        /// The unit that readers write after the number; nil for none.
        public var unit: String?
        /// The most decimals that readers write; nil leaves it to them.
        public var decimals: Int?
        /// The number that fills a bar; nil when no bar can show it.
        public var whole: Double?

        /// Makes a field.
        public init(
            name: String,
            type: FieldType,
            unit: String? = nil,
            decimals: Int? = nil,
            whole: Double? = nil
        ) {
            self.name = name
            self.type = type
            self.unit = unit
            self.decimals = decimals
            self.whole = whole
        }
    }

    /// The kind of device.
    public let kind: String
    /// The fields that stay the same for a run.
    public let attributes: [Field]
    /// The fields that change.
    public let content: [Field]
    /// The names that `state` can have; nil when several states are active at once, and it is one of many combinations.
    public let states: [String]?
    /// The longest text that `state` can be, in bytes.
    public let longestState: Int
    /// True if the link may change within a run, so that it is a member of the content state and not of the attributes.
    public var isLinkContent = false

    /// Makes a contract.
    public init(
        kind: String,
        attributes: [Field],
        content: [Field],
        states: [String]?,
        longestState: Int
    ) {
        self.kind = kind
        self.attributes = attributes
        self.content = content
        self.states = states
        self.longestState = longestState
    }
}

// MARK: - Sizes

extension LiveActivityContract {
    /// The most bytes that Apple takes of attributes and content state together, and of a whole body.
    public static let limit = 4096
    /// The longest text in a push, in bytes of JSON; a longer one is cut.
    public static let longestText = 256
    /// The longest link in bytes of JSON; a longer one is left out, because half a link opens nothing.
    public static let longestLink = 512
    /// The length of a device's name that the sizes reckon with, in bytes.
    static let deviceName = 64
    /// The bytes that the other keys of `aps` take at most: event, dates, relevance, channel.
    static let otherKeys = 384

    /// The name of the Swift type that an app declares: `WasherPlugAttributes` for the kind `washer-plug`.
    public var attributesType: String { Self.attributesType(ofKind: kind) }

    /// The bytes of JSON of the largest attributes, for names of devices up to 64 bytes.
    public var largestAttributes: Int {
        let wrapping = #"{"attributes":,"device":"","id":"","instance":9}"#.utf8.count
        let id = kind.utf8.count + Self.deviceName + 22
        return wrapping + size(attributes) + Self.deviceName + id + (isLinkContent ? 0 : Self.linkMember)
    }

    /// The bytes of JSON of the largest content state.
    public var largestContentState: Int {
        let wrapping = #"{"content":,"heard":1795235279,"phase":"active","rev":,"state":""}"#.utf8.count
        return wrapping + size(content) + 20 + longestState + (isLinkContent ? Self.linkMember : 0)
    }

    /// The bytes of the largest link with its name.
    private static var linkMember: Int { #","link":"""#.utf8.count + longestLink }

    /// The bytes of the largest body: a start, with its alert.
    public var largestBody: Int {
        largestAttributes + largestContentState + attributesType.utf8.count + 2 * Self.longestText
            + ActivityAlert.Sound.nameLimit + Self.otherKeys
    }

    /// The bytes of the largest object with these members.
    private func size(_ fields: [Field]) -> Int {
        fields.reduce(2) { size, field in
            field.type == .structure ? size : size + field.name.utf8.count + 4 + field.type.longestValue
        }
    }
}

// MARK: - The payload of a push

extension LiveActivityContract {
    /// The name of the Swift type for a kind: `washer-plug` gives `WasherPlugAttributes`.
    ///
    /// Every character except ASCII letters and digits separates words. A kind that begins with a digit, has neither, or
    /// would be called as a type that each app has, is preceded by `Device`.
    public static func attributesType(ofKind kind: String) -> String { typeName(ofKind: kind) + "Attributes" }

    /// The names that would give `ActivityAttributes` or `SkerryAttributes`.
    private static let takenNames = ["Activity", "Skerry"]

    /// The first part of the names of Swift types for a kind: `washer-plug` gives `WasherPlug`.
    public static func typeName(ofKind kind: String) -> String {
        var name: [UInt8] = []
        var beginsWord = true
        for byte in kind.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                name.append(beginsWord ? byte & 0xDF : byte)
                beginsWord = false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                name.append(byte)
                beginsWord = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if name.isEmpty { name += "Device".utf8 }
                name.append(byte)
                beginsWord = false
            default: beginsWord = true
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        if name.isEmpty || takenNames.contains(where: { $0.hasSameCodePoints(as: text) }) {
            return "Device" + text
        }
        return text
    }

    /// The `content-state` of a push: `content`, `phase`, `rev`, `state`, while the device is silent for too long `heard`, and
    /// `link`, if that may change.
    public static func contentState(of update: ActivityUpdate) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.key("content")
        write(update.content, to: &writer)
        if let heardAt = update.heardAt { writer.member("heard", heardAt.flooredSeconds) }
        if update.isLinkContent { writer.member("link", link(of: update)) }
        writer.member("phase", update.phase.name)
        writer.member("rev", update.rev)
        writer.member("state", update.state)
        writer.endObject()
        return writer.bytes
    }

    /// A hash of what a person can see: the same for revisions that look the same.
    public static func look(of update: ActivityUpdate) -> UInt64 {
        var looks = update
        looks.rev = 0
        looks.heardAt = nil
        return contentState(of: looks).fingerprint
    }

    /// The `attributes` of a start: `attributes`, `device`, `id`, `instance` and, if it stays, `link`.
    ///
    /// - Parameters:
    ///   - update: any revision of the activity.
    ///   - device: the name of the device.
    ///   - instance: 1 for the first activity of a run on this phone, one more for each renewal.
    /// - Returns: the JSON.
    public static func attributes(of update: ActivityUpdate, device: String, instance: Int) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.key("attributes")
        write(update.attributes, to: &writer)
        writer.member("device", cut(device))
        writer.member("id", update.id)
        writer.member("instance", Int64(instance))
        if !update.isLinkContent { writer.member("link", link(of: update)) }
        writer.endObject()
        return writer.bytes
    }

    /// A text of at most ``longestText`` bytes of JSON: the whole one, or its beginning with `…`.
    public static func cut(_ text: String) -> String {
        guard text.lengthInJSON > longestText else { return text }
        var result = ""
        var room = longestText - 3
        for character in text {
            room -= String(character).lengthInJSON
            if room < 0 { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func write(_ map: ValueMap, to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in map.sortedMembers {
            switch value {
            case .bool, .int, .double:
                writer.member(name, value)
            case .string(let text):
                writer.member(name, cut(text))
            case .map(let time) where time.isTime:
                writer.key(name)
                write(time, to: &writer)
            default: break
            }
        }
        writer.endObject()
    }
}

extension ValueMap {
    /// The members in the order of their names' bytes.
    fileprivate var sortedMembers: [(name: String, value: Value)] {
        var members: [(name: String, value: Value)] = []
        for entry in entries {
            if case .string(let name) = entry.key { members.append((name, entry.value)) }
        }
        return members.sorted { $0.name.precedesByCodePoints($1.name) }
    }

    /// True if this is a timer as it is published.
    fileprivate var isTime: Bool {
        !entries.isEmpty && entries.count <= 3
            && entries.allSatisfy { entry in
                guard case .string(let name) = entry.key, case .int = entry.value else { return false }
                return AnchoredTime.parts.contains { $0.hasSameCodePoints(as: name) }
            }
    }
}

extension String {
    /// The bytes that the text takes in JSON, without its quotes.
    var lengthInJSON: Int {
        utf8.reduce(0) { length, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): length + 2
            case 0..<0x20: length + 6
            default: length + 1
            }
        }
    }
}
