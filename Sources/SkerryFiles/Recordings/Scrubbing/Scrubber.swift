/// Takes out of a recording what tells whose it is, so that it can be given to others.
///
/// Names, serial numbers and addresses get pseudonyms, which are the same wherever the original stands, in topics and in
/// payloads. Positions on the globe are moved, all by the same angles. Everything else stays as it is, so that definitions
/// work as before. A recording is read twice: first to learn the names in it, and then to replace them.
public struct Scrubber {
    /// The keys of JSON whose values are names of people, places and devices.
    public static let nameKeys: Set<String> = [
        "friendly_name", "friendlyname", "device_name", "devicename", "user", "username", "user_name",
        "customer", "owner",
        "person", "recipient", "address", "street", "city", "zip", "postcode", "room", "area",
        "suggested_area", "ssid",
        "hostname", "host", "email", "phone", "tel",
    ]
    /// The keys of JSON whose values are serial numbers.
    public static let serialKeys: Set<String> = [
        "serial", "serialnumber", "serial_number", "sn", "dev_id", "device_id", "deviceid", "mac", "imei",
        "vin", "token",
        "password", "key", "apikey", "api_key", "access_code",
    ]
    /// The keys of JSON whose values are degrees: 0 for those to the north, 1 for those to the east.
    private static let positionKeys: [String: Int] = [
        "lat": 0, "latitude": 0, "lon": 1, "long": 1, "lng": 1, "longitude": 1,
    ]

    private var pseudonyms: Pseudonyms
    private let nameKeys: Set<String>
    /// The distance by which positions are moved, in degrees to the north and to the east.
    private let shift: [Int]

    /// The number of positions that were moved.
    public private(set) var movedPositions = 0

    /// Makes a scrubber.
    ///
    /// - Parameters:
    ///   - keys: Further keys of JSON whose values are names.
    ///   - words: Further names, wherever they stand.
    ///   - random: What the pseudonyms of serial numbers are drawn from.
    public init(keys: [String] = [], words: [String] = [], using random: any RandomNumberGenerator) {
        var random = random
        shift = [3, 7].map { Int.random(in: 1...$0, using: &random) * (Bool.random(using: &random) ? 1 : -1) }
        pseudonyms = Pseudonyms(using: random)
        nameKeys = Self.nameKeys.union(keys.map { $0.lowercased() })
        for word in words { pseudonyms.addWord(word.utf8, .name) }
    }

    /// The number of different names, serial numbers and addresses that were found.
    public var counts: (names: Int, serials: Int, addresses: Int) {
        let counts = pseudonyms.counts
        return (counts[.name] ?? 0, counts[.serial] ?? 0, counts[.address] ?? 0)
    }

    /// Learns the names in a message.
    public mutating func learn(_ message: RecordedMessage) {
        for part in PayloadParts(message.payload) {
            guard case .text(let text, let key?) = part else { continue }
            if nameKeys.contains(key) { pseudonyms.addWord(text, .name) }
            if Self.serialKeys.contains(key) { pseudonyms.addWord(text, .serial) }
        }
    }

    /// Replaces what is personal in a message; nil for one whose payload is not text, and so can't be looked through.
    public mutating func scrub(_ message: RecordedMessage) -> RecordedMessage? {
        guard String(validating: message.payload, as: UTF8.self) != nil else { return nil }
        var payload: [UInt8] = []
        for part in PayloadParts(message.payload) {
            switch part {
            case .other(let bytes): payload += bytes
            case .key(let text): payload += text.isPlainKey ? Array(text) : self.text(text)
            case .text(let text, let key):
                payload += axis(key).map { moved(text, along: $0) } ?? self.text(text)
            case .number(let digits, let key):
                payload += axis(key).map { moved(digits, along: $0) } ?? Array(digits)
            }
        }
        var scrubbed = message
        scrubbed.topic = text(message.topic)[...]
        scrubbed.payload = payload[...]
        return scrubbed
    }

    private func axis(_ key: String?) -> Int? { key.flatMap { Self.positionKeys[$0] } }

    /// A text with pseudonyms in it.
    private mutating func text(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var place = text.startIndex
        while place < text.endIndex {
            if place == text.startIndex || !text[place - 1].isOfWord || !text[place].isOfWord {
                if let (length, said) = pseudonyms.word(at: place, of: text) {
                    result += said
                    place += length
                    continue
                }
                if text[place].isOfWord, let token = PersonalToken(at: place, of: text) {
                    result += pseudonyms.pseudonym(of: text[token.range], token.kind)
                    place = token.range.upperBound
                    continue
                }
            }
            result.append(text[place])
            place += 1
        }
        return result
    }

    /// A number of degrees that is moved, with as many decimals as before; other texts give 0.
    private mutating func moved(_ digits: ArraySlice<UInt8>, along axis: Int) -> [UInt8] {
        guard let number = Double(String(decoding: digits, as: UTF8.self)), number.magnitude <= 360 else {
            return Array("0".utf8)
        }
        movedPositions += 1
        let point = digits.firstIndex(of: UInt8(ascii: "."))
        let decimals = point.map { min(digits.endIndex - $0 - 1, 12) } ?? 0
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((number * Double(scale)).rounded()) + Int64(shift[axis]) * scale
        let sign = scaled < 0 ? "-" : ""
        let fraction = String(scaled.magnitude % scale.magnitude)
        let zeros = String(repeating: "0", count: max(0, decimals - fraction.utf8.count))
        return Array(
            "\(sign)\(scaled.magnitude / scale.magnitude)\(decimals > 0 ? ".\(zeros)\(fraction)" : "")".utf8
        )
    }
}

extension ArraySlice<UInt8> {
    /// True for keys that only programmers make up: small letters of ASCII and `_`.
    fileprivate var isPlainKey: Bool {
        allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
    }
}
