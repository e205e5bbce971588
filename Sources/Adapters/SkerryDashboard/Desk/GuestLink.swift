import SkerryGateway
import SkerryValues

/// A link that shows one device to a guest until its run is no longer shown.
///
/// It says itself what it shows, and is signed: so it outlives a restart, and nothing has to be kept.
struct GuestLink: Hashable, Sendable {
    /// The version of the bytes.
    private static let version: UInt8 = 1

    let device: DeviceKey
    /// The id of the activity.
    let activity: String
    /// The phone or the browser by whose right a guest sees it; nil for somebody who sees everything.
    let inviter: String?

    init(to device: DeviceKey, activity: String, inviter: String?) {
        (self.device, self.activity, self.inviter) = (device, activity, inviter)
    }

    /// Reads a link; nil if nobody signed it with this key.
    init?(text: String, key: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let letters = String(parts[0].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        guard let bytes = Base64.bytes(of: letters),
            Secret.areEqual(Array(Self.signature(of: bytes, key).utf8), Array(parts[1].utf8)),
            var reader = try? ImageReader(sealed: bytes[...]), (try? reader.tag()) == Self.version,
            let kind = try? reader.text(), let name = try? reader.text(), let activity = try? reader.text(),
            let inviter = try? reader.text()
        else { return nil }
        device = DeviceKey(kind: kind, name: name)
        self.activity = activity
        self.inviter = inviter.isEmpty ? nil : inviter
    }

    /// The link as its address and the cookie of a guest have it.
    func text(key: String) -> String {
        var writer = ImageWriter(capacity: 128)
        writer.tag(Self.version)
        for part in [device.kind, device.name, activity, inviter ?? ""] { writer.text(part) }
        writer.seal()
        return Base64.text(of: writer.bytes, .url) + "." + Self.signature(of: writer.bytes, key)
    }

    private static func signature(of bytes: [UInt8], _ key: String) -> String {
        Secret.signature(of: Array("skerry guest ".utf8) + bytes, key: key)
    }
}
