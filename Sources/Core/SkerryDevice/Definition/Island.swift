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
        /// The text in the definition: the name of a symbol or of a field of the content, or a template.
        let source: SourceText
        /// The compiled text of texts and titles; nil for the others.
        let text: TextTemplate?
        /// The symbols of the states, or of the values of a field; nil for a symbol that is always the same.
        let symbols: IslandLayout.Choice?
        /// The colour; nil for the usual one.
        let tint: IslandLayout.Tint?
        /// The colour of the circle behind a symbol; nil without a circle.
        let circle: IslandLayout.Tint?
        /// The picture of an app's asset catalogue in place of a symbol; nil for the symbol alone.
        let image: String?
        /// The link; nil for that of the region.
        let link: TextTemplate?
        /// The number that fills a bar; nil for that of the field.
        let whole: Double?
        /// The number of steps of a bar; nil for a bar without steps.
        let steps: Int?
        /// The most lines of a text; nil leaves it to the reader.
        let lines: Int?
        /// The way in which a text changes; nil for the usual one.
        let transition: IslandTransition?
        /// The cells of a row; none for other elements.
        let cells: [[Element]]
        /// The cells of a row that are as wide as their views, by their places among the cells.
        let fittedCells: [Int]
    }

    struct Button: Sendable {
        /// The event that it sends; a name of its own with a link.
        let name: String
        /// The text on it.
        let title: String
        /// The states in which the machine waits for the event; none with a link.
        let states: [String]
        /// The link; nil for a button that sends an event.
        let link: TextTemplate?
    }

    /// The most buttons: more have no room side by side.
    static let buttonLimit = 4

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
    /// The colours of the states, or of the values of a field; nil when there is one colour.
    let tints: IslandLayout.Choice?
    /// The symbol of states without one, as written; nil for the first one of the island.
    let symbol: String?
    /// The views, in the order written.
    let elements: [Element]
    /// The links of whole regions.
    let links: [(region: IslandRegion, link: TextTemplate)]
    /// The alignment of regions, as far as it is written.
    let alignments: [IslandRegion: IslandAlignment]
    /// The buttons, in the order written.
    let buttons: [Button]

    let attributes: [String]
    let fields: [String]

    /// The views and those in rows, without the rows.
    var views: [Element] { elements.flatMap { $0.kind == .row ? Array($0.cells.joined()) : [$0] } }

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
