// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryDevice

/// The keys of the island: its regions, their cells, and what is drawn in them.
enum IslandKeys {
    static let island = KeyTable<IslandDraft>("Island", "What the Dynamic Island, the Lock Screen and pages draw, from attributes and content.", isOrdered: true) {
        DraftKey("tint", .label(.changingColour), \.tint)
            .help("Colour", "The colour of the key line and of bars: a colour, or a field in braces whose values are colours. The `tint` of a state replaces it.", "\"#2a9d8f\"")
        DraftKey("symbol", .label(.text), \.symbol)
            .help("Symbol", "The symbol of states that have none; left out, the first one that the island draws.", "washer")
        DraftKey("minimal", .mapping(.region)) { $0.region($1, .minimal, &$2) } write: { $0.region(.minimal, of: $1) }
            .help("Minimal", "The detached dot, when several activities share the island.", "{ symbol: washer }")
        DraftKey("compact", .mapping(.compact)) { $0.read($1.value, of: $1.what, compact, into: &$2) } write: { $0.map(compact.written($1, by: $0)) }
            .help("Compact", "Left and right of the camera.", "{ leading: { symbol: washer }, trailing: { countdown: cycle } }")
        DraftKey("expanded", .mapping(.expanded)) { $0.read($1.value, of: $1.what, expanded, into: &$2) } write: { $0.map(expanded.written($1, by: $0), isBlock: true) }
            .help("Expanded", "The opened island.", "{ center: { text: '{status}' }, bottom: { progress: cycle } }")
        DraftKey("lock", .mapping(.region)) { $0.region($1, .lock, &$2) } write: { $0.region(.lock, of: $1) }
            .help("Lock Screen", "The banner on the Lock Screen.", "{ title: '{name}', text: '{status}', progress: cycle }")
        DraftKey("buttons", .named(.events, .either([.words(.text), .mapping(.button)]))) { $2.buttons = $0.buttons($1) } write: { $0.buttons(of: $1) }
            .help("Buttons", "Events that people send by a button on the Lock Screen and in the opened island, each with its text. A button is there while the machine waits for its event. A name with `title` and `link` is a button that opens a link.", "{ pause: Pause, resume: Go on }", "{ call: { title: Call, link: 'tel:{phone}' } }")
    }

    static let button = KeyTable<IslandButtonDraft>("Button with a link", "A button on the Lock Screen and in the opened island that opens a link.") {
        DraftKey("title", .words(), \.title).required
            .help("Title", "The text on it.", "Call")
        DraftKey("link", .template, \.link).required
            .help("Link", "What it opens; the button is not there while a value is missing.", "'tel:{phone}'")
    }

    static let compact = KeyTable<IslandDraft>("Compact island", "What is shown beside the camera.", isOrdered: true) {
        region("leading", .compactLeading, "Leading", "Left of the camera.", "{ symbol: washer }")
        region("trailing", .compactTrailing, "Trailing", "Right of the camera.", "{ countdown: cycle }")
    }

    static let expanded = KeyTable<IslandDraft>("Expanded island", "What is shown in the opened island.", isOrdered: true) {
        region("leading", .expandedLeading, "Leading", "Left.", "{ symbol: washer }")
        region("trailing", .expandedTrailing, "Trailing", "Right.", "{ countdown: cycle }")
        region("center", .expandedCenter, "Center", "Below the camera.", "{ text: '{status}' }")
        region("bottom", .expandedBottom, "Bottom", "Below everything.", "{ progress: cycle }")
    }

    private static func region(_ name: String, _ region: IslandRegion, _ title: String, _ summary: String, _ example: String) -> DraftKey<IslandDraft> {
        DraftKey(name, .mapping(.region)) { $0.region($1, region, &$2) } write: { $0.region(region, of: $1) }.help(title, summary, example)
    }

    static let region = KeyTable<Never>("Region of the island", "What is drawn in a region, in the order written.") {
        views
        LanguageKey("row", .list(.mapping(.cell)))
            .help("Row", "Views side by side, in two to four cells of the same width; in the regions of `expanded` and in `lock`.", "[{ text: '{home}' }, { title: '{score}' }, { text: '{away}' }]")
        LanguageKey("align", .word(IslandAlignment.allCases.map(\.name)))
            .help("Alignment", "Where the views of a region of `expanded` are; left out, where its place suggests.", "center")
        LanguageKey("link", .template)
            .help("Link", "What opens when the region is touched, instead of the link of the activity.", linkExample)
    }

    static let cell = KeyTable<Never>("Cell of a row or a column", "What is drawn in a cell, in the order written.") {
        views
        LanguageKey("width", .word(["fit"]))
            .help("Width", "`fit` makes a cell of a row as wide as its views; the others share the rest.", "fit")
    }

