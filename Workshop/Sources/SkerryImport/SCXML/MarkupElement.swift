import SkerryDevice

/// An XML element, with the places of its parts.
struct MarkupElement {
    /// The namespace of SCXML.
    static let scxmlNamespace = "http://www.w3.org/2005/07/scxml"

    /// The name without its prefix.
    var name: SourceText
    /// The namespace; empty if it has none.
    var namespace: String
    /// The attributes without prefix, in the order written.
    var attributes: [(name: SourceText, value: SourceText)] = []
    /// The child elements.
    var children: [MarkupElement] = []
    /// The text without surrounding blanks; nil if it has none.
    var text: SourceText?

    /// True if the element is of the namespace of SCXML, or of none.
    var isSCXML: Bool { namespace.isEmpty || namespace == Self.scxmlNamespace }

    /// The value of an attribute.
    subscript(attribute: String) -> SourceText? {
        attributes.first { $0.name.text == attribute }?.value
    }

    /// The value of an attribute; nil when it is missing or empty.
    func filled(_ attribute: String) -> SourceText? {
        self[attribute].flatMap { $0.text.isEmpty ? nil : $0 }
    }
}
