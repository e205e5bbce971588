import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

/// One test on its way: the engine, the clock, and all that came of the steps so far.
struct TestStage {
    /// What came of one device since the start of the test.
    struct Log {
        var updates: [ActivityUpdate] = []
        var dismissals = 0
        var refusals: [String] = []
        var faults: [String] = []

        /// The alerts of all updates, in order.
        var alerts: [ActivityAlert] { updates.compactMap { $0.alert } }
    }

    let definition: Definition
    var engine: Engine
    var now = DefinitionTestRunner.start
    /// The devices that messages and steps name, in order.
    var devices: [String]
    private var logs: [String: Log] = [:]
    private var deadlines = 0

    init(_ definition: Definition, devices: [String]) {
        self.definition = definition
        self.devices = devices
        engine = Engine(definitions: [definition], epoch: DefinitionTestRunner.start.roundedSeconds)
        take(engine.handle(.timePassed, at: now))
    }

    /// What came of a device so far.
    func log(of device: String) -> Log { logs[device] ?? Log() }

    /// Does a step.
    ///
    /// - Throws: what is not as expected, or why the step can't be done.
    mutating func perform(_ step: TestStep) throws(DefinitionProblem) {
        switch step.kind {
        case .given(let entries):
            try give(entries)
        case .send(let messages, let isRetained):
            for message in messages { try send(message, isRetained: isRetained) }
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
        case .event(let name, let device):
            let device = try self.device(device, for: name)
            take(engine.handle(.event(kind: definition.kind, device: device, name: name.text), at: now))
        case .expect(let entries):
            try expect(entries, at: step.place)
        }
    }

    private mutating func give(_ entries: [TestEntry]) throws(DefinitionProblem) {
        var signals = entries
        var device: SourceText?
        if let entry = entries.first(where: { $0.name.text == "device" }) { device = entry.value.source }
        if let entry = entries.first(where: { $0.name.text == "signals" }),
            case .map(let inner) = entry.value.content
        {
            signals = inner
        } else {
            signals.removeAll { $0.name.text == "device" }
        }
        if let state = signals.first(where: { $0.name.text == "state" }),
            !definition.signalNames.contains("state")
        {
            throw DefinitionProblem(
                .badTest,
                state.name,
                "a test can't begin in the middle of a machine",
                remedy: "send what leads to the state"
            )
        }
        guard let first = signals.first else { return }
        let name = try self.device(device, for: first.name)
        for signal in signals {
            let isKnown = engine.setSignal(
                signal.name.text,
                to: signal.value.value,
                ofDevice: name,
                kind: definition.kind
            )
            if !isKnown { throw unknown("signal", signal.name, among: definition.signalNames) }
        }
    }

    private mutating func send(_ message: TestMessage, isRetained: Bool) throws(DefinitionProblem) {
        let unrouted = engine.counters.unrouted
        let input = Message(
            topic: ArraySlice(message.topic.text.utf8),
            payload: message.payload[...],
            isRetained: isRetained
        )
        take(engine.handle(.message(input), at: now))
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

    private mutating func advance(to moment: Timestamp, _ step: TestStep) throws(DefinitionProblem) {
        while let due = engine.nextDeadline, due <= moment {
            take(engine.handle(.timePassed, at: due))
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

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            if !devices.contains(effect.device) { devices.append(effect.device) }
            var log = self.log(of: effect.device)
            switch effect.what {
            case .update(let update): log.updates.append(update)
            case .dismissed: log.dismissals += 1
            case .refused(let refusal): log.refusals.append(refusal.message)
            case .fault(let fault): log.faults.append(fault.message)
            case .moved, .availability: break
            }
            logs[effect.device] = log
        }
    }

    /// The device that is named, or else the only one of the test.
    func device(_ named: SourceText?, for step: SourceText) throws(DefinitionProblem) -> String {
        if let named {
            guard devices.isEmpty || devices.contains(named.text) else {
                throw unknown("device", named, among: devices)
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
        return devices.first ?? "device"
    }

    /// The problem of a name that is none of those there are.
    func unknown(_ what: String, _ name: SourceText, among known: [String]) -> DefinitionProblem {
        let near = MeantKey.of(name.text, among: known).map { "did you mean '\($0)'?" }
        return DefinitionProblem(
            .badTest,
            name,
            "there is no \(what) '\(name.text)'",
            remedy: near ?? (known.isEmpty ? nil : "there are: \(known.prefix(12).joined(separator: ", "))")
        )
    }
}
