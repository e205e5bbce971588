import Foundation
import Testing

/// `skerry test` as a process.
@Suite("Tests of definitions as a process", .serialized)
final class TestCommandTests {
    /// A definition with two states.
    static let machine = """
        skerry: 1
        kind: lamp
        sources: [{ topic: "lamp/{device}", payload: bool, signals: { on: payload } }]
        machine:
          states:
            dark: { always: { guard: on, target: lit } }
            lit: { always: { guard: "!on", target: dark } }

        """

    /// The same with a test, whose last expectation is a parameter.
    static func lamp(_ expected: String) -> String {
        machine + """
            tests:
              - name: a lamp is lit
                steps:
                  - send: { lamp/hall: on }
                  - expect: { state: \(expected) }

            """
    }

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-test-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String = "lamp.yaml", atomically: Bool = false) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: atomically, encoding: .utf8)
    }

    @Test("a change of a file runs the tests again, and so does a new folder; Ctrl-C ends it")
    func watch() throws {
        try write(Self.lamp("lit"))
        let program = try Program(["test", "--watch", folder.path])
        var output = ""
        /// Waits until it runs again and waits itself; what it has written meanwhile is looked at.
        func expect(_ text: String) throws {
            try program.wait(for: text) {
                $0.outputText.dropFirst(output.count).contains("failed\n")
                    && $0.errorText.hasSuffix("waiting for a change; Ctrl-C ends\n")
            }
            #expect(program.outputText.dropFirst(output.count).contains(text))
            output = program.outputText
        }
        try expect("1 passed, 0 failed")
        try write(Self.lamp("dark"))
        try expect("0 passed, 1 failed")
        try write(Self.lamp("lit"), atomically: true)
        try expect("1 passed, 0 failed")
        try write("skerry: 1\n")
        try expect("0 passed, 1 failed")
        try write(Self.lamp("lit"))
        try expect("1 passed, 0 failed")
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try write(Self.lamp("lit").replacingOccurrences(of: "lamp", with: "bulb"), to: "inner/bulb.yaml")
        try expect("2 passed, 0 failed")
        #expect(!program.outputText.contains("\u{1B}"), "no terminal to clear")
        program.signal(SIGINT)
        #expect(try program.end() == -SIGINT, "a shell calls it 130")
    }

    @Test("a report goes to a file, or to standard output with everything else on standard error")
    func junit() throws {
        try write(Self.lamp("dark"))
        let report = folder.appendingPathComponent("report.xml").path
        let program = try Program(["test", folder.path, "--junit", report])
        #expect(try program.end() == 1)
        #expect(program.outputText.hasSuffix("0 passed, 1 failed\n"))
        #expect(program.outputText.contains("'dark'    'lit'"))
        let xml = try String(contentsOfFile: report, encoding: .utf8)
        #expect(xml.contains("<testsuites tests=\"1\" failures=\"1\" errors=\"0\">"))
        let piped = try Program(["test", folder.path, "--junit", "-"])
        #expect(try piped.end() == 1)
        #expect(piped.outputText == xml)
        #expect(piped.errorText == program.outputText)
        let nowhere = try Program(["test", folder.path, "--junit", "/nowhere/report.xml"])
        #expect(try nowhere.end() == 1)
        #expect(nowhere.errorText.contains("/nowhere/report.xml"))
    }

    @Test("coverage is printed and can be required; tests can be listed and chosen")
    func coverage() throws {
        try write(Self.lamp("lit"))
        let program = try Program(["test", folder.path, "--require-coverage", "75"])
        #expect(try program.end() == 0, "\(program.outputText)\(program.errorText)")
        let path = folder.appendingPathComponent("lamp.yaml").path
        #expect(program.outputText.contains("\(path)  2 of 2        1 of 2\n"))
        #expect(program.outputText.contains("\(path):7:12: never reached: lit → dark (if !on)\n"))
        let demanding = try Program(["test", folder.path, "--require-coverage", "76"])
        #expect(try demanding.end() == 1)
        #expect(
            demanding.errorText
                == "skerry: the tests reach 75 % of states and transitions, 76 % is required\n"
        )
        let wrong = try Program(["test", folder.path, "--require-coverage", "101"])
        #expect(try wrong.end() == 64)
        let list = try Program(["test", folder.path, "--list"])
        #expect(try list.end() == 0)
        #expect(list.outputText == "\(path):9: a lamp is lit\n")
        let none = try Program(["test", folder.path, "--filter", "bulb"])
        #expect(try none.end() == 1)
        #expect(none.errorText == "skerry: no test has 'bulb' in its name\n")
    }
}
