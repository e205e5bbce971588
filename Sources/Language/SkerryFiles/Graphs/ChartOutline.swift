import SkerryDevice

/// The states of a machine in document order, with the data that pictures need.
struct ChartOutline {
    /// A state and its place among the others.
    struct Node {
        /// The state as written.
        var state: StateDraft
        /// The state around it; nil for the root.
        var parent: Int?
        /// The states in it.
        var children: [Int] = []
    }

    /// A transition with its targets found.
    struct Arrow {
        /// The state that it belongs to.
        var source: Int
        /// The targets; empty if the state stays.
        var targets: [Int]
        /// The trigger, in words.
        var label: String
    }

    /// The states, the root first.
    private(set) var nodes: [Node] = []
    /// The transitions, in document order of their states.
    private(set) var arrows: [Arrow] = []
    private var indices: [String: Int] = [:]

    init(_ machine: StateDraft) {
        add(machine, in: nil)
        for (source, node) in nodes.enumerated() {
            for transition in node.state.transitions {
                let targets = transition.targets.compactMap { indices[$0.text] }
                guard targets.count == transition.targets.count else { continue }
                arrows.append(Arrow(source: source, targets: targets, label: transition.label))
            }
        }
    }

    private mutating func add(_ state: StateDraft, in parent: Int?) {
        let index = nodes.count
        nodes.append(Node(state: state, parent: parent))
        if let parent { nodes[parent].children.append(index) }
        if indices[state.name.text] == nil, parent != nil { indices[state.name.text] = index }
        for child in state.states { add(child, in: index) }
    }

    /// The initial states of a compound state, or the default of a history state.
    func initial(of index: Int) -> [Int] {
        let written = nodes[index].state.initial.compactMap { indices[$0.text] }
        if !written.isEmpty || nodes[index].state.kind.isParallel { return written }
        return nodes[index].children.first { !nodes[$0].state.kind.isHistory }.map { [$0] } ?? []
    }

    /// Returns whether a state is within another, or the same.
    func isWithin(_ inner: Int, _ outer: Int) -> Bool {
        var index: Int? = inner
        while let current = index {
            if current == outer { return true }
            index = nodes[current].parent
        }
        return false
    }

    /// The innermost state that has both in it and is neither, unless it is the root.
    func home(of first: Int, _ second: Int) -> Int {
        var index = nodes[first].parent ?? 0
        while !isWithin(second, index) || second == index && index != 0 { index = nodes[index].parent ?? 0 }
        return index
    }

    /// True if the root must be drawn as a state: it has transitions of its own, or its states are active together.
    var showsRoot: Bool { nodes[0].state.kind.isParallel || !nodes[0].state.transitions.isEmpty }
}

extension StateDraft.Kind {
    /// True if all states in it are active at once.
    var isParallel: Bool {
        if case .parallel = self { true } else { false }
    }

    /// True if it remembers where its parent was left.
    var isHistory: Bool {
        if case .history = self { true } else { false }
    }

    /// True if it is final.
    var isFinal: Bool {
        if case .final = self { true } else { false }
    }
}

extension StateDraft {
    /// Its title, if it adds something to the name and has no expressions in it.
    var titleToShow: String? {
        guard let title = title?.text, title.lowercased() != name.text.lowercased(), !title.contains("{")
        else { return nil }
        return title.shortened(to: 40)
    }
}

extension TransitionDraft {
    /// The length of a wait and the reports that it asks for: `5m`, `5m and 3 reports`.
    static func words(_ length: SourceInterval, _ reports: UInt8) -> String {
        DurationText.text(length) + (reports > 1 ? " and \(reports) reports" : "")
    }

    /// The trigger, as pictures show it: `cycle.elapsed`, `after 15m`, `power < 5 for 3m`.
    var label: String {
        let condition = condition?.text.shortened(to: 60)
        let bracketed = condition.map { " [\($0)]" } ?? ""
        return switch trigger {
        case .always: condition ?? "always"
        case .event(let descriptors): descriptors.map(\.text).joined(separator: ", ") + bracketed
        case .after(let delay): "after \(DurationText.text(delay))" + bracketed
        case .sustained(let length, _, let reports):
            "\(condition ?? "true") for \(TransitionDraft.words(length, reports))"
        case .quiet(let silence): "quiet \(DurationText.text(silence))" + bracketed
        case .at(let time): "at \(time.text)" + bracketed
        case .past(let moment): "past \(moment.text.shortened(to: 60))" + bracketed
        }
    }
}

extension String {
    /// The text on one line, with a mark where it was cut off.
    func shortened(to limit: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    /// The text in lines of about this width, broken at spaces.
    func wrapped(to width: Int) -> [String] {
        var lines = [""]
        for word in split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
