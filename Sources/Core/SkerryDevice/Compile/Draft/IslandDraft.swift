/// The drawing of an activity on phone and page, as written.
package struct IslandDraft: Sendable {
    /// The colour of the key line: `#rrggbb`, or a field in braces.
    package var tint: SourceText?
    /// The symbol of states without one.
    package var symbol: SourceText?
    /// The elements, in the order written.
    package var elements: [IslandElementDraft] = []
    /// The links of whole regions.
    package var links: [IslandLinkDraft] = []
    /// The alignment of regions, as they are written.
    package var alignments: [IslandRegion: IslandAlignment] = [:]
    /// The buttons, in the order written.
    package var buttons: [IslandButtonDraft] = []

    /// Makes an island that draws nothing.
    package init() {}

    /// The elements and those in rows, without the rows.
    package var views: [IslandElementDraft] {
        elements.flatMap { $0.kind == .row ? Array($0.cells.joined()) : [$0] }
    }
}

/// A button of the island, as written.
package struct IslandButtonDraft: Sendable {
    /// The event that it sends; a name of its own with a link.
    package var name: SourceText
    package var title: SourceText
    /// A template of the link that it opens; nil for a button that sends an event.
    package var link: SourceText?

    package init(name: SourceText, title: SourceText, link: SourceText? = nil) {
        self.name = name
        self.title = title
        self.link = link
    }
}

/// The link of a region of the island, as written.
package struct IslandLinkDraft: Sendable {
    /// The region that opens it.
    package var region: IslandRegion
    /// A template of the link.
    package var value: SourceText

    package init(region: IslandRegion, value: SourceText) {
        self.region = region
        self.value = value
    }
}

/// One element drawn in a region.
package struct IslandElementDraft: Sendable {
    /// The region in which the element is drawn.
    package var region: IslandRegion
    package var kind: IslandElementKind
    /// A symbol's name, a template of text, or a field's name.
    package var value: SourceText
    /// The colour: `#rrggbb`, or the word `island`; nil for the usual one.
    package var tint: SourceText?
    /// The colour of the circle behind a symbol: `#rrggbb`, or the word `island`; nil without a circle.
    package var circle: SourceText?
    /// The picture of an app's asset catalogue in place of a symbol; nil for the symbol alone.
    package var image: SourceText?
    /// A template of the link that a touch of it opens; nil for that of its region.
    package var link: SourceText?
    /// The number that fills a bar; nil for that of the field.
    package var whole: Double?
    /// The number of steps that a bar is made of; nil for a bar without steps.
    package var steps: Int?
    /// The most lines of a text; nil leaves it to the reader.
    package var lines: Int?
    /// The way in which a text changes; nil for the usual one.
    package var transition: IslandTransition?
    /// The cells of a row, each with its elements; none for other elements.
    package var cells: [[IslandElementDraft]] = []
    /// The cells of a row that are as wide as their views, by their places among the cells.
    package var fittedCells: [Int] = []

    package init(region: IslandRegion, kind: IslandElementKind, value: SourceText) {
        self.region = region
        self.kind = kind
        self.value = value
    }
}
