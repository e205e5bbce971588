import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

/// The page about phones: its example of a layout is the one that the compiler makes.
@Suite("docs/phones/layout.md")
struct PhoneTests {
    @Test func `the layout is that of devices/washer.yaml`() throws {
        let page = try Page.read("docs/phones/layout.md")
        let block = try #require(page.blocks("json").first { $0.info.contains("layout") })
        let washer = Page.root.appending(path: "devices/washer.yaml")
        let file = DefinitionFile(path: "washer.yaml", bytes: Array(try Data(contentsOf: washer)))
        var writer = JSONWriter()
        try #require(CompiledFiles([file]).definitions.first?.island).write(to: &writer)
        let documented = try JSONSerialization.jsonObject(with: Data(block.text.utf8))
        let made = try JSONSerialization.jsonObject(with: Data(writer.bytes))
        #expect(documented as? NSDictionary == made as? NSDictionary)
    }
}
