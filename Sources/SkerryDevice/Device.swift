public import SkerryActivity
public import SkerryMachine
public import SkerryValues

/// One device of a definition: its sticky signals, its machine with timers, and the run that people follow.
///
/// A plain value that can be read at any time. What it does happens in a ``Turn``, and follows from the messages, events
/// and moments handed to it and from nothing else.
public struct Device: Sendable {
    /// Where it is in its machine, with its timers.
    public internal(set) var machine = Machine()
    var memory: DeviceMemory
    /// The run that is followed or was followed last, until it is dismissed; at most one.
    var run: [FollowedRun] = []
    /// What names the last run: the second in which it started, or one more than the run before it; the least number before any.
    public internal(set) var lastRun: Int64

    /// Makes a device that nothing was heard of yet.
    ///
    /// - Parameters:
    ///   - name: What names it among the devices of its definition.
    ///   - definition: Its definition.
    ///   - lastRun: The ``lastRun`` of one that had the name before, or a greater number.
    public init(name: String, of definition: Definition, lastRun: Int64 = .min) {
        self.lastRun = lastRun
        memory = DeviceMemory(name: name, definition: definition)
    }

    /// What names it among the devices of its definition.
    public var name: String { memory.name }

    /// The activity that is followed, or an ended one that is not dismissed yet.
    public var activity: Activity? { run.first?.activity }

    /// The last revision of the activity; 0 without one.
    public var revision: Int64 { run.isEmpty ? 0 : run[0].activity.rev }

    /// Whether there is an activity.
    public var hasActivity: Bool { !run.isEmpty }

    /// Whether it can be reached; nil when nothing told.
    public var isAvailable: Bool? { memory.isAvailable }

    /// How many readings of signals and guards failed for another reason than an absent value.
    public var failedReadings: UInt32 { memory.failedReadings }

    /// How many values were not kept because they are too large.
    public var refusedValues: UInt32 { memory.refusedValues }

    /// About how many bytes its signals and variables take besides numbers and short texts.
    public var storage: Int { memory.storage }

    /// Forgets the values that take storage, because those of all devices take too much.
    public mutating func forgetLargeValues() {
        for index in memory.values.indices where memory.values[index].storage(limit: 0) > 0 {
            memory.values[index] = .error(.unset)
            memory.refusedValues &+= 1
        }
        memory.storage = 0
    }

    /// Whether people were ever shown a run of it.
    public var wasShown: Bool { lastRun != .min }

    /// The value of a signal; an error when it is unset or there is none of this name.
    public func signal(_ name: String, in definition: Definition) -> Value {
        guard let index = definition.signalNames.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) })
        else { return .error(.undeclaredReference) }
        return memory.values[index]
    }

    /// The value of a variable; an error when there is none of this name, or the machine has not started.
    public func variable(_ name: String, in definition: Definition) -> Value {
        let names = definition.variableNames
        guard let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            return .error(.undeclaredReference)
        }
        return memory.values[definition.signalNames.count + index]
    }

    /// The names of the innermost active states, in document order, joined by commas; empty before the start.
    public func stateName(in definition: Definition) -> String {
        definition.stateName(machine.activeAtomicStates(in: definition.chart))
    }

    /// Whether something becomes of it when it is silent for long enough.
    public var waitsForSilence: Bool { machine.waitsForSilence || run.first?.staleCheck != nil }

    /// The earliest moment at which something is due; nil when nothing is.
    public var nextDeadline: Deadline? { run.earliest(machine.nextDeadline) }

    /// Whether readers hold a timeline of the activity that tells more than its snapshot.
    public var isForetold: Bool { run.first?.foretold != nil }

    /// Counts the revisions of what it shows in another epoch.
    public mutating func begin(epoch: Int64) {
        for index in run.indices { run[index].activity.begin(epoch: epoch) }
    }

    /// Ends what is followed with the content it has, because the definition is gone.
    ///
    /// - Returns: what readers have to be told: the end, and that the activity goes away at once.
    public mutating func endRun(at now: Timestamp) -> [DeviceEffect] { run.end(at: now) }

    /// Moves what is known by the same length, because the wall clock was set.
    ///
    /// A timer that ends at a time of day, `until`, keeps its end; one that goes on or begins anew after a restart
    /// counts no time that nobody counted. What readers see differently is told when the device is looked at anew.
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
            shift.move(&run[index].dismissal)
        }
    }
}

