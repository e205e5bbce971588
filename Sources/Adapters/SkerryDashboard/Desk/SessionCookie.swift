/// The cookies by which the page is let in.
///
/// That of a browser has the browser's id and its token. That of a phone has a keyed hash of the phone's secret: it survives
/// a restart, ends with the secret, and does not reveal the secret.
enum SessionCookie {
    /// The name of the cookie of browsers that were let in, and of phones.
    static let name = "skerry-session"
    static let guestName = "skerry-guest"
    /// The time for which a browser keeps it, in seconds: the most that browsers allow.
    private static let lifetime = 34_560_000

    /// The value for a browser with an id.
    static func value(of id: String, token: String) -> String { "\(id).\(token)" }

    /// The value for a phone with an id, made of the digest of the secret.
    static func value(of id: String, _ digest: [UInt8], key: String) -> String {
        "\(id).\(Secret.signature(of: Array("skerry session \(id) ".utf8) + digest, key: key))"
    }

    /// The field that sets a cookie for the page as the sender has it; an empty value ends it.
    static func field(_ name: String, _ value: String, from sender: RequestSender) -> String {
        let age = value.isEmpty ? 0 : lifetime
        return
            "\(name)=\(value); Path=\(sender.base)/; Max-Age=\(age); HttpOnly; SameSite=Strict\(sender.isSecure ? "; Secure" : "")"
    }
}
