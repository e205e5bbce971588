import SkerryDevice
import SkerryExpressions
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

/// What the desk answers of the running bridge.
@Suite("Answers of the bridge")
struct AnswerTests {
    @Test("devices are listed with state, title, next deadline and activity")
    func devices() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true,"level":40}"#)
        house.send("lamp/hall/state", #"{"level":1}"#, after: .seconds(5))
        let devices = try await house.json(.devices)["devices"]
        #expect(devices.elements.count == 2)
        let desk = devices[0]
        #expect(
            desk.text.hasPrefix(
                #"{"kind":"lamp","device":"desk","states":["lit"],"title":"Lit","since":1772355600,"#
                    + #""heard":1772355600,"available":null,"#
                    + #""next":{"at":1772359200,"what":"forgotten"},"activity":{"id":"lamp/desk/1772355600","rev":1,"#
            )
        )
        #expect(desk["activity"]["content"].text == #"{"status":"Lit","level":40}"#)
        #expect(devices[1]["states"].text == #"["dark"]"#)
        #expect(devices[1]["title"].text == "null" && devices[1]["activity"].text == "null")
    }

    @Test("a device is explained as over MQTT, with its last moves")
    func device() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        house.send("lamp/desk/state", #"{"on":false}"#, after: .seconds(30))
        let told = try await house.json(.device(DeviceKey(kind: "lamp", name: "desk")))
        #expect(told["signals"].text == #"{"on":false,"level":null,"colour":null}"#)
        #expect(
            told["moves"].text
                == #"[{"at":1772355600,"from":null,"to":"lit"},{"at":1772355630,"from":"lit","to":"dark"}]"#
        )
        #expect(await house.problem(.device(DeviceKey(kind: "lamp", name: "attic"))) == "no-device")
    }

    @Test("a test activity begins on a phone that can start one, or the reason is told")
    func testActivity() async throws {
        let house = try House()
        func ask(_ phone: String, _ kind: String? = nil) async throws -> String {
            await house.problem(.test(phone: phone, kind: kind)) ?? "none"
        }
        #expect(try await ask("nobody") == "unknown-phone")
        #expect(try await ask("anna") == "no-start-token")
        #expect(try await ask("anna", "oven") == "no-kind")
        let token = PhoneReport.StartToken(type: "LampAttributes", token: .known("aa"))
        let report = PhoneReport(
            confirmedAt: House.start,
            environment: .production,
            systemVersion: "18.2",
            startTokens: [token],
            activities: []
        )
        #expect(try house.phones.report(report, of: "anna", at: House.start))
        let told = try await house.json(.test(phone: "anna", kind: "lamp"))
        #expect(told["activity"].text == #""lamp/skerry-test/1772355600000000""#)
        #expect(told["end"].text == "1772355660")
        #expect(try await ask("anna") == "test-running")
        #expect(try await House(hasPushes: false).problem(.test(phone: "anna", kind: nil)) == "no-pushes")
    }

    @Test("what did not reach phones is told with its reason, newest first")
    func failures() async throws {
        let house = try House()
        for (second, kind) in [PhoneDecision.Kind.failed, .answered, .tooLarge].enumerated() {
            let decision = PhoneDecision(
                at: House.start + .seconds(Int64(second)),
                phone: "Ada's phone",
                activity: "lamp/desk/1",
                kind: kind,
                text: "update: \(kind.name)"
            )
            house.failures.note([decision], of: "phones")
        }
        func ask(_ service: String?, _ limit: Int = 10) async throws -> [String] {
            let question = HouseQuestion.failures(service: service, recipient: nil, limit: limit)
            return try await house.json(question)["errors"].elements.map(\.text)
        }
        let older =
            #"{"at":1772355600,"service":"phones","recipient":"Ada's phone","activity":"lamp/desk/1","text":"update: failed"}"#
        let newer = older.replacing("1772355600", with: "1772355602").replacing("failed", with: "too-large")
        #expect(try await ask(nil) == [newer, older])
        #expect(try await ask("phones", 1) == [newer])
        #expect(try await ask("webhook").isEmpty)
    }

    @Test("a timeline is computed when it is asked for")
    func timeline() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        let entries = try await house.json(.timeline(DeviceKey(kind: "lamp", name: "desk")))["entries"]
            .elements
        #expect(entries.map { $0["date"].text } == ["1772355600", "1772359200", "1772359800"])
        #expect(await house.problem(.timeline(DeviceKey(kind: "lamp", name: "attic"))) == "no-timeline")
    }

    @Test("only the last 200 moves of a device are told")
    func manyMoves() async throws {
        let house = try House()
        for number in 0..<500 {
            house.send("lamp/desk/state", #"{"on":\#(number % 2 == 0)}"#, after: .seconds(1))
        }
        let moves = try await house.json(.device(DeviceKey(kind: "lamp", name: "desk")))["moves"].elements
        #expect(moves.count == 200)
        #expect(moves.last?["at"].text == "1772356100")
    }

    @Test("the status names version, broker, counters and health")
    func status() async throws {
        let house = try House { $0.recordLength = .hours(2) }
        house.send("lamp/desk/state", #"{"on":true}"#)
        let status = try await house.json(.status)
        #expect(status["version"].text == #""1.2.3""# && status["started"].text == "1772355600")
        #expect(
            status["broker"].text
                == #"{"connected":false,"since":1772355600,"address":"broker:1883"}"#
        )
        #expect(status["messages"].text == "1" && status["updates"].text == "1")
        #expect(status["health"]["devices"].text == "1")
        #expect(status["phones"].text == "2" && status["recordHours"].text == "2")
    }

    @Test("the status tells whether devices are used by themselves", arguments: [true, false])
    func adopting(_ adopts: Bool) async throws {
        let house = try House(prepare: { $0.adoptsByItself = adopts })
        #expect(try await house.json(.status)["adopts"].text == "\(adopts)")
    }

    @Test("an event moves the device, as a command over MQTT does")
    func event() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        #expect(await house.ask(.event(DeviceKey(kind: "lamp", name: "desk"), name: "snooze")) == .found([]))
        let device = try await house.json(.devices)["devices"][0]
        #expect(device["states"].text == #"["dimmed"]"#)
        #expect(
            await house.problem(.event(DeviceKey(kind: "lamp", name: "attic"), name: "snooze")) == "no-device"
        )
        #expect(await house.problem(.event(DeviceKey(kind: "lamp", name: "desk"), name: "")) == "refused")
        for event in ["device.off", "explode", "done.state.lit"] {
            #expect(
                await house.problem(.event(DeviceKey(kind: "lamp", name: "desk"), name: event)) == "refused"
            )
        }
        #expect(try await house.json(.devices)["devices"][0]["states"].text == #"["dimmed"]"#)
    }

    @Test("a message over HTTP begins an activity without a device, and is in the recording")
    func message() async throws {
        let house = try House { $0.recordLength = .hours(2) }
        func put(_ payload: String, to device: String = "desk", of kind: String = "lamp") -> HouseQuestion {
            .message(DeviceKey(kind: kind, name: device), payload: Array(payload.utf8), key: nil)
        }
        #expect(await house.ask(put(#"{"on":true}"#)) == .found([]))
        #expect(house.updates.value == ["lamp/desk/1772355600 1"])
        #expect(await house.ask(put(#"{"on":true}"#)) == .found([]))
        #expect(house.updates.value.count == 1, "the same again changes nothing")
        #expect(await house.ask(put(#"{"on":false}"#)) == .found([]))
        #expect(house.updates.value.count == 2)
        guard case .found(let lines) = await house.ask(.recording(DeviceKey(kind: "lamp", name: "desk")))
        else {
            Issue.record("there is no recording")
            return
        }
        let recording = String(decoding: lines, as: UTF8.self)
        #expect(recording.split(separator: "\n").count { $0.contains("lamp/desk/state") } == 3)
        for wrong in [put("{}", to: "a/b"), put("{}", to: "desk", of: "oven"), put("{", to: "hall")] {
            #expect(await house.problem(wrong) == "refused")
        }
        #expect(try await house.json(.devices)["devices"].elements.count == 1)
    }

    @Test("runs are listed with their phases and titles, newest first")
    func runs() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        _ = await house.ask(.event(DeviceKey(kind: "lamp", name: "desk"), name: "snooze"))
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(5))
        house.send("lamp/hall/state", #"{"on":true,"level":1}"#, after: .minutes(1))
        house.pass(.minutes(1))
        let runs = try await house.json(.runs(kind: nil, device: nil, limit: 10))["runs"]
        #expect(
            runs[0].text
                == #"{"id":"lamp/hall/1772355960","kind":"lamp","device":"hall","start":1772355960,"end":null,"#
                + #""ended":false,"updates":1,"phases":["#
                + #"{"state":"lit","title":"Lit","from":1772355960,"to":null}]}"#
        )
        #expect(runs[1]["ended"].text == "true" && runs[1]["updates"].text == "3")
        #expect(
            runs[1]["phases"].text
                == #"[{"state":"lit","title":"Lit","from":1772355600,"to":1772355600},"#
                + #"{"state":"dimmed","title":"Dimmed","from":1772355600,"to":1772355900}]"#
        )
        let ofDesk = try await house.json(.runs(kind: "lamp", device: "desk", limit: 10))["runs"]
        #expect(ofDesk.elements.count == 1 && ofDesk[0]["device"].text == #""desk""#)
        #expect(try await house.json(.runs(kind: nil, device: nil, limit: 1))["runs"].elements.count == 1)
    }

    @Test("a run has the name of its device; that of a forgotten one is the name with which it began")
    func namesOfRuns() async throws {
        let topic = "- topic: lamp/{device}/state\n"
        let text = lamp.replacing(topic, with: topic + "    name: payload.name\n")
        let house = try House(CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))]))
        func names() async throws -> [String] {
            let runs = try await house.json(.runs(kind: nil, device: nil, limit: 10))["runs"]
            return runs.elements.map { "\($0["device"].plain): \($0["name"].plain)" }
        }
        house.send("lamp/hall/state", #"{"on":true}"#)
        house.send("lamp/desk/state", #"{"on":true,"name":"Reading lamp"}"#, after: .minutes(1))
        #expect(try await names() == ["desk: Reading lamp", "hall: null"])
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(1))
        house.send("lamp/desk/state", #"{"name":"Ada's lamp"}"#, after: .minutes(1))
        #expect(try await names() == ["hall: null", "desk: Ada's lamp"])
        house.send("skerry/bridge/request/remove", "lamp/desk")
        #expect(try await names() == ["hall: null", "desk: Reading lamp"])
    }

    @Test("a list of runs goes on behind the run at which it was cut, with each run once")
    func laterRuns() async throws {
        let house = try House()
        // The desk began first and ends last of those that end; the attic and the hall go on.
        for lamp in ["desk", "shelf", "stairs", "attic", "hall"] {
            house.send("lamp/\(lamp)/state", #"{"on":true}"#, after: .seconds(1))
        }
        for lamp in ["shelf", "stairs", "desk"] {
            house.send("lamp/\(lamp)/state", #"{"on":false}"#, after: .seconds(1))
        }
        house.pass(.minutes(1))
        let order = ["hall", "attic", "desk", "stairs", "shelf"].map { "\"\($0)\"" }
        for limit in 1...6 {
            var told: [String] = []
            var before: String?
            repeat {
                let question = HouseQuestion.runs(kind: "lamp", device: nil, before: before, limit: limit)
                let answer = try await house.json(question)
                told += answer["runs"].elements.map { $0["device"].text }
                #expect(answer["runs"].elements.count <= limit)
                let next = answer["next"].text
                before = next == "null" ? nil : String(next.dropFirst().dropLast())
                if let before { #expect(answer["runs"].elements.last?["id"].text == "\"\(before)\"") }
            } while before != nil && told.count < 9
            #expect(told == order, "\(limit)")
        }
        let unknown = HouseQuestion.runs(kind: nil, device: nil, before: "lamp/desk/1", limit: 10)
        #expect(try await house.json(unknown).text == #"{"runs":[]}"#)
    }

    @Test("messages and updates are counted by the days of the house, for seven days")
    func days() async throws {
        let house = try House(prepare: { $0.location = { Location(zone: TimeZoneRules(firstOffset: 3600)) } })
        house.send("lamp/desk/state", #"{"on":true}"#)
        house.send("lamp/desk/state", #"{"on":false}"#, after: .minutes(30))
        house.send("lamp/desk/state", #"{"on":true}"#, after: .hours(14))
        #expect(
            try await house.json(.status)["days"].text
                == #"[{"from":1772406000,"messages":1,"updates":1},{"from":1772319600,"messages":2,"updates":2}]"#
        )
        for _ in 0..<8 { house.send("lamp/desk/state", "{}", after: .hours(24)) }
        let days = try await house.json(.status)["days"]
        #expect(days.elements.count == 7)
        #expect(days[0].text == #"{"from":1773097200,"messages":1,"updates":0}"#)
    }

    @Test("the age of a signal is that of the last message with it; a retained message tells none")
    func ages() async throws {
        let house = try House()
        func reported() async throws -> String {
            try await house.json(.device(DeviceKey(kind: "lamp", name: "desk")))["reported"].text
        }
        house.send("lamp/desk/state", #"{"on":true,"level":1}"#)
        house.send("lamp/desk/state", #"{"on":true}"#, after: .seconds(30))
        #expect(try await reported() == #"{"on":1772355630,"level":1772355600}"#)
        house.send("lamp/desk/state", #"{"on":true,"level":2}"#, after: .seconds(1), isRetained: true)
        #expect(try await reported() == #"{"on":1772355630}"#)
    }

    @Test("a turn of the bridge answers four questions at most, and one list of devices")
    func fewInTurn() throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        let answers = Counter()
        for _ in 0..<10 { house.desk.ask(.status, for: .unrestricted) { _ in answers.add() } }
        #expect(answers.value == 0, "nothing is answered on the thread that asks")
        house.bridge.wake()
        #expect(answers.value == 4 && house.bridge.sleepLimit == .zero)
        house.bridge.wake()
        house.bridge.wake()
        #expect(answers.value == 10 && house.bridge.sleepLimit != .zero)
        for _ in 0..<3 { house.desk.ask(.devices, for: .unrestricted) { _ in answers.add() } }
        house.bridge.wake()
        #expect(answers.value == 11)
    }

    @Test("messages are handled while questions wait")
    func messagesFirst() throws {
        let house = try House()
        for _ in 0..<20 { house.desk.ask(.devices, for: .unrestricted) { _ in } }
        house.send("lamp/desk/state", #"{"on":true}"#)
        #expect(house.mailbox.put { _ in })
    }

    @Test("beyond 64 questions are refused, and all when the bridge has ended")
    func refused() async throws {
        let house = try House()
        let problems = Counter()
        for _ in 0..<70 {
            house.desk.ask(.status, for: .unrestricted) { answer in
                if case .problem(let problem) = answer, problem.code == "busy" { problems.add() }
            }
        }
        #expect(problems.value == 6)
        house.bridge.ended()
        #expect(problems.value == 70, "those that waited learn that nobody answers them")
        #expect(await house.problem(.status) == "busy")
    }
}
