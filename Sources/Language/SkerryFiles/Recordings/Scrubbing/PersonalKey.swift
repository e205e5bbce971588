/// The meaning of a name such as `wifi_password`, in JSON or before `=`, for what stands under it.
enum PersonalKey: Equatable {
    /// The name of a person, a place or a device.
    case name
    /// A number of a person or a place, such as a phone's: a name that may consist of figures.
    case figures
    /// A serial number, or a secret.
    case serial
    /// A secret with a short name that numbers have, too: `key`, `pass`.
    case word
    /// Degrees: 0 for those to the north, 1 for those to the east.
    case position(Int)

    /// Reads a key; nil if what stands under it is nobody's.
    ///
    /// Case and punctuation do not count, nor does a number or an `s` at the end. Names made of several words count by
    /// their last ones: `wifi_password`, `accessToken`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: Further keys of names.
    init?(_ key: some Sequence<UInt8>, names: Set<[UInt8]> = []) {
        var word = key.filter { $0.isOfWord }.map { $0.lowercasedASCII }
        while let last = word.last, last.isASCIIDigit { word.removeLast() }
        let text = String(decoding: word, as: UTF8.self)
        let singular = text.hasSuffix("s") ? String(text.dropLast()) : text
        if let axis = Self.axes[text] {
            self = .position(axis)
        } else if names.contains(word) || Self.nameKeys.contains(text) || Self.nameKeys.contains(singular) {
            self = .name
        } else if Self.figureKeys.contains(text) || Self.figureKeys.contains(singular) {
            self = .figures
        } else if Self.wordKeys.contains(text) {
            self = .word
        } else if Self.serialKeys.contains(text) || Self.serialKeys.contains(singular) {
            self = .serial
        } else if Self.lastWords.contains(where: { text.hasSuffix($0) || singular.hasSuffix($0) }) {
            self = .serial
        } else if Self.lastNames.contains(where: { text.hasSuffix($0) }) {
            self = .name
        } else {
            return nil
        }
    }

    /// True if a number under the key is personal, too.
    var coversNumbers: Bool { self == .serial || self == .figures }

    /// The kind of pseudonym for what stands under the key.
    var kind: Pseudonyms.Kind { self == .serial || self == .word ? .serial : .name }

    private static let nameKeys: Set = [
        "friendlyname", "devicename", "user", "username", "customer", "owner", "person", "recipient",
        "address",
        "street", "city", "room", "area", "suggestedarea", "ssid", "hostname", "host", "email", "mail",
        "login",
        "firstname", "lastname", "surname", "nickname", "fullname",
    ]
    private static let figureKeys: Set = [
        "zip", "zipcode", "postcode", "postalcode", "plz", "phone", "phonenumber", "tel", "telephone",
        "mobile",
        "msisdn",
    ]
    private static let wordKeys: Set = ["key", "pass", "pw"]
    private static let serialKeys: Set = [
        "serial", "sn", "devid", "deviceid", "mac", "imei", "imsi", "iccid", "vin", "token", "password",
        "passwd",
        "pwd", "psk", "apikey", "accesscode", "accesskey", "uuid", "bssid", "secret", "iban", "authorization",
        "cookie", "session", "sessionid", "pin", "pincode",
    ]
    private static let lastWords = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "psk",
        "serial",
        "serialnumber", "serialno", "imei", "imsi", "iccid", "macaddress", "deviceid", "accesscode",
    ]
    private static let lastNames = ["friendlyname", "username", "devicename", "hostname", "email", "ssid"]
    private static let axes = ["lat": 0, "latitude": 0, "lon": 1, "long": 1, "lng": 1, "longitude": 1]
}

/// A key in a text that is not JSON, and the value after it: `token=abc`, `password: "x y"`, `<user>Ada</user>`.
struct PersonalPair {
    let key: PersonalKey
    let value: Range<Int>

    /// Reads a pair that begins at a place of a text, where a word begins; nil if there is none with a personal value.
    init?(at place: Int, of text: ArraySlice<UInt8>, names: Set<[UInt8]>) {
        let name = text[place...].prefix(48).prefix { $0.isOfWord || "_-.".utf8.contains($0) }
        guard let key = PersonalKey(name, names: names) else { return nil }
        var start = name.endIndex
        func skip(_ bytes: String, most: Int) -> Int {
            let end = text[start...].prefix(most).prefix { bytes.utf8.contains($0) }.endIndex
            defer { start = end }
            return end - start
        }
        _ = skip("\"'\\", most: 2)
        _ = skip(" ", most: 4)
        guard skip("=:>", most: 1) == 1 else { return nil }
        _ = skip(" ", most: 4)
        for scheme in ["Bearer ", "Basic "] where text[start...].starts(with: scheme.utf8) {
            start += scheme.utf8.count
        }
        let quoted = text[start...].first.map { "\"'".utf8.contains($0) } ?? false
        if quoted { start += 1 }
        // A name may have blanks in it, a secret ends with the first one.
        let isSeparated = key.kind == .name || text.contains { "&;".utf8.contains($0) }
        let ends = quoted ? "\"'\r\n" : isSeparated ? "&;,<>\"'\r\n" : "&;,<>\"' \t\r\n"
        var end = text[start...].firstIndex { ends.utf8.contains($0) } ?? text.endIndex
        while end > start, text[end - 1] == 0x20 || text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        guard end > start else { return nil }
        self.key = key
        value = start..<end
    }
}
