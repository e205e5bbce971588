/// The drawing of an activity on phone and page, as written.
public struct IslandDraft: Sendable {
    /// The colour of the key line: `#rrggbb`, or a field in braces.
    public var tint: SourceText?
    /// The symbol of states without one.
    public var symbol: SourceText?
    /// The elements, in the order written.
    public var elements: [IslandElementDraft] = []
    /// The links of whole regions.
    public var links: [IslandLinkDraft] = []
    /// The alignment of regions, as they are written.
    public var alignments: [IslandRegion: IslandAlignment] = [:]
    /// The buttons, in the order written.
    public var buttons: [IslandButtonDraft] = []

    /// Makes an island that draws nothing.
    public init() {}

    /// The elements and those in rows, without the rows.
    public var views: [IslandElementDraft] {
        elements.flatMap { $0.kind == .row ? Array($0.cells.joined()) : [$0] }
    }
}

/// A button of the island, as written.
public struct IslandButtonDraft: Sendable {
    /// The event that it sends; a name of its own with a link.
    public var name: SourceText
    /// The text on it.
    public var title: SourceText
    /// A template of the link that it opens; nil for a button that sends an event.
    public var link: SourceText?

    /// Makes a button.
    public init(name: SourceText, title: SourceText, link: SourceText? = nil) {
        self.name = name
        self.title = title
        self.link = link
    }
}

/// The link of a region of the island, as written.
public struct IslandLinkDraft: Sendable {
    /// The region that opens it.
    public var region: IslandRegion
    /// A template of the link.
    public var value: SourceText

    /// Makes a link.
    public init(region: IslandRegion, value: SourceText) {
        self.region = region
        self.value = value
    }
}

/// One element drawn in a region.
public struct IslandElementDraft: Sendable {
    /// The region in which the element is drawn.
    public var region: IslandRegion
    /// The kind of element.
    public var kind: IslandElementKind
    /// A symbol's name, a template of text, or a field's name.
    public var value: SourceText
    /// The colour: `#rrggbb`, or the word `island`; nil for the usual one.
    public var tint: SourceText?
    /// The colour of the circle behind a symbol: `#rrggbb`, or the word `island`; nil without a circle.
    public var circle: SourceText?
    /// The picture of an app's asset catalogue in place of a symbol; nil for the symbol alone.
    public var image: SourceText?
    /// A template of the link that a touch of it opens; nil for that of its region.
    public var link: SourceText?
    /// The number that fills a bar; nil for that of the field.
    public var whole: Double?
    /// The number of steps that a bar is made of; nil for a bar without steps.
    public var steps: Int?
    /// The most lines of a text; nil leaves it to the reader.
    public var lines: Int?
    /// The way in which a text changes; nil for the usual one.
    public var transition: IslandTransition?
    /// The cells of a row, each with its elements; none for other elements.
    public var cells: [[IslandElementDraft]] = []
    /// The cells of a row that are as wide as their views, by their places among the cells.
    public var fittedCells: [Int] = []

    /// Makes an element.
    public init(region: IslandRegion, kind: IslandElementKind, value: SourceText) {
        self.region = region
        self.kind = kind
        self.value = value
    }
}
