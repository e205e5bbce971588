import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// Looks for what tests name and their definition does not have, without running them.
struct TestCheck {
    private let definition: Definition
    private let states: [String]
    private let timers: [String]
    private var problems: [DefinitionProblem] = []

    /// What is wrong with the names in the tests of a definition.
    static func problems(of tests: [TestDraft], in definition: Definition) -> [DefinitionProblem] {
        var check = TestCheck(definition)
        for step in tests.flatMap(\.steps) {
            switch step.kind {
            case .send(let messages, _): for message in messages { check.check(message) }
            case .expect(let entries): for entry in entries { check.check(entry) }
            case .given, .wait, .at, .event: break
            }
        }
        return check.problems
    }

    private init(_ definition: Definition) {
        self.definition = definition
        states = definition.chart.states.map { $0.name }.filter { !$0.isEmpty }
        timers = definition.timers.map { $0.name }
    }

    private mutating func check(_ message: TestMessage) {
        var engine = Engine(definitions: [definition], epoch: 0)
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
                for name in value.source.text.split(separator: ",") where !states.contains(String(name)) {
                    report("state", value.source, named: String(name), among: states)
                }
            }
        case "signals": check(entry.value, "signal", among: definition.signalNames)
        case "timers": check(entry.value, "timer", among: timers)
        default:
            guard !TestStage.expectations.contains(entry.name.text) else { return }
            report("expectation", entry.name, named: entry.name.text, among: TestStage.expectations)
        }
    }

    private mutating func check(_ value: TestValue, _ what: String, among known: [String]) {
        guard case .map(let entries) = value.content else { return }
        for entry in entries where !known.contains(entry.name.text) {
            report(what, entry.name, named: entry.name.text, among: known)
        }
    }

    private mutating func report(
        _ what: String,
        _ source: SourceText,
        named name: String,
        among known: [String]
    ) {
        let near = MeantKey.of(name, among: known).map { "did you mean '\($0)'?" }
        let list = known.isEmpty ? nil : "there are: \(known.prefix(30).joined(separator: ", "))"
        problems.append(
            DefinitionProblem(.badTest, source, "there is no \(what) '\(name)'", remedy: near ?? list)
        )
    }
}
