import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// Commands to devices, as they come over MQTT.
@Suite("Commands")
struct CommandTests {
    /// A pier with a lamp that is lit.
    func litPier(prefix: String = "skerry") throws -> Pier {
        let pier = try Pier(prefix: prefix)
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.drain()
        return pier
    }

    /// The states that a command led to.
    func states(_ pier: Pier) throws -> [String] {
        try pier.drain().filter { $0.topic.hasSuffix("/activity") }.compactMap { publication in
            guard case .string(let state)? = try publication.object["state"] else { return nil }
            return state
        }
    }

    @Test(
        "the event comes as JSON or as plain text",
        arguments: ["snooze", #"{"event":"snooze"}"#, #"{"from":"phone","event":"snooze","n":[1,{}]}"#]
    )
    func forms(payload: String) throws {
        let pier = try litPier()
        #expect(pier.send("skerry/lamp/desk/event", payload) == .committed)
        #expect(try states(pier) == ["dimmed"])
    }

    @Test("a prefix may have several levels")
    func longPrefix() throws {
        let pier = try litPier(prefix: "home/ground floor/hub")
        pier.send("home/ground floor/hub/lamp/desk/event", "snooze")
        #expect(try states(pier) == ["dimmed"])
        pier.send("home/lamp/desk/event", "snooze")
        #expect(try states(pier).isEmpty)
    }

    @Test("a retained command is refused: it is no event that happens now")
    func retained() throws {
        let pier = try litPier()
        pier.send("skerry/lamp/desk/event", "snooze", isRetained: true)
        #expect(try states(pier).isEmpty)
        #expect(
            try problem(pier)
                == "lamp/desk: a retained command is ignored, because it is not an event of this moment"
        )
    }

    @Test(
        "a command for an unknown device is refused and makes none",
        arguments: ["lamp/attic", "kettle/desk"]
    )
    func unknown(device: String) throws {
        let pier = try litPier()
        pier.send("skerry/\(device)/event", "snooze")
        #expect(try states(pier).isEmpty)
        let health = try pier.health()
        #expect(health.devices == 1)
        #expect(health.lastError?.message == "\(device): a command for an unknown device")
    }

    @Test(
        "invalid payloads are refused with the reason",
        arguments: [
            "", "{}", #"{"event":7}"#, #"{"event":""}"#, #"{"event":"snooze""#, "{\"event\":\"\u{0}",
            #"{"Event":"snooze"}"#,
        ]
    )
    func unreadable(payload: String) throws {
        let pier = try litPier()
        #expect(pier.send("skerry/lamp/desk/event", payload) == .committed)
        #expect(try states(pier).isEmpty)
        #expect(
            try problem(pier)
                == "skerry/lamp/desk/event: a command must be {\"event\": \"name\"} or the name of the event"
        )
    }

    @Test("text that is not UTF-8 is refused")
    func notUnicode() throws {
        let pier = try litPier()
        var batch = MessageBatch()
        batch.append(topic: "skerry/lamp/desk/event".utf8, payload: [0x73, 0xFF, 0xC0])
        #expect(pier.bridge.handle(batch) == .committed)
        #expect(try problem(pier)?.hasSuffix("or the name of the event") == true)
    }

    @Test("1,024 bytes are a command, 1,025 are not")
    func length() throws {
        let frame = #"{"event":"snooze","x":""}"#
        let filling = String(repeating: "x", count: 1024 - frame.utf8.count)
        let longest = #"{"event":"snooze","x":"\#(filling)"}"#
        let pier = try litPier()
        pier.send("skerry/lamp/desk/event", longest)
        #expect(try states(pier) == ["dimmed"])
        let other = try litPier()
        other.send("skerry/lamp/desk/event", longest + " ")
        #expect(try states(other).isEmpty)
        #expect(try problem(other) == "skerry/lamp/desk/event: a command has at most 1024 bytes")
    }

    @Test("an event that the present state does not wait for changes nothing")
    func unheard() throws {
        let pier = try litPier()
        for _ in 1...2 { pier.send("skerry/lamp/desk/event", "snooze") }
        #expect(try states(pier) == ["dimmed"])
        #expect(try problem(pier) == nil)
    }

    /// A machine with an event of each origin.
    static let mill = """
        skerry: 1
        kind: mill
        sources: [{ topic: "mill/{device}/state", signals: { on: payload.on }, event: 'payload.event' }]
        timers: { rest: { duration: hours(9) }, turn: { duration: hours(9) } }
        machine:
          initial: dark
          states:
            dark: { always: { guard: on, target: lit } }
            lit:
              entry: [{ start: rest }, { start: turn }, { send: { event: aged, delay: hours(9) } }]
              on:
                rest.elapsed: moved
                turn: moved
                done.state.group: moved
                aged: moved
                born: moved
                device.stopped: moved
                device: moved
                button: moved
                "knob.* lever.": moved
                "*": moved
            moved: { entry: { raise: born.late } }
            group:
              initial: inner
              states: { inner: { on: { finish: over } }, over: { type: final } }
        activity:
          starts: lit
          ends: [moved, group]
          content: { state: state }
          alerts: [{ event: bell, title: Rung }]
        """

    @Test(
        "events that the machine or the device raises can't be sent, whatever waits for them",
        arguments: [
            "rest.elapsed", "rest.elapsed.now", "turn", "turn.elapsed", "done.state.group", "aged", "born",
            "born.late",
            "device", "device.stopped", "device.other", "other", "*", "done", "buttons",
        ]
    )
    func refused(event: String) throws {
        let pier = try Pier(definition: Self.mill)
        pier.connect()
        pier.send("mill/desk/state", #"{"on":true}"#)
        pier.drain()
        pier.send("skerry/mill/desk/event", event)
        #expect(try states(pier).isEmpty)
        #expect(
            try problem(pier)
                == "mill/desk: a command is refused: nobody may send '\(event)' to a device of the kind 'mill'; "
                + "it accepts 'button', 'knob', 'lever', 'finish', 'bell'"
        )
        pier.send("mill/desk/state", #"{"event":"device.stopped"}"#)
        #expect(try states(pier) == ["moved"], "a message of the device may")
    }

    @Test(
        "names that the definition waits for are accepted, and more precise ones",
        arguments: ["button", "button.double", "knob", "lever.up"]
    )
    func accepted(event: String) throws {
        let pier = try Pier(definition: Self.mill)
        pier.connect()
        pier.send("mill/desk/state", #"{"on":true}"#)
        pier.drain()
        pier.send("skerry/mill/desk/event", event)
        #expect(try states(pier) == ["moved"])
        #expect(try problem(pier) == nil)
    }

    @Test(
        "other topics are not commands",
        arguments: [
            "skerry/lamp/desk/events", "skerry/lamp/desk/event/", "skerry/lamp/event",
            "skerry/a/lamp/desk/event",
            "skerrylamp/desk/event", "lamp/desk/event", "/skerry/lamp/desk/event", "skerry/lamp/desk",
        ]
    )
    func otherTopics(topic: String) throws {
        let pier = try litPier()
        pier.send(topic, "snooze")
        #expect(pier.drain().isEmpty)
        let health = try pier.health()
        #expect(health.problems == 0)
        #expect(health.messages.unrouted == 1, "\(topic) goes to the engine")
    }

    func problem(_ pier: Pier) throws -> String? { try pier.health().lastError?.message }
}
