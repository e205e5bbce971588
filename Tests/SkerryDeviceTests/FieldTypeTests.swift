import SkerryActivity
import SkerryDevice
import SkerryFiles
import Testing

@Suite("Types of attributes and content")
struct FieldTypeTests {
    private static func thing(_ activity: String, island: String = "") -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, x: payload.x }
        timers: { cycle: { count: up, while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: mode == "on", target: "on" } }
            "on": { always: { guard: mode == "off", target: "off" } }
        activity: { starts: "on", ends: "off", \(activity) }
        \(island)
        """
    }

    private static func problems(_ text: String) -> [DefinitionProblem] {
        let whole = "skerry: 1\nkind: thing\n" + text
        let files = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(whole.utf8))])
        return files.problems.filter { $0.code != .timerNeverRead }
    }

    @Test("The type is the declared one, otherwise that of the expression")
    func types() throws {
        let definition = try Scene.definition(
            Self.thing(
                """
                attributes: { name: device.name, room: { value: x, type: string } },
                content: { a: x, b: { value: x, type: int }, c: state.title, d: 1.5, e: "1u", f: 'true', g: timer.cycle,
                  h: "[1]", i: 'timestamp("2026-01-01T00:00:00Z")', j: 'duration("5m")', k: { value: x, type: duration } }
                """
            )
        )
        let contract = try #require(definition.contract)
        #expect(
            contract.attributes == [.init(name: "name", type: .string), .init(name: "room", type: .string)]
        )
        #expect(
            contract.content.map(\.type) == [
                .any, .int, .string, .double, .int, .bool, .time, .structure, .timestamp, .duration,
                .duration,
            ]
        )
        #expect(contract.states == ["off", "on"])
        #expect(contract.attributesType == "ThingAttributes")
    }

    @Test(
        "A value becomes one of the declared type, or is left out",
        arguments: [
            ("string", "20", #""20""#), ("string", "20.5", #""20.5""#), ("string", "true", #""true""#),
            ("string", "[1]", "none"), ("string", "null", "none"),
            ("int", "20", "20"), ("int", "20.5", "21"), ("int", "-20.5", "-21"), ("int", #""20""#, "20"),
            ("int", #""20.4""#, "20"), ("int", #""warm""#, "none"), ("int", "true", "none"),
            ("int", "1e30", "none"),
            ("double", "20", "20"), ("double", "20.5", "20.5"), ("double", #""20.5""#, "20.5"),
            ("double", #""nan""#, "none"), ("bool", "true", "true"), ("bool", #""false""#, "false"),
            ("bool", "1", "none"), ("timestamp", "1700000000", "1700000000"),
            ("timestamp", "1700000000.5", "1700000000.5"), ("duration", "90", "90"),
            ("duration", #""x""#, "none"),
        ]
    )
    func coercion(type: String, json: String, becomes: String) throws {
        var scene = try Scene(Self.thing("content: { x: { value: x, type: \(type) } }"))
        scene.send(#"{"mode": "on", "x": \#(json)}"#)
        #expect(scene.content == (becomes == "none" ? "{}" : #"{"x":\#(becomes)}"#))
    }

    @Test("Failed conversions are counted, absent values are not")
    func counted() throws {
        var scene = try Scene(Self.thing("content: { x: { value: x, type: int } }"))
        scene.send(#"{"mode": "on"}"#)
        #expect(scene.failedReadings == 0)
        scene.send(#"{"x": "warm"}"#)
        #expect(scene.failedReadings == 1)
    }

    @Test("An expression that can never have the declared type is refused")
    func refused() {
        for (value, type) in [
            ("[1]", "string"), ("1", "bool"), ("timer.cycle", "int"), ("state.title", "timestamp"),
        ] {
            let problems = Self.problems(Self.thing("content: { x: { value: '\(value)', type: \(type) } }"))
            #expect(problems.map(\.code).contains(.wrongType), "\(value) as \(type)")
        }
        #expect(
            Self.problems(Self.thing("content: { x: { value: x, type: whole } }")).map(\.code) == [.badValue]
        )
    }

    @Test("A definition with an island must fit a phone with its largest content")
    func size() {
        let many = (0..<12).map { "f\($0): x" }.joined(separator: ", ")
        let island = #"island: { lock: { text: "{f0}" } }"#
        #expect(Self.problems(Self.thing("content: { \(many) }")).isEmpty)
        let problems = Self.problems(Self.thing("content: { \(many) }", island: island))
        #expect(problems.map(\.code) == [.tooLargeForPhones])
        #expect(problems.first?.remedy?.contains("256 bytes") == true)
        let typed = (0..<12).map { "f\($0): { value: x, type: int }" }.joined(separator: ", ")
        #expect(Self.problems(Self.thing("content: { \(typed) }", island: island)).isEmpty)
    }

    @Test("Phones compute nothing, and get no lists")
    func undrawn() {
        let island = #"island: { lock: { title: "{device}: {x}", text: "{x + 1} {rooms}" } }"#
        let problems = Self.problems(Self.thing(#"content: { x: x, rooms: "['a']" }"#, island: island))
        #expect(problems.map(\.code) == [.notDrawnOnPhones, .notDrawnOnPhones])
        #expect(problems.map(\.place.column) == [50, 58])
    }
}
