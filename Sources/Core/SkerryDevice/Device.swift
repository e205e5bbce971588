public import SkerryActivity
public import SkerryMachine
public import SkerryValues

/// One device of a definition: its sticky signals, its machine with timers, and its newest run.
///
/// A device is a plain value that can be read at any time. It changes only in a ``Turn``, and only by the messages,
/// events and moments that the turn is given.
public struct Device: Sendable {
    /// The states, waits and timers of the device.
    public internal(set) var machine = Machine()
    var memory: DeviceMemory
    /// The newest run, until it is dismissed; at most one.
    var run: [FollowedRun] = []
    /// The number of the last run; `Int64.min` before any run.
    ///
    /// It is the second in which the run started, or one more than the number of the run before if that is greater.
    public internal(set) var lastRun: Int64

    /// Makes a device that was not heard yet.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the devices of its definition.
    ///   - definition: The definition of the device.
    ///   - lastRun: The ``lastRun`` of an earlier device with this name, or a greater number.
    public init(name: String, of definition: Definition, lastRun: Int64 = .min) {
        self.lastRun = lastRun
        memory = DeviceMemory(name: name, definition: definition)
    }

    /// The name, unique among the devices of its definition.
    public var name: String { memory.name }

    /// The name that people gave the device, in the settings or in its messages; nil if it was not given one.
    public func givenName(in definition: Definition) -> String? { definition.givenName ?? memory.givenName }

    /// The newest activity: active, stale, or ended and not dismissed yet.
    public var activity: Activity? { run.first?.activity }

    /// The last revision of the activity, for a reader that does not know it; nil without an activity.
    public var lastRevision: ActivityUpdate? {
        guard var update = activity?.lastRevision else { return nil }
        update.heardAt = run[0].heardAt(machine)
        return update
    }

    /// The last revision of the activity; 0 without an activity.
    public var revision: Int64 { run.isEmpty ? 0 : run[0].activity.rev }

    /// True if there is an activity that is not dismissed yet.
    public var hasActivity: Bool { !run.isEmpty }

    /// The availability that the device reported; nil when it reported none.
    public var isAvailable: Bool? { memory.isAvailable }

    /// The number of evaluations of signals and guards that failed, not counting absent values.
    public var failedReadings: UInt32 { memory.failedReadings }

    /// The number of values that were refused because of their size.
    public var refusedValues: UInt32 { memory.refusedValues }

    /// The approximate size of its signals and variables in bytes; numbers and short texts count nothing.
    public var storage: Int { memory.storage }

    /// Forgets all values that take storage, because the values of all devices together take too much.
    public mutating func forgetLargeValues() {
        // Numbers and short texts stay: they are what most guards read, and count nothing.
        for index in memory.values.indices where memory.values[index].storage(limit: 0) > 0 {
            memory.values[index] = .error(.unset)
            memory.refusedValues &+= 1
        }
        memory.storage = 0
    }

    /// True if the device ever had a run.
    public var wasShown: Bool { lastRun != .min }

    /// The value of a signal; an error when the signal is unset or does not exist.
    public func signal(_ name: String, in definition: Definition) -> Value {
        guard let index = definition.signalNames.firstIndex(where: { $0.hasSameCodePoints(as: name) })
        else { return .error(.undeclaredReference) }
        return memory.values[index]
    }

    /// The value of a variable; an error when the variable does not exist or the machine has not started.
    public func variable(_ name: String, in definition: Definition) -> Value {
        let names = definition.variableNames
        guard let index = names.firstIndex(where: { $0.hasSameCodePoints(as: name) }) else {
            return .error(.undeclaredReference)
        }
        return memory.values[definition.signalNames.count + index]
    }

    /// The names of the innermost active states, in document order, joined by commas; empty before the start.
    public func stateName(in definition: Definition) -> String {
        definition.stateName(machine.activeAtomicStates(in: definition.chart))
    }

    /// True if a silence that is long enough would change the device.
    public var waitsForSilence: Bool { machine.waitsForSilence || run.first?.staleCheck != nil }

    /// Lets waits for silence stand still, because no message can come.
    public mutating func stopListening(at now: Timestamp) {
        if !machine.isDeaf { machine.stopListening(since: now) }
    }

    /// The moment since which no message can come; nil while the bridge listens.
    public var deafSince: Timestamp? { machine.deafSince }

