package import SkerryDevice

/// Results of tests in the XML of JUnit, as CI systems read it.
///
/// One `testsuite` for each definition, one `testcase` for each test, with file and line. There is no `time`: tests run in
/// virtual time, and the hours of a wash would be no measure. A definition that can't be used is a `testcase` with an
/// `error`; so is a test with a step that can't be done.
package struct JUnitReport: Sendable {
    private var suites = ""
    private var tests = 0
    private var failures = 0
    private var errors = 0

    /// Makes a report without tests.
    package init() {}

    /// Adds the tests of a definition.
    ///
    /// - Parameters:
    ///   - outcomes: their outcomes.
    ///   - file: the file of the definition.
    package mutating func add(_ outcomes: [TestOutcome], of file: DefinitionFile) {
        let printer = DiagnosticPrinter()
        var cases = ""
        var failed = 0
        var wrong = 0
        for outcome in outcomes {
            var line = openCase(outcome.name.text, of: file, line: outcome.name.place.line)
            if let first = outcome.failures.first {
                let isError = first.problem.code != .testFailed
                if isError { wrong += 1 } else { failed += 1 }
                let text = outcome.failures.map {
                    printer.text(of: $0, file: file.path, text: file.text)
                }
                line += verdict(first.problem, isError: isError, text.joined())
            } else {
                line += "/>\n"
            }
            cases += line
        }
        add(suite: file, cases, tests: outcomes.count, failures: failed, errors: wrong)
    }

    /// Adds a definition that can't be used.
    package mutating func add(_ problems: [DefinitionProblem], of file: DefinitionFile) {
        guard let first = problems.first(where: { $0.severity == .error }) else { return }
        let text = DiagnosticPrinter().text(of: problems, in: file)
        let line = openCase("the definition can be used", of: file, line: first.place.line)
        add(suite: file, line + verdict(first, isError: true, text), tests: 1, failures: 0, errors: 1)
    }

    /// The whole document.
    package var text: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
            + suites + "</testsuites>\n"
    }

    private mutating func add(
        suite file: DefinitionFile,
        _ cases: String,
        tests: Int,
        failures: Int,
        errors: Int
    ) {
        self.tests += tests
        self.failures += failures
        self.errors += errors
        suites += "  <testsuite name=\"\(file.path.markupEscaped)\" tests=\"\(tests)\""
        suites += " failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"0\">\n\(cases)  </testsuite>\n"
    }

    private func openCase(_ name: String, of file: DefinitionFile, line: Int) -> String {
        let kind = file.reading.draft?.kind.text ?? file.path
        return "    <testcase name=\"\(name.markupEscaped)\" classname=\"\(kind.markupEscaped)\""
            + " file=\"\(file.path.markupEscaped)\" line=\"\(line)\""
    }

    private func verdict(_ problem: DefinitionProblem, isError: Bool, _ text: String) -> String {
        let tag = isError ? "error" : "failure"
        // Of all white space, an element keeps line breaks: reports show the excerpt with the caret below its line.
        let lines = text.markupEscaped.replacing("&#10;", with: "\n")
        return ">\n      <\(tag) message=\"\(problem.message.markupEscaped)\" type=\"\(problem.code.name)\">"
            + "\(lines)</\(tag)>\n    </testcase>\n"
    }
}
