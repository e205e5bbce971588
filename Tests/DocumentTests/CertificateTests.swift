import Foundation
import Testing

/// The commands of `docs/how-to/tls-and-users.md` that make certificates.
struct CertificateTests {
    @Test func `an authority of one's own signs for the broker's name and address alone`() throws {
        let page = try Page.read("docs/how-to/tls-and-users.md")
        let block = try #require(page.blocks("sh").first { $0.text.contains("openssl") })
        let folder = FileManager.default.temporaryDirectory.appending(path: "skerry-certificates-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, expected) in [("broker.lan", "broker.pem: OK"), ("other.lan", "hostname mismatch")] {
            let names = "-verify_hostname \(name) -verify_ip 192.168.1.5"
            let check = "openssl verify -CAfile ca.pem \(names) broker.pem"
            let shell = try Shell("\(block.text)\n\(check)", in: folder, [:])
            _ = try shell.end()
            #expect(shell.news.contains(expected), "\(shell.news)")
        }
    }
}
