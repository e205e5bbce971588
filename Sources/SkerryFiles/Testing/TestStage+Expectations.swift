import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

extension TestStage {
    /// What can be expected of a device.
    static let expectations = LanguagePart.expectation.mapping.names.sorted()

    /// Looks whether everything expected is so.
    ///
    /// - Throws: the first thing that is not.
    func expect(_ entries: [TestEntry], at place: Place) throws(DefinitionProblem) {
        for entry in entries where !Self.expectations.contains(entry.name.text) {
            let near = MeantKey.of(entry.name.text, among: Self.expectations).map {
                "did you mean '\($0)'?"
            }
            throw DefinitionProblem(
                .badTest,
                entry.name,
                "nobody can expect '\(entry.name.text)'",
                remedy: near ?? "it can be \(Self.expectations.listed(with: "or"))"
            )
        }
        guard let first = entries.first else { return }
        let name = entries.first { $0.name.text == "device" }?.value.source
        let subject = Subject(stage: self, device: try device(name, for: first.name))
        for entry in entries where entry.name.text != "device" { try subject.check(entry) }
    }
}

/// A device at the moment of an expectation.
private struct Subject {
    let stage: TestStage
    let name: String
    let log: TestStage.Log
    let device: Device
    let workspace: Workspace
    let last: ActivityUpdate?

    init(stage: TestStage, device name: String) {
        self.stage = stage
        self.name = name
        log = stage.log(of: name)
        last = log.updates.last
        if let known = stage.engine.device(kind: stage.definition.kind, named: name) {
            (device, workspace) = known
        } else {
            workspace = Workspace(stage.definition, epoch: 0)
            device = Device(name: name, in: workspace)
        }
    }

    private var comparison: TestComparison { TestComparison() }

    func check(_ entry: TestEntry) throws(DefinitionProblem) {
        let value = entry.value
        switch entry.name.text {
        case "state": try checkState(entry)
        case "phase": try compare(entry, .string(last?.phase.name ?? "none"))
        case "ended": try compare(entry, .bool(last?.phase == .ended))
        case "stale": try compare(entry, .bool(last?.phase == .stale))
        case "dismissed": try compare(entry, .bool(log.dismissals > 0 && device.activity == nil))
        case "updates": try compare(entry, .int(Int64(log.updates.count)))
        case "runs": try compare(entry, .int(Int64(log.updates.count { $0.kind == .started })))
        case "availability": try checkAvailability(entry)
        case "alert": try compare(entry, log.alerts.last.map { .alert($0) } ?? .null)
        case "alerts": try checkList(entry, log.alerts.map { .alert($0) })
        case "faults": try checkList(entry, log.faults.map { .string($0) })
        case "refused": try checkList(entry, log.refusals.map { .string($0) })
        case "content": try checkMembers(entry, of: last?.content, known: device.activity?.fieldNames)
        case "attributes": try checkMembers(entry, of: last?.attributes, known: nil)
        case "patch": try checkMembers(entry, of: last?.patch, known: nil)
        case "signals":
            for signal in try members(of: value) {
                guard stage.definition.signalNames.contains(signal.name.text) else {
                    throw stage.unknown("signal", signal.name, among: stage.definition.signalNames)
                }
                try compare(signal, device.signal(signal.name.text, in: workspace))
            }
        case "timers":
            for timer in try members(of: value) { try checkTimer(timer) }
        default: break
        }
    }

    // MARK: Parts

    private func members(of value: TestValue) throws(DefinitionProblem) -> [TestEntry] {
        guard case .map(let entries) = value.content else {
            throw DefinitionProblem(
                .badTest,
                value.source,
                "this must be a mapping",
                remedy: "write each name with what is expected of it, as in { name: value }"
            )
        }
        return entries
    }

    private func checkState(_ entry: TestEntry) throws(DefinitionProblem) {
        let chart = stage.definition.chart
        let expected: [TestValue] =
            if case .list(let all) = entry.value.content { all } else { [entry.value] }
        let actual = device.stateName(in: workspace)
        for value in expected {
            guard !value.source.text.utf8.elementsEqual(actual.utf8) else { continue }
            if let state = chart.state(named: value.source.text) {
                if device.machine.isActive(state) { continue }
            } else if !value.source.text.contains(",") {
                throw stage.unknown(
                    "state",
                    value.source,
                    among: chart.states.map { $0.name }.filter { !$0.isEmpty }
                )
            }
            throw mismatch("the state", at: value, got: actual.isEmpty ? "none yet" : "'\(actual)'")
        }
    }

