import SkerryDevice

extension SCXMLDocument {
    /// The document with SCXML's defaults filled in: each state has a unique id, and data that is bound early belongs
    /// to the root.
    ///
    /// - Returns: The document with the same states in the same order. If several states have the same id, all but the
    ///   first one get another, which ``renamed`` lists.
    public func resolved() -> SCXMLDocument {
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
    public static func microseconds(_ text: String) -> Int64? {
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
