package import SkerryDevice
package import SkerryMachine

/// The outcome of a test of a definition.
package struct TestOutcome: Sendable {
    package var name: SourceText
    /// The failures, at most one for each step; empty if the test passed.
    package var failures: [TestFailure]
    /// The parts of the machine that the test reached.
    package var reach: MachineReach
    /// The parts that the definition did not read of the messages, which alone fails no test.
    package var unread: [Unread]
    /// The number of messages, and what came of them.
    package var tally: TestTally

    /// True if all was as expected.
    package var hasPassed: Bool { failures.isEmpty }
}

/// The messages of a test, and what came of them; what `given` brings about does not count.
package struct TestTally: Hashable, Sendable {
    /// The messages sent.
    package var messages: Int
    /// The updates of activities.
    package var updates: Int
    /// The runs with an update.
    package var runs: Int
}

/// A step of a test that could not be done, or whose expectations are not met.
public struct TestFailure: Error, Sendable {
    /// The problem, with its place.
    package var problem: DefinitionProblem
    /// The differences; empty if the step could not be carried out.
    package var differences: [TestDifference]
    /// The situation of the device and the events that led there, in a few lines.
    package var story: [String]
}

/// One thing that is not as expected.
package struct TestDifference: Sendable {
    /// The path of the value, such as `content.status`.
    package var path: String
    /// The place of the expectation.
    package var place: SourceText
    /// The expected value.
    package var expected: String
    /// The actual value.
    package var got: String

    /// All of it in a sentence without a full stop.
    package var message: String { "'\(path)' is \(got), not \(expected)" }
}

extension TestFailure {
    /// A step that can't be done.
    init(_ problem: DefinitionProblem) {
        self.init(problem: problem, differences: [], story: [])
    }

    /// Expectations that are not met, at least one.
    init(_ differences: [TestDifference], story: [String]) {
        let names = differences.prefix(8).map { $0.path }.listed
        let message =
            differences.count == 1
            ? differences[0].message : "\(differences.count) things are not as expected: \(names)"
        self.init(
            problem: DefinitionProblem(.testFailed, differences[0].place, message),
            differences: differences,
            story: story
        )
    }
}
