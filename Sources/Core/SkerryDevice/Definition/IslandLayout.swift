public import SkerryActivity
import SkerryValues

/// The views of an activity, in the places where phones and pages draw them.
///
/// The compiler makes one for each definition with an activity, and fills places that the definition leaves empty. The
/// generated Swift, the page and the simulated phone all draw from it, so they agree. Texts show attributes and fields
/// as they are: a reader joins the parts and computes nothing.
public struct IslandLayout: Hashable, Sendable {
    /// A view with its colour and its link.
    public struct Element: Hashable, Sendable {
        /// The view.
        public let view: View
        /// The colour; nil for the usual one: that of the text around it, for a bar that of the island.
        public let tint: Tint?
        /// The colour of the circle behind a symbol; nil without a circle.
        public let circle: Tint?
        /// The picture of an app's asset catalogue that is drawn in place of a symbol by apps that have it; nil for the symbol alone.
        public let image: String?
        /// The parts of the link that a touch opens; none for the link of the region.
        public let link: [TextPart]
        /// The most lines of a text; nil leaves it to the reader.
        public let lines: Int?
        /// The way in which a text changes; nil for the usual one: digits of numbers roll in a text, other texts fade, and titles
        /// and captions are left to the reader.
        public let transition: IslandTransition?
        /// The cells of a row that are as wide as their views, by their places among the cells; the others share the rest.
        public let fittedCells: [Int]

        init(
            _ view: View,
            tint: Tint? = nil,
            circle: Tint? = nil,
            image: String? = nil,
            link: [TextPart] = [],
            lines: Int? = nil,
            transition: IslandTransition? = nil,
            fittedCells: [Int] = []
        ) {
            self.view = view
            self.tint = tint
            self.circle = circle
            self.image = image
            self.link = link
            self.lines = lines
            self.transition = transition
            self.fittedCells = fittedCells
        }
    }

    /// A view.
    public enum View: Hashable, Sendable {
        /// A picture, by its name in SF Symbols; with a choice, this is the name where the choice has none.
        case symbol(String, Choice?)
        /// A headline.
        case title([TextPart])
        /// A text.
        case text([TextPart])
        /// A timer of the content, as a running clock, or as its whole minutes.
        case clock(field: String, inMinutes: Bool)
        /// A countdown of the content, as a bar that fills.
        case bar(field: String)
        /// A number of the content, as a bar that this whole fills.
        case level(field: String, of: Double)
        /// A number of the content, as so many segments of which the first ones are filled.
        case steps(field: String, of: Int)
        /// A small text.
        case caption([TextPart])
        /// Cells side by side, each with views one below the other; they have the same width, except those that fit.
        ///
        /// The first cell has its views at the leading edge, the last one at the trailing edge, the others in the middle.
        case row([[Element]])
    }

    /// The colour of a view.
    public enum Tint: Hashable, Sendable {
        /// The colour of the island, which may depend on the state.
        case island
        /// A colour, `#rrggbb`.
        case colour(String)
    }

    /// The symbols or colours of the states, or of the values of a field.
    public struct Choice: Hashable, Sendable {
        /// A symbol or a colour and what chooses it.
        public struct Case: Hashable, Sendable {
            /// The name of the state, or the value of the field.
            public let value: String
            /// The name in SF Symbols, or the colour `#rrggbb`.
            public let result: String
        }

        /// The field of the content that chooses; nil for the state.
        public let field: String?
        /// The cases; no two have the same value.
        public let cases: [Case]

        /// Returns the choice of a value.
        ///
        /// Where several states are active, their names stand in it with commas between them, and the first one
        /// that has a case chooses.
        public func result(of value: String) -> String? {
            let names = field == nil ? value.split(separator: ",").map(String.init) : [value]
            for name in names {
                if let found = cases.first(where: { $0.value.hasSameCodePoints(as: name) }) {
                    return found.result
                }
            }
            return nil
        }
    }

    /// A part of a text.
    public enum TextPart: Hashable, Sendable {
        /// Text as it is.
        case literal(String)
        /// The name of the device.
        case device
        /// The value of an attribute; never a timer, a list or an object.
        case attribute(LiveActivityContract.Field)
        /// The value of a field of the content; never a timer, a list or an object.
        case field(LiveActivityContract.Field)
    }

    /// A place in the expanded island.
    public enum Position: UInt8, Sendable, CaseIterable {
        /// Left of the camera.
        case leading
        /// Right of the camera.
        case trailing
        /// Below the camera.
        case center
        /// Below everything else.
        case bottom

        /// The name that SwiftUI and the JSON have for it.
        public var name: String {
            switch self {
            case .leading: "leading"
            case .trailing: "trailing"
            case .center: "center"
            case .bottom: "bottom"
            }
        }

        /// The rank in which regions get room, the highest first.
        public var priority: Int {
            switch self {
            case .bottom: 0
            case .leading, .trailing: 1
            case .center: 2
            }
        }
    }

    /// A region of the expanded island; its views stand one below the other.
    public struct Region: Hashable, Sendable {
        /// The place of the region.
        public let position: Position
        /// The views, at least one.
        public let elements: [Element]
        /// The edge at which its views and the lines of its texts are; nil for the usual one of the region.
        public let alignment: IslandAlignment?
        /// The parts of the link that a touch opens; none for the link of the activity.
        public let link: [TextPart]
    }

    /// The Lock Screen: a row of symbols, the column of texts, and clocks at the far end; bars and rows below it.
    public struct LockScreen: Hashable, Sendable {
        /// The symbols at the beginning of the row.
        public let symbols: [Element]
        /// Titles and texts, one below the other.
        public let texts: [Element]
        /// The clocks at the end of the row, in large digits.
        public let clocks: [Element]
        /// The bars and the rows of the definition, below the row.
        public let bars: [Element]
        /// The parts of the link that a touch opens; none for the link of the activity.
        public let link: [TextPart]
    }

    /// A button that sends the device an event, or opens a link.
    public struct Button: Hashable, Sendable {
        /// The effect of a touch.
        public enum Action: Hashable, Sendable {
            /// It sends this event, and is there in these states, those in which the machine waits for it.
            case event(String, states: [String])
            /// It opens the link with these parts, and is there while none of them is missing.
            case link([TextPart])
        }

        /// The text on it.
        public let title: String
        /// The effect of a touch.
        public let action: Action
    }

    /// The colour of the definition, `#rrggbb`; nil for the system's own.
    public let tint: String?
    /// The colours of states, or of the values of a field, that replace it; nil when there is one colour.
    public let tints: Choice?
    /// The SF Symbol of the device, for places where a reader has nothing else to draw.
    public let symbol: String
    /// The views left of the camera, side by side.
    public let compactLeading: [Element]
    /// The views right of the camera, side by side; often none.
    public let compactTrailing: [Element]
    /// The views of the smallest form, side by side.
    public let minimal: [Element]
    /// The regions of the expanded island that draw something, in the order of ``Position``.
    public let expanded: [Region]
    /// The Lock Screen; it always draws something.
    public let lock: LockScreen
    /// The buttons below the Lock Screen and the expanded island, side by side; often none.
    public let buttons: [Button]

    /// Every view in every place, without the rows around them.
    public var elements: [Element] {
        let all =
            compactLeading + compactTrailing + minimal + expanded.flatMap { $0.elements }
            + lock.symbols + lock.texts + lock.clocks + lock.bars
        return all.flatMap { element in
            if case .row(let cells) = element.view { Array(cells.joined()) } else { [element] }
        }
    }
}
