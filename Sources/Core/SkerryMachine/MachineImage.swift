public import SkerryValues

extension Machine {
    /// True if a timer that runs was resumed, which images of older versions can't say.
    public var hasResumedTimers: Bool { runningTimers.contains { $0.resumed != nil } }

    /// True if a countdown stands still that had stood still before or was told meanwhile, which images of older versions can't say.
    public var hasLateTimers: Bool { runningTimers.contains { $0.lag != .zero } }

    /// Writes the machine's states, waits, timers and history; only between macrosteps.
    public func write(to writer: inout ImageWriter, chart: Statechart) {
        assert(raised.isEmpty, "a machine is written within a macrostep")
        assert(!isFinished || waits.isEmpty && sends.isEmpty, "a machine waits after its end")
        writer.list(Array(activeAtomicStates(in: chart))) { $0.unsigned(UInt64($1.rawValue)) }
        writer.list(configuration.filter { $0 != .root }) { writer, state in
            writer.unsigned(UInt64(state.rawValue))
            writer.moment(entryTimes[configuration.rank(of: state) - 1])
        }
        writer.moment(lastHeard)
        writer.flag(isFinished)
        writer.list(waits) { $1.write(to: &$0) }
        writer.list(sends) { writer, send in
            writer.text(send.event.name)
            writer.unsigned(UInt64(send.event.data))
            writer.optional(send.id) { $0.text($1) }
            send.deadline.write(to: &writer)
        }
        writer.list(runningTimers) { writer, timer in
            writer.unsigned(UInt64(timer.id.rawValue))
            if let resumed = timer.resumed {
                writer.tag(NamedTimer.resumedTag)
                writer.moment(resumed)
            }
            if timer.lag != .zero {
                writer.tag(NamedTimer.lagTag)
                writer.interval(timer.lag)
            }
            timer.state.write(to: &writer)
            timer.deadline.write(to: &writer)
        }
        writer.list(histories) { writer, history in
            writer.unsigned(UInt64(history.state.rawValue))
            writer.list(Array(history.remembered)) { $0.unsigned(UInt64($1.rawValue)) }
        }
    }

    /// Reads a machine back, for a chart that may have replaced the one it was written with.
    ///
    /// Named timers are kept even if states are lost. If the new chart has no counterpart of the active states, the
    /// machine has not started: starting it leads to the initial states.
    ///
    /// - Parameters:
    ///   - reader: A reader at the place where the machine was written.
    ///   - map: The numbers of the old chart's parts in `chart`.
    ///   - chart: The chart of the machine from now on.
    /// - Throws: ``ImageFault`` for bytes that no machine has written.
    public init(
        from reader: inout ImageReader,
        map: ChartMap,
        chart: Statechart
    ) throws(ImageFault) {
        self.init()
        let atomic = try reader.list { reader throws(ImageFault) in map.state(try reader.unsigned()) }
        let entries = try reader.list { reader throws(ImageFault) in
            (state: map.state(try reader.unsigned()), at: try reader.moment())
        }
        lastHeard = try reader.moment()
        // The new chart decides if the machine is finished.
        _ = try reader.flag()
        let found = try reader.list { reader throws(ImageFault) in
            try Wait(from: &reader, map: map, chart: chart)
        }
        // Two transitions of the old chart may have become the same one.
        for case let wait? in found where !waits.contains(where: { $0.transition == wait.transition }) {
            waits.append(wait)
        }
        sends = try reader.list { reader throws(ImageFault) in try PendingSend(from: &reader) }
        runningTimers = try reader.list { reader throws(ImageFault) in try NamedTimer(from: &reader, map: map)
        }
        .compactMap { $0 }
        for (place, timer) in runningTimers.enumerated()
        where runningTimers[..<place].contains(where: { $0.id == timer.id }) {
            throw .contradictory
        }
        let remembered = try reader.list { reader throws(ImageFault) in try History(from: &reader, map: map) }
        histories = remembered.compactMap { $0 }.filter { history in
            chart.historyStates.contains(history.state)
                && history.remembered.isSubset(of: chart.states[history.state.index].surroundings(in: chart))
                && Self.canBe(in: startSet(Array(history.remembered), in: chart).states, of: chart)
        }
        // All or nothing: some of the active states would be a configuration in which no chart ever was.
        let isPlaced = !atomic.contains { $0 == nil } && place(atomic.compactMap { $0 }, entries, in: chart)
        if !isPlaced { leaveStates() }
        isFinished = isStarted && isDone(.root, in: chart)
        if isFinished { (waits, sends) = ([], []) }
        let active = configuration
        // A state that `migrate` left out is not active, and a wait in it would never be given up.
        waits.removeAll { !active.contains(chart.transitions[$0.transition.index].source) }
    }

