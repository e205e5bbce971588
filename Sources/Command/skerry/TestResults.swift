import SkerryDevice
import SkerryFiles
import SkerryHouse
import SkerryMachine

/// The results of the tests of definitions, in words and figures.
struct TestResults {
    /// The output for each test.
    private(set) var text = ""
    private(set) var passed = 0
    private(set) var failed = 0
    private(set) var report = JUnitReport()
    private(set) var coverage = CoverageTable()

    private let printer: DiagnosticPrinter
    private let namesPassed: Bool

    init(printer: DiagnosticPrinter, namesPassed: Bool) {
        self.printer = printer
        self.namesPassed = namesPassed
    }

    /// The numbers of passed and failed tests.
    var summary: String { "\(passed) passed, \(failed) failed\n" }

    /// Runs the tests of a file; one that can't be used counts as a test that failed.
    mutating func add(_ file: CompiledFiles.File, filter: String?) {
        guard let definition = file.definition else {
            text += printer.text(of: file.problems, in: file.source)
            failed += 1
            report.add(file.problems, of: file.source)
            return
        }
        let runner = DefinitionTestRunner(definition)
        let outcomes = runner.run(file.source.reading.tests.filter { $0.isMeant(by: filter) })
        var reach = MachineReach(of: definition.chart)
        var unread: [Unread] = []
        for outcome in outcomes {
            if outcome.hasPassed { passed += 1 } else { failed += 1 }
            reach.formUnion(outcome.reach)
            tell(outcome, in: file.source)
            for part in outcome.unread { unread.add(part) }
        }
        text += unread.map { $0.line(in: file.source) }.joined()
        report.add(outcomes, of: file.source)
        if let draft = file.source.reading.draft {
            coverage.add(MachineCoverage(definition, draft, reach), of: file.source)
        }
    }

    private mutating func tell(_ outcome: TestOutcome, in file: DefinitionFile) {
        if outcome.hasPassed && !namesPassed { return }
        text += "\(outcome.hasPassed ? "passed" : "FAILED")  \(file.path): \(outcome.name.text)\n"
        for failure in outcome.failures {
            text += printer.text(of: failure, file: file.path, text: file.text)
        }
    }
}

/// The coverage of several definitions, as a table.
struct CoverageTable {
    private(set) var total = MachineCoverage()
    private var rows: [(file: DefinitionFile, coverage: MachineCoverage)] = []

    mutating func add(_ coverage: MachineCoverage, of file: DefinitionFile) {
        rows.append((file, coverage))
        total.add(coverage)
    }

    /// One line for each definition, one for all, and the parts that were never reached.
    var text: String {
        let width = rows.map { $0.file.path.count }.reduce(16, max)
        func row(_ name: String, _ states: String, _ transitions: String) -> String {
            let columns = [(name, width), (states, 12)].map { text, width in
                text + String(repeating: " ", count: max(0, width - text.count))
            }
            return "\(columns.joined(separator: "  "))  \(transitions)\n"
        }
        var text = row("coverage", "states", "transitions")
        for (file, coverage) in rows {
            text += row(file.path, coverage.states.text, coverage.transitions.text)
            for gap in coverage.gaps {
                let path = file.file(of: gap.place).path
                text += "  \(path):\(gap.place.line):\(gap.place.column): never reached: \(gap.text)\n"
            }
        }
        return text + row("all", total.states.text, total.transitions.text)
    }
}

/// The names of tests.
enum TestListing {
    /// One line for each test, with its place.
    static func text(of compiled: CompiledFiles, filter: String?) -> String {
        var text = ""
        for file in compiled.files {
            for test in file.source.reading.tests where test.isMeant(by: filter) {
                text += "\(file.source.path):\(test.name.place.line): \(test.name.text)\n"
            }
        }
        return text
    }
}

extension TestDraft {
    /// Returns whether a test matches a filter.
    fileprivate func isMeant(by filter: String?) -> Bool { filter.map { name.text.contains($0) } ?? true }
}
