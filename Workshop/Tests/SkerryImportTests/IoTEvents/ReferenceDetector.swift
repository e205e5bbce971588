import SkerryDevice
import SkerryImport
import SkerryValues

/// A detector as the documentation of AWS IoT Events describes it, without any of the machinery of Skerry.
///
/// Where the documentation is silent: with SERIAL, timers change when the group is through, because it says of variables
/// only that they change at once; an action that fails is left out; a transition's condition is looked at only when
/// none before it held; of two numbers that are whole, the quotient is too.
struct ReferenceDetector {
    struct Timer {
        var deadline: Int64?
        var order = 0
        var length: Int64
        /// The end has come and nobody asked for it yet.
        var isOver = false
    }

    let model: DetectorModel
    private(set) var state: String?
    private(set) var variables: [String: Value] = [:]
    private(set) var inputs: [String: Value] = [:]
    private(set) var timers: [String: Timer] = [:]
    /// The input that is the reason; nil for a timer.
    private(set) var trigger: String?
    private(set) var now: Int64 = 0
    /// What it told others, in order.
    private(set) var told: [String] = []
    private var started = 0
    /// With SERIAL, the timers that were over when the group began and that nobody asked for yet.
    private var over: Set<String> = []

    init(_ model: DetectorModel) {
        self.model = model
    }

    /// A message of an input.
    mutating func receive(_ payload: Value, from input: String) {
        inputs[input] = payload
        trigger = input
        if state == nil { enter(model.initial.text) }
        react()
    }

    /// Time goes on; each timer has its turn at its own end.
    mutating func advance(to moment: Int64) {
        while let due = timers.filter({ $0.value.deadline.map { $0 <= moment } ?? false })
            .min(by: { ($0.value.deadline ?? 0, $0.value.order) < ($1.value.deadline ?? 0, $1.value.order) })
        {
            now = due.value.deadline ?? now
            timers[due.key]?.deadline = nil
            timers[due.key]?.isOver = true
            trigger = nil
            react()
        }
        now = moment
    }

    /// Asks whether a timer is over; only the first who asks is told so.
    mutating func takeTimeout(_ timer: String) -> Bool {
        let isOver =
            switch model.evaluation {
            case .batch: timers[timer]?.isOver == true
            case .serial: over.remove(timer) != nil
            }
        if isOver { timers[timer]?.isOver = false }
        return isOver
    }

    // MARK: Groups

    private var current: DetectorState? { model.states.first { $0.name.text == state } }

    private mutating func enter(_ name: String) {
        state = name
        doAll(current?.onEnter ?? [])
    }

    private mutating func beginGroup() {
        over = Set(timers.filter(\.value.isOver).keys)
    }

    private mutating func react() {
        guard let current else { return }
        beginGroup()
        let next: DetectorEvent?
        switch model.evaluation {
        case .batch:
            var happening: [DetectorEvent] = []
            for event in current.onInput where holds(event) { happening.append(event) }
            next = firstThatHolds(current.transitions)
            for event in happening { perform(event.actions) }
        case .serial:
            for event in current.onInput where holds(event) { perform(event.actions) }
            next = firstThatHolds(current.transitions)
        }
        guard let next, let target = next.next?.text else { return }
        perform(next.actions)
        doAll(current.onExit)
        enter(target)
    }

    private mutating func firstThatHolds(_ events: [DetectorEvent]) -> DetectorEvent? {
        for event in events where holds(event) { return event }
        return nil
    }

    /// Does the events of `onEnter` or `onExit`.
    private mutating func doAll(_ events: [DetectorEvent]) {
        beginGroup()
        switch model.evaluation {
        case .batch:
            var happening: [DetectorEvent] = []
            for event in events where holds(event) { happening.append(event) }
            for event in happening { perform(event.actions) }
        case .serial:
            for event in events where holds(event) { perform(event.actions) }
        }
    }

    private mutating func holds(_ event: DetectorEvent) -> Bool {
        guard let condition = event.condition else { return true }
        if case .bool(true)? = evaluate(condition) { return true }
        return false
    }

    // MARK: Actions

    private mutating func perform(_ actions: [DetectorAction]) {
        for action in actions {
            switch action.kind {
            case .setVariable(let name, let expression):
                if let value = evaluate(expression) { variables[name] = value }
            case .setTimer(let name, let length):
                switch evaluate(length) {
                case .int(let seconds)?: start(name, seconds)
                case .double(let seconds)?: start(name, Int64(exactly: seconds.rounded(.down)))
                default: break
                }
            case .resetTimer(let name): start(name, timers[name]?.length)
            case .clearTimer(let name): timers[name] = nil
            case .outside(let words): told.append("\(state ?? ""): \(words)")
            }
        }
    }

    private mutating func start(_ name: String, _ seconds: Int64?) {
        guard let seconds, (1...31_622_400).contains(seconds) else { return }
        started += 1
        timers[name] = Timer(deadline: now + seconds, order: started, length: seconds)
    }
}
