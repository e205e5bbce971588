#if Push
import Crypto
import FoundationEssentials
import SkerryValues

/// A certificate for `localhost` and 127.0.0.1 that trusts itself, made in a moment and good for a day.
///
/// X.509 in DER, with a key on P-256: as small as a certificate can be that OpenSSL takes.
struct PushCertificate {
    private let key = P256.Signing.PrivateKey()
    /// The certificate.
    let der: [UInt8]

    /// Makes one; `now` is the real time, which TLS asks for.
    init(now: Timestamp) throws {
        let algorithm = DER.sequence(DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
        let name = DER.sequence(
            DER.set(DER.sequence(DER.object([0x55, 0x04, 0x03]) + DER.tagged(0x0C, Array("localhost".utf8))))
        )
        let validity = DER.sequence(
            DER.time(now - Interval.hours(1)) + DER.time(now + Interval.hours(24))
        )
        let names = DER.sequence(
            DER.tagged(0x82, Array("localhost".utf8)) + DER.tagged(0x87, [127, 0, 0, 1])
        )
        let extensions = DER.sequence(
            DER.sequence(DER.object([0x55, 0x1D, 0x11]) + DER.tagged(0x04, names))
                + DER.sequence(
                    // Basic constraints: an authority, or it could not vouch for itself.
                    DER.object([0x55, 0x1D, 0x13])
                        + DER.tagged(0x04, DER.sequence(DER.tagged(0x01, [0xFF])))
                )
        )
        let body = DER.sequence(
            DER.tagged(0xA0, DER.tagged(0x02, [2])) + DER.tagged(0x02, [1]) + algorithm + name + validity
                + name
                + Array(key.publicKey.derRepresentation) + DER.tagged(0xA3, extensions)
        )
        let signature = try key.signature(for: body).derRepresentation
        der = DER.sequence(body + algorithm + DER.tagged(0x03, [0] + Array(signature)))
    }

    /// The key in PEM.
    var keyPEM: String { key.pemRepresentation }

    /// The certificate in PEM, for those who should trust it.
    var pem: String {
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}

/// The few words of ASN.1 that a certificate needs (ITU-T X.690).
private enum DER {
    static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<128: [UInt8(content.count)]
            case ..<256: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            }
        return [tag] + length + content
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }

    static func set(_ content: [UInt8]) -> [UInt8] { tagged(0x31, content) }

    static func object(_ identifier: [UInt8]) -> [UInt8] { tagged(0x06, identifier) }

    /// UTCTime, which has two digits for the year, as certificates have it until 2049 (RFC 5280).
    static func time(_ moment: Timestamp) -> [UInt8] {
        let date = Date(timeIntervalSince1970: Double(moment.flooredSeconds))
        let text = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        // 20261121T153000Z, without its T.
        return tagged(0x17, Array(text.utf8.dropFirst(2).filter { $0 != UInt8(ascii: "T") }))
    }
}
#endif
