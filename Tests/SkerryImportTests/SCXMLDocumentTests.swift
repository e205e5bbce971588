import SkerryDevice
import SkerryImport
import Testing

/// What readers of SCXML make.
@Suite struct SCXMLDocumentTests {
    @Test func `a document begins without anything`() {
        let document = SCXMLDocument(root: SCXMLState(.state, at: Place(line: 1, column: 1)))
        #expect(document.root.states.isEmpty && document.scripts.isEmpty && !document.bindsLate)
    }
}
