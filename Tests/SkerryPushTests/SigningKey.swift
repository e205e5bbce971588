import COpenSSL
import Synchronization
import SkerryValues

/// The RSA key of a service account, as Google would have made it.
struct SigningKey {
    /// The private key in PEM.
    let pem: String

    init(pem: String) { self.pem = pem }

    /// Makes a new key.
    init() {
        var key: OpaquePointer?
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        EVP_PKEY_keygen_init(context)
        EVP_PKEY_generate(context, &key)
        EVP_PKEY_CTX_free(context)
        let output = BIO_new(BIO_s_mem())
        PEM_write_bio_PKCS8PrivateKey(output, key, nil, nil, 0, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 8192)
        let length = BIO_read(output, &bytes, Int32(bytes.count))
        BIO_free(output)
        EVP_PKEY_free(key)
        pem = String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
    }

    /// The file of a service account with this key.
    func account(tokenAddress: String) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        let members = [
            ("type", "service_account"), ("project_id", "house-1"), ("private_key_id", "key-1"),
            ("private_key", pem), ("client_email", "skerry@house-1.iam.gserviceaccount.com"),
            ("token_uri", tokenAddress),
        ]
        for (key, text) in members {
            writer.key(key)
            writer.string(text)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Whether a signature by RS256, in letters of base64 for addresses, is one of a text with this key.
    func verifies(_ signature: String, of text: String) -> Bool {
        let plain = String(signature.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let bytes = Base64.bytes(of: plain) ?? []
        let key = skerry_read_key(pem, pem.utf8.count, 1)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, bytes, bytes.count, text, text.utf8.count) == 1
    }
}

/// The numbers of the requests that a stand-in for Google got.
final class Counts: Sendable {
    enum Kind: Int { case tokens, messages }

    private let counts = Mutex([0, 0])

    /// The number of earlier requests of a kind.
    func next(_ kind: Kind) -> Int {
        counts.withLock { counts in
            defer { counts[kind.rawValue] += 1 }
            return counts[kind.rawValue]
        }
    }
}