    /// True if a guard holds and waits for the end of its `for`.
    public var waitsForGuard: Bool { machine.waitsForGuard }

    /// The earliest moment at which something is due; nil when nothing is.
    public var nextDeadline: Deadline? {
        memory.earliest(run.earliest(machine.nextDeadline, isDeaf: machine.isDeaf))
    }

    /// True if readers hold a timeline with a forecast, not only a snapshot.
    public var isForetold: Bool { run.first?.foretold != nil }

    /// Forgets the forecast that readers hold.
    ///
    /// - Returns: false if they hold none.
    public mutating func withdrawForecast() -> Bool {
        guard isForetold else { return false }
        run[0].foretold = nil
        return true
    }

    /// Sets the epoch of all further revisions of its activity.
    public mutating func begin(epoch: Int64) {
        for index in run.indices { run[index].activity.begin(epoch: epoch) }
    }

    /// Ends the activity with its present content, because the definition is gone.
    ///
    /// - Returns: The effects for readers: the end of the activity, dismissed at once.
    public mutating func endRun(at now: Timestamp) -> [DeviceEffect] { run.end(at: now) }

    /// Moves all stored moments by the same length, because the wall clock was set.
    ///
    /// A timer that ends at a time of day, `until`, keeps its end; a timer that continues or starts over after a
    /// restart does not count a time in which Skerry did not run. Readers see the difference when ``Turn/lookAnew()``
    /// runs.
    public mutating func move(by shift: ClockShift, in definition: Definition) {
        machine.move(by: shift) { id in
            let timer = definition.timers[Int(id.rawValue)]
            if timer.endsAtTimeOfDay { return .startOnly }
            return timer.onRestart == .deadline ? .whenArmed : .always
        }
        for index in run.indices {
            let start = run[index].activity.startedAt
            run[index].activity.moveStart(to: shift.moved(start))
            run[index].staleCheck?.move(by: shift.length)
            // Always, as `lastHeard`.
            run[index].newsAt = run[index].newsAt.map { $0 + shift.length }
            shift.move(&run[index].dismissal)
            shift.move(&run[index].exactAt)
            run[index].settling?.move(by: shift)
            shift.move(&run[index].alertCheck)
        }
        shift.move(&memory.forgetting)
        for index in memory.reportedAt.indices where memory.reportedAt[index] != .distantPast {
            // Always, as `lastHeard`: none of them was restored.
            memory.reportedAt[index] = memory.reportedAt[index] + shift.length
        }
        for index in memory.histories.indices { memory.histories[index].move(by: shift) }
    }

    /// Computes the far times of day again after the wall clock was set.
    public mutating func reviseTimesOfDay(
        in definition: Definition,
        at now: Timestamp,
        _ workspace: inout Workspace
    ) {
        guard machine.hasRecurring || definition.chart.hasMoments else { return }
        var turn = Turn(taking: &self, of: definition, at: now, in: &workspace)
        turn.machine.reviseRecurring(all: false, host: &turn.scene)
        _ = turn.machine.armMoments(host: &turn.scene)
        _ = turn.end(&self, &workspace)
    }
}

/// The newest run of a device, with its deadlines.
struct FollowedRun: Sendable {
    var activity: Activity
    /// The next check for silence; the check computes the exact moment from the last message.
    var staleCheck: Deadline?
    /// The moment of the last message that broke the silence after which it is stale, or of its beginning; nil if every
    /// message does.
    var newsAt: Timestamp?
    /// The moment at which the ended run is dismissed.
    var dismissal: Deadline?
    /// The changes that wait for their update; nil when there are none.
    var settling: Settling?
    /// The moment at which numbers are told that differ by less than their tolerance; nil when none does.
    var exactAt: Deadline?
    /// The moment at which the condition of an alert turns, while only time passes.
    var alertCheck: Deadline?
    /// The date of the first forecast that readers have; nil when they have none.
    var foretold: Timestamp?
    /// The alerts whose condition holds, by their numbers: each is given once it turns true again.
    var holding = Marks()

    var deadlines: [Deadline] {
        [staleCheck, dismissal, settling?.due, exactAt, alertCheck].compactMap { $0 }
    }

    /// True if a run can have come into this state: what has ended waits only to be dismissed.
    var isPossible: Bool {
        activity.phase == .ended
            ? dismissal != nil && staleCheck == nil && settling == nil : dismissal == nil
    }
}

