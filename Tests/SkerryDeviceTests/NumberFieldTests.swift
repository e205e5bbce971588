import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@Suite("Numbers of the content: rounded, with a unit, of a whole")
struct NumberFieldTests {
    private static func station(_ field: String) -> String {
        """
        sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, x: payload.x } }]
        timers: { cycle: { count: up, while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: mode == "on", target: "on" } }
            "on": { always: { guard: mode == "off", target: "off" } }
        activity: { starts: "on", ends: "off", content: { level: \(field) } }
        """
    }

    @Test(
        "A number is rounded before it is compared",
        arguments: [
            ("{ value: x, round: 1 }", ["21.04", "20.96", "21.06"], [#"{"level":21}"#, #"{"level":21.1}"#]),
            ("{ value: x, round: 0 }", ["-0.4", "0.4", "0.5"], [#"{"level":0}"#, #"{"level":1}"#]),
            (
                "{ value: x, round: 1, tolerance: 0.5 }", ["1", "1.54", "1.56"],
                [#"{"level":1}"#, #"{"level":1.6}"#]
            ),
            ("{ value: x, round: 2, type: int }", ["2.6", "3"], [#"{"level":3}"#]),
            (
                "{ value: x, unit: kWh }", ["1.5", #""2.5""#, #""much""#],
                [#"{"level":1.5}"#, #"{"level":2.5}"#, "{}"]
            ),
        ]
    )
    func rounded(field: String, values: [String], published: [String]) throws {
        var scene = try Scene(Self.station(field))
        for value in values { scene.send(#"{"mode": "on", "x": \#(value)}"#) }
        #expect(scene.updates.map { Scene.text(.map($0.content)) } == published)
    }

    @Test("Readers know the type, the unit and the whole")
    func contract() throws {
        let definition = try Scene.definition(Self.station("{ value: x, round: 1, unit: kWh, of: 40 }"))
        let expected = LiveActivityContract.Field(
            name: "level",
            type: .double,
            unit: "kWh",
            decimals: 1,
            whole: 40
        )
        #expect(definition.contract?.content == [expected])
        let whole = try Scene.definition(Self.station("{ value: int(x), of: 40 }"))
        #expect(whole.contract?.content.first?.type == .int)
    }

    @Test(
        "Only numbers have these keys, and each has its bounds",
        arguments: [
            ("{ value: mode == 'on', unit: W }", "'unit' belongs to a number, but this is bool"),
            (
                "{ value: x, type: string, round: 1 }",
                "'round' belongs to a number, but this is declared as string"
            ),
            ("{ value: timer.cycle, of: 10 }", "'of' belongs to a number, but this is a timer"),
            ("{ value: x, round: 7 }", "'round' can't be '7'"),
            ("{ value: x, of: 0 }", "'of' can't be '0'"),
            ("{ value: x, unit: a unit of many words }", "a unit is one line of at most 16 characters"),
        ]
    )
    func refused(field: String, message: String) {
        let text = "skerry: 1\nkind: thing\n" + Self.station(field)
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(compiled.report(DiagnosticPrinter()).contains(message))
    }

    @Test("A bar of a number needs its whole")
    func bar() {
        for (field, message) in [
            ("x", "write the field as `level: { value: …, of: 100 }`"), ("{ value: x, of: 100 }", ""),
        ] {
            let text =
                "skerry: 1\nkind: thing\n" + Self.station(field) + "\nisland: { lock: { progress: level } }"
            let report = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
                .report(DiagnosticPrinter())
            #expect(message.isEmpty ? !report.contains("bar") : report.contains(message), "\(report)")
        }
    }
}