    /// Returns the transitions that a machine armed when it entered its states, by their numbers in the present chart.
    ///
    /// - Parameters:
    ///   - reader: A reader at the place where the machine was written.
    ///   - map: The numbers of the old chart's parts in the present one.
    ///   - sources: The source of each transition of the old chart, by the numbers there.
    /// - Returns: Those that still exist; none for a finished machine, which waits for nothing.
    /// - Throws: ``ImageFault`` for bytes that no machine has written.
    public static func armedTransitions(
        from reader: inout ImageReader,
        map: ChartMap,
        sources: [Int]
    ) throws(ImageFault) -> [TransitionID] {
        _ = try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        let active = try reader.list { reader throws(ImageFault) in
            let state = try reader.unsigned()
            _ = try reader.moment()
            return state
        }
        _ = try reader.moment()
        if try reader.flag() { return [] }
        return sources.indices.compactMap { number in
            // The root is not among the active states that are written.
            let isActive = sources[number] == 0 || active.contains(UInt64(sources[number]))
            return isActive ? map.transitions[number] : nil
        }
    }

    /// Arms the transitions of active states that were not armed on entry, because the old chart did not have them or
    /// the machine was in other states.
    ///
    /// - Parameters:
    ///   - known: The transitions that were armed; see ``armedTransitions(from:map:sources:)``.
    ///   - host: The meaning of expressions.
    public mutating func armNew<Host: MachineHost>(besides known: [TransitionID], host: inout Host) {
        var step = Macrostep(of: host.chart)
        for state in configuration {
            for transition in step.chart.states[state.index].armedOnEntry
            where !known.contains(transition) && !waits.contains(where: { $0.transition == transition }) {
                arm(transition, host: &host, step: &step)
            }
        }
    }

    /// Activates states, if the chart can be in them together.
    ///
    /// Their ancestors and descendants are active as after a transition to them; no actions are performed.
    private mutating func place(
        _ targets: [StateID],
        _ entries: [(state: StateID?, at: Timestamp)],
        in chart: Statechart
    ) -> Bool {
        if targets.isEmpty { return true }
        let states = startSet(targets, in: chart).states
        guard Self.canBe(in: states, of: chart) else { return false }
        // For states that the new chart adds around or in the active ones.
        let latest = entries.map { $0.at }.max() ?? lastHeard
        for state in states {
            configuration.insert(state)
            if state == .root { continue }
            let time = entries.first { $0.state == state }?.at ?? latest
            entryTimes.insert(time, at: configuration.rank(of: state) - 1, among: configuration.count - 2)
        }
        assert(configuration == states, "a state is restored beside those that were active")
        return true
    }

    /// Returns whether a chart can be in states together.
    private static func canBe(in states: StateSet, of chart: Statechart) -> Bool {
        states.allSatisfy { state in
            let children = chart.states[state.index].children
            let active = children.filter { states.contains($0) }.count
            return switch chart.states[state.index].kind {
            case .compound: active == 1
            // History states are children, and never active.
            case .parallel: active == children.filter { !chart.historyStates.contains($0) }.count
            case .atomic, .final: true
            case .history: false
            }
        }
    }

    private mutating func leaveStates() {
        configuration = StateSet()
        entryTimes = EntryTimes()
        waits = []
        sends = []
        histories = []
    }
}

extension Statechart.State {
    /// The states that a history state can remember: those within its parent.
    fileprivate func surroundings(in chart: Statechart) -> StateSet { chart.states[parent.index].descendants }
}

extension Deadline {
    /// Writes the deadline.
    public func write(to writer: inout ImageWriter) {
        writer.moment(at)
        writer.unsigned(sequence)
    }

    /// Reads a deadline back.
    public init(from reader: inout ImageReader) throws(ImageFault) {
        self.init(at: try reader.moment(), sequence: try reader.unsigned())
    }
}

extension Machine.PendingSend {
    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        let name = try reader.text()
        // A damaged image must not trap.
        let data = UInt32(truncatingIfNeeded: try reader.unsigned())
        event = MachineEvent(name, data: data)
        id = try reader.optional { reader throws(ImageFault) in try reader.text() }
        deadline = try Deadline(from: &reader)
    }
}

