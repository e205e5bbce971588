public import SkerryExpressions

/// What the Dynamic Island, the Lock Screen and pages draw, compiled.
///
/// Its texts read the fields of the activity and nothing else, so that whoever knows the activity can draw it.
public struct Island: Sendable {
    /// One thing drawn in a region.
    public struct Element: Sendable {
        /// Where it is drawn.
        public let region: IslandRegion
        /// What it is.
        public let kind: IslandElementKind
        /// As written: the name of a symbol or of a timer in the content, or a template.
        public let source: SourceText
        /// The compiled text of texts and titles; nil for the others.
        public let text: TextTemplate?
    }

    /// What an expression in a text shows as it is.
    public enum Shown: Hashable, Sendable {
        /// The name of the device.
        case device
        /// An attribute, by its name.
        case attribute(String)
        /// A field of the content, by its name.
        case field(String)
    }

    /// The colour of the key line, `#rrggbb`; nil for the system's own.
    public let tint: String?
    /// What is drawn, in the order written.
    public let elements: [Element]

    let attributes: [String]
    let fields: [String]

    /// What is drawn in a region, in the order written.
    public func elements(in region: IslandRegion) -> [Element] {
        elements.filter { $0.region == region }
    }

    /// What an expression of an element's text shows; nil when it computes something.
    public func shown(by expression: Program) -> Shown? {
        guard let reference = expression.reference else { return nil }
        let index = Int(reference.index)
        switch ReferenceKind(rawValue: reference.kind) {
        case .deviceName: return .device
        case .field where index < attributes.count: return .attribute(attributes[index])
        case .field where index < attributes.count + fields.count:
            return .field(fields[index - attributes.count])
        default: return nil
        }
    }
}
