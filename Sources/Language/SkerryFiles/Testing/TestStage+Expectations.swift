import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

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
            let actual = TimerReport(device.machine.timer(id), at: stage.now)
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
