import COpenSSL
import FoundationEssentials
import SkerryValues

/// A self-signed certificate for `localhost` and 127.0.0.1, valid for a day.
///
/// It is X.509 in DER with a key on P-256, and has only the fields that OpenSSL requires.
struct PushCertificate {
    /// The key in PEM.
    let keyPEM: String
    /// The certificate.
    let der: [UInt8]

    private struct NoKey: Error {}

    /// Makes a key and a certificate; `now` must be the real time, because TLS checks the dates.
    init(now: Timestamp) throws {
        let key = try Self.text { skerry_p256_make($0, $1) }
        let publicKey = try Self.text { skerry_p256_public(key, key.utf8.count, $0, $1) }
        keyPEM = key
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
                    // Basic constraints: only an authority may sign, even its own certificate.
                    DER.object([0x55, 0x1D, 0x13])
                        + DER.tagged(0x04, DER.sequence(DER.tagged(0x01, [0xFF])))
                )
        )
        let body = DER.sequence(
            DER.tagged(0xA0, DER.tagged(0x02, [2])) + DER.tagged(0x02, [1]) + algorithm + name + validity
                + name
                + Self.bytes(ofPEM: publicKey) + DER.tagged(0xA3, extensions)
        )
        var signature = [UInt8](repeating: 0, count: 64)
        guard skerry_es256_sign(key, key.utf8.count, body, body.count, &signature) == 1 else {
            throw NoKey()
        }
        let parts = DER.sequence(DER.number(signature[..<32]) + DER.number(signature[32...]))
        der = DER.sequence(body + algorithm + DER.tagged(0x03, [0] + parts))
    }

    private static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) throws -> String {
        var buffer = [CChar](repeating: 0, count: 1024)
        guard write(&buffer, 1024) == 1 else { throw NoKey() }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(ofPEM text: String) -> [UInt8] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()).map { Array($0) } ?? []
    }

    /// The certificate in PEM, for clients that should trust it.
    var pem: String {
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}

/// The parts of ASN.1 that a certificate needs (ITU-T X.690).
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

    /// A non-negative integer, from its bytes.
    static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return tagged(0x02, digits.first.map { $0 < 0x80 } ?? false ? digits : [0] + digits)
    }

    /// UTCTime, which has two digits for the year, as certificates have it until 2049 (RFC 5280).
    static func time(_ moment: Timestamp) -> [UInt8] {
        let date = Date(timeIntervalSince1970: Double(moment.flooredSeconds))
        let text = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        // 20261121T153000Z, without its T.
        return tagged(0x17, Array(text.utf8.dropFirst(2).filter { $0 != UInt8(ascii: "T") }))
    }
}
