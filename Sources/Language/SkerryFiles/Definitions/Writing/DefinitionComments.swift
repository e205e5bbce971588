/// Comments of a definition to be written, by the places they belong to.
public struct DefinitionComments: Sendable {
    /// The part of a definition above which a comment is written.
    public enum Spot: Hashable, Sendable {
        /// The whole file.
        case top
        /// A source, counted from 0.
        case source(Int)
        /// A context variable by its name.
        case variable(String)
        /// A timer by its name.
        case timer(String)
        /// A state by its name; the empty name is the machine.
        case state(String)
        /// The entry actions of a state.
        case entry(of: String)
        /// The exit actions of a state.
        case exit(of: String)
        /// A transition of a state, counted from 0 in the order of the draft.
        case transition(of: String, Int)
        /// The activity.
        case activity
    }

    private var lines: [Spot: [String]] = [:]

    /// Makes none.
    public init() {}

    /// Adds a comment below those that a spot has; a text of several lines stays so, a long line is folded.
    public mutating func add(_ text: String, at spot: Spot) {
        lines[spot, default: []].append(text)
    }

    /// The comments of a spot, in the order added.
    public subscript(spot: Spot) -> [String] { lines[spot] ?? [] }
}
