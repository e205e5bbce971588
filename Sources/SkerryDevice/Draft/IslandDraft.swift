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

    /// Makes an island that draws nothing.
    public init() {}

    /// The elements and those in rows, without the rows.
    public var views: [IslandElementDraft] {
        elements.flatMap { $0.kind == .row ? Array($0.cells.joined()) : [$0] }
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
    /// A template of the link that a touch of it opens; nil for that of its region.
    public var link: SourceText?
    /// The number that fills a bar; nil for that of the field.
    public var whole: Double?
    /// The number of steps that a bar is made of; nil for a bar without steps.
    public var steps: Int?
    /// The most lines of a text; nil leaves it to the reader.
    public var lines: Int?
    /// The cells of a row, each with its elements; none for other elements.
    public var cells: [[IslandElementDraft]] = []

    /// Makes an element.
    public init(region: IslandRegion, kind: IslandElementKind, value: SourceText) {
        self.region = region
        self.kind = kind
        self.value = value
    }
}

/// The regions of the Dynamic Island and the Lock Screen.
public enum IslandRegion: UInt8, Sendable, CaseIterable {
    /// The detached dot.
    case minimal
    /// Left of the camera.
    case compactLeading
    /// Right of the camera.
    case compactTrailing
    /// Expanded, left.
    case expandedLeading
    /// Expanded, right.
    case expandedTrailing
    /// Expanded, below the camera.
    case expandedCenter
    /// Expanded, below everything.
    case expandedBottom
    /// The Lock Screen.
    case lock

    /// True if the region is large: parts of it can open links of their own, and it can have rows.
    ///
    /// From the other regions, iOS opens the link of the activity.
    public var isLarge: Bool {
        switch self {
        case .minimal, .compactLeading, .compactTrailing: false
        case .expandedLeading, .expandedTrailing, .expandedCenter, .expandedBottom, .lock: true
        }
    }
}

/// The kinds of elements that a region can draw.
public enum IslandElementKind: UInt8, Sendable, CaseIterable {
    /// A symbol by name.
    case symbol
    /// Text, a template over attributes and content.
    case text
    /// A title, a template over attributes and content.
    case title
    /// A timer as a running clock.
    case countdown
    /// A timer or a number as a bar.
    case progress
    /// A small text, a template over attributes and content.
    case caption
    /// Cells side by side.
    case row

    /// True for the kinds that are texts.
    public var isText: Bool {
        switch self {
        case .text, .title, .caption: true
        case .symbol, .countdown, .progress, .row: false
        }
    }
}

/// The edge at which a region has its views.
public enum IslandAlignment: UInt8, Sendable, CaseIterable {
    /// Where lines begin.
    case leading
    /// The middle.
    case center
    /// Where lines end.
    case trailing

    /// The name that SwiftUI, definitions and the JSON have for it.
    public var name: String {
        switch self {
        case .leading: "leading"
        case .center: "center"
        case .trailing: "trailing"
        }
    }
}
