import Foundation
import Testing

/// The page about further services: its requests are those that the tests of the services expect.
@Suite("docs/sinks.md and docs/sinks-for-apps.md")
struct SinkTests {
    @Test func `the first requests of a wash are those of the goldens`() throws {
        let blocks = try ["docs/sinks.md", "docs/sinks-for-apps.md"].flatMap {
            try Page.read($0).blocks("json")
        }
        let goldens = ["home-assistant", "webhook-structured", "fcm", "braze"]
        try #require(blocks.count == goldens.count)
        for (block, name) in zip(blocks, goldens) {
            let file = Page.root.appending(path: "Tests/SkerrySinksTests/Goldens/\(name).txt")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let body = try #require(lines.first { $0.hasPrefix("{") })
            let expected = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? NSDictionary
            let documented = try JSONSerialization.jsonObject(with: Data(block.text.utf8))
            #expect(documented as? NSDictionary == expected)
        }
    }
}
