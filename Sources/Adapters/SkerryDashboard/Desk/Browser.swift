import SkerryGateway
import SkerryValues

/// A browser that was let in, and its session.
struct Browser: Hashable, Sendable {
    /// Its id in addresses and in its cookie; no other browser or phone has it.
    let id: String
    /// Its name for people; no other browser has it.
    let name: String
    /// The role, which says what it may do.
    let role: Role
    /// The person who uses it, which decides what it sees unless it is an administrator's; nil for none.
    let person: String?
    /// The SHA-256 of its token, which only the browser has.
    let credential: [UInt8]
    /// The moment at which it was let in.
    var pairedAt: Timestamp
    /// The moment of its last request.
    var seenAt: Timestamp
    /// True if it gives way to another one when there are too many: it came by the admin token, which lets it in again, or it
    /// is another partition that knows it.
    var isExpendable = false

    /// The time after the last request for which the session goes on: for administrators a month, for others more than a year.
    static func lifetime(of role: Role) -> Interval { .hours(24 * (role == .administrator ? 30 : 400)) }

    /// Returns whether the session goes on.
    func isAlive(at now: Timestamp) -> Bool { now - seenAt < Self.lifetime(of: role) }
}

extension Browser {
    /// The version of the bytes.
    private static let version: UInt8 = 2
    /// The version without ``isExpendable``.
    private static let firstVersion: UInt8 = 1

    /// Reads the bytes that ``image`` wrote.
    init(image bytes: [UInt8]) throws(ImageFault) {
        var reader = try ImageReader(sealed: bytes[...])
        let version = try reader.tag()
        guard [Self.firstVersion, Self.version].contains(version) else { throw .unknownVersion(version) }
        id = try reader.text()
        name = try reader.text()
        guard let role = Role(rawValue: try reader.text()), Role.ofBrowsers.contains(role) else {
            throw .malformed
        }
        self.role = role
        person = try reader.optional { reader throws(ImageFault) in try reader.text() }
        credential = try reader.data()
        pairedAt = try reader.moment()
        seenAt = try reader.moment()
        isExpendable = version == Self.firstVersion ? false : try reader.flag()
        guard reader.rest == 0 else { throw .malformed }
    }

    /// All of it, as the store keeps it.
    var image: [UInt8] {
        var writer = ImageWriter(capacity: 256)
        writer.tag(Self.version)
        writer.text(id)
        writer.text(name)
        writer.text(role.rawValue)
        writer.optional(person) { $0.text($1) }
        writer.data(credential)
        writer.moment(pairedAt)
        writer.moment(seenAt)
        writer.flag(isExpendable)
        writer.seal()
        return writer.bytes
    }
}
