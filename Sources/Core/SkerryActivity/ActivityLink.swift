/// The addresses that a touch of an activity opens.
public enum ActivityLink {
    /// The scheme of links to the app itself, which each generated app opens.
    public static let scheme = "skerry"
    /// The schemes that iOS opens by itself, and those of apps of which Skerry knows.
    public static let knownSchemes = [
        scheme, "https", "http", "tel", "telprompt", "sms", "mailto", "facetime", "facetime-audio", "maps",
        "shortcuts", "homeassistant",
    ]

    /// The link to a device in the app: `skerry://washer/laundry`.
    ///
    /// - Parameter activity: The id of an activity, `<kind>/<device>/<run>`.
    /// - Returns: the link.
    public static func app(ofActivity activity: String) -> String {
        let (kind, device) = parts(ofActivity: activity)
        return "\(scheme)://\(encoded(kind))/\(encoded(device))"
    }

    /// The address of a device on the page: `https://skerry.example.org/#/device/washer/laundry`.
    ///
    /// - Parameters:
    ///   - activity: The id of an activity, `<kind>/<device>/<run>`.
    ///   - base: The address of the page without a slash at its end.
    /// - Returns: the address.
    public static func page(ofActivity activity: String, at base: String) -> String {
        let (kind, device) = parts(ofActivity: activity)
        return "\(base)/#/device/\(encoded(kind))/\(encoded(device))"
    }

    /// A link without the characters that no address may contain: blanks, quotes, letters beyond ASCII.
    ///
    /// What separates the parts of an address stays, also where a device has sent it.
    public static func opened(_ link: String) -> String {
        encoded(link, keeping: "-._~:/?#[]@!$&'()*+,;=%")
    }

    /// Returns whether a link leads to the app itself, which opens nothing where there is no such app.
    public static func isOfApp(_ link: String) -> Bool {
        let start = link.utf8.prefix { $0 != UInt8(ascii: ":") }
        return start.count == scheme.utf8.count
            && zip(start, scheme.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func parts(ofActivity activity: String) -> (kind: String, device: String) {
        let bytes = Array(activity.utf8)
        let slash = UInt8(ascii: "/")
        guard let first = bytes.firstIndex(of: slash), let last = bytes.lastIndex(of: slash), first < last
        else { return (activity, "") }
        return (
            String(decoding: bytes[..<first], as: UTF8.self),
            String(decoding: bytes[(first + 1)..<last], as: UTF8.self)
        )
    }

    /// A text in percent-encoding (RFC 3986), with ASCII letters and digits as they are.
    private static func encoded(_ text: String, keeping kept: String = "-._~") -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                bytes.append(byte)
            default:
                if kept.utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
    }
}

extension LiveActivityContract {
    /// The link that the definition gives an activity; nil for none.
    ///
    /// Half a link opens nothing, so one that is too long is as none.
    package static func ownLink(of update: ActivityUpdate) -> String? {
        update.link.flatMap { $0.lengthInJSON <= longestLink ? $0 : nil }
    }

    /// The link of an activity on phones: that of the definition, else the one to its device in the app.
    public static func link(of update: ActivityUpdate) -> String {
        if let link = ownLink(of: update) { return link }
        let link = ActivityLink.app(ofActivity: update.id)
        return link.utf8.count <= longestLink ? link : "\(ActivityLink.scheme)://"
    }
}
