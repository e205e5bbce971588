public import SkerryDevice

/// Pictures of the machine of a definition, as text that other programs draw or read.
public enum DefinitionGraph {
    /// The formats there are.
    public enum Format: String, CaseIterable, Sendable {
        /// A state diagram of Mermaid (`stateDiagram-v2`), which GitHub draws in Markdown.
        case mermaid
        /// A graph in the DOT language of Graphviz.
        case dot
        /// State Chart XML (https://www.w3.org/TR/scxml/).
        case scxml
    }

    /// The parts of the definition that are lost in a format that other programs run, a clause for each; none for pictures.
    package static func losses(of draft: DefinitionDraft, as format: Format) -> [String] {
        format == .scxml ? SCXMLLosses(draft).lines : []
    }

    /// The machine of a definition in a format.
    ///
    /// The definition must have no errors: transitions to missing states are left out.
    public static func text(of draft: DefinitionDraft, as format: Format) -> String {
        switch format {
        case .mermaid: MermaidGraph(draft).text
        case .dot: DOTGraph(draft).text
        case .scxml: SCXMLGraph(draft).text
        }
    }
}
