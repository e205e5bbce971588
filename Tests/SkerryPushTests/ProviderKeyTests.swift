import Testing

@testable import SkerryPush

@Suite struct ProviderKeyTests {
    @Test func aKeyOfAppleIsRead() throws {
        let folder = try Folder()
        folder.write("AuthKey_ABC123DEFG.p8", ProviderKey().pem, mode: 0o600)
        let key = try ProviderKey(path: "\(folder.path)/AuthKey_ABC123DEFG.p8")
        #expect(!key.isOpenToAll)
        folder.write("open.p8", key.pem, mode: 0o644)
        #expect(try ProviderKey(path: "\(folder.path)/open.p8").isOpenToAll)
    }

    @Test func aTokenIsWhatAppleDescribes() throws {
        let token = try ProviderKey().token(
            keyID: "ABC123DEFG",
            teamID: "DEF123GHIJ",
            issuedAt: 1_437_179_036
        )
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        // {"alg":"ES256","kid":"ABC123DEFG"} and {"iss":"DEF123GHIJ","iat":1437179036}
        #expect(parts[0] == "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ")
        #expect(parts[1] == "eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNDM3MTc5MDM2fQ")
        // 64 bytes: r and s, not DER.
        #expect(parts[2].count == 86)
        #expect(!token.contains("=") && !token.contains("+") && !token.contains("/"))
    }

    @Test func whatIsNoKeyIsToldApart() throws {
        let folder = try Folder()
        let cases: [(name: String, text: String?, words: String)] = [
            ("none.p8", nil, "there is no such file"),
            ("empty.p8", "", "there is no \"-----BEGIN PRIVATE KEY-----\" in it"),
            (
                "certificate.p8", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "is a certificate"
            ),
            (
                "locked.p8",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
                "is locked"
            ),
            (
                "damaged.p8", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "is not a private key on the curve P-256"
            ),
            ("large.p8", String(repeating: "x", count: 5000), "has more than 4096 bytes"),
        ]
        for (name, text, words) in cases {
            if let text { folder.write(name, text) }
            let path = "\(folder.path)/\(name)"
            do throws(ProviderKey.Fault) {
                _ = try ProviderKey(path: path)
                Issue.record("\(name) was taken")
            } catch {
                #expect(error.message.hasPrefix("\(path): \(words)"), "\(error.message)")
            }
        }
    }
}