    private func checkAvailability(_ entry: TestEntry) throws(DefinitionProblem) {
        let actual = device.isAvailable
        if case .text(let word) = entry.value.content {
            let expected: Bool? = word == "online" || word == "available" ? true : nil
            let isFalse = word == "offline" || word == "unavailable"
            guard expected == true || isFalse else {
                throw DefinitionProblem(
                    .badTest,
                    entry.value.source,
                    "the availability can't be '\(word)'",
                    remedy: "it can be online, offline or null"
                )
            }
            if actual == (expected ?? false) { return }
            let words = actual.map { $0 ? "'online'" : "'offline'" } ?? "not known"
            throw mismatch("the availability", at: entry.value, got: words)
        }
        try compare(entry, actual.map { .bool($0) } ?? .null)
    }

    /// A number expects so many, a list these in order.
    private func checkList(_ entry: TestEntry, _ actual: [Value]) throws(DefinitionProblem) {
        if case .list = entry.value.content {
            try compare(entry, .list(actual))
        } else if case .int(let count) = entry.value.content {
            guard actual.count != Int(count) else { return }
            let detail = actual.isEmpty ? "" : ": " + TestComparison.words(.list(actual))
            throw mismatch(
                "the number of '\(entry.name.text)'",
                at: entry.value,
                got: "\(actual.count)\(detail)"
            )
        } else {
            try compare(entry, actual.last ?? .null)
        }
    }

    private func checkMembers(
        _ entry: TestEntry,
        of map: ValueMap?,
        known: [String]?
    ) throws(DefinitionProblem) {
        guard let map else {
            if case .null = entry.value.content { return }
            throw mismatch(
                "'\(entry.name.text)'",
                at: entry.value,
                place: entry.name,
                got: "none: nothing was sent"
            )
        }
        for member in try members(of: entry.value) {
            if map[member.name.text] == nil, let known, !known.contains(member.name.text) {
                throw stage.unknown("field", member.name, among: known)
            }
            try compare(member, map[member.name.text] ?? .null)
        }
    }

    private func checkTimer(_ entry: TestEntry) throws(DefinitionProblem) {
        let chart = stage.definition.chart
        guard let id = chart.timer(named: entry.name.text) else {
            throw stage.unknown("timer", entry.name, among: chart.timers)
        }
        let actual = TimerReport(device.machine.timer(id), at: stage.now)
        guard case .map(let entries) = entry.value.content else {
            let word = entry.value.source.text
            guard TimerReport.words.contains(word) else {
                throw stage.unknown("state of a timer", entry.value.source, among: TimerReport.words)
            }
            if word == actual.word { return }
            throw mismatch("the timer '\(entry.name.text)'", at: entry.value, got: "'\(actual.word)'")
        }
        for member in entries {
            guard TimerReport.names.contains(member.name.text) else {
                throw stage.unknown("part of a timer", member.name, among: TimerReport.names)
            }
            try compare(member, actual.members[member.name.text] ?? .null)
        }
    }

    private func compare(_ entry: TestEntry, _ actual: Value) throws(DefinitionProblem) {
        guard let difference = comparison.difference(entry.value, actual, at: entry.name) else { return }
        throw DefinitionProblem(
            .testFailed,
            difference.place,
            "'\(difference.name)' is \(difference.got), not \(difference.expected)"
        )
    }

    private func mismatch(
        _ what: String,
        at value: TestValue,
        place: SourceText? = nil,
        got: String
    ) -> DefinitionProblem {
        DefinitionProblem(
            .testFailed,
            place ?? value.source,
            "\(what) is \(got), not \(TestComparison.words(value.value))"
        )
    }
}

extension Activity {
    fileprivate var fieldNames: [String] { plan.fields.map { $0.name } }
}

extension Value {
    /// An alert as tests see it.
    fileprivate static func alert(_ alert: ActivityAlert) -> Value {
        .map(
            ValueMap(uniqueEntries: [
                ValueMap.Entry(key: .string("title"), value: .string(alert.title)),
                ValueMap.Entry(key: .string("body"), value: .string(alert.body)),
            ])
        )
    }
}