/// The action of a run at one of its deadlines.
enum RunDuty {
    /// Publishes the changes that have settled.
    case settling
    /// Publishes the numbers that differ by less than their tolerance.
    case exactness
    /// Looks at the conditions of alerts.
    case alertCheck
    /// Looks whether the device is silent.
    case staleCheck
    /// Dismisses the ended activity.
    case dismissal
}

extension [FollowedRun] {
    /// Returns the action of the run at a deadline; nil if the deadline is not the run's.
    func duty(at due: Deadline) -> RunDuty? {
        if isEmpty { return nil }
        if self[0].settling?.due == due { return .settling }
        if self[0].exactAt == due { return .exactness }
        if self[0].alertCheck == due { return .alertCheck }
        if self[0].staleCheck == due { return .staleCheck }
        return self[0].dismissal == due ? .dismissal : nil
    }

    /// The earlier of another deadline and those of the run; without that of silence, while no message can come.
    func earliest(_ other: Deadline?, isDeaf: Bool) -> Deadline? {
        if isEmpty { return other }
        var earliest = other
        assert(count == 1, "a device has two runs")
        if let due = self[0].settling?.due, earliest.map({ due < $0 }) ?? true { earliest = due }
        if let exactAt = self[0].exactAt, earliest.map({ exactAt < $0 }) ?? true { earliest = exactAt }
        if let check = self[0].alertCheck, earliest.map({ check < $0 }) ?? true { earliest = check }
        if !isDeaf, let check = self[0].staleCheck, earliest.map({ check < $0 }) ?? true { earliest = check }
        if let dismissal = self[0].dismissal, earliest.map({ dismissal < $0 }) ?? true {
            earliest = dismissal
        }
        return earliest
    }
}

/// The values of a device, apart from its machine and its run.
struct DeviceMemory: Sendable {
    var name: String
    /// The name that people gave the device; nil when no message told it.
    var givenName: String?
    /// The signals, then the variables.
    var values: [Value]
    /// The moments of the last messages with each signal, changed or not.
    ///
    /// The distant past where none came since this process has the device, or a retained message set the value. They are not
    /// stored: each reading would change the image.
    var reportedAt: [Timestamp] = []
    var isAvailable: Bool?
    var failedReadings: UInt32 = 0
    /// The number of values that were refused because of their size.
    var refusedValues: UInt32 = 0
    /// The size of the values; see `Value.storage`.
    var storage = 0
    /// The key of the newest run, also after its end; nil when none was reported.
    var runKey: String?
    /// The number of runs that did not begin because of their key, since this process has the device.
    var swallowed: UInt32 = 0
    /// The messages that its actions have published within a minute; nil when there never were any.
    var published: PublicationMeter?
    /// The moment at which the device is forgotten, after its run was dismissed.
    var forgetting: Deadline?
    /// The timers that must not begin: their end was last reported for an earlier run, or a restart dropped them.
    var untoldTimers = Marks()
    /// The values over time of the signals that follow them.
    var histories: [SignalHistory] = []
    /// The memory for how long runs take; at most one, and none before the first run that is learned from.
    var learning: [Learning] = []

    /// Makes an empty memory, which takes the place of the real one while a turn owns that.
    init() {
        name = ""
        values = []
    }

    /// The earliest of another deadline, the moment at which the device is forgotten, and those at which signals turn.
    func earliest(_ other: Deadline?) -> Deadline? {
        var earliest = other
        if let forgetting, earliest.map({ forgetting < $0 }) ?? true { earliest = forgetting }
        for history in histories {
            if let pending = history.pending, earliest.map({ pending < $0 }) ?? true { earliest = pending }
        }
        return earliest
    }

    /// True if the memory has a place for each signal, variable and history of a definition.
    func isMade(for definition: Definition) -> Bool {
        values.count == definition.signalNames.count + definition.variableNames.count
            && histories.count == definition.signalForms.count
    }

    init(name: String, definition: Definition) {
        self.name = name
        let count = definition.signalNames.count + definition.variableNames.count
        values = [Value](repeating: .error(.unset), count: count)
        reportedAt = [Timestamp](repeating: .distantPast, count: definition.signalNames.count)
        histories = [SignalHistory](repeating: SignalHistory(), count: definition.signalForms.count)
    }
}

