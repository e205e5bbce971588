import SkerryDevice
import SkerryFiles
import SkerryHouse
import SkerryValues
import Testing

/// Settings in definitions, and the values that the configuration file gives them.
@Suite("Settings of devices in files")
struct SettingsOfDevicesTests {
    private static let body = """

        sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
        machine:
          states:
            idle: { always: { guard: power > 5, target: on } }
            on: { always: { guard: power < 5, for: 1m, target: idle } }

        """

    /// The first problem of a definition with more lines, with its place and remedy.
    private func problem(_ lines: String, replacing old: String = "", with new: String = "") -> String? {
        let body = old.isEmpty ? Self.body : Self.body.replacing(old, with: new)
        let text = "skerry: 1\nkind: plug\n" + lines + body
        let compiled = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        return compiled.problems.first.map { problem in
            let remedy = problem.remedy.map { "; \($0)" } ?? ""
            return "\(problem.place.line):\(problem.place.column) \(problem.message)\(remedy)"
        }
    }

    @Test("names that differ only in how they write é are those of two devices")
    func exactNames() {
        var devices = WrittenDevices()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names { devices.rename(name, kind: "plug", to: "\(name.utf8.count)") }
        #expect(names.map { devices.name(of: $0, kind: "plug")?.text } == ["5", "6"])
        let both = WrittenDevices().over(devices)
        #expect(names.map { both.name(of: $0, kind: "plug")?.text } == ["5", "6"])
    }

    @Test(
        "what can't be a setting is told with its remedy",
        arguments: [
            (
                "settings: [a]",
                "3:11 'settings' must be a mapping, not a list; "
                    + "write each setting with its default, as in `{ threshold: 10, rest: 2m }`"
            ),
            (
                "settings: { a: { min: 3 } }",
                "3:13 the setting 'a' has no default; "
                    + "add 'default', which devices have for which nothing was chosen"
            ),
            (
                "settings: { a: { default: 3, min: 5 } }",
                "3:27 the default of 'a' lies outside of its bounds; write a default from 'min' to 'max'"
            ),
            (
                "settings: { a: { default: 3, max: 5m } }",
                "3:35 'max' must be like the default, a number; "
                    + "write a number such as 10; texts and truth values have no bounds"
            ),
            (
                "settings: { a: ~ }",
                "3:16 'a' can't be '~'; write a number, a text, true or false, or a length of time such as 2m"
            ),
            (
                "settings: { a: { default: 3, mim: 2 } }",
                "3:30 unknown key 'mim' in a setting; did you mean 'min'?"
            ),
            (
                "settings: { 2a: 3 }",
                "3:13 '2a' can't be used in an expression; "
                    + "a setting's name has letters, digits and '_', and does not start with a digit"
            ),
            (
                "settings: { a: 3 }",
                "3:13 nothing reads the setting 'a'; "
                    + "use settings.a in an expression or as a length of time, or remove it"
            ),
        ]
    )
    func wrong(lines: String, told: String) {
        #expect(problem(lines) == told)
    }

    @Test(
        "a length names a setting that is a length",
        arguments: [
            ("settings: { rest: 5m }", "settings.rest", nil),
            (
                "settings: { rest: 5m }", "settings.rset",
                "8:44 there is no setting 'rset'; did you mean 'settings.rest'?"
            ),
            (
                "name: x", "settings.rest",
                "8:44 there is no setting 'rest'; add it under 'settings:', as in `settings: { rest: 2m }`"
            ),
            (
                "settings: { rest: 5 }", "settings.rest",
                "8:44 'for' must be a length of time, and the setting 'rest' is a number; "
                    + "give the setting a default such as 2m"
            ),
            (
                "settings: { rest: 0s }", "settings.rest",
                "8:44 a wait must have a length; write a time such as 10s, or leave it out"
            ),
        ] as [(String, String, String?)]
    )
    func lengths(lines: String, length: String, told: String?) {
        #expect(problem(lines, replacing: "1m", with: length) == told)
    }

    @Test func `under 'after' a setting is refused, and the remedy works`() {
        let rest = "settings: { rest: 5m }"
        let told = problem(
            rest,
            replacing: "always: { guard: power < 5, for: 1m, target: idle }",
            with: "after: { settings.rest: idle }"
        )
        #expect(told?.contains(#"write `always: { guard: "true", for: settings.rest, target: … }`"#) == true)
        let right = problem(
            rest,
            replacing: "always: { guard: power < 5, for: 1m, target: idle }",
            with: #"always: { guard: "true", for: settings.rest, target: idle }"#
        )
        // The wait is right. That the power still leads back is another matter.
        #expect(right?.hasPrefix("8:11 this leads to 'idle' and at once back to 'on'") == true)
    }

