import SkerryDevice

/// An element of an XML document, with the places of everything in it.
struct MarkupElement {
    /// The namespace of SCXML.
    static let scxmlNamespace = "http://www.w3.org/2005/07/scxml"

    /// The name without its prefix.
    var name: SourceText
    /// The namespace; empty when there is none.
    var namespace: String
    /// The attributes without prefix, in the order written.
    var attributes: [(name: SourceText, value: SourceText)] = []
    /// The elements in it.
    var children: [MarkupElement] = []
    /// The text in it, blanks at both ends left out; nil when there is none.
    var text: SourceText?

    /// Whether it belongs to SCXML: its namespace does, or the document has no namespaces.
    var isSCXML: Bool { namespace.isEmpty || namespace == Self.scxmlNamespace }

    /// The value of an attribute.
    subscript(attribute: String) -> SourceText? {
        attributes.first { $0.name.text == attribute }?.value
    }

    /// The value of an attribute that names something; nil when it is empty.
    func filled(_ attribute: String) -> SourceText? {
        self[attribute].flatMap { $0.text.isEmpty ? nil : $0 }
    }
}