/// The run of a device that is followed or was followed last, and what waits for its time.
struct FollowedRun: Sendable {
    var activity: Activity
    /// When silence is looked at next; the moment itself follows from the last message.
    var staleCheck: Deadline?
    /// When the ended run goes away.
    var dismissal: Deadline?
    /// When readers were told that they will see something else; nil when they were told nothing of the future.
    var foretold: Timestamp?
}

extension [FollowedRun] {
    /// The earliest of a deadline and those of the run.
    func earliest(_ other: Deadline?) -> Deadline? {
        if isEmpty { return other }
        var earliest = other
        if let check = self[0].staleCheck, earliest.map({ check < $0 }) ?? true { earliest = check }
        if let dismissal = self[0].dismissal, earliest.map({ dismissal < $0 }) ?? true {
            earliest = dismissal
        }
        return earliest
    }
}

/// What a device knows, apart from its machine and its run.
struct DeviceMemory: Sendable {
    var name: String
    /// The signals, then the variables.
    var values: [Value]
    var isAvailable: Bool?
    var failedReadings: UInt32 = 0
    /// How many values were not kept because they are too large.
    var refusedValues: UInt32 = 0
    /// What the values take; see `Value.storage`.
    var storage = 0
    /// The timers that do not begin: the device last told their end in an earlier run, or a restart dropped them.
    var untoldTimers = TimerMarks()

    /// The memory of no device.
    init() {
        name = ""
        values = []
    }

    init(name: String, definition: Definition) {
        self.name = name
        let count = definition.signalNames.count + definition.variableNames.count
        values = [Value](repeating: .error(.unset), count: count)
    }
}

/// What came of something that a device was told.
public enum DeviceEffect: Sendable {
    /// The machine went from one state to another, both by the names of their innermost states.
    case moved(from: String, to: String)
    /// There is a new revision of the activity.
    case update(ActivityUpdate)
    /// The ended activity with this id goes away.
    case dismissed(id: String)
    /// What will be seen if nothing more is said has become another; nil when there is nothing to foretell any more.
    case foretold(ActivityTimeline?)
    /// The device can be reached, or no longer.
    case availability(Bool)
    /// The device is no more; readers have to forget whether it can be reached, if they were told.
    case forgotten(toldAvailability: Bool)
    /// The payload can't be read; nothing of it was used.
    case refused(PayloadRefusal)
    /// The machine or the activity can't do what the definition says.
    case fault(DeviceFault)
}

/// Why a payload was refused.
public enum PayloadRefusal: Equatable, Sendable {
    /// It is not the JSON it should be.
    case json(JSONRefusal)
    /// It is not UTF-8 text.
    case notText
    /// It is no number.
    case notNumber
    /// It is no truth value.
    case notBool
    /// It is longer than limits.payload allows.
    case tooLarge

    /// The reason in words.
    public var message: String {
        switch self {
        case .json(let refusal): "not valid JSON: \(refusal.problem.summary) at byte \(refusal.offset)"
        case .notText: "not UTF-8 text"
        case .notNumber: "no number"
        case .notBool: "neither true nor false"
        case .tooLarge: "longer than limits.payload allows"
        }
    }
}

/// What a definition made of its device that can't be.
public enum DeviceFault: Hashable, Sendable {
    /// The machine found no end; it is back in its last stable state.
    case machine(MachineFault)
    /// The content is longer than the limit; the last one stays.
    case contentTooLarge(bytes: Int, limit: Int)
    /// A value is too large to be kept.
    case valueTooLarge(name: String, ValueBound)
    /// Values that an earlier process kept are larger than they may be today.
    case valuesForgotten

    /// The fault in words.
    public var message: String {
        switch self {
        case .machine(.endlessLoop):
            "the machine does not come to rest: its 'always' transitions go round in circles"
        case .machine(.tooManySends): "the machine has too many sent events waiting"
        case .contentTooLarge(let bytes, let limit): "the content has \(bytes) bytes, the limit is \(limit)"
        case .valuesForgotten:
            "stored values exceed the present limits; they are forgotten"
        case .valueTooLarge(let name, let bound): "the value of '\(name)' \(bound.message)"
        }
    }
}