    @Test(
        "settings have the types of their defaults",
        arguments: [
            ("3", "settings.a + 0.5 > 1.0"), ("2.5", "settings.a > 1"), ("5m", "settings.a > minutes(1)"),
            ("'5m'", #"settings.a == "5m""#), ("hall", #"settings.a.startsWith("h")"#),
            ("true", "settings.a"),
        ]
    )
    func types(standard: String, condition: String) {
        #expect(
            problem("settings: { a: \(standard) }", replacing: "power > 5", with: "power > 5 && \(condition)")
                == nil
        )
        #expect(
            problem(
                "settings: { a: \(standard) }",
                replacing: "power > 5",
                with: "minutes(settings.a) > settings.a"
            )
                != nil
        )
    }

    // MARK: The configuration file

    /// A plug with settings of each kind.
    private func plug() throws -> Definition {
        let text = """
            skerry: 1
            kind: plug
            settings: { threshold: { default: 10, min: 1, max: 3000 }, rest: 2m, room: hall, loud: true }
            """
            + Self.body.replacing(
                "power > 5",
                with: "power > settings.threshold && settings.loud && settings.room != '' "
            )
            .replacing("1m", with: "settings.rest")
        let compiled = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        return try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
    }

    private func told(_ problems: [DefinitionProblem]) -> [String] {
        problems.map { problem in
            let remedy = problem.remedy.map { "; \($0)" } ?? ""
            return "\(problem.place.line):\(problem.place.column) \(problem.message)\(remedy)"
        }
    }

    @Test func `devices get their settings and names`() throws {
        let file = SettingsFile(
            """
            devices:
              plug/cellar: { settings: { threshold: 20.5, rest: 30s, room: "5", loud: false } }
            names: { plug/cellar: Big washer, plug/attic: 7 }
            """
        )
        #expect(file.problems.isEmpty)
        let chosen = file.devices.choose(for: [try plug()])
        #expect(chosen.problems.isEmpty)
        let cellar = chosen.definitions[0].form(of: "cellar")
        #expect(
            cellar.settingChoices == [.number(20.5), .length(.seconds(30)), .text("5"), .truth(false)]
        )
        #expect(cellar.givenName == "Big washer")
        #expect(chosen.definitions[0].form(of: "attic").givenName == "7")
        #expect(chosen.definitions[0].form(of: "hall").givenName == nil)
    }

    @Test(
        "what can't be chosen is told with its place",
        arguments: [
            (
                "{ plgu/a: { settings: { x: 1 } } }",
                "1:12 there is no definition of the kind 'plgu'; did you mean 'plug'?"
            ),
            (
                "{ plug/a: { settings: { rset: 1m } } }",
                "1:34 'plug' has no setting 'rset'; did you mean 'rest'?"
            ),
            (
                "{ plug/a: { settings: { threshold: 0 } } }",
                "1:45 'threshold' must be at least 1, and this is 0; write a value from 1 to 3000"
            ),
            (
                "{ plug/a: { settings: { threshold: 3000.5 } } }",
                "1:45 'threshold' must be at most 3000, and this is 3000.5; write a value from 1 to 3000"
            ),
            (
                "{ plug/a: { settings: { rest: 90 } } }",
                "1:40 'rest' must be a length of time, not a number; write a length of time such as 2m"
            ),
            (
                "{ plug/a: { settings: { rest: 0s } } }",
                "1:40 'rest' must be at least 1ms, and this is 0s; write a value of at least 1ms"
            ),
            (
                "{ plug/a: { settings: { room: 5 } } }",
                "1:40 'room' must be a text, not a number; write a text, in quotes if it looks like something else"
            ),
        ]
    )
    func refused(devices: String, problem: String) throws {
        let file = SettingsFile("devices: \(devices)")
        #expect(file.problems.isEmpty)
        #expect(told(file.devices.choose(for: [try plug()]).problems) == [problem])
    }

    @Test(
        "keys that name no device, and other shapes",
        arguments: [
            (
                "names: { a: b }",
                "1:10 'a' names no device; write the kind and the name with a slash, as in washer/cellar"
            ),
            (
                "names: { a/b/c: d }",
                "1:10 'a/b/c' names no device; write the kind and the name with a slash, as in washer/cellar"
            ),
            (
                "devices: { a/b: { setings: {} } }",
                "1:19 unknown key 'setings' in 'a/b'; did you mean 'settings'?"
            ),
            (
                "devices: { a/b: { settings: { x: [1] } } }",
                "1:34 'x' must be a text, not a list; put a text that begins with { or [ in quotes"
            ),
        ]
    )
    func shapes(text: String, problem: String) {
        #expect(told(SettingsFile(text).problems) == [problem])
    }

    @Test func `a test gives settings, and a wrong one is told`() throws {
        let text = """
            skerry: 1
            kind: plug
            settings: { threshold: 10 }
            sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
            machine: { states: { idle: { always: { guard: power > settings.threshold, target: on } }, on: {} } }
            tests:
              - name: higher
                steps:
                  - given: { settings: { threshold: 20 } }
                  - send: { plug/a: { power: 15 }, plug/b: { power: 15 } }
                  - expect: { device: a, state: idle }
                  - expect: { device: b, state: "on" }
              - name: wrong
                steps:
                  - given: { settings: { threshold: much } }
            """
        let compiled = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        let outcomes = DefinitionTestRunner(definition).run(compiled.files[0].source.reading.tests)
        #expect(outcomes[0].hasPassed == false, "two devices, and given names none of them")
        #expect(outcomes[1].failures.map(\.problem.message) == ["'threshold' must be a number, not a text"])
    }
}
