import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// Finds names in tests that their definition does not have, without running the tests.
struct TestCheck {
    private let definition: Definition
    private let states: [String]
    private let timers: [String]
    private let attributes: [String]
    private let fields: [String]
    private var problems: [DefinitionProblem] = []

    /// The parts of an expected alert.
    private static let partsOfAlerts = ["title", "body", "sound", "level"]
    /// The ends of the topics of a device, behind its kind and its name.
    private static let topics = ["activity", "activity/diff", "alert", "availability", "timeline"]

    /// The problems of names in the tests of a definition.
    static func problems(of tests: [TestDraft], in definition: Definition) -> [DefinitionProblem] {
        var check = TestCheck(definition)
        for test in tests { check.checkExpects(test) }
        for step in tests.flatMap(\.steps) where !step.isAgain {
            switch step.kind {
            case .send(let messages, _): for message in messages { check.check(message) }
            case .expect(let entries): for entry in entries { check.check(entry) }
            case .given(let given):
                do throws(DefinitionProblem) {
                    _ = try given.situation(in: definition)
                } catch {
                    check.problems.append(error)
                }
            case .wait, .at, .event: break
            }
        }
        return check.problems
    }

    private init(_ definition: Definition) {
        self.definition = definition
        states = definition.chart.stateNames
        timers = definition.timers.map { $0.name }
        attributes = definition.contract?.attributes.map { $0.name } ?? []
        fields = definition.contract?.content.map { $0.name } ?? []
    }

    private mutating func check(_ message: TestMessage) {
        var engine = Engine(definitions: [definition], epoch: 0, foretells: false)
        let input = Message(topic: ArraySlice(message.topic.text.utf8), payload: message.payload[...])
        _ = engine.handle(.message(input), at: Timestamp(seconds: 0))
        guard engine.counters.unrouted > 0 else { return }
        let filters = definition.sources.map { $0.filter.subscription }.joined(separator: ", ")
        problems.append(
            DefinitionProblem(
                .topicOfNoSource,
                message.topic,
                "no source has the topic '\(message.topic.text)'",
                remedy: "the sources have: \(filters)"
            )
        )
    }

    private mutating func check(_ entry: TestEntry) {
        switch entry.name.text {
        case "state":
            let values: [TestValue] =
                if case .list(let all) = entry.value.content { all } else { [entry.value] }
            for value in values {
                if let shape = value.shape {
                    let message = "a state must be a name, not \(shape)"
                    problems.append(DefinitionProblem(.badTest, at: value.source.place, message))
                    continue
                }
                let names = value.source.text.split(separator: ",").map(String.init)
                guard !names.allSatisfy(states.contains) else { continue }
                problems.append(.unknown("state", value.source, among: states))
            }
        case "signals": check(entry.value, "signal", among: definition.signalNames)
        case "context": check(entry.value, "variable", among: definition.variableNames)
        case "timers": check(entry.value, "timer", among: timers)
        case "attributes": check(entry.value, "attribute", among: attributes)
        case "content": check(entry.value, "field", among: fields)
        case "alert": check(entry.value, "part of an alert", among: Self.partsOfAlerts)
        case "alerts":
            guard case .list(let alerts) = entry.value.content else { return }
            for alert in alerts { check(alert, "part of an alert", among: Self.partsOfAlerts) }
        case "published":
            guard case .map(let topics) = entry.value.content else { return }
            for topic in topics { checkTopic(topic.name) }
        default:
            guard !TestStage.expectations.contains(entry.name.text) else { return }
            problems.append(.unknown("expectation", entry.name, among: TestStage.expectations))
        }
    }

    /// Warns of a test that nothing can make fail.
    private mutating func checkExpects(_ test: TestDraft) {
        let expects = test.steps.contains { step in
            if case .expect(let entries) = step.kind { !entries.isEmpty } else { false }
        }
        if expects { return }
        var problem = DefinitionProblem(
            .badTest,
            test.name,
            "this test expects nothing, so it can't fail",
            remedy: "add a step such as expect: { state: idle }"
        )
        problem.severity = .warning
        problems.append(problem)
    }

    /// Reports a topic on which the bridge never publishes: where nothing is expected, nobody would notice.
    private mutating func checkTopic(_ name: SourceText) {
        let levels = name.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let kind = definition.kind
        let isOfBridge = levels.count > 2 && Self.topics.contains(levels[2...].joined(separator: "/"))
        if levels[0].hasSameCodePoints(as: kind), isOfBridge {
            problems.append(
                DefinitionProblem(
                    .badTest,
                    name,
                    "the bridge publishes nothing on '\(name.text)'",
                    remedy: "its topics begin with 'skerry/', as in skerry/\(name.text)"
                )
            )
        }
        guard levels.first == "skerry", levels.count > 3, levels[1].hasSameCodePoints(as: kind) else {
            return
        }
        let last = levels[3...].joined(separator: "/")
        if !Self.topics.contains(last) {
            problems.append(
                .unknown("topic of a device", SourceText(last, at: name.place), among: Self.topics)
            )
        }
    }

    private mutating func check(_ value: TestValue, _ what: String, among known: [String]) {
        guard case .map(let entries) = value.content else { return }
        for entry in entries where !known.contains(entry.name.text) {
            problems.append(.unknown(what, entry.name, among: known))
        }
    }
}

extension TestValue {
    /// The shape of a value that can't be a name.
    fileprivate var shape: String? {
        switch content {
        case .list: "a list"
        case .map: "a mapping"
        default: nil
        }
    }
}
