public import SkerryDevice
public import SkerryMachine

/// What came of a test of a definition.
public struct TestOutcome: Sendable {
    /// What the test shows.
    public var name: SourceText
    /// What was not as expected, at most one for each step; empty when the test passed.
    public var failures: [TestFailure]
    /// How much of the machine the test reached.
    public var reach: MachineReach
    /// The expressions that could not be evaluated, which alone fails no test.
    public var expressionFailures: [ExpressionFailure]

    /// Whether all was as expected.
    public var hasPassed: Bool { failures.isEmpty }
}

/// A step of a test that could not be done, or whose expectations are not met.
public struct TestFailure: Error, Sendable {
    /// What is wrong, at its place.
    public var problem: DefinitionProblem
    /// What is not as expected; empty when the step could not be done.
    public var differences: [TestDifference]
    /// Where the device is and what led there, in a few lines.
    public var story: [String]
}

/// One thing that is not as expected.
public struct TestDifference: Sendable {
    /// What it is, as a path such as `content.status`.
    public var path: String
    /// Where the expectation stands.
    public var place: SourceText
    /// What was expected.
    public var expected: String
    /// What is.
    public var got: String

    /// All of it in a sentence without a full stop.
    public var message: String { "'\(path)' is \(got), not \(expected)" }
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
