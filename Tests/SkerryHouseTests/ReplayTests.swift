import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryHouse

/// What the desk tells of a recording that it runs through a definition.
@Suite("Replays for the page")
struct ReplayTests {
    /// A line of a recording.
    func line(_ seconds: Int, _ payload: String, topic: String = "lamp/desk/state") -> String {
        "\(1_772_355_600 + seconds) \(topic) \(payload)\n"
    }

    func replay(_ lines: String, source: String? = nil) async throws -> JSON {
        try await House().json(.replay(ReplayRequest(source: source, kind: "lamp", recording: lines)))
    }

    /// What each message did and why, in their order.
    func messages(_ told: JSON) -> [String] {
        told["devices"][0]["events"].elements.filter { $0["what"].text == #""message""# }
            .map { "\($0["did"].plain): \($0["why"].plain)" }
    }

    @Test("events come in their order: the message, the move, the update; then what time brings")
    func events() async throws {
        let told = try await replay(line(0, #"{"on":true,"level":40}"#))
        let events = told["devices"][0]["events"]
        #expect(
            events[0].text
                == #"{"at":1772355600,"what":"message","topic":"lamp/desk/state","#
                + #""payload":"{\"on\":true,\"level\":40}","did":"update","why":null}"#
        )
        #expect(events[1].text == #"{"at":1772355600,"what":"moved","from":null,"to":"lit"}"#)
        #expect(events[2]["what"].text == #""update""# && events[2]["rev"].text == "1")
        #expect(events[2]["patch"].text == "null" && events[2]["snapshot"]["state"].text == #""lit""#)
        #expect(events[3].text == #"{"at":1772359200,"what":"moved","from":"lit","to":"forgotten"}"#)
        #expect(events[4]["patch"]["phase"].text == #""ended""#)
        #expect(events[4]["alert"]["title"].text == #""Left on""#)
        #expect(events[5].text == #"{"at":1772359800,"what":"dismissed","id":"lamp/desk/1772355600"}"#)
        #expect(told["from"].text == "1772355600" && told["to"].text == "1772359800")
        #expect(told["messages"].text == "1" && told["updates"].text == "2")
        #expect(told["truncated"].text == "false")
    }

    @Test("a text that somebody tries hears topics that begin otherwise here")
    func movedTopics() async throws {
        let topics = try MovedTopics(["lamp = ground/lamp"])
        let lines = line(0, #"{"on":true,"level":40}"#, topic: "ground/lamp/desk/state")
        let request = ReplayRequest(source: lamp, recording: lines)
        let told = try await House(prepare: { $0.topics = topics }).json(.replay(request))
        #expect(messages(told) == ["update: null"])
    }

    @Test("a message that does nothing tells why")
    func reasons() async throws {
        let told = try await replay(
            line(0, #"{"on":true,"level":40}"#) + line(1, #"{"on":true,"level":40}"#) + line(2, "not JSON")
                + line(3, #"{"level":42}"#) + line(4, #"{"colour":"red"}"#) + line(5, #"{"level":60}"#)
        )
        #expect(
            messages(told) == [
                "update: null", "nothing: no signal changed",
                "nothing: not valid JSON: a character that is not allowed here at byte 1",
                "signals: the content is unchanged within its tolerance",
                "signals: neither guards nor the content read what changed", "update: null",
            ]
        )
    }

    @Test("signals that change no guard tell that none holds")
    func noGuard() async throws {
        let told = try await replay(line(0, #"{"on":false}"#) + line(1, #"{"on":null}"#))
        #expect(messages(told) == ["moved: null", "signals: no guard holds"])
    }

    @Test("a guard that holds and waits, and content that settles, are told with the time that is left")
    func waiting() async throws {
        let patient = lamp.replacing(
            #""!on", target"#,
            with: #""!on", for: 150s, target"#,
            maxReplacements: 1
        )
        .replacing("dismiss: 10m", with: "dismiss: 10m\n  settle: 3s")
        let lines =
            line(0, #"{"on":true,"level":40}"#) + line(9, #"{"level":60}"#) + line(20, #"{"on":false}"#)
        let told = try await replay(lines + line(30, #"{"on":null}"#), source: patient)
        #expect(
            messages(told) == [
                "update: null", "signals: the content has changed, and settles for 3 s",
                "signals: guard holds, waits 3 min",
                "signals: no guard holds",
            ]
        )
    }

    @Test("topics that the definition does not read are named once, with their messages")
    func unread() async throws {
        let told = try await replay(
            line(0, "1", topic: "kettle/1") + line(1, "2", topic: "kettle/1") + line(2, #"{"on":true}"#)
        )
        #expect(told["unread"].text == #"[{"topic":"kettle/1","messages":2}]"#)
        #expect(told["messages"].text == "3" && told["read"].text == "1")
    }

    @Test("an edited definition is replayed in place of the running one")
    func edited() async throws {
        let lines =
            line(0, #"{"on":true,"level":40}"#) + line(60, #"{"level":42}"#) + line(120, #"{"level":40}"#)
        let source = lamp.replacing("tolerance: 5", with: "tolerance: 1")
        #expect(try await replay(lines)["updates"].text == "2", "start and end")
        #expect(try await replay(lines, source: source)["updates"].text == "4")
        let bad = lamp.replacing("guard: on,", with: "guard: onn,")
        let request = ReplayRequest(source: bad, recording: lines)
        #expect(await (try House()).problem(.replay(request)) == "definition-has-errors")
    }

    @Test("lines that can't be read are problems, and a text without messages is no recording")
    func badLines() async throws {
        let told = try await replay(line(0, #"{"on":true}"#) + "so what\n")
        #expect(told["problems"][0]["line"].text == "2" && told["refused"].text == "1")
        let request = ReplayRequest(kind: "lamp", recording: "no recording\n")
        #expect(await (try House()).problem(.replay(request)) == "not-a-recording")
    }

    @Test("a request without definition or recording, or for unknown ones, is refused")
    func incomplete() async throws {
        let house = try House()
        #expect(await house.problem(.replay(ReplayRequest(recording: "x"))) == "not-a-recording")
        #expect(await house.problem(.replay(ReplayRequest(kind: "lamp"))) == "no-recording-given")
        #expect(await house.problem(.replay(ReplayRequest(kind: "tv", recording: "x"))) == "no-definition")
        #expect(await house.problem(.replay(ReplayRequest(device: "lamp/desk"))) == "no-device")
        let long = String(repeating: "x", count: 8 << 20) + "x"
        let request = ReplayRequest(kind: "lamp", recording: long)
        #expect(await house.problem(.replay(request)) == "recording-too-large")
    }

    @Test("a recording with more messages than a replay takes is cut, and says so")
    func truncated() async throws {
        var lines = ""
        for second in 0..<200_100 { lines += "\(second) t 1\n" }
        let told = try await replay(lines)
        #expect(told["truncated"].text == "true")
        // Slow machines come to the limit of the processor's time before.
        guard case .int(let count) = told["messages"].value else { return }
        #expect(count > 0 && count <= 200_000)
    }

    @Test(
        "a definition that never rests meets a limit between two messages",
        arguments: [
            // It moves each millisecond; it waits each millisecond, and nobody sees it.
            ("dimmed", 10_000, Int64.max), ("lit", Int.max, 0),
        ]
    )
    func restless(target: String, answer: Int, time: Int64) throws {
        let source = lamp.replacing("after: { 1h: forgotten }", with: "after: { 1ms: \(target) }")
            .replacing("title: Dimmed", with: "title: Dimmed\n      after: { 1ms: lit }")
        let lines = line(0, #"{"on":true}"#) + line(60, #"{"on":false}"#)
        var wish = try ReplayWish(ReplayRequest(source: source), device: nil, House().desk.sources)
        wish.limits.answer = answer
        wish.limits.time = time
        let bytes = wish.answer(Array(lines.utf8))
        let told = try JSON(bytes)
        #expect(told["truncated"].text == "true" && told["messages"].text != "2")
        if case .found(let bytes) = bytes { #expect(bytes.count < 20_000) }
    }

    /// A definition that reads each element of a list by patterns, and a message with lists that are as costly as can be.
    private static let costly: (source: String, payload: String) = {
        let signals = (0..<250).map { "s\($0): 'item.text.matches(\"(a|b|c)*x\($0)\")'" }
        let source = """
            skerry: 1
            kind: lamp
            sources:
              - topic: lamp/all/state
                each: payload.lamps
                device: "{item.id}"
                signals: { \(signals.joined(separator: ", ")) }
            machine: { states: { idle: {} } }

            """
        let text = String(repeating: "abc", count: 300)
        let lamps = (0..<256).map { #"{"id":\#($0),"text":"\#(text)"}"# }
        return (source, #"{"lamps":[\#(lamps.joined(separator: ","))]}"#)
    }()

    @Test(
        "a message of 256 elements with 250 patterns each takes no longer than a replay may, and says what was left out"
    )
    func costlyMessage() async throws {
        let lines = line(0, Self.costly.payload, topic: "lamp/all/state")
        let wish = try ReplayWish(
            ReplayRequest(source: Self.costly.source),
            device: nil,
            House().desk.sources
        )
        let begin = threadTime()
        let told = try JSON(wish.answer(Array(lines.utf8)))
        // Without a bound it is more than 200 of these on the machine that counts most slowly.
        #expect(told["devices"].elements.count < 64, "\(threadTime() - begin) µs")
        let events = told["devices"].elements.flatMap { $0["events"].elements.map { $0["why"].plain } }
        let words = "the message takes too much work: "
        #expect(events.count { $0.hasPrefix(words) } == 1, "\(events.suffix(3))")
    }

    // MARK: - The bridge's own recording

    @Test("what the bridge kept of a device replays to the run that was lived")
    func lived() async throws {
        let house = try House { $0.recordLength = .hours(2) }
        house.send("lamp/desk/state", #"{"on":true,"level":40}"#)
        house.send("lamp/hall/state", #"{"on":true}"#, after: .seconds(3))
        house.send("lamp/desk/state", #"{"level":60}"#, after: .minutes(7))
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(11))
        let lived = try await house.json(.runs(kind: "lamp", device: "desk", limit: 5))["runs"][0]
        let told = try await house.json(.replay(ReplayRequest(device: "lamp/desk")))
        #expect(told["devices"].elements.count == 1 && told["messages"].text == "3")
        let updates = told["devices"][0]["events"].elements.filter { $0["what"].text == #""update""# }
        #expect(updates.map { $0["at"].text } == ["1772355600", "1772356023", "1772356683"])
        #expect(updates.allSatisfy { $0["id"] == lived["id"] })
        #expect("\(updates.count)" == lived["updates"].text)
        #expect(updates.last?["at"] == lived["end"])
        guard case .found(let lines) = await house.ask(.recording(DeviceKey(kind: "lamp", name: "desk")))
        else {
            Issue.record("there is no recording")
            return
        }
        let reader = RecordingReader(bytes: lines)
        #expect(try reader.next()?.payload.elementsEqual(#"{"on":true,"level":40}"#.utf8) == true)
    }

    @Test("nothing is kept unless it is asked for")
    func noRecording() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        #expect(await house.problem(.recording(DeviceKey(kind: "lamp", name: "desk"))) == "no-recording")
        let replay = HouseQuestion.replay(ReplayRequest(kind: "lamp", device: "lamp/desk"))
        #expect(try await house.json(replay)["from"].text == "null")
    }

    @Test("messages are dropped when they are older than the recording is long")
    func old() async throws {
        let house = try House { $0.recordLength = .hours(1) }
        for _ in 0..<8 { house.send("lamp/desk/state", #"{"on":true}"#, after: .minutes(15)) }
        let told = try await house.json(.replay(ReplayRequest(device: "lamp/desk")))
        #expect(told["messages"].text == "5", "the last hour and the moment before it")
    }

    @Test("a step of the wall clock by a day drops nothing")
    func afterStep() async throws {
        let house = try House { $0.recordLength = .hours(1) }
        house.send("lamp/desk/state", #"{"on":true}"#)
        house.clock.step(by: .hours(24))
        house.bridge.wake()
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(15))
        let told = try await house.json(.replay(ReplayRequest(device: "lamp/desk")))
        #expect(told["messages"].text == "2")
    }

    @Test("a device keeps at most two megabytes")
    func large() async throws {
        let house = try House { $0.recordLength = .hours(1) }
        let filler = String(repeating: "x", count: 10_000)
        for number in 0..<400 {
            house.send("lamp/desk/state", #"{"level":\#(number),"filler":"\#(filler)"}"#)
        }
        guard case .found(let lines) = await house.ask(.recording(DeviceKey(kind: "lamp", name: "desk")))
        else {
            Issue.record("there is no recording")
            return
        }
        #expect(lines.count < 2 << 20 && lines.count > 1 << 20)
        #expect(String(decoding: lines.suffix(12_000), as: UTF8.self).contains(#"\"level\":399"#))
    }
}
