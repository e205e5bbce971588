import SkerryActivity
import SkerryDevice

// The card as a widget of the Home Screen and of the Lock Screen, in a form for each family.

extension LiveActivitySource {
    /// The view of a widget.
    @SourceLines var widgetCard: [String] {
        """
            /// A widget on the Home Screen or on the Lock Screen; the wide one on the Home Screen is the banner.
            ///
            /// It has margins of its own: give the configuration of the widget `contentMarginsDisabled()`.
            struct WidgetCard: View {
                /// The attributes, which stay the same for the run.
                let attributes: \(type)Attributes
                /// The content now.
                let state: \(type)Attributes.ContentState

                @Environment(\\.widgetFamily) private var family

                var body: some View {
                    Group {
                        if family == .systemMedium {
                            LockScreen(attributes: attributes, state: state, isStale: false)
                        } else {
                            card
                                .opacity(state.phase == .stale ? 0.6 : 1)
                                .accessibilityElement(children: .combine)
                        }
                    }
        """
        view.widgetURL.indented(by: 12)
        """
                }

                @ViewBuilder private var card: some View {
                    switch family {
                    case .accessoryCircular: circular
                    case .accessoryInline: inline
                    case .accessoryRectangular: rectangular
                    default: small.padding()
                    }
                }

        """
        widgetForms
        """
            }

        """
    }

    @SourceLines private var widgetForms: [String] {
        """
                private var small: some View {
                    VStack(alignment: .leading, spacing: 4) {
        """
        view.widgetSmall.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }

                private var rectangular: some View {
                    VStack(alignment: .leading, spacing: 2) {
        """
        view.widgetRectangular.indented(by: 16)
        """
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }

                private var circular: some View {
                    ZStack {
                        AccessoryWidgetBackground()
        """
        view.widgetCircular.indented(by: 16)
        """
                    }
                }

                /// A line, in which iOS draws a text and a picture, and no other views.
                private var inline: some View {
                    Label {
                        line
                    } icon: {
        """
        view.widgetSymbol.indented(by: 16)
        """
                    }
                }

                private var line: Text {
        """
        view.widgetLine.indented(by: 12)
        """
                }
        """
    }
}

extension AppView {
    /// This view with names that are read within a view that has `attributes` and `state`.
    private var own: AppView {
        var view = self
        view.context = ""
        return view
    }

    /// The first view of the Lock Screen, or of any other place, that is one of these.
    private func first(where isMeant: (IslandLayout.View) -> Bool) -> IslandLayout.Element? {
        let lock = layout.lock.symbols + layout.lock.clocks + layout.lock.bars
        return (lock + layout.elements).first { isMeant($0.view) }
    }

    private var clock: [String]? {
        first { if case .clock = $0 { true } else { false } }.map { own.view($0) }
    }

    /// The first bar that can be a ring.
    private var ring: [String]? {
        let bar = first { view in
            switch view {
            case .bar, .level: true
            case .symbol, .title, .text, .clock, .steps, .caption, .row: false
            }
        }
        return bar.map { own.view($0) }
    }

    /// The modifier with what a touch opens.
    var widgetURL: [String] { own.lockURL }

    /// The symbol, which VoiceOver reads as the name of the definition.
    var widgetSymbol: [String] {
        let symbol = first { if case .symbol = $0 { true } else { false } }
        guard let symbol else { return own.symbolOfDefinition }
        return own.view(symbol, isAlone: true, diameter: nil)
    }

    /// The symbol over the texts and the bar of the Lock Screen, with the clock beside it.
    var widgetSmall: [String] {
        let symbol = modified(modified(widgetSymbol, by: ".font(.title2)"), by: ".widgetAccentable()")
        let texts = layout.lock.texts.prefix(3).flatMap { own.oneLine($0) }
        let clock = clock.map { modified($0, by: ".font(.title3)") } ?? []
        let bar = layout.lock.bars.first { $0.isBar }.map { own.view($0) } ?? []
        return stack("HStack(spacing: 4)", [symbol, ["Spacer(minLength: 0)"], clock])
            + ["Spacer(minLength: 0)"] + texts + bar
    }

    /// Three lines: the title; the next text with the clock; the bar.
    var widgetRectangular: [String] {
        let texts = layout.lock.texts.prefix(2).map { own.oneLine($0) }
        let title = texts.count > 1 ? modified(texts[0], by: ".widgetAccentable()") : []
        let row = [texts.last ?? widgetSymbol, ["Spacer(minLength: 0)"], clock ?? []]
        let bar = layout.lock.bars.first { $0.isBar }.map { own.view($0) } ?? []
        return title + stack("HStack(spacing: 4)", row) + bar
    }

    /// The symbol in a ring, or above a clock; what the smallest island has if there is neither.
    var widgetCircular: [String] {
        if let ring {
            let parts = [".progressViewStyle(.circular)", ".widgetAccentable()"]
            return parts.reduce(ring) { modified($0, by: $1) } + widgetSymbol
        }
        guard let clock else { return own.minimal }
        return stack(
            "VStack(spacing: 0)",
            [widgetSymbol, modified(clock, by: ".font(.caption2)")]
        )
    }

    /// The last text of the Lock Screen, which tells the state, and the clock.
    var widgetLine: [String] {
        let parts = layout.lock.texts.last?.parts ?? [.literal(name)]
        let words = own.words(of: parts)
        let clock = first { if case .clock = $0 { true } else { false } }
        guard case .clock(let field, _)? = clock?.view else { return words }
        return ["let words = \(words[0])"] + words.dropFirst() + [
            "guard let clock = TimerText.clock(of: \(own.timer(field))) else { return words }",
            #"return Text("\(words) \(clock)")"#,
        ]
    }

    /// A text on one line, unless the definition gives it more.
    private func oneLine(_ element: IslandLayout.Element) -> [String] {
        element.lines == nil ? modified(view(element), by: ".lineLimit(1)") : view(element)
    }
}
