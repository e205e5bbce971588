import SkerryMachine
import SkerryValues

/// A host whose conditions are switches and whose actions are written down.
struct SwitchHost: MachineHost {
    let chart: Statechart
    var clock = MachineClock(now: Timestamp(seconds: 0))
    var switches: [UInt16: Bool] = [:]
    var lengths: [UInt16: Interval] = [:]
    var log: [UInt16] = []
    var sinceAtAction: [Timestamp?] = []
    var evaluated = 0
    /// The time that several reports take, each after the first; nil when they are not counted.
    var reportLength: Interval?
    /// Conditions that are said not to have changed.
    var unchanged: Set<UInt16> = []
    /// Actions that fail.
    var failing: Set<UInt16> = []
    /// Conditions that are states to be in.
    var insides: [UInt16: StateID] = [:]
    /// Actions that note whether a state is active.
    var activeAtAction: [Bool] = []
    var probe: StateID?
    /// What was reached; nil when nobody asks.
    var reach: MachineReach?

    init(_ chart: Statechart) { self.chart = chart }

    mutating func stepped(by transitions: [TransitionID], into states: StateSet, since: Timestamp?) {
        reach?.add(transitions, states)
    }

    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool {
        evaluated += 1
        if let state = insides[condition.rawValue] { return machine.isActive(state) }
        return switches[condition.rawValue] ?? false
    }

    func mayHaveChanged(_ condition: GuardID) -> Bool { !unchanged.contains(condition.rawValue) }

    func end(ofReports reports: UInt8, since moment: Timestamp, of condition: GuardID) -> Timestamp? {
        reportLength.map { moment + Interval(microseconds: $0.microseconds * Int64(reports - 1)) }
    }

    func interval(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> Interval? {
        lengths[expression]
    }

    mutating func perform(_ action: UInt16, in machine: inout Machine, on occasion: Occasion) -> Bool {
        log.append(action)
        sinceAtAction.append(occasion.since)
        if let probe { activeAtAction.append(machine.isActive(probe)) }
        return !failing.contains(action)
    }
}

/// One machine in virtual time; seconds and state names, so that tests read like stories.
struct Playground {
    var machine = Machine()
    var host: SwitchHost
    /// The seconds at which deadlines were handled.
    var fired: [Double] = []
    var last = Outcome()

    init(_ builder: StatechartBuilder) throws {
        host = SwitchHost(try builder.build())
    }

    var chart: Statechart { host.chart }

    var now: Timestamp {
        get { host.clock.now }
        set { host.clock.now = newValue }
    }

    init(_ build: (inout StatechartBuilder) -> Void) throws {
        var builder = StatechartBuilder()
        build(&builder)
        try self.init(builder)
    }

    /// The names of the active states without children.
    var active: [String] {
        machine.activeAtomicStates(in: chart).map { chart.states[Int($0.rawValue)].name }
    }

    mutating func start() {
        last = machine.start(host: &host)
        fireDue()
    }

    mutating func send(_ event: String) {
        last = machine.handle(event: event, host: &host)
        fireDue()
    }

    /// A message came that turns a condition on or off.
    mutating func turn(_ condition: UInt16, _ value: Bool) {
        host.switches[condition] = value
        settle()
    }

    mutating func settle() {
        last = machine.settle(host: &host)
        fireDue()
    }

    /// Lets time pass up to a moment, deadline by deadline.
    mutating func wait(until seconds: Double) {
        now = moment(seconds)
        fireDue()
    }

    mutating func hear() { machine.heard(at: now) }

    private mutating func fireDue() {
        let limit = now
        defer { now = limit }
        while let due = machine.nextDeadline, due.at <= limit, fired.count < 5000 {
            fired.append(
                due.at - Timestamp(seconds: 0) == .zero ? 0 : (due.at - Timestamp(seconds: 0)).inSeconds
            )
            if let outcome = machine.fire(upTo: limit, host: &host) {
                last = outcome
            }
        }
    }
}

func moment(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64((seconds * 1_000_000).rounded()))
}

func named(_ number: UInt16) -> GuardID { GuardID(rawValue: number) }
