import COpenSSL
import Glibc
import SkerryValues

/// The key that Apple gave a developer team for its pushes: the content of an `AuthKey_….p8` file.
///
/// It signs and never leaves the gateway.
public struct ProviderKey: Sendable {
    /// Why there is no key.
    public struct Fault: Error, Hashable, Sendable {
        /// The fault and its remedy, in one line.
        package var message: String
    }

    /// True if everybody on the machine may read the file.
    package private(set) var isOpenToAll = false
    /// The key in PEM, as Apple would have given it.
    public let pem: String

    private static var sizeLimit: Int { 4096 }

    /// Reads the key of a file.
    ///
    /// - Throws: ``Fault`` with the file's name and the remedy.
    public init(path: String) throws(Fault) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Fault(message: "\(path): \(Self.reason(errno))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(message: "\(path): is not a file; \(Self.origin)")
        }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit + 1)
        let length = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        guard length >= 0 else { throw Fault(message: "\(path): \(Self.reason(errno))") }
        guard length <= Self.sizeLimit else {
            throw Fault(
                message: "\(path): has more than \(Self.sizeLimit) bytes, which no key has; \(Self.origin)"
            )
        }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
            throw Fault(message: "\(path): is not text; \(Self.origin)")
        }
        do throws(Fault) {
            try self.init(pem: text)
        } catch {
            throw Fault(message: "\(path): \(error.message)")
        }
        isOpenToAll = status.st_mode & S_IROTH != 0
    }

    /// Makes a key from the text of such a file: PKCS #8 in PEM, on the curve P-256.
    ///
    /// - Throws: ``Fault`` that says what the text is instead.
    public init(pem: String) throws(Fault) {
        guard pem.contains("-----BEGIN ") else {
            throw Fault(message: "there is no \"-----BEGIN PRIVATE KEY-----\" in it; \(Self.origin)")
        }
        if pem.contains("-----BEGIN CERTIFICATE") {
            throw Fault(message: "is a certificate, and Live Activities need a key; \(Self.origin)")
        }
        if pem.contains("ENCRYPTED") {
            throw Fault(message: "is locked with a password; \(Self.origin)")
        }
        self.pem = pem
        guard (try? publicPEM) != nil else {
            throw Fault(message: "is not a private key on the curve P-256, or is damaged; \(Self.origin)")
        }
    }

    /// Makes a new key, for tests and demonstrations.
    public init() {
        let text = Self.text { skerry_p256_make($0, $1) }
        guard let text else { preconditionFailure("libcrypto has no random numbers, or no P-256") }
        pem = text
    }

    /// The public half in PEM, with which a stand-in for Apple checks signatures.
    ///
    /// - Throws: ``Fault`` when the key has none.
    public var publicPEM: String {
        get throws(Fault) {
            let text = Self.text { skerry_p256_public(pem, pem.utf8.count, $0, $1) }
            guard let text else { throw Fault(message: "the key is damaged") }
            return text
        }
    }

    /// The text that a function of libcrypto writes; nil when it writes none.
    private static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: sizeLimit)
        guard write(&buffer, sizeLimit) == 1 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A token for requests, signed by ES256: the text after `bearer`.
    ///
    /// - Parameters:
    ///   - keyID: The key's id, ten letters and digits.
    ///   - teamID: The team's id, ten letters and digits.
    ///   - issuedAt: The time of issue, in Unix seconds.
    /// - Returns: the token, a JWT.
    /// - Throws: ``Fault`` when the key does not sign.
    func token(keyID: String, teamID: String, issuedAt: Int64) throws(Fault) -> String {
        let head = Base64.text(of: Array("{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}".utf8), .url)
        let claims = Base64.text(of: Array("{\"iss\":\"\(teamID)\",\"iat\":\(issuedAt)}".utf8), .url)
        let text = "\(head).\(claims)"
        var signature = [UInt8](repeating: 0, count: 64)
        guard skerry_es256_sign(pem, pem.utf8.count, text, text.utf8.count, &signature) == 1 else {
            throw Fault(message: "the key can't sign: is it the right one?")
        }
        return "\(text).\(Base64.text(of: signature, .url))"
    }

    private static var origin: String {
        "it should be the AuthKey_….p8 file that developer.apple.com gives under Keys"
    }

    private static func reason(_ code: Int32) -> String {
        let words = String(cString: strerror(code))
        switch code {
        case ENOENT: return "there is no such file; \(origin)"
        case EACCES: return "can't be read (\(words)): let only the user that runs skerry read it"
        default: return "can't be read: \(words)"
        }
    }
}