/// A change or a fault of a device, caused by one input.
public enum DeviceEffect: Sendable {
    /// The machine changed its innermost states, given by name, or left them and is back: then both are the same.
    ///
    /// `through` has the states that were entered and left again on the way.
    case moved(from: String, to: String, through: [String] = [])
    /// A new revision of the activity.
    case update(ActivityUpdate)
    /// A message that an action publishes.
    case publication(DevicePublication)
    /// The ended activity with this id is dismissed.
    case dismissed(id: String)
    /// The forecast changed; nil means there no longer is one.
    case foretold(ActivityTimeline?)
    /// The availability changed.
    case availability(Bool)
    /// The device was removed; readers must forget its availability if it was published.
    case forgotten(toldAvailability: Bool)
    /// The payload can't be read; nothing of the message was used.
    case refused(PayloadRefusal)
    /// The machine or the activity can't do what the definition demands.
    case fault(DeviceFault)
}

extension DeviceEffect {
    /// A move in words, such as `idle → running`; a start has no state before it.
    public static func words(from: String, to: String, through: [String]) -> String {
        from.isEmpty ? "starts in \(to)" : ([from] + through + [to]).joined(separator: " → ")
    }
}

/// The reason why a payload was refused.
public enum PayloadRefusal: Equatable, Sendable {
    /// The payload is not valid JSON.
    case json(JSONRefusal)
    /// The payload is not UTF-8 text.
    case notText
    /// The payload is not a number.
    case notNumber
    /// The payload is not a truth value.
    case notBool
    /// The payload has no pair of a name and a value.
    case notPairs
    /// The payload is not one line of separated texts.
    case notCSV
    /// The payload is not hexadecimal.
    case notHex
    /// The payload is not base64.
    case notBase64
    /// The payload is not well-formed CBOR.
    case notCBOR
    /// The payload is not well-formed Sparkplug B.
    case sparkplug(SparkplugRefusal)
    /// The payload is longer than limits.payload allows.
    case tooLarge

    /// The reason in words, to follow "the payload is".
    public var message: String {
        switch self {
        case .json(let refusal): "not valid JSON: \(refusal.problem.summary) at byte \(refusal.offset)"
        case .notText: "not UTF-8 text"
        case .notNumber: "no number"
        case .notBool: "neither true nor false"
        case .notPairs: "without any pair such as name=value"
        case .notCSV: "not one line of texts with commas or semicolons between them"
        case .notHex: "not hexadecimal, with two digits for each byte"
        case .notBase64: "not base64"
        case .notCBOR: "not one well-formed value of CBOR, or nested too deep"
        case .sparkplug(let refusal):
            "no payload of Sparkplug B: it can't be read from byte \(refusal.offset) on"
        case .tooLarge: "longer than limits.payload allows"
        }
    }
}

/// A mistake of a definition that shows only while a device runs.
public enum DeviceFault: Hashable, Sendable {
    /// The machine did not come to rest; it is back in its last stable state.
    case machine(MachineFault)
    /// The content exceeds its limit; the content before it stays.
    case contentTooLarge(bytes: Int, limit: Int)
    /// A value was refused because of its size.
    case valueTooLarge(name: String, ValueBound)
    /// Stored values exceed the present limits and were forgotten.
    case valuesForgotten
    /// No run began, because it would have had the key of the last one, and the definition says `once`.
    case runSwallowed
    /// An action could not publish its message.
    case unpublished(PublicationRefusal)
    /// Parts of a message were left out, because those before took as much work as a message may.
    case messageTooCostly(leftOut: Int)

    /// The fault in words.
    public var message: String {
        switch self {
        case .machine(.endlessLoop):
            "the machine does not come to rest: its 'always' transitions, or the events that it raises, go round in circles"
        case .machine(.tooManySends): "the machine has too many sent events waiting"
        case .contentTooLarge(let bytes, let limit): "the content has \(bytes) bytes, the limit is \(limit)"
        case .runSwallowed: "no run begins: its key is that of the last one, and 'run' says once"
        case .valuesForgotten:
            "stored values exceed the present limits; they are forgotten"
        case .unpublished(let reason): reason.message
        case .messageTooCostly(let count):
            "the message takes too much work: \(count) of the devices or elements that it has are left out"
        case .valueTooLarge(let name, let bound): "the value of '\(name)' \(bound.message)"
        }
    }
}
