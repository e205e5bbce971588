public import SkerryValues

// Statecharts in compiled definitions. A reader builds the chart by its builder, whose checks it passes or not.

extension Statechart {
    /// The numbers of what a chart names of its host; a chart that names more can't be read.
    public struct HostNumbers: Sendable {
        /// The number of conditions.
        public var guards: Int
        /// The number of expressions for lengths of time.
        public var lengths: Int
        /// The number of actions of the host's own.
        public var actions: Int
        /// The number of recurring moments.
        public var moments: Int
        /// The number of silences that not every message breaks.
        public var silences: Int

        /// Makes the numbers of a host.
        public init(guards: Int, lengths: Int, actions: Int, moments: Int, silences: Int) {
            self.guards = guards
            self.lengths = lengths
            self.actions = actions
            self.moments = moments
            self.silences = silences
        }
    }

    /// Writes states and transitions; timers and limits come from the host.
    public func write(to writer: inout ImageWriter) {
        writer.list(states) { writer, state in
            writer.text(state.name)
            writer.unsigned(UInt64(state.parent.rawValue))
            writer.tag(state.kind.imageTag)
            writer.states(state.initialTargets)
            writer.actions(state.initialActions)
            writer.list(state.entry) { $0.actions($1) }
            writer.list(state.exit) { $0.actions($1) }
            writer.optional(state.doneData) { $0.unsigned(UInt64($1)) }
        }
        writer.list(transitions) { writer, transition in
            writer.unsigned(UInt64(transition.source.rawValue))
            writer.states(transition.targets)
            writer.trigger(transition.trigger)
            writer.optional(transition.condition) { $0.unsigned(UInt64($1.rawValue)) }
            writer.actions(transition.actions)
            writer.flag(transition.isInternal)
        }
    }

    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Parameters:
    ///   - reader: The bytes.
    ///   - timers: The names of the timers, in the order of their numbers.
    ///   - numbers: What the host has.
    ///   - limits: The limits of a machine of the chart.
    /// - Returns: The chart.
    /// - Throws: ``ImageFault`` for bytes that no writer writes, and for charts that can't be built.
    public static func read(
        from reader: inout ImageReader,
        timers: [String],
        numbers: HostNumbers,
        limits: Limits
    ) throws(ImageFault) -> Statechart {
        var image = StatechartReader(reader: reader, numbers: numbers, timers: timers.count)
        let states = try image.states()
        let transitions = try image.transitions()
        reader = image.reader
        guard let root = states.first, states.count <= StateSet.capacity else { throw .malformed }
        var builder = StatechartBuilder()
        builder.limits = limits
        for timer in timers { builder.addTimer(timer) }
        guard builder.timers.count == timers.count else { throw .malformed }
        builder.states[0] = try root.draft(at: 0, of: states)
        for (place, state) in states.enumerated().dropFirst() {
            builder.add(try state.draft(at: place, of: states))
        }
        for transition in transitions {
            builder.addTransition(
                from: transition.source,
                on: transition.trigger,
                if: transition.condition,
                to: try states.names(of: transition.targets),
                actions: transition.actions,
                isInternal: transition.isInternal
            )
        }
        guard let chart = try? builder.build() else { throw .malformed }
        // Building takes the endings off events once more, which a definition may have on purpose.
        return chart.replacing(transitions.map { $0.trigger })
    }
}

/// A state as it is read.
private struct StateImage {
    var name: String
    var parent: UInt16
    var kind: Statechart.Kind
    var initialTargets: [StateID]
    var initialActions: [Statechart.Action]
    var entry: [[Statechart.Action]]
    var exit: [[Statechart.Action]]
    var doneData: UInt16?

    func draft(at place: Int, of states: [StateImage]) throws(ImageFault) -> StatechartBuilder.DraftState {
        guard place == 0 ? parent == 0 && name.isEmpty : parent < place && !name.isEmpty else {
            throw .malformed
        }
        let kind: StatechartBuilder.Kind =
            switch self.kind {
            case .atomic, .compound: .state
            case .parallel: .parallel
            case .final: .final
            case .history(let deep): .history(deep: deep)
            }
        if place == 0, kind != .state, kind != .parallel { throw .malformed }
        return StatechartBuilder.DraftState(
            name: name,
            parent: Int(parent),
            kind: kind,
            initial: try states.names(of: initialTargets),
            initialActions: initialActions,
            entry: entry,
            exit: exit,
            doneData: doneData,
            end: place + 1
        )
    }
}

