package import SkerryDevice
package import SkerryEngine
package import SkerryValues

/// Runs the `tests:` of a definition in virtual time, each on an engine of its own.
///
/// What `expect` can say of a device, the one of the test unless `device:` names it:
/// - `state`: the innermost state, all of them joined by commas, any active state, or a list of active ones.
/// - `updates`, `runs`: how many there were since the start of the test.
/// - `phase` (`none` without an update), `ended`, `stale`, `dismissed`.
/// - `content`, `attributes`, `patch`: members of the last update; null expects that there is none.
/// - `signals`, `context`, `timers`: by name. A timer is `stopped`, `running`, `counting`, `paused` or `elapsed`, or a
///   mapping of `remaining`, `duration`, `elapsed`, `start`, `end`, `running` and `paused`.
/// - `alerts`, `faults`, `refused`: how many, or a list of all, or the last one. `alert`: the last one.
/// - `availability`: `online`, `offline`, or null when nothing told.
/// - `published`: what went to MQTT since the expectations before: how many, a list of all in their order, or the
///   last payload of each topic named.
///
/// What `given` brings about counts for none of these; it only leaves the device as it is.
///
/// A step that can't be done ends its test. An expectation that is not met does not: the steps after it are looked at
/// too, because the first mismatch does not always say most.
///
/// See docs/decisions/0018-tests-and-coverage.md.
package struct DefinitionTestRunner: Sendable {
    /// The start of every test: 2026-01-01T00:00:00Z.
    package static let start = Timestamp(seconds: 1_767_225_600)
    /// The largest number of deadlines in a test, so that a machine that wakes itself all the time does not run endlessly.
    package static let deadlineLimit = 1_000_000
    /// The largest cost of all expressions in a test, which takes up to a minute; a usual test takes a thousandth of it.
    package static let costLimit = 50_000_000

    /// The ``costLimit`` of this runner's tests.
    package var costLimit = Self.costLimit
    private let definition: Definition
    private let publications: @Sendable (Effect) -> [RecordedMessage]

    /// Makes a runner for the tests of a definition.
    ///
    /// - Parameters:
    ///   - definition: the definition.
    ///   - publications: makes the publications of an effect, as the sink of a bridge does.
    package init(_ definition: Definition, publications: @escaping @Sendable (Effect) -> [RecordedMessage]) {
        self.definition = definition
        self.publications = publications
    }

    /// Runs tests in their order.
    package func run(_ tests: [TestDraft]) -> [TestOutcome] { tests.map { run($0) } }

    package func run(_ test: TestDraft) -> TestOutcome {
        let devices = devices(of: test)
        let definition = definition.located(at: test.location).chosen(choices(of: test, devices))
        var stage = TestStage(definition, devices: devices, costLimit: costLimit, publications: publications)
        var failures: [TestFailure] = []
        for step in test.steps {
            do throws(TestFailure) {
                try stage.perform(step)
            } catch {
                // What fails in each repetition is told once.
                let isTold = failures.contains { $0.problem.place == error.problem.place }
                if !isTold { failures.append(error) }
                if error.problem.code != .testFailed { break }
            }
        }
        if failures.isEmpty, !test.expectsFaults, let fault = stage.firstMistake {
            let problem = DefinitionProblem(
                .testFailed,
                test.name,
                "\(fault.device): a fault that the test does not expect: \(fault.message)",
                remedy: "mend the definition, or expect it with 'faults: 1'"
            )
            failures.append(TestFailure(problem))
        }
        return TestOutcome(
            name: test.name,
            failures: failures,
            reach: stage.reach,
            unread: stage.unread,
            tally: stage.tally
        )
    }

    /// The settings that a test gives its devices, without those that it can't give.
    private func choices(of test: TestDraft, _ devices: [String]) -> [DeviceChoices] {
        test.steps.compactMap { step in
            guard case .given(let given) = step.kind, !given.settings.isEmpty else { return nil }
            let device = given.device?.text ?? devices.first ?? TestStage.onlyDevice
            var choices = DeviceChoices(device: device)
            choices.settings = given.settings.compactMap { try? $0.choice(in: definition) }
            return choices
        }
    }

    /// The names of the devices that a test's steps belong to, in the order of the steps.
    ///
    /// A message that is asked for its devices names them when it is sent; but one device that is given without a name is
    /// the one that all these messages speak of.
    package func devices(of test: TestDraft) -> [String] {
        let names = namedDevices(of: test)
        guard names.isEmpty, test.steps.contains(where: { $0.isUnnamedSituation }) else { return names }
        return askedDevice(of: test).map { [$0] } ?? []
    }

    /// The name of the device to which a test's events without a name go; nil where it is not the only one.
    package func onlyDevice(of test: TestDraft) -> String? {
        devices(of: test).first ?? askedDevice(of: test)
    }

    /// The name of the one device that messages speak of which are asked for it; nil where there are several, or none.
    private func askedDevice(of test: TestDraft) -> String? {
        var found: Set<ExactText> = []
        for step in test.steps {
            guard case .send(let messages, _) = step.kind else { continue }
            for message in messages {
                let topic = ArraySlice(message.topic.text.utf8)
                found.formUnion(
                    definition.devices(of: topic, payload: message.payload[...]).map { ExactText($0) }
                )
            }
        }
        return found.count == 1 ? found.first?.text : nil
    }

    private func namedDevices(of test: TestDraft) -> [String] {
        var names: [String] = []
        for step in test.steps {
            var found: [String] = []
            switch step.kind {
            case .given(let given):
                if let device = given.device { found.append(device.text) }
            case .send(let messages, _):
                for message in messages {
                    let topic = ArraySlice(message.topic.text.utf8)
                    for (number, source) in definition.sources.enumerated() where !source.asksMessage {
                        found += (definition.candidates(of: topic, source: number) ?? []).map { $0.name }
                    }
                }
            case .wait, .at, .event, .expect: break
            }
            for name in found where !names.contains(where: name.hasSameCodePoints) { names.append(name) }
        }
        return names
    }
}

extension TestDraft {
    /// True if it says how many faults there are, or which.
    fileprivate var expectsFaults: Bool {
        steps.contains { step in
            guard case .expect(let entries) = step.kind else { return false }
            return entries.contains { $0.name.text == "faults" }
        }
    }
}

extension TestStep {
    /// True for the situation of a device without a name.
    fileprivate var isUnnamedSituation: Bool {
        if case .given(let given) = kind { given.device == nil } else { false }
    }
}
