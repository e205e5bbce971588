import SkerryExpressions
import SkerryValues
import Testing

@testable import SkerryFiles

@Suite("Proposals for messages of other forms")
struct ProposedFormsTests {
    /// The definition proposed for messages, one a minute or so many seconds; it must have no errors.
    private static func proposed(
        _ messages: [(topic: String, payload: String)],
        each seconds: Int64 = 60
    ) throws -> String {
        var survey = try RecordingSurvey()
        for (number, message) in messages.enumerated() {
            survey.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600 + Int64(number) * seconds),
                    topic: Array(message.topic.utf8)[...],
                    payload: Array(message.payload.utf8)[...]
                )
            )
        }
        let text = try #require(DefinitionProposal.text(kind: "mill", from: survey, file: "day.jsonl"))
        let compiled = CompiledFiles([DefinitionFile(path: "mill.yaml", bytes: Array(text.utf8))])
        #expect(!compiled.hasErrors, "\(compiled.report(DiagnosticPrinter()))\n\(text)")
        return text
    }

    @Test(
        "What only sends is silent after three of its pauses",
        arguments: [(60, "10m"), (600, "30m"), (900, "50m"), (3600, "3h"), (1_000_000, "1d")]
    )
    func silence(seconds: Int64, length: String) throws {
        let messages = (0..<5).map { (topic: "bees/hive/up", payload: #"{"kg":\#(40 + $0 % 2)}"#) }
        let text = try Self.proposed(messages, each: seconds)
        #expect(text.contains("always: { quiet: \(length), target: silent }"), "\(text)")
    }

    @Test("A list of JSON at the root becomes each, with a device for each element")
    func list() throws {
        let text = try Self.proposed(
            (0..<6).map { number in
                let state = ["idle", "running", "running", "done", "idle", "idle"][number]
                return (
                    topic: "works/mills",
                    payload: #"[{"id":"m1","state":"\#(state)"},{"id":"m2","state":"idle"}]"#
                )
            }
        )
        #expect(text.contains("topic: works/mills\n"))
        #expect(text.contains("each: payload"))
        #expect(text.contains("item.id"))
        #expect(text.contains("item.state"))
    }

    @Test(
        "Messages with nothing to read are still messages of a device",
        arguments: ["{}", "[]", #"{"a":{}}"#, "[[]]", "[{}]", #"{"a":[]}"#, #"{"":null}"#, "null"]
    )
    func nothing(payload: String) throws {
        let text = try Self.proposed((0..<4).map { (topic: "mills/red/\($0 % 2)", payload: payload) })
        #expect(text.contains(#"event: "\"message\"""#) || text.contains("event: '\"message\"'"), "\(text)")
    }

    @Test(
        "A time left without a unit is in minutes, unless it is too long or falls as seconds do",
        arguments: [
            ([90], "minutes"), ([45, 45], "minutes"), ([5, 4, 3], "minutes"), ([60, 30, 0], "minutes"),
            ([3600], "seconds"),
            ([900, 840, 780], "seconds"), ([300, 240], "seconds"),
        ]
    )
    func minutes(_ left: [Int], _ unit: String) throws {
        let text = try Self.proposed(
            left.enumerated().map { number, left in
                (
                    topic: "mill/red",
                    payload: #"{"state":"\#(number == 0 ? "idle" : "running")","remaining":\#(left)}"#
                )
            }
        )
        #expect(text.contains("remaining: \(unit)(remaining)"), "\(text)")
    }

    @Test(
        "The number of the vehicle names the device, not that of its operator",
        arguments: [["0018/01029"], ["0018/01029", "0022/00901"], ["12/4711", "12/4712"]]
    )
    func vehicle(_ vehicles: [String]) throws {
        let text = try Self.proposed(
            (0..<6).flatMap { number in
                vehicles.map {
                    (
                        topic: "fleet/\($0)/position",
                        payload:
                            #"{"speed":\#(number),"state":"driving","veh":\#($0.split(separator: "/").last.flatMap { Int($0) } ?? 0)}"#
                    )
                }
            }
        )
        let name = vehicles[0].split(separator: "/")[1]
        #expect(text.contains("Devices: \(name)"), "\(text)")
    }

    @Test("Numbers in texts are numbers, and a code that was the last one seen is rest")
    func quotedNumbers() throws {
        let messages = [("7", "0"), ("2", "2"), ("2", "1"), ("7", "0")].map { mode, left in
            (topic: "wash/red/attributes", payload: #"{"machMode":"\#(mode)","remTime":"\#(left)"}"#)
        }
        let text = try Self.proposed(messages)
        for line in [
            "mach_mode: double(payload.machMode)", "rem_time: double(payload.remTime)",
            "remaining: minutes(rem_time)", "guard: mach_mode == 2 &&", "initial: state_7",
            "starts: state_2\n", "# seen 2 times",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test(
        "A length of time in a text is read in the form that the device writes",
        arguments: [
            (["PT18M", "PT17M", "PT0S"], "duration(payload.timeLeft.substring(2).lowerAscii())"),
            (["1:02:00", "1:01:00", "0:00:00"], "clock(payload.timeLeft)"),
            (["1:02", "1:01", "0:00"], "clock(payload.timeLeft)"),
            (["18:00", "17:00", "16:00"], #"clock("0:" + payload.timeLeft)"#),
            (["1h 2m", "1h 1m", "45m"], #"duration(payload.timeLeft.replace(" ", ""))"#),
            (["34 min", "33 min", "-"], "minutes(payload.timeLeft)"),
            (["34Min.", "1 minute", "-"], "minutes(payload.timeLeft)"),
            (["2.5 hours", "2.4 hours", "-"], "hours(payload.timeLeft)"),
        ]
    )
    func lengths(left: [String], expression: String) throws {
        let messages = zip(["running", "running", "idle"], left).map { state, left in
            (topic: "mill/red", payload: #"{"state":"\#(state)","timeLeft":"\#(left)"}"#)
        }
        let text = try Self.proposed(messages)
        #expect(text.contains("remaining: time_left\n"), "\(text)")
        let written = expression.replacing("\"", with: "\\\"")
        #expect(
            [expression, "'\(expression)'", "\"\(written)\""].contains {
                text.contains("time_left: \($0)\n")
            },
            "\(text)"
        )
    }

    @Test(
        "A length of time is the one that its expression reads",
        arguments: [
            ("PT18M30S", 1110), ("PT1H1.5S", 3601.5), ("1:02:03", 3723), ("1:02", 3720), ("1h 2m", 3720),
            ("45m", 2700), ("34 min", 2040), ("34Min.", 2040), ("1 minute", 60), ("2.5 hours", 9000),
            ("10 s", 10),
        ]
    )
    func readings(text: String, seconds: Double) throws {
        let length = try #require(LengthForm.read(text))
        #expect(length.seconds == seconds)
        var paths = PathTable()
        let expression = length.form.expression("\"\(text)\"") + ".asSeconds()"
        let program = try Program.compile(expression, in: Scope(), paths: &paths)
        var spent = 0
        let value = program.evaluate(costLimit: 1000, spent: &spent) { _ in .null }
        guard case .double(seconds) = value else {
            Issue.record("\(expression) is \(value)")
            return
        }
    }

    @Test(
        "What names no length is none",
        arguments: ["-", "PT", "192.168.1.5", "12.5 °C", "1:2", "2026-12-01T10:00:00Z", "3c:61", "12 W"]
    )
    func noLengths(text: String) {
        #expect(LengthForm.read(text) == nil)
    }

    @Test("Days are days, and what is left of something else is no time")
    func quantities() throws {
        let messages = [("off", 0, 430), ("on", 20, 430), ("on", 19, 420), ("off", 0, 410)].map {
            state,
            days,
            milliliters in
            (
                topic: "egg/red",
                payload: #"{"mode":"\#(state)","days_left":\#(days),"remaining_ml":\#(milliliters)}"#
            )
        }
        let text = try Self.proposed(messages, each: 43_200)
        #expect(text.contains("remaining: hours(days_left * 24)\n"), "\(text)")
        let others = messages.map { ($0.topic, $0.payload.replacing("days_left", with: "pump")) }
        let counted = try Self.proposed(others, each: 43_200)
        #expect(counted.contains("count: up\n"), "\(counted)")
    }

    @Test("Active states that take turns are one, and others are not")
    func turns() throws {
        let layers = (0..<20).map { ["Exposing", "Lifting"][$0 % 2] }
        let states = ["Idle", "Prepare print"] + layers + ["Exposing", "Complete", "Idle"]
        let text = try Self.proposed(states.map { ("resin/red/status", $0) })
        #expect(text.contains(#"status in ["Exposing", "Lifting"] && !inState("exposing")"#), "\(text)")
        #expect(text.contains("title: Prepare print") && !text.contains("lifting:"), "\(text)")
        let runs = (0..<12).flatMap { _ in ["Idle", "Exposing", "Lifting", "Exposing", "Complete"] }
        #expect(try Self.proposed(runs.map { ("resin/red/status", $0) }).contains("lifting: {"))
    }

    @Test("A payload of one value has its name in the topic, and words for people stay as they are")
    func values() throws {
        let messages = ["Bereit", "In Betrieb", "Ende", "Bereit"].enumerated().flatMap { number, state in
            [
                (topic: "N/a1/dryer/State", payload: #"{"value":"\#(state)"}"#),
                (topic: "N/a1/dryer/RemainingMinutes", payload: #"{"value":\#([0, 40, 0, 0][number])}"#),
            ]
        }
        let text = try Self.proposed(messages)
        for line in [
            "reported_state: payload.value", "remaining: minutes(remaining_minutes)", "title: In Betrieb",
            "starts: in_betrieb", "ende: { title: \"{device.name}: Ende\" }",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test(
        "What a thermostat switches off again and again is one run",
        arguments: [(4, "6m"), (2, "3m"), (12, "3m")]
    )
    func thermostat(minutes: Int, rest: String) throws {
        let cycle = Array(repeating: "6000", count: 4) + Array(repeating: "20", count: minutes)
        let powers =
            Array(repeating: "4", count: 30) + (0..<5).flatMap { _ in cycle }
            + Array(repeating: "5", count: 40)
        let text = try Self.proposed(powers.map { ("meter/red/power", $0) })
        #expect(text.contains("for: \(rest), target: done"), "\(text)")
    }

    @Test(
        "The moment of the end is read in the form that the device writes",
        arguments: [
            ("1767229200", "timestamp(int(KEY))"), ("1767229200123", "timestamp(int(KEY) / 1000)"),
            (#""1767229200""#, "timestamp(int(KEY))"), (#""2026-01-01T01:00:00Z""#, "timestamp(KEY)"),
            (#""2026-01-01T02:00:00.5+01:00""#, "timestamp(KEY)"),
            (#""2026-01-01 01:00:00""#, "timestamp(KEY, place.zone)"),
        ]
    )
    func moments(end: String, expression: String) throws {
        // Some call the time left so, others the moment.
        for (key, signal) in [("endDate", "end_date"), ("eta", "eta")] {
            let text = try Self.proposed([
                ("sauna/red", #"{"state":"off"}"#), ("sauna/red", #"{"state":"heating","\#(key)":\#(end)}"#),
                ("sauna/red", #"{"state":"off"}"#),
            ])
            let read = expression.replacing("KEY", with: "payload.\(key)")
            #expect(text.contains("\(signal): \(read)\n"), "\(text)")
            #expect(text.contains("until: \(signal)\n"), "\(text)")
        }
    }

    @Test(
        "What names no moment to come is no end",
        arguments: ["0", "1700000000", "1767139200", #""2026-01-01T00:00:00Z""#, #""soon""#, "42"]
    )
    func pastMoments(end: String) throws {
        let text = try Self.proposed(
            ["off", "heating", "off"].map { ("sauna/red", #"{"state":"\#($0)","endDate":\#(end)}"#) }
        )
        #expect(text.contains("count: up"), "\(text)")
    }

    @Test("The node of ESPHome is the device, and its values have the names of their components")
    func components() throws {
        let text = try Self.proposed([
            ("dryer/status", "online"), ("dryer/text_sensor/phase/state", "Idle"),
            ("dryer/binary_sensor/door/state", "OFF"), ("dryer/text_sensor/phase/state", "Drying"),
            ("dryer/sensor/time_left/state", "90"), ("dryer/sensor/time_left/state", "89"),
            ("dryer/text_sensor/phase/state", "Finished"), ("dryer/sensor/time_left/state", "0"),
        ])
        for line in [
            #"topic: "{device}/text_sensor/phase/state""#, "phase: payload", "time_left: payload",
            "remaining: minutes(time_left)", #"available: payload == "online""#, "starts: drying\n",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test("A countdown draws the bar, so progress is not sent; without one, progress is the bar")
    func bars() throws {
        let states = ["idle", "printing", "printing", "idle"]
        for (left, bar) in [(#","time_left":9"#, "progress: run"), ("", "progress: progress")] {
            let text = try Self.proposed(
                states.enumerated().map {
                    ("mill/red", #"{"state":"\#($1)","progress":\#($0 * 30)\#(left)}"#)
                }
            )
            #expect(text.contains(bar), "\(text)")
            #expect(text.contains("value: progress") == left.isEmpty, "\(text)")
        }
    }

    @Test("A device that reports seldom is not stale between two reports")
    func staleness() throws {
        let states = ["idle", "running", "running", "idle"].map { ("mill/red", #"{"state":"\#($0)"}"#) }
        #expect(try Self.proposed(states).contains("stale: 30m\n"))
        #expect(try Self.proposed(states, each: 3600).contains("stale: 3h\n"))
    }
}
