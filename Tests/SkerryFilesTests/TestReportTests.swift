import Foundation
import FoundationXML
import SkerryFiles
import SkerryHouse
import Testing

/// What is told of tests that failed, to people and to CI systems.
@Suite("Reports of tests")
struct TestReportTests {
    /// The lamp of the runner's tests, with tests of these names and steps.
    static func file(_ tests: [(name: String, steps: [String])]) -> DefinitionFile {
        let head = DefinitionTestRunnerTests.lamp.components(separatedBy: "tests:\n")[0]
        let body = tests.map { test in
            "  - name: \"\(test.name)\"\n    steps:\n" + test.steps.map { "      - \($0)\n" }.joined()
        }
        return DefinitionFile(path: "a & b/lamp.yaml", bytes: Array((head + "tests:\n" + body.joined()).utf8))
    }

    static func outcomes(_ file: DefinitionFile) throws -> [TestOutcome] {
        let compiled = CompiledFiles([file])
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        return DefinitionTestRunner(definition).run(file.reading.tests)
    }

    static let lit = DefinitionTestRunnerTests.lit

    @Test("expected and actual values are side by side, long ones below each other, with the events before")
    func text() throws {
        let long = String(repeating: "x", count: 50)
        let file = Self.file([
            (
                "it",
                [
                    Self.lit, "wait: 20s",
                    "expect: { state: dark, content: { status: \(long) }, timers: { off: { remaining: 1m } } }",
                ]
            )
        ])
        let failure = try #require(try Self.outcomes(file).first?.failures.first)
        let text = DiagnosticPrinter().text(of: failure, file: file.path, text: file.text)
        #expect(
            text == """
                a & b/lamp.yaml:35:26: error: not as expected [SK0601]
                   line  what                  expected  got
                     35  state                 'dark'    'lit'
                     35  content.status
                           expected  '\(long)'
                           got       'Lit'
                     35  timers.off.remaining  1m        40s
                   20s into the test, 'a' is in lit since 0s
                   timers: off running, 40s left, total counting, at 20s
                   what led there:
                     0s  lamp/a/set {"on":true,"left":60,"count":3}
                     0s  a: starts in lit
                     0s  a: update 1, active, alert 'a shines'

                """
        )
        #expect(
            DiagnosticPrinter(usesColours: true).text(of: failure, file: "", text: "").contains(
                "\u{1B}[1;31m'lit'"
            )
        )
    }

    @Test("a step that can't be done shows its line")
    func impossible() throws {
        let file = Self.file([("it", ["send: { lump/a: 1 }"])])
        let failure = try #require(try Self.outcomes(file).first?.failures.first)
        let text = DiagnosticPrinter().text(of: failure, file: "lamp.yaml", text: file.text)
        #expect(
            text.hasPrefix("lamp.yaml:33:17: error: no source has the topic 'lump/a' [SK0602]\n   33 |"),
            "\(text)"
        )
    }

    @Test("a report of JUnit is XML with all tests and their places")
    func junit() throws {
        let name = "5 < 6 & 'quoted' >\u{FFFD} \u{1F4A1}"
        let file = Self.file([
            ("passes", [Self.lit, "expect: { state: lit }"]),
            (name.replacing("\u{FFFD}", with: "\\x01"), [Self.lit, "expect: { state: dark }"]),
            ("can not be", ["send: { lump/a: 1 }"]),
        ])
        let broken = DefinitionFile(path: "broken.yaml", bytes: Array("skerry: 1\nkind: x\n".utf8))
        var report = JUnitReport()
        report.add(try Self.outcomes(file), of: file)
        report.add(broken.reading.problems, of: broken)
        let reader = XMLReader()
        let parser = XMLParser(data: Data(report.text.utf8))
        parser.delegate = reader
        let isRead = parser.parse()
        #expect(isRead, "\(String(describing: parser.parserError)) \(report.text)")
        #expect(
            reader.elements == [
                "testsuites errors=2 failures=1 tests=4",
                "testsuite errors=1 failures=1 name=a & b/lamp.yaml skipped=0 tests=3",
                "testcase classname=lamp file=a & b/lamp.yaml line=31 name=passes",
                "testcase classname=lamp file=a & b/lamp.yaml line=35 name=\(name)",
                "failure message='state' is 'lit', not 'dark' type=SK0601",
                "testcase classname=lamp file=a & b/lamp.yaml line=39 name=can not be",
                "error message=no source has the topic 'lump/a' type=SK0602",
                "testsuite errors=1 failures=0 name=broken.yaml skipped=0 tests=1",
                "testcase classname=broken.yaml file=broken.yaml line=1 name=the definition can be used",
                "error message=a definition needs the key 'machine' type=SK0003",
            ],
            "\(reader.elements)"
        )
        #expect(reader.text.contains("a & b/lamp.yaml:38:26: error: not as expected [SK0601]\n   line  what"))
    }
}

/// Writes down the elements of a document, each with its attributes, and all text.
private final class XMLReader: NSObject, XMLParserDelegate {
    var elements: [String] = []
    var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let pairs = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        elements.append(([element] + pairs).joined(separator: " "))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
