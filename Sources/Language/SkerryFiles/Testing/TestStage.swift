import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// A running test: the engine, the clock, and the results of the steps so far.
struct TestStage {
    /// The effects on one device since the start of the test.
    struct Log {
        /// All updates; those caused by `given` come first.
        var updates: [ActivityUpdate] = []
        /// The number of updates caused by `given`.
        var givenUpdates = 0
        var dismissals = 0
        var refusals: [String] = []
        var faults: [String] = []

        /// The updates since the start of the test.
        var ownUpdates: ArraySlice<ActivityUpdate> { updates.dropFirst(givenUpdates) }

        /// The alerts of the updates since the start of the test, in order.
        var alerts: [ActivityAlert] { ownUpdates.compactMap { $0.alert } }
    }

    /// The name of the device of a test that names none.
    static let onlyDevice = "device"

    let definition: Definition
    var engine: Engine
    var now = DefinitionTestRunner.start
    /// The devices that messages and steps name, in order.
    var devices: [String]
    /// The publications since the previous expectations.
    private(set) var published: [RecordedMessage] = []
    /// The last events, in words.
    private(set) var chronicle = TestChronicle()

    private let publications: (Effect) -> [RecordedMessage]
    private var logs: [ExactText: Log] = [:]
    private var deadlines = 0
    private let costLimit: Int
    private var cost = 0
    private var messages = 0
    private var hasBegun = false
    private var isLooking = false

    init(
        _ definition: Definition,
        devices: [String],
        costLimit: Int,
        publications: @escaping (Effect) -> [RecordedMessage]
    ) {
        self.definition = definition
        self.devices = devices
        self.costLimit = costLimit
        self.publications = publications
        var limits = EngineLimits()
        limits.broadcastCost = definition.messageCost
        engine = Engine(
            definitions: [definition],
            epoch: DefinitionTestRunner.start.roundedSeconds,
            limits: limits,
            foretells: false
        )
        engine.recordReach()
        take(engine.handle(.timePassed, at: now))
    }

    /// The parts of the machine that were reached.
    var reach: MachineReach { engine.reach.first ?? MachineReach(of: definition.chart) }

    /// The parts that were not read.
    ///
    /// A signal without a value is none of it: messages of tests have only what matters.
    var unread: [Unread] {
        (engine.unread.first ?? []).filter { if case .signal = $0.part { false } else { true } }
    }

    /// The messages so far, and what came of them.
    var tally: TestTally {
        let updates = logs.values.flatMap(\.ownUpdates)
        return TestTally(messages: messages, updates: updates.count, runs: Set(updates.map(\.id)).count)
    }

    /// The effects on a device so far.
    func log(of device: String) -> Log { logs[ExactText(device)] ?? Log() }

    /// Carries out a step.
    ///
    /// - Throws: the differences, or the reason why the step can't be carried out.
    mutating func perform(_ step: TestStep) throws(TestFailure) {
        if case .expect(let entries) = step.kind {
            isLooking = true
            try expect(entries, at: step.place)
            return
        }
        // Steps `expect` in a row look at the same messages: those since the `expect` before them.
        if isLooking {
            published = []
            isLooking = false
        }
        do throws(DefinitionProblem) {
            try act(step)
        } catch {
            throw TestFailure(error)
        }
    }

    private mutating func act(_ step: TestStep) throws(DefinitionProblem) {
        if case .given(let given) = step.kind {
            try give(given, at: step.place)
            return
        }
        hasBegun = true
        switch step.kind {
        case .given, .expect: break
        case .send(let messages, let isRetained):
            for message in messages { try send(message, isRetained: isRetained, step) }
            self.messages += messages.count
        case .wait(let length):
            try advance(to: now + length.interval, step)
        case .at(let moment):
            guard moment >= now else {
                throw DefinitionProblem(
                    .badTest,
                    at: step.place,
                    "it is \(RecordingTime.text(now)) by now, time does not run backwards",
                    remedy: "tests begin at \(RecordingTime.text(DefinitionTestRunner.start))"
                )
            }
            try advance(to: moment, step)
        case .event(let name, device: nil)
        where definition.awaitsConnection && name.text.hasSameCodePoints(as: Definition.connected):
            chronicle.add("event \(name.text)", at: now)
            take(engine.handle(.connected, at: now))
            try countCost(of: step)
        case .event(let name, let device):
            let device = try self.device(device, for: name)
            guard definition.accepts(event: name.text) else {
                throw .unknown("event that may come from outside", name, among: definition.events)
            }
            chronicle.add("event \(name.text)", at: now)
            take(engine.handle(.event(kind: definition.kind, device: device, name: name.text), at: now))
            try countCost(of: step)
        }
    }