extension [StateImage] {
    fileprivate func names(of ids: [StateID]) throws(ImageFault) -> [String] {
        var names: [String] = []
        for id in ids {
            guard id.index < count else { throw .malformed }
            names.append(self[id.index].name)
        }
        return names
    }
}

/// Reads the parts of a chart within the bounds of its host.
private struct StatechartReader {
    /// Actions within actions that are read.
    private static let depthLimit = 32

    var reader: ImageReader
    let numbers: Statechart.HostNumbers
    let timers: Int

    mutating func states() throws(ImageFault) -> [StateImage] {
        try list { image throws(ImageFault) in
            StateImage(
                name: try image.reader.text(),
                parent: try image.number(below: StateSet.capacity),
                kind: try image.kind(),
                initialTargets: try image.targets(),
                initialActions: try image.actions(depth: 0),
                entry: try image.list { image throws(ImageFault) in try image.actions(depth: 0) },
                exit: try image.list { image throws(ImageFault) in try image.actions(depth: 0) },
                doneData: try image.reader.flag() ? try image.number(below: image.numbers.lengths) : nil
            )
        }
    }

    mutating func transitions() throws(ImageFault) -> [Statechart.Transition] {
        try list { image throws(ImageFault) in
            Statechart.Transition(
                source: StateID(rawValue: try image.number(below: StateSet.capacity)),
                targets: try image.targets(),
                trigger: try image.trigger(),
                condition: try image.reader.flag() ? try image.condition() : nil,
                actions: try image.actions(depth: 0),
                isInternal: try image.reader.flag()
            )
        }
    }

    private mutating func list<Element>(
        _ read: (inout StatechartReader) throws(ImageFault) -> Element
    ) throws(ImageFault) -> [Element] {
        let count = try reader.count()
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }

    private mutating func number(below limit: Int) throws(ImageFault) -> UInt16 {
        let number = try reader.unsigned()
        guard number < UInt64(limit), let small = UInt16(exactly: number) else { throw .malformed }
        return small
    }

    private mutating func kind() throws(ImageFault) -> Statechart.Kind {
        switch try reader.tag() {
        case 0: .atomic
        case 1: .compound
        case 2: .parallel
        case 3: .final
        case 4: .history(deep: false)
        case 5: .history(deep: true)
        default: throw .malformed
        }
    }

    private mutating func targets() throws(ImageFault) -> [StateID] {
        let count = try reader.count()
        guard count <= StateSet.capacity else { throw .malformed }
        var targets: [StateID] = []
        for _ in 0..<count { targets.append(StateID(rawValue: try number(below: StateSet.capacity))) }
        return targets
    }

    private mutating func condition() throws(ImageFault) -> GuardID {
        GuardID(rawValue: try number(below: numbers.guards))
    }

    private mutating func timer() throws(ImageFault) -> TimerID {
        TimerID(rawValue: try number(below: timers))
    }

    private mutating func length() throws(ImageFault) -> Statechart.Length {
        try reader.flag() ? .computed(try number(below: numbers.lengths)) : .fixed(try reader.interval())
    }

    private mutating func reports() throws(ImageFault) -> UInt8 {
        let reports = try reader.tag()
        guard (1...Statechart.reportLimit).contains(reports) else { throw .malformed }
        return reports
    }

    private mutating func trigger() throws(ImageFault) -> Statechart.Trigger {
        switch try reader.tag() {
        case 0: .always
        case 1: .event(try reader.list { reader throws(ImageFault) in try reader.text() })
        case 2: .after(try length())
        case 3:
            .sustained(
                for: try reader.interval(),
                dropout: try reader.interval(),
                reports: try reports()
            )
        case 4:
            .quiet(
                try reader.interval(),
                of: try reader.flag() ? try number(below: numbers.silences) : nil
            )
        case 5: .recurring(try number(below: numbers.moments))
        case 6: .past(try number(below: numbers.lengths))
        default: throw .malformed
        }
    }

