import COpenSSL
import SkerryValues

/// Secrets that let in: made at random, kept as their SHA-256, compared without telling how far they agree.
enum Secret {
    /// A new secret of 256 bits in hexadecimal digits.
    static func make() -> String {
        (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), hexadecimalDigits: 16) }.joined()
    }

    /// A new id, which nobody else has.
    static func makeID() -> String { String(make().prefix(16)) }

    /// The SHA-256 of a secret.
    static func digest(_ secret: String) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(secret, secret.utf8.count, &digest)
        return digest
    }

    /// The SHA-256 of a text in base64.
    static func textDigest(_ text: String) -> String { Base64.text(of: digest(text)) }

    /// The keyed hash of bytes, HMAC-SHA-256 (RFC 2104), in hexadecimal digits.
    static func signature(of bytes: [UInt8], key: String) -> String {
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = HMAC(EVP_sha256(), key, Int32(key.utf8.count), bytes, bytes.count, &hash, nil)
        return hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Returns whether two digests are the same, in a time that depends on their length only.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