extension Machine.History {
    fileprivate init?(from reader: inout ImageReader, map: ChartMap) throws(ImageFault) {
        let state = map.state(try reader.unsigned())
        let inner = try reader.list { reader throws(ImageFault) in map.state(try reader.unsigned()) }
        guard let state, !inner.contains(where: { $0 == nil }) else { return nil }
        var remembered = StateSet()
        for case let state? in inner { remembered.insert(state) }
        self.init(state: state, remembered: remembered)
    }
}

extension NamedTimer {
    /// The tag of a moment of resumption before the state, where the tag of the state stands otherwise.
    fileprivate static let resumedTag: UInt8 = 6
    /// The tag of a time by which it was late, behind that moment.
    fileprivate static let lagTag: UInt8 = 7

    fileprivate init?(from reader: inout ImageReader, map: ChartMap) throws(ImageFault) {
        let id = map.timer(try reader.unsigned())
        var (tag, resumed): (UInt8, Timestamp?) = (try reader.tag(), nil)
        if tag == Self.resumedTag { (resumed, tag) = (try reader.moment(), try reader.tag()) }
        var lag = Interval.zero
        if tag == Self.lagTag { (lag, tag) = (try reader.interval(), try reader.tag()) }
        let state = try TimerState(tag, from: &reader)
        let deadline = try Deadline(from: &reader)
        guard state.isPossible, lag.magnitude <= TimerState.longest else { throw .contradictory }
        guard let id else { return nil }
        self.init(id: id, state: state, deadline: deadline, resumed: resumed, lag: lag)
    }
}

extension TimerState {
    /// The longest time that is counted with: a third of that which there is, so that no sum of two reaches its end.
    fileprivate static let longest = Interval(microseconds: .max / 3)

    /// True if a timer can have come into this state: it starts before it ends, and no length of it is below zero.
    fileprivate var isPossible: Bool {
        switch self {
        case .stopped, .countingUp: true
        case .running(let start, let end): start <= end && end - Timestamp(microseconds: 0) <= Self.longest
        case .elapsed(let start, let end): start <= end
        case .paused(let remaining, let duration):
            remaining >= .zero && remaining <= duration && duration <= Self.longest
        case .pausedCount(let elapsed): elapsed >= .zero
        }
    }

    fileprivate func write(to writer: inout ImageWriter) {
        switch self {
        case .stopped: writer.tag(0)
        case .running(let start, let end):
            writer.tag(1)
            writer.moment(start)
            writer.moment(end)
        case .countingUp(let start):
            writer.tag(2)
            writer.moment(start)
        case .paused(let remaining, let duration):
            writer.tag(3)
            writer.interval(remaining)
            writer.interval(duration)
        case .pausedCount(let elapsed):
            writer.tag(4)
            writer.interval(elapsed)
        case .elapsed(let start, let end):
            writer.tag(5)
            writer.moment(start)
            writer.moment(end)
        }
    }

    fileprivate init(_ tag: UInt8, from reader: inout ImageReader) throws(ImageFault) {
        switch tag {
        case 0: self = .stopped
        case 1: self = .running(start: try reader.moment(), end: try reader.moment())
        case 2: self = .countingUp(start: try reader.moment())
        case 3: self = .paused(remaining: try reader.interval(), duration: try reader.interval())
        case 4: self = .pausedCount(elapsed: try reader.interval())
        case 5: self = .elapsed(start: try reader.moment(), end: try reader.moment())
        default: throw .malformed
        }
    }
}

/// The states, transitions and timers of one chart by their numbers in the chart that replaces it.
///
/// The arrays are indexed by the numbers of the old chart; nil means that the new chart has no counterpart.
public struct ChartMap: Sendable {
    /// The states.
    public var states: [StateID?]
    /// The transitions.
    public var transitions: [TransitionID?]
    /// The timers.
    public var timers: [TimerID?]

    /// Makes a map.
    public init(states: [StateID?], transitions: [TransitionID?], timers: [TimerID?]) {
        self.states = states
        self.transitions = transitions
        self.timers = timers
    }

    func state(_ number: UInt64) -> StateID? {
        number < states.count ? states[Int(number)] : nil
    }

    func transition(_ number: UInt64) -> TransitionID? {
        number < transitions.count ? transitions[Int(number)] : nil
    }

    func timer(_ number: UInt64) -> TimerID? {
        number < timers.count ? timers[Int(number)] : nil
    }
}
