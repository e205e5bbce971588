import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// Finds names in tests that their definition does not have, without running the tests.
struct TestCheck {
    private let definition: Definition
    private let states: [String]
    private let timers: [String]
    private var problems: [DefinitionProblem] = []

    /// The problems of names in the tests of a definition.
    static func problems(of tests: [TestDraft], in definition: Definition) -> [DefinitionProblem] {
        var check = TestCheck(definition)
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
        case "timers": check(entry.value, "timer", among: timers)
        default:
            guard !TestStage.expectations.contains(entry.name.text) else { return }
            problems.append(.unknown("expectation", entry.name, among: TestStage.expectations))
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
