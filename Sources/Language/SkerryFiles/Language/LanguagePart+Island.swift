import SkerryDevice

extension LanguagePart {
    static let islandMapping = LanguageMapping(
        "Island",
        "What the Dynamic Island, the Lock Screen and pages draw, from attributes and content.",
        [
            LanguageKey(
                "tint",
                "Colour",
                "The colour of the key line and of bars: a colour, or a field in braces whose values are colours. The "
                    + "`tint` of a state replaces it.",
                .changingColour,
                examples: ["\"#2a9d8f\""]
            ),
            LanguageKey(
                "symbol",
                "Symbol",
                "The symbol of states that have none; left out, the first one that the island draws.",
                .text,
                examples: ["washer"]
            ),
            LanguageKey(
                "minimal",
                "Minimal",
                "The detached dot, when several activities share the island.",
                .mapping(.region),
                examples: ["{ symbol: washer }"]
            ),
            LanguageKey(
                "compact",
                "Compact",
                "Left and right of the camera.",
                .mapping(.compact),
                examples: ["{ leading: { symbol: washer }, trailing: { countdown: cycle } }"]
            ),
            LanguageKey(
                "expanded",
                "Expanded",
                "The opened island.",
                .mapping(.expanded),
                examples: ["{ center: { text: '{status}' }, bottom: { progress: cycle } }"]
            ),
            LanguageKey(
                "lock",
                "Lock Screen",
                "The banner on the Lock Screen.",
                .mapping(.region),
                examples: ["{ title: '{name}', text: '{status}', progress: cycle }"]
            ),
            LanguageKey(
                "buttons",
                "Buttons",
                "Events that people send by a button on the Lock Screen and in the opened island, each with its text. A button "
                    + "is there while the machine waits for its event. A name with `title` and `link` is a button that opens a link.",
                .named(.events, .either([.words(.text), .mapping(.button)])),
                examples: [
                    "{ pause: Pause, resume: Go on }", "{ call: { title: Call, link: 'tel:{phone}' } }",
                ]
            ),
        ]
    )

    static let buttonMapping = LanguageMapping(
        "Button with a link",
        "A button on the Lock Screen and in the opened island that opens a link.",
        [
            LanguageKey(
                "title",
                "Title",
                "The text on it.",
                .words(.text),
                isRequired: true,
                examples: ["Call"]
            ),
            LanguageKey(
                "link",
                "Link",
                "What it opens; the button is not there while a value is missing.",
                .template,
                isRequired: true,
                examples: ["'tel:{phone}'"]
            ),
        ]
    )

    static let compactMapping = LanguageMapping(
        "Compact island",
        "What is shown beside the camera.",
        [
            region("leading", "Leading", "Left of the camera.", "{ symbol: washer }"),
            region("trailing", "Trailing", "Right of the camera.", "{ countdown: cycle }"),
        ]
    )

    static let expandedMapping = LanguageMapping(
        "Expanded island",
        "What is shown in the opened island.",
        [
            region("leading", "Leading", "Left.", "{ symbol: washer }"),
            region("trailing", "Trailing", "Right.", "{ countdown: cycle }"),
            region("center", "Center", "Below the camera.", "{ text: '{status}' }"),
            region("bottom", "Bottom", "Below everything.", "{ progress: cycle }"),
        ]
    )

    private static func region(
        _ name: String,
        _ title: String,
        _ summary: String,
        _ example: String
    ) -> LanguageKey {
        LanguageKey(name, title, summary, .mapping(.region), examples: [example])
    }

    static let regionMapping = LanguageMapping(
        "Region of the island",
        "What is drawn in a region, in the order written.",
        views + [
            LanguageKey(
                "row",
                "Row",
                "Views side by side, in two to four cells of the same width; in the regions of `expanded` and in "
                    + "`lock`.",
                .list(.mapping(.cell)),
                examples: ["[{ text: '{home}' }, { title: '{score}' }, { text: '{away}' }]"]
            ),
            LanguageKey(
                "align",
                "Alignment",
                "Where the views of a region of `expanded` are; left out, where its place suggests.",
                .word(IslandAlignment.allCases.map(\.name)),
                examples: ["center"]
            ),
            link("What opens when the region is touched, instead of the link of the activity."),
        ]
    )

    static let cellMapping = LanguageMapping(
        "Cell of a row or a column",
        "What is drawn in a cell, in the order written.",
        views + [
            LanguageKey(
                "width",
                "Width",
                "`fit` makes a cell of a row as wide as its views; the others share the rest.",
                .word(["fit"]),
                examples: ["fit"]
            )
        ]
    )

