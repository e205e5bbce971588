import COpenSSL
import SkerryValues

/// A service account of Google: the JSON file that the Firebase console gives under Service accounts.
///
/// Its key signs requests for access tokens and never leaves the gateway.
package struct ServiceAccount: Sendable {
    /// Why a text is not a service account.
    package struct Fault: Error, Hashable, Sendable {
        /// The fault and the remedy, one line.
        package var message: String
    }

    /// The id of the project in Firebase.
    package let project: String
    private let email: String
    private let keyID: String
    private let pem: String
    private let tokenAddress: String

    /// The longest file that is read, in bytes; those of Google have some 2,400.
    package static let sizeLimit = 16_384
    /// The room for a signature: that of a key with 8192 bits.
    private static let longestSignature = 1024

    /// Reads the text of such a file.
    ///
    /// - Throws: ``Fault`` that says what is missing.
    package init(json: String) throws(Fault) {
        let limits = JSONLimits(bytes: Self.sizeLimit, depth: 4)
        guard case .map(let members)? = try? JSONReader.value(of: Array(json.utf8).span, limits: limits)
        else {
            throw Fault(message: "is not JSON; \(Self.origin)")
        }
        func text(_ name: String) throws(Fault) -> String {
            guard case .string(let text)? = members[name], !text.isEmpty else {
                throw Fault(message: "has no \"\(name)\"; \(Self.origin)")
            }
            return text
        }
        project = try text("project_id")
        email = try text("client_email")
        keyID = try text("private_key_id")
        pem = try text("private_key")
        tokenAddress = try text("token_uri")
        guard
            project.utf8.allSatisfy({
                PlainName.takes($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            })
        else { throw Fault(message: "its \"project_id\" is not the id of a project; \(Self.origin)") }
        guard tokenAddress.hasPrefix("https://") || tokenAddress.hasPrefix("http://") else {
            throw Fault(message: "its \"token_uri\" is not an address; \(Self.origin)")
        }
        guard signature(of: "") != nil else {
            throw Fault(
                message: "its \"private_key\" is not an RSA key in PEM, or is damaged; \(Self.origin)"
            )
        }
    }

    private static var origin: String {
        "it should be the JSON file that console.firebase.google.com gives under Project settings, Service accounts"
    }

    /// The request for an access token that may send messages (RFC 7523, section 2.1).
    ///
    /// - Parameter seconds: The time in Unix seconds. Google takes a request for an hour.
    /// - Returns: the request.
    func tokenRequest(at seconds: Int64) -> WebRequest {
        var head = JSONWriter()
        head.beginObject()
        for (key, text) in [("alg", "RS256"), ("typ", "JWT"), ("kid", keyID)] {
            head.member(key, text)
        }
        head.endObject()
        var claims = JSONWriter()
        claims.beginObject()
        for (key, text) in [("iss", email), ("scope", Self.scope), ("aud", tokenAddress)] {
            claims.member(key, text)
        }
        for (key, moment) in [("iat", seconds), ("exp", seconds + 3600)] {
            claims.member(key, moment)
        }
        claims.endObject()
        let text = "\(Base64.text(of: head.bytes, .url)).\(Base64.text(of: claims.bytes, .url))"
        let assertion = "\(text).\(Base64.text(of: signature(of: text) ?? [], .url))"
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        return WebRequest(
            .post,
            address: tokenAddress,
            headers: [WebRequest.Header("content-type", "application/x-www-form-urlencoded")],
            body: Array("grant_type=\(grant)&assertion=\(assertion)".utf8)
        )
    }

    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    private func signature(of text: String) -> [UInt8]? {
        var signature = [UInt8](repeating: 0, count: Self.longestSignature)
        var length = signature.count
        guard skerry_rs256_sign(pem, pem.utf8.count, text, text.utf8.count, &signature, &length) == 1 else {
            return nil
        }
        return Array(signature.prefix(length))
    }
}
