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
        /// The first fault that is a mistake, not a rule of the definition, as that a key begins one run; nil without one.
        var mistake: String?

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

    /// The first mistake of a device; nil if there was none.
    var firstMistake: (device: String, message: String)? {
        for device in devices {
            if let message = log(of: device).mistake { return (device, message) }
        }
        return nil
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
            case .fault(let fault):
                log.faults.append(fault.message)
                if fault != .runSwallowed { log.mistake = log.mistake ?? fault.message }
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

extension TestStage {
    /// The keys of expectations.
    static let expectations = LanguagePart.expectation.mapping.names.sorted()

    /// Looks whether everything expected is so.
    ///
    /// - Throws: everything that is not.
    func expect(_ entries: [TestEntry], at place: Place) throws(TestFailure) {
        var differences: [TestDifference] = []
        var name = ""
        do throws(DefinitionProblem) {
            for entry in entries where !Self.expectations.contains(entry.name.text) {
                let near = MeantKey.of(entry.name.text, among: Self.expectations).map {
                    "did you mean '\($0)'?"
                }
                throw DefinitionProblem(
                    .badTest,
                    entry.name,
                    "'\(entry.name.text)' can't be expected",
                    remedy: near ?? "it can be \(Self.expectations.listed(with: "or"))"
                )
            }
            guard let first = entries.first else { return }
            let named = entries.first { $0.name.text == "device" }?.value.source
            let needsDevice = entries.contains { $0.name.text != "published" }
            name = needsDevice ? try device(named, for: first.name) : devices.first ?? "device"
            let subject = Subject(stage: self, device: name)
            for entry in entries where entry.name.text != "device" {
                differences += try subject.differences(entry)
            }
        } catch {
            throw TestFailure(error)
        }
        if !differences.isEmpty { throw TestFailure(differences, story: story(of: name)) }
    }
}

/// A device at the moment of an expectation.
private struct Subject {
    let stage: TestStage
    let log: TestStage.Log
    let device: Device
    let last: ActivityUpdate?

    init(stage: TestStage, device name: String) {
        self.stage = stage
        log = stage.log(of: name)
        last = log.updates.last
        device =
            stage.engine.device(kind: stage.definition.kind, named: name)?.device
            ?? Device(name: name, of: stage.definition)
    }

    /// The differences from one expectation.
    func differences(_ entry: TestEntry) throws(DefinitionProblem) -> [TestDifference] {
        switch entry.name.text {
        case "state": try states(entry)
        case "phase": compare(entry, .string(last?.phase.name ?? "none"))
        case "ended": compare(entry, .bool(last?.phase == .ended))
        case "stale": compare(entry, .bool(last?.phase == .stale))
        case "dismissed": compare(entry, .bool(log.dismissals > 0 && device.activity == nil))
        case "updates": compare(entry, .int(Int64(log.ownUpdates.count)))
        case "runs": compare(entry, .int(Int64(log.ownUpdates.count { $0.kind == .started })))
        case "availability": try availability(entry)
        case "alert": compare(entry, log.alerts.last.map { .alert($0) } ?? .null)
        case "alerts": list(entry, log.alerts.map { .alert($0) })
        case "faults": list(entry, log.faults.map { .string($0) })
        case "refused": list(entry, log.refusals.map { .string($0) })
        case "content": try members(entry, of: last?.content, known: device.activity?.fieldNames)
        case "attributes": try members(entry, of: last?.attributes, known: nil)
        case "patch": try members(entry, of: last?.patch, known: nil)
        case "signals":
            try named(entry, "signal", stage.definition.signalNames) {
                device.signal($0, in: stage.definition)
            }
        case "context":
            try named(entry, "variable", stage.definition.variableNames) {
                device.variable($0, in: stage.definition)
            }
        case "timers": try timers(entry)
        case "published": try TestPublications(stage.published).differences(entry)
        default: []
        }
    }

    // MARK: Parts

    private func states(_ entry: TestEntry) throws(DefinitionProblem) -> [TestDifference] {
        let chart = stage.definition.chart
        let expected: [TestValue] =
            if case .list(let all) = entry.value.content { all } else { [entry.value] }
        let actual = device.stateName(in: stage.definition)
        var differences: [TestDifference] = []
        for value in expected {
            guard !value.source.text.hasSameCodePoints(as: actual) else { continue }
            if let state = chart.state(named: value.source.text), state != .root {
                if device.machine.isActive(state) { continue }
            } else if !value.source.text.contains(",") {
                throw .unknown("state", value.source, among: chart.stateNames)
            }
            let got = actual.isEmpty ? "none yet" : "'\(actual)'"
            differences.append(TestComparison.difference(value, at: "state", entry.name, got: got))
        }
        return differences
    }

    private func availability(_ entry: TestEntry) throws(DefinitionProblem) -> [TestDifference] {
        guard case .text(let word) = entry.value.content else {
            return compare(entry, device.isAvailable.map { .bool($0) } ?? .null)
        }
        let isAvailable = ["online", "available"].contains(word)
        guard isAvailable || ["offline", "unavailable"].contains(word) else {
            throw DefinitionProblem(
                .badTest,
                entry.value.source,
                "the availability can't be '\(word)'",
                remedy: "it can be online, offline or null"
            )
        }
        if device.isAvailable == isAvailable { return [] }
        let got = device.isAvailable.map { $0 ? "'online'" : "'offline'" } ?? "not known"
        return [TestComparison.difference(entry.value, at: "availability", entry.name, got: got)]
    }

    /// A number expects this many, a list these in order, any other value the last one.
    private func list(_ entry: TestEntry, _ actual: [Value]) -> [TestDifference] {
        switch entry.value.content {
        case .list where entry.value.count == actual.count: return compare(entry, .list(actual))
        case .int(let count) where actual.count == Int(count): return []
        case .int, .list:
            let detail = actual.isEmpty ? "" : ": " + TestComparison.words(.list(actual))
            let got = "\(actual.count)\(detail)"
            return [TestComparison.difference(entry.value, at: entry.name.text, entry.name, got: got)]
        default: return compare(entry, actual.last ?? .null)
        }
    }

    private func members(
        _ entry: TestEntry,
        of map: ValueMap?,
        known: [String]?
    ) throws(DefinitionProblem) -> [TestDifference] {
        guard let map else {
            if case .null = entry.value.content { return [] }
            let got = "none: nothing was sent"
            return [TestComparison.difference(entry.value, at: entry.name.text, entry.name, got: got)]
        }
        for member in try entry.members where map[member.name.text] == nil {
            if let known, !known.contains(member.name.text) {
                throw .unknown("field", member.name, among: known)
            }
        }
        return compare(entry, .map(map))
    }

    /// Values by their names.
    private func named(
        _ entry: TestEntry,
        _ what: String,
        _ known: [String],
        _ value: (String) -> Value
    ) throws(DefinitionProblem) -> [TestDifference] {
        var differences: [TestDifference] = []
        for member in try entry.members {
            guard known.contains(member.name.text) else { throw .unknown(what, member.name, among: known) }
            differences += TestComparison.differences(
                member.value,
                value(member.name.text),
                at: "\(entry.name.text).\(member.name.text)",
                member.name
            )
        }
        return differences
    }

    private func timers(_ entry: TestEntry) throws(DefinitionProblem) -> [TestDifference] {
        let chart = stage.definition.chart
        var differences: [TestDifference] = []
        for timer in try entry.members {
            guard let id = chart.timer(named: timer.name.text) else {
                throw .unknown("timer", timer.name, among: chart.timers)
            }
            let path = "timers.\(timer.name.text)"
            let lag = device.machine.timerLag(id, at: stage.now)
            let actual = TimerReport(device.machine.timer(id), at: stage.now - lag)
            guard case .map(let parts) = timer.value.content else {
                let word = timer.value.source.text
                guard TimerReport.words.contains(word) else {
                    throw .unknown("state of a timer", timer.value.source, among: TimerReport.words)
                }
                if word == actual.word { continue }
                let got = "'\(actual.word)'"
                differences.append(TestComparison.difference(timer.value, at: path, timer.name, got: got))
                continue
            }
            for part in parts where !TimerReport.names.contains(part.name.text) {
                throw .unknown("part of a timer", part.name, among: TimerReport.names)
            }
            differences += TestComparison.differences(
                timer.value,
                .map(actual.members),
                at: path,
                timer.name
            )
        }
        return differences
    }

    private func compare(_ entry: TestEntry, _ actual: Value) -> [TestDifference] {
        TestComparison.differences(entry.value, actual, at: entry.name.text, entry.name)
    }
}

extension TestEntry {
    /// The members of its value, which must be a mapping.
    var members: [TestEntry] {
        get throws(DefinitionProblem) {
            guard case .map(let entries) = value.content else {
                throw DefinitionProblem(
                    .badTest,
                    value.source.text.isEmpty ? name : value.source,
                    "this must be a mapping",
                    remedy: "write each name with what is expected of it, as in { name: value }"
                )
            }
            return entries
        }
    }
}

extension TestValue {
    /// The number of elements of a list; 0 for any other value.
    var count: Int {
        if case .list(let elements) = content { elements.count } else { 0 }
    }
}

extension Activity {
    fileprivate var fieldNames: [String] { plan.fields.map { $0.name } }
}

extension Value {
    /// An alert as tests see it.
    fileprivate static func alert(_ alert: ActivityAlert) -> Value {
        var members = ValueMap()
        members.set("title", to: .string(alert.title))
        members.set("body", to: .string(alert.body))
        if alert.sound != .standard { members.set("sound", to: .string(alert.sound.name)) }
        if alert.level != .active { members.set("level", to: .string(alert.level.name)) }
        return .map(members)
    }
}
