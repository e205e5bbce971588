import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues
import Testing

/// What the desk answers to phones of people.
@Suite struct AudienceTests {
    private static let order = """
        skerry: 1
        kind: order
        name: Order
        sources:
          - topic: order/{device}/state
            signals: { open: payload.open, customer: string(payload.customer) }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: open, target: making }
            making:
              always: { guard: "!open", target: ready }
              on: { cancel: idle }
            ready:
              always: { guard: open, target: making }
        activity:
          starts: making
          ends: [ready, idle]
          attributes: { customer: customer }
          audience: customer
          content: { status: state.title }
          dismiss: 10m
        """

    private static let policy = AudiencePolicy(
        rules: [AudiencePolicy.Rule("lamp/desk", people: ["Ada"])],
        kinds: [AudiencePolicy.Kind("lamp"), AudiencePolicy.Kind("order", attribute: "customer")]
    )

    private static func viewer(_ person: String) -> Viewer {
        .phone("\(person)'s iPhone", person: person, policy)
    }

    private static let (ada, ben) = (viewer("Ada"), viewer("Ben"))

    /// A house with two lamps, and a counter that has served Ada and now serves Ben.
    private static func house() throws -> House {
        let files = CompiledFiles([
            DefinitionFile(path: "lamp.yaml", bytes: Array(lamp.utf8)),
            DefinitionFile(path: "order.yaml", bytes: Array(order.utf8)),
        ])
        #expect(files.definitions.map(\.audience) == [nil, "customer"])
        let house = try House(files) { $0.recordLength = .hours(1) }
        house.send("lamp/desk/state", #"{"on":true}"#)
        house.send("lamp/hall/state", #"{"on":true}"#)
        house.send("order/counter/state", #"{"open":true,"customer":"Ada"}"#)
        house.send("order/counter/state", #"{"open":false}"#, after: .minutes(1))
        house.send("order/counter/state", #"{"open":true,"customer":"Ben"}"#, after: .minutes(1))
        return house
    }

    private static func names(_ list: JSON) -> [String] {
        list.elements.map { "\($0["kind"].plain)/\($0["device"].plain)" }.sorted()
    }

    @Test func `devices of others are not listed, counted, explained, recorded or replayed`() async throws {
        let house = try Self.house()
        let all = ["lamp/desk", "lamp/hall", "order/counter"]
        for (viewer, seen) in [
            (Self.ada, ["lamp/desk", "lamp/hall"]), (Self.ben, ["lamp/hall", "order/counter"]),
            (.unrestricted, all),
        ] {
            #expect(Self.names(try await house.json(.devices, for: viewer)["devices"]) == seen)
            let definitions = try await house.json(.definitions, for: viewer)["definitions"].elements
            let counts = definitions.map { $0["devices"].text }
            let lamps = seen.count { $0.hasPrefix("lamp") }
            #expect(counts == ["\(lamps)", "\(seen.count - lamps)"])
            for device in all {
                let parts = device.split(separator: "/").map(String.init)
                let explained = await house.problem(
                    .device(DeviceKey(kind: parts[0], name: parts[1])),
                    for: viewer
                )
                #expect(explained == (seen.contains(device) ? nil : "no-device"), "\(device)")
                let timeline = HouseQuestion.timeline(DeviceKey(kind: parts[0], name: parts[1]))
                let isShown = seen.contains(device)
                #expect(
                    await house.problem(timeline, for: viewer) == (isShown ? nil : "no-timeline"),
                    "\(device)"
                )
                // A recording of a counter has the messages of other customers.
                let isWhole = viewer == .unrestricted || parts[0] == "lamp"
                let expected = seen.contains(device) && isWhole ? nil : "no-device"
                let recording = HouseQuestion.recording(DeviceKey(kind: parts[0], name: parts[1]))
                #expect(await house.problem(recording, for: viewer) == expected, "\(device)")
                let replay = HouseQuestion.replay(ReplayRequest(kind: parts[0], device: device))
                #expect(await house.problem(replay, for: viewer) == expected, "\(device)")
            }
        }
    }

    @Test func `events for devices of others go nowhere`() async throws {
        let house = try Self.house()
        let snooze = HouseQuestion.event(DeviceKey(kind: "lamp", name: "desk"), name: "snooze")
        #expect(await house.problem(snooze, for: Self.ben) == "no-device")
        let cancel = HouseQuestion.event(DeviceKey(kind: "order", name: "counter"), name: "cancel")
        #expect(await house.problem(cancel, for: Self.ada) == "no-device")
        let devices = try await house.json(.devices)["devices"].elements
        #expect(devices.map { $0["states"].text } == [#"["lit"]"#, #"["lit"]"#, #"["making"]"#])
        #expect(await house.ask(snooze, for: Self.ada) == .found([]))
        #expect(await house.ask(cancel, for: Self.ben) == .found([]))
    }

    @Test func `past runs are seen by those whose they were`() async throws {
        let house = try Self.house()
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(1))
        let question = HouseQuestion.runs(kind: nil, device: nil, limit: 10)
        for (viewer, seen) in [
            (Self.ada, ["lamp/desk", "lamp/hall", "order/counter"]),
            (Self.ben, ["lamp/hall", "order/counter"]),
            (.unrestricted, ["lamp/desk", "lamp/hall", "order/counter", "order/counter"]),
        ] {
            let runs = try await house.json(question, for: viewer)["runs"]
            #expect(Self.names(runs) == seen)
            let orders = runs.elements.filter { $0["kind"].plain == "order" }
            if viewer == Self.ada { #expect(orders[0]["ended"].text == "true") }
            if viewer == Self.ben { #expect(orders[0]["ended"].text == "false") }
        }
        // A run that the history knows without its attributes, and one of a kind without a definition, are nobody's.
        let unknown = AudiencePolicy(kinds: [AudiencePolicy.Kind("lamp", attribute: "owner")])
        let viewer = Viewer.phone("x", person: "Ada", unknown)
        #expect(try await house.json(question, for: viewer)["runs"].elements.isEmpty)
    }

    @Test func `a limit counts the runs that are seen`() async throws {
        let house = try Self.house()
        for _ in 0..<20 {
            house.send("lamp/desk/state", #"{"on":false}"#, after: .seconds(1))
            house.send("lamp/desk/state", #"{"on":true}"#, after: .seconds(1))
        }
        house.send("lamp/hall/state", #"{"on":false}"#, after: .seconds(1))
        for _ in 0..<20 {
            house.send("lamp/desk/state", #"{"on":false}"#, after: .seconds(1))
            house.send("lamp/desk/state", #"{"on":true}"#, after: .seconds(1))
        }
        let question = HouseQuestion.runs(kind: "lamp", device: nil, limit: 2)
        #expect(Self.names(try await house.json(question, for: Self.ben)["runs"]) == ["lamp/hall"])
    }

    @Test func `a list goes on behind a run that is seen, and not behind that of somebody else`() async throws
    {
        let house = try Self.house()
        for lamp in ["hall", "desk", "hall"] {
            house.send("lamp/\(lamp)/state", #"{"on":true}"#, after: .seconds(1))
            house.send("lamp/\(lamp)/state", #"{"on":false}"#, after: .seconds(1))
        }
        let all = HouseQuestion.runs(kind: "lamp", device: nil, limit: 10)
        let ids = try await house.json(all)["runs"].elements.map { $0["id"].plain }
        #expect(ids.map { $0.prefix(9) } == ["lamp/hall", "lamp/desk", "lamp/hall"])
        func behind(_ id: String, _ viewer: Viewer) async throws -> [String] {
            let question = HouseQuestion.runs(kind: "lamp", device: nil, before: id, limit: 10)
            return try await house.json(question, for: viewer)["runs"].elements.map { $0["id"].plain }
        }
        #expect(try await behind(ids[0], Self.ben) == [ids[2]])
        #expect(try await behind(ids[1], Self.ben) == [])
        #expect(try await behind(ids[1], Self.ada) == [ids[2]])
    }

    @Test func `an explanation has nothing of the runs before`() async throws {
        let house = try Self.house()
        let question = HouseQuestion.device(DeviceKey(kind: "order", name: "counter"))
        let all = try await house.json(question)["moves"].elements
        let own = try await house.json(question, for: Self.ben)["moves"].elements
        #expect(all.count == 3 && own.map(\.text) == [all[2].text])
    }

    @Test func `the status names no device, and topics that nobody reads are not listed`() async throws {
        let house = try Self.house()
        house.send("lamp/desk/state", "{")
        let status = try await house.json(.status)
        let seen = try await house.json(.status, for: Self.ben)
        #expect(status["health"]["messages"] == seen["health"]["messages"])
        #expect(seen["health"]["lastError"].text == "null" && seen["health"]["setAside"].text == "null")
        #expect(try await house.json(.unreadTopics, for: Self.ben)["topics"].text == "[]")
        let found = try await house.json(.found, for: Self.ben)
        #expect(found["found"].text == "[]" && found["listening"].text == "false")
        #expect(found["problem"].text.contains("who see every device"))
        let proposal = HouseQuestion.proposal(kind: "fan", filter: "fan/{device}")
        #expect(await house.problem(proposal, for: Self.ben) == "nothing-heard")
        #expect(house.bus.starts == 0)
    }
}