    private mutating func actions(depth: Int) throws(ImageFault) -> [Statechart.Action] {
        guard depth < Self.depthLimit else { throw .malformed }
        return try list { image throws(ImageFault) in try image.action(depth: depth) }
    }

    private mutating func action(depth: Int) throws(ImageFault) -> Statechart.Action {
        switch try reader.tag() {
        case 0: return .raise(try reader.text())
        case 1:
            let event = try reader.text()
            let delay = try reader.flag() ? try length() : nil
            return .send(event: event, delay: delay, id: try reader.flag() ? try reader.text() : nil)
        case 2: return .cancel(try reader.text())
        case 3:
            let timer = try timer()
            return .start(timer, duration: try reader.flag() ? try length() : nil)
        case 4: return .stop(try timer())
        case 5:
            let timer = try timer()
            return .pause(timer, from: try reader.flag() ? try number(below: numbers.lengths) : nil)
        case 6: return .resume(try timer())
        case 7:
            let timer = try timer()
            return .extend(timer, by: try length())
        case 8:
            let condition = try condition()
            let then = try actions(depth: depth + 1)
            return .choose(condition, then: then, otherwise: try actions(depth: depth + 1))
        case 9: return .attempt(try actions(depth: depth + 1))
        case 10: return .host(try number(below: numbers.actions))
        default: throw .malformed
        }
    }
}

extension Statechart.Kind {
    fileprivate var imageTag: UInt8 {
        switch self {
        case .atomic: 0
        case .compound: 1
        case .parallel: 2
        case .final: 3
        case .history(deep: false): 4
        case .history(deep: true): 5
        }
    }
}

extension ImageWriter {
    fileprivate mutating func states(_ states: [StateID]) {
        list(states) { $0.unsigned(UInt64($1.rawValue)) }
    }

    fileprivate mutating func length(_ length: Statechart.Length) {
        switch length {
        case .fixed(let interval):
            flag(false)
            self.interval(interval)
        case .computed(let number):
            flag(true)
            unsigned(UInt64(number))
        }
    }

    fileprivate mutating func trigger(_ trigger: Statechart.Trigger) {
        switch trigger {
        case .always: tag(0)
        case .event(let names):
            tag(1)
            list(names) { $0.text($1) }
        case .after(let length):
            tag(2)
            self.length(length)
        case .sustained(let hold, let dropout, let reports):
            tag(3)
            interval(hold)
            interval(dropout)
            tag(reports)
        case .quiet(let interval, let silence):
            tag(4)
            self.interval(interval)
            optional(silence) { $0.unsigned(UInt64($1)) }
        case .recurring(let moment):
            tag(5)
            unsigned(UInt64(moment))
        case .past(let moment):
            tag(6)
            unsigned(UInt64(moment))
        }
    }

    fileprivate mutating func actions(_ actions: [Statechart.Action]) {
        list(actions) { $0.action($1) }
    }

    private mutating func timer(_ tag: UInt8, _ timer: TimerID) {
        self.tag(tag)
        unsigned(UInt64(timer.rawValue))
    }

    private mutating func action(_ action: Statechart.Action) {
        switch action {
        case .raise(let event):
            tag(0)
            text(event)
        case .send(let event, let delay, let id):
            tag(1)
            text(event)
            optional(delay) { $0.length($1) }
            optional(id) { $0.text($1) }
        case .cancel(let id):
            tag(2)
            text(id)
        case .start(let timer, let duration):
            self.timer(3, timer)
            optional(duration) { $0.length($1) }
        case .stop(let timer): self.timer(4, timer)
        case .pause(let timer, let moment):
            self.timer(5, timer)
            optional(moment) { $0.unsigned(UInt64($1)) }
        case .resume(let timer): self.timer(6, timer)
        case .extend(let timer, let length):
            self.timer(7, timer)
            self.length(length)
        case .choose(let condition, let then, let otherwise):
            tag(8)
            unsigned(UInt64(condition.rawValue))
            actions(then)
            actions(otherwise)
        case .attempt(let inner):
            tag(9)
            actions(inner)
        case .host(let number):
            tag(10)
            unsigned(UInt64(number))
        }
    }
}