    /// The views that regions and cells draw.
    private static let views = [
        view("symbol", "Symbol", "A symbol by its name.", .text, .drawnSymbol, "washer"),
        view(
            "text",
            "Text",
            "A template over attributes and content.",
            .words(.template),
            .drawnText,
            "'{status}'"
        ),
        view(
            "title",
            "Title",
            "A template over attributes and content, larger.",
            .words(.template),
            .drawnText,
            "'{name}'"
        ),
        view(
            "caption",
            "Caption",
            "A template over attributes and content, smaller.",
            .words(.template),
            .drawnText,
            "'{name}'"
        ),
        view(
            "countdown",
            "Clock",
            "A field of the content that is a timer, as a running clock.",
            .text,
            .drawnClock,
            "cycle"
        ),
        view(
            "minutes",
            "Minutes",
            "A field of the content that is a timer, as its whole minutes.",
            .text,
            .drawnClock,
            "cycle"
        ),
        view(
            "progress",
            "Bar",
            "A field of the content as a bar: a timer, or a number with `of` or `steps`.",
            .text,
            .drawnBar,
            "cycle"
        ),
        LanguageKey(
            "column",
            "Column",
            "Views one below the other, for several of the same kind.",
            .list(.mapping(.cell)),
            examples: ["[{ text: '{home}' }, { text: '{away}' }]"]
        ),
    ]

    private static func view(
        _ name: String,
        _ title: String,
        _ summary: String,
        _ value: LanguageValue,
        _ part: LanguagePart,
        _ example: String
    ) -> LanguageKey {
        LanguageKey(name, title, summary, .either([value, .mapping(part)]), examples: [example])
    }

    static let drawnSymbolMapping = LanguageMapping(
        "Symbol of the island",
        "A symbol with its colour and its link.",
        [
            value(
                "The name of the symbol, `{state.symbol}`, or a field in braces whose values are names.",
                "washer"
            ),
            viewTint,
            LanguageKey(
                "circle",
                "Circle",
                "The colour of a filled circle behind it, or `island` for the colour of the island.",
                .either([.colour, .word(["island"])]),
                examples: ["\"#2a9d8f\"", "island"]
            ),
            LanguageKey(
                "image",
                "Picture",
                "The name of a picture in the app's asset catalogue, which phones draw in place of the symbol.",
                .text,
                examples: ["ShopLogo"]
            ),
            viewLink,
        ]
    )

    static let drawnTextMapping = LanguageMapping(
        "Text of the island",
        "A text with its colour, its link and how it changes.",
        [
            value("A template over attributes and content.", "'{status}'", .words(.template)),
            LanguageKey(
                "lines",
                "Lines",
                "The most lines that it may have.",
                number(DefinitionReader.lineLimits),
                examples: ["1"]
            ),
            LanguageKey(
                "transition",
                "Transition",
                "How it changes into another one: its digits roll, it fades, the new one pushes it out, or nothing of that.",
                .word(IslandTransition.allCases.map(\.name)),
                examples: ["numeric", "push"]
            ),
            viewTint, viewLink,
        ]
    )

    static let drawnClockMapping = LanguageMapping(
        "Clock of the island",
        "A clock with its colour and its link.",
        [value("A field of the content that is a timer.", "cycle"), viewTint, viewLink]
    )

    static let drawnBarMapping = LanguageMapping(
        "Bar of the island",
        "A bar with its whole, its colour and its link.",
        [
            value("A field of the content: a timer or a number.", "level"),
            LanguageKey(
                "of",
                "Whole",
                "The number that fills the bar.",
                .number(0...Double.infinity),
                examples: ["100"]
            ),
            LanguageKey(
                "steps",
                "Steps",
                "How many segments the bar has; the number says how many of them are filled.",
                number(DefinitionReader.stepLimits),
                examples: ["5"]
            ),
            viewTint, viewLink,
        ]
    )

    private static func value(
        _ summary: String,
        _ example: String,
        _ value: LanguageValue = .template
    ) -> LanguageKey {
        LanguageKey("value", "What it shows", summary, value, isRequired: true, examples: [example])
    }

    private static func number(_ range: ClosedRange<Int>) -> LanguageValue {
        .number(Double(range.lowerBound)...Double(range.upperBound))
    }

    private static let viewTint = LanguageKey(
        "tint",
        "Colour",
        "Its colour, or `island` for the colour of the island.",
        .either([.colour, .word(["island"])]),
        examples: ["\"#2a9d8f\"", "island"]
    )

    private static let viewLink = link("What opens when it is touched, instead of the link of its region.")

    private static func link(_ summary: String) -> LanguageKey {
        LanguageKey(
            "link",
            "Link",
            summary,
            .template,
            examples: ["\"https://example.org/orders/{device}\""]
        )
    }
}