    private mutating func give(_ given: TestGiven, at place: Place) throws(DefinitionProblem) {
        guard !hasBegun else {
            throw DefinitionProblem(
                .badTest,
                at: place,
                length: 5,
                "'given' describes the situation before the test",
                remedy: "put it before all other steps"
            )
        }
        let first = given.device ?? SourceText("given", at: place)
        let name = try device(given.device, for: first)
        guard engine.device(kind: definition.kind, named: name) == nil else {
            throw DefinitionProblem(
                .badTest,
                first,
                "the device '\(name)' is given twice",
                remedy: "say all of it in one 'given'"
            )
        }
        let situation = try given.situation(in: definition)
        take(engine.begin(situation, device: name, kind: definition.kind, at: now))
        logs[ExactText(name), default: Log()].givenUpdates = log(of: name).updates.count
        published = []
        guard let known = engine.device(kind: definition.kind, named: name) else { return }
        for state in given.states {
            guard let id = definition.chart.state(named: state.text), !known.device.machine.isActive(id)
            else {
                continue
            }
            throw DefinitionProblem(
                .badTest,
                state,
                "the machine does not stay in '\(state.text)': it goes on to"
                    + " '\(known.device.stateName(in: known.definition))'",
                remedy: "give it signals with which it stays"
            )
        }
    }

    private mutating func send(
        _ message: TestMessage,
        isRetained: Bool,
        _ step: TestStep
    ) throws(DefinitionProblem) {
        let unrouted = engine.counters.unrouted
        let input = Message(
            topic: ArraySlice(message.topic.text.utf8),
            payload: message.payload[...],
            isRetained: isRetained
        )
        chronicle.add(message, isRetained: isRetained, at: now)
        let known = engine.deviceCount
        take(engine.handle(.message(input), at: now))
        try countCost(of: step)
        if engine.deviceCount != known { addNewDevices() }
        if engine.counters.unrouted != unrouted {
            throw DefinitionProblem(
                .badTest,
                message.topic,
                "no source has the topic '\(message.topic.text)'",
                remedy:
                    "the sources have: \(definition.sources.map { $0.filter.subscription }.joined(separator: ", "))"
            )
        }
    }

    private mutating func addNewDevices() {
        var names = devices
        engine.forEachDevice { _, device in
            if !names.contains(device.name) { names.append(device.name) }
        }
        devices = names
    }

    private mutating func advance(to moment: Timestamp, _ step: TestStep) throws(DefinitionProblem) {
        while let due = engine.nextDeadline, due <= moment {
            take(engine.handle(.timePassed, at: due))
            try countCost(of: step)
            deadlines += 1
            guard deadlines <= DefinitionTestRunner.deadlineLimit else {
                throw DefinitionProblem(
                    .badTest,
                    at: step.place,
                    "the test reaches more than \(DefinitionTestRunner.deadlineLimit) deadlines",
                    remedy: "a machine that wakes itself all the time needs a longer 'after'"
                )
            }
        }
        take(engine.handle(.timePassed, at: moment))
        now = moment
    }

    /// Counts the work of an input.
    ///
    /// - Throws: A problem once it is more than a test may take.
    private mutating func countCost(of step: TestStep) throws(DefinitionProblem) {
        cost += engine.cost
        guard cost > costLimit else { return }
        throw DefinitionProblem(
            .badTest,
            at: step.place,
            "the expressions of the test take too much work: more than \(costLimit) steps",
            remedy: "send fewer or shorter messages, or match shorter texts"
        )
    }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            if !devices.contains(effect.device) { devices.append(effect.device) }
            chronicle.add(effect)
            published += publications(effect)
            var log = self.log(of: effect.device)
            switch effect.what {
            case .update(let update): log.updates.append(update)
            case .dismissed: log.dismissals += 1
            case .refused(let refusal): log.refusals.append(refusal.message)
            case .fault(let fault): log.faults.append(fault.message)
            case .moved, .foretold, .availability, .forgotten, .publication: break
            }
            logs[ExactText(effect.device)] = log
        }
    }

    /// The device that is named, or else the only one of the test.
    func device(_ named: SourceText?, for step: SourceText) throws(DefinitionProblem) -> String {
        if let named {
            guard devices.isEmpty || devices.contains(where: named.text.hasSameCodePoints) else {
                throw .unknown("device", named, among: devices)
            }
            return named.text
        }
        guard devices.count < 2 else {
            throw DefinitionProblem(
                .badTest,
                step,
                "the test has \(devices.count) devices",
                remedy: "say which one with 'device:', as in device: \(devices[0])"
            )
        }
        return devices.first ?? Self.onlyDevice
    }
}

extension DefinitionProblem {
    /// The problem of a name in a test that is none of those there are.
    static func unknown(_ what: String, _ name: SourceText, among known: [String]) -> DefinitionProblem {
        let near = MeantKey.of(name.text, among: known).map { "did you mean '\($0)'?" }
        return DefinitionProblem(
            .badTest,
            name,
            "there is no \(what) '\(name.text)'",
            remedy: near ?? (known.isEmpty ? nil : "there are: \(known.prefix(12).joined(separator: ", "))")
        )
    }
}
