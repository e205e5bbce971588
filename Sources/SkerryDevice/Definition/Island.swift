import SkerryExpressions

/// The island as it is written, with its texts compiled; ``IslandLayout`` is made from it.
///
/// Its texts read the fields of the activity and nothing else, so that a reader who has the activity can draw it.
struct Island: Sendable {
    /// A view in a region.
    struct Element: Sendable {
        /// The region that draws it.
        let region: IslandRegion
        /// The kind of view.
        let kind: IslandElementKind
        /// The text in the definition: the name of a symbol or of a timer in the content, or a template.
        let source: SourceText
        /// The compiled text of texts and titles; nil for the others.
        let text: TextTemplate?
    }

    /// A value that an expression in a text shows as it is.
    enum Shown: Hashable, Sendable {
        /// The id of the device.
        case device
        /// An attribute, by its name.
        case attribute(String)
        /// A field of the content, by its name.
        case field(String)
    }

    /// The colour of the key line, `#rrggbb`; nil for the system's own.
    let tint: String?
    /// The views, in the order written.
    let elements: [Element]

    let attributes: [String]
    let fields: [String]

    /// Returns the value that an expression of a text shows as it is; nil when it computes something.
    func shown(by expression: Program) -> Shown? {
        guard let reference = expression.reference else { return nil }
        let index = Int(reference.index)
        switch ReferenceKind(rawValue: reference.kind) {
        case .deviceID: return .device
        case .field where index < attributes.count: return .attribute(attributes[index])
        case .field where index < attributes.count + fields.count:
            return .field(fields[index - attributes.count])
        default: return nil
        }
    }
}
