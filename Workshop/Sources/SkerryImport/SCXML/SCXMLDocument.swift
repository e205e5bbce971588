package import SkerryDevice

/// A statechart in SCXML (https://www.w3.org/TR/scxml/), with the place of every text.
///
/// Names are not resolved and expressions not parsed.
///
/// See docs/decisions/0003-imports.md.
package struct SCXMLDocument: Sendable {
    /// The `name` of the document.
    package var name: SourceText?
    /// True if data gets its first value when its state is first entered, and not at the start (`binding="late"`).
    package var bindsLate = false
    /// The scripts that run when the document is loaded.
    package var scripts: [SCXMLAction] = []
    /// The element `scxml` as a state; it has no id.
    package var root: SCXMLState
    /// The states that ``resolved()`` gave another id, because an earlier state has the same.
    package var renamed: [Renaming] = []

    /// A state whose id was replaced.
    package struct Renaming: Sendable {
        /// The id as written.
        package var id: SourceText
        /// The new id.
        package var name: String
    }

    /// Makes a document from its root.
    package init(root: SCXMLState) {
        self.root = root
    }
}

/// A `state`, `parallel`, `final` or `history`, or the root.
package struct SCXMLState: Sendable {
    /// The kinds of states.
    package enum Kind: Sendable, Hashable {
        /// `state`, or the root.
        case state
        /// `parallel`
        case parallel
        /// `final`
        case final
        /// `history`
        case history(deep: Bool)
    }

    /// The kind of state, from the name of its element.
    package var kind: Kind
    /// The `id`; nil when there is none.
    package var id: SourceText?
    /// The place where the element begins.
    package var place: Place
    /// The states entered by default: `initial`, or the targets of the initial transition or of a history.
    package var initial: [SourceText] = []
    /// The actions of the initial transition or of a history.
    package var initialActions: [SCXMLAction] = []
    /// The variables that the state declares.
    package var data: [SCXMLData] = []
    /// The `onentry` elements, each a block of actions.
    package var entry: [[SCXMLAction]] = []
    /// The `onexit` elements, each a block of actions.
    package var exit: [[SCXMLAction]] = []
    /// The transitions in document order.
    package var transitions: [SCXMLTransition] = []
    /// The child states in document order.
    package var states: [SCXMLState] = []
    /// The data of the event that entering a final state raises.
    package var doneData: [SCXMLParameter] = []
    /// The elements in it that are not supported, such as `invoke`.
    package var unknown: [SourceText] = []

    /// Makes an empty state.
    package init(_ kind: Kind, at place: Place) {
        self.kind = kind
        self.place = place
    }
}

/// A `transition`.
package struct SCXMLTransition: Sendable {
    /// The place where the element begins.
    package var place: Place
    /// The event descriptors; none for a transition without event.
    package var events: [SourceText] = []
    /// The condition; nil when there is none.
    package var condition: SourceText?
    /// The target states; none for a transition without target.
    package var targets: [SourceText] = []
    /// True for `type="internal"`.
    package var isInternal = false
    /// The actions of the transition.
    package var actions: [SCXMLAction] = []

    /// Makes a transition without targets.
    package init(at place: Place) {
        self.place = place
    }
}

/// A `data` element.
package struct SCXMLData: Sendable {
    /// The name of the variable.
    package var id: SourceText
    /// The first value of the variable.
    package var value: SCXMLValue

    /// Makes a variable.
    package init(id: SourceText, value: SCXMLValue) {
        self.id = id
        self.value = value
    }
}

/// The origin of a value.
package enum SCXMLValue: Sendable {
    /// No value.
    case none
    /// An expression (`expr`, `location`).
    case expression(SourceText)
    /// The text within the element: an expression or plain text.
    case content(SourceText)
    /// A file (`src`).
    case file(SourceText)
}

/// A text that is literal (`event`) or computed (`eventexpr`).
package enum SCXMLText: Sendable {
    /// A literal text.
    case literal(SourceText)
    /// The value of an expression.
    case expression(SourceText)
}

/// A part of an event's data: a `param`, a name of a `namelist`, or all of it as `content`.
package struct SCXMLParameter: Sendable {
    /// The name; nil for `content`.
    package var name: SourceText?
    /// The value of the parameter.
    package var value: SCXMLValue

    /// Makes a parameter.
    package init(name: SourceText?, value: SCXMLValue) {
        self.name = name
        self.value = value
    }
}

extension SCXMLDocument {
    /// The document with SCXML's defaults filled in: each state has a unique id, and data that is bound early belongs
    /// to the root.
    ///
    /// - Returns: The document with the same states in the same order. If several states have the same id, all but the
    ///   first one get another, which ``renamed`` lists.
    package func resolved() -> SCXMLDocument {
        var naming = Naming()
        naming.note(root)
        var result = self
        result.root.states = root.states.map { naming.named($0) }
        result.renamed = naming.renamed
        if !bindsLate { result.root.data = result.root.takeData() }
        return result
    }

    /// The assignment of unique names to states.
    private struct Naming {
        private var written: Set<String> = []
        private var used: Set<String> = []
        private var count = 0
        private(set) var renamed: [Renaming] = []

        mutating func note(_ state: SCXMLState) {
            if let id = state.id { written.insert(id.text) }
            for child in state.states { note(child) }
        }

        mutating func named(_ state: SCXMLState) -> SCXMLState {
            var state = state
            if let id = state.id {
                if !used.insert(id.text).inserted {
                    let name = free { "\(id.text)-\($0 + 1)" }
                    renamed.append(Renaming(id: id, name: name))
                    state.id = SourceText(name, at: id.place)
                }
            } else {
                state.id = SourceText(free { "\(state.kind.word)\($0)" }, at: state.place)
            }
            state.states = state.states.map { named($0) }
            return state
        }

        private mutating func free(_ name: (Int) -> String) -> String {
            count = 0
            while true {
                count += 1
                let name = name(count)
                if !written.contains(name), used.insert(name).inserted { return name }
            }
        }
    }
}

extension SCXMLState {
    /// Removes and returns the data of the state and of all states in it, in document order.
    fileprivate mutating func takeData() -> [SCXMLData] {
        var all = data
        data = []
        for index in states.indices { all += states[index].takeData() }
        return all
    }
}

extension SCXMLState.Kind {
    /// The name of the element.
    var word: String {
        switch self {
        case .state: "state"
        case .parallel: "parallel"
        case .final: "final"
        case .history: "history"
        }
    }
}

extension SCXMLSend {
    /// A time such as `1.5s`, `200ms` or `.5s` in microseconds; nil when it is no time of CSS.
    ///
    /// A number without unit counts milliseconds, as in most interpreters; minutes (`m`) are also accepted.
    package static func microseconds(_ text: String) -> Int64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = Double(number.hasPrefix(".") ? "0" + number : String(number)), value < 1e9 else {
            return nil
        }
        switch text.dropFirst(number.count) {
        case "ms", "": return Int64(value * 1000)
        case "s": return Int64(value * 1_000_000)
        case "m", "min": return Int64(value * 60_000_000)
        case "h": return Int64(value * 3_600_000_000)
        default: return nil
        }
    }
}