    /// The views that regions and cells draw.
    @KeyList<Never> private static var views: [DraftKey<Never>] {
        LanguageKey("symbol", .either([.text, .mapping(.drawnSymbol)])).help("Symbol", "A symbol by its name.", "washer")
        LanguageKey("text", words).help("Text", "A template over attributes and content.", "'{status}'")
        LanguageKey("title", words).help("Title", "A template over attributes and content, larger.", "'{name}'")
        LanguageKey("caption", words).help("Caption", "A template over attributes and content, smaller.", "'{name}'")
        LanguageKey("countdown", clock).help("Clock", "A field of the content that is a timer, as a running clock.", "cycle")
        LanguageKey("minutes", clock).help("Minutes", "A field of the content that is a timer, as its whole minutes.", "cycle")
        LanguageKey("progress", .either([.text, .mapping(.drawnBar)]))
            .help("Bar", "A field of the content as a bar: a timer, or a number with `of` or `steps`.", "cycle")
        LanguageKey("column", .list(.mapping(.cell)))
            .help("Column", "Views one below the other, for several of the same kind.", "[{ text: '{home}' }, { text: '{away}' }]")
    }

    private static let words = LanguageValue.either([.words(.template), .mapping(.drawnText)])
    private static let clock = LanguageValue.either([.text, .mapping(.drawnClock)])

    static let drawnSymbol = KeyTable<IslandElementDraft>("Symbol of the island", "A symbol with its colour and its link.") {
        value("The name of the symbol, `{state.symbol}`, or a field in braces whose values are names.", "washer")
        tint
        DraftKey("circle", colour, \.circle)
            .help("Circle", "The colour of a filled circle behind it, or `island` for the colour of the island.", "\"#2a9d8f\"", "island")
        DraftKey("image", .label(.text), \.image)
            .help("Picture", "The name of a picture in the app's asset catalogue, which phones draw in place of the symbol.", "ShopLogo")
        link
    }

    static let drawnText = KeyTable<IslandElementDraft>("Text of the island", "A text with its colour, its link and how it changes.") {
        value("A template over attributes and content.", "'{status}'", .words(.template))
        DraftKey("lines", .count(DefinitionReader.lineLimits, "write how many lines the text may have"), \.lines)
            .help("Lines", "The most lines that it may have.", "1")
        DraftKey("transition", .word(IslandTransition.allCases, \.name), \.transition)
            .help("Transition", "How it changes into another one: its digits roll, it fades, the new one pushes it out, or nothing of that.", "numeric", "push")
        tint
        link
    }

    static let drawnClock = KeyTable<IslandElementDraft>("Clock of the island", "A clock with its colour and its link.") {
        value("A field of the content that is a timer.", "cycle")
        tint
        link
    }

    static let drawnBar = KeyTable<IslandElementDraft>("Bar of the island", "A bar with its whole, its colour and its link.") {
        value("A field of the content: a timer or a number.", "level")
        DraftKey("of", .whole, \.whole)
            .help("Whole", "The number that fills the bar.", "100")
        DraftKey("steps", .count(DefinitionReader.stepLimits, "write how many segments the bar has"), \.steps)
            .help("Steps", "How many segments the bar has; the number says how many of them are filled.", "5")
        tint
        link
    }

    private static func value(_ summary: String, _ example: String, _ value: LanguageValue = .template) -> DraftKey<IslandElementDraft> {
        DraftKey("value", value, read: nil) { $0.label($1.value) }.required
            .help("What it shows", summary, example)
    }

    private static let colour = KeyForm<SourceText>.label(.either([.colour, .word(["island"])]))
    private static let linkExample = "\"https://example.org/orders/{device}\""

    private static let tint = DraftKey<IslandElementDraft>("tint", colour, \.tint)
        .help("Colour", "Its colour, or `island` for the colour of the island.", "\"#2a9d8f\"", "island")

    private static let link = DraftKey<IslandElementDraft>("link", .template, \.link)
        .help("Link", "What opens when it is touched, instead of the link of its region.", linkExample)
}

extension IslandElementKind {
    /// The key of the language.
    var word: String {
        switch self {
        case .symbol: "symbol"
        case .text: "text"
        case .title: "title"
        case .countdown: "countdown"
        case .minutes: "minutes"
        case .progress: "progress"
        case .caption: "caption"
        case .row: "row"
        }
    }

    /// The keys beside the value; nil for a row, which has cells.
    var keys: KeyTable<IslandElementDraft>? {
        switch self {
        case .symbol: IslandKeys.drawnSymbol
        case .text, .title, .caption: IslandKeys.drawnText
        case .countdown, .minutes: IslandKeys.drawnClock
        case .progress: IslandKeys.drawnBar
        case .row: nil
        }
    }
}
