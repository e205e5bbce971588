import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// Requests over MQTT with their answers, and the lists of what there is.
@Suite("Requests to the bridge")
struct RequestTests {
    /// The only answer to a request, as text.
    func answer(_ pier: Pier, _ name: String, _ payload: String = "") throws -> String {
        pier.drain()
        #expect(pier.send("skerry/bridge/request/\(name)", payload) == .committed)
        let answers = pier.drain()
        #expect(answers.map(\.topic) == ["skerry/bridge/response/\(name)"])
        #expect(answers.allSatisfy { !$0.isRetained && $0.contentType == "application/json" })
        return try #require(answers.first).text
    }

    func pier(_ house: NotedHouse = NotedHouse()) throws -> Pier {
        let pier = try Pier(surroundings: house.surroundings, mailbox: house.mailbox)
        pier.connect()
        for name in ["desk", "attic"] { pier.send("lamp/\(name)/state", #"{"on":true}"#) }
        return pier
    }

    @Test("the health is told as it is now, not as it was last published")
    func health() throws {
        let pier = try pier()
        pier.send("lamp/cellar/state", #"{"on":true}"#)
        let text = try answer(pier, "health", #"{"transaction":"x"}"#)
        guard case .map(let answer) = try JSONReader.value(of: Array(text.utf8).span),
            case .map(let health)? = answer["data"], case .int(let devices)? = health["devices"],
            case .string(let transaction)? = answer["transaction"]
        else { throw PierFailure() }
        #expect(devices == 3)
        #expect(transaction == "x")
        #expect(health["unheard"] == nil)
        let silent = try Pier()
        silent.connect()
        #expect(try self.answer(silent, "health").contains(#""unheard":["lamp"]"#))
    }

    // MARK: Devices

    @Test(
        "devices are found by name, otherwise the closest match is suggested",
        arguments: [
            ("desk", ["lamp/desk"], nil), ("lamp/desk", ["lamp/desk"], nil),
            ("", ["lamp/desk", "lamp/attic"], nil), ("dsek", [], "lamp/desk"),
            ("lampe/attic", [], "lamp/attic"), ("washer", [], nil),
        ] as [(String, [String], String?)]
    )
    func names(asked: String, devices: [String], near: String?) throws {
        let text = try answer(pier(), "devices", #"{"device":"\#(asked)","transaction":7}"#)
        let members = try JSONReader.value(of: Array(text.utf8).span)
        guard case .map(let answer) = members, case .map(let data)? = answer["data"],
            case .list(let list)? = data["devices"]
        else { throw PierFailure() }
        let names = list.map { element -> String in
            guard case .map(let device) = element, case .string(let kind)? = device["kind"],
                case .string(let name)? = device["device"]
            else { return "" }
            return "\(kind)/\(name)"
        }
        #expect(names == devices)
        #expect(data["near"].map { "\($0)" } == near.map { "\(Value.string($0))" })
        #expect(text.hasSuffix(#","transaction":7}"#) && text.hasPrefix(#"{"status":"ok","data":{"#))
    }

    @Test("a device is also found by what people call it, unless another one has that name")
    func givenNames() throws {
        let named = Pier.definition.replacing("signals: {", with: "name: payload.name\n    signals: {")
        let pier = try Pier(definition: named)
        pier.connect()
        for (device, name) in [("a", "Desk"), ("b", "Big Lamp"), ("desk", "Reading")] {
            pier.send("lamp/\(device)/state", #"{"on":true,"name":"\#(name)"}"#)
        }
        for (asked, device) in [("big lamp", "b"), ("Reading", "desk"), ("desk", "desk"), ("Desk", "a")] {
            let text = try answer(pier, "devices", #"{"device":"\#(asked)"}"#)
            #expect(text.contains(#""device":"\#(device)""#), "\(asked)")
            #expect(text.contains(#""count":1"#), "\(asked)")
        }
    }

    @Test("a long list of devices says how many are missing")
    func bounded() throws {
        let pier = try Pier()
        pier.connect()
        let name = String(repeating: "x", count: 200)
        for number in 0..<400 { pier.send("lamp/\(name)\(number)/state", #"{"on":true}"#) }
        let text = try answer(pier, "devices")
        #expect(text.utf8.count < 140_000)
        #expect(text.contains(#""count":400,"left":"#))
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        let list = try #require(pier.drainAll().last { $0.topic == "skerry/bridge/devices" })
        #expect(list.text.utf8.count < 140_000 && !list.text.contains("left"))
    }

    @Test("a device is removed by request, and an unknown one is an error with the closest match")
    func remove() throws {
        let pier = try pier()
        let wrong = try answer(pier, "remove", "lamp/dsek")
        #expect(
            wrong
                == #"{"status":"error","error":"there is no device 'lamp/dsek'; did you mean 'lamp/desk'?"}"#
        )
        pier.send("skerry/bridge/request/remove", #"{"device":"lamp/desk","transaction":"a"}"#)
        #expect(
            pier.drain().first { $0.topic.hasSuffix("response/remove") }?.text
                == #"{"status":"ok","data":{"device":"lamp/desk"},"transaction":"a"}"#
        )
        #expect(try answer(pier, "devices", "desk").contains(#""count":0"#))
    }

    @Test("a device is renamed by the house, whose refusal is the answer")
    func rename() throws {
        let house = NotedHouse()
        let pier = try pier(house)
        pier.drain()
        for to in ["Reading lamp", ""] {
            pier.send(
                "skerry/bridge/request/rename",
                #"{"from":"lamp/desk","to":"\#(to)","transaction":2}"#
            )
            #expect(pier.drain().isEmpty, "the answer is made elsewhere")
            house.answer(.found(Array("{}".utf8)))
            pier.bridge.wake()
            #expect(
                pier.drain().map(\.text)
                    == [#"{"status":"ok","data":{"from":"lamp/desk","to":"\#(to)"},"transaction":2}"#]
            )
        }
        pier.send("skerry/bridge/request/rename", #"{"from":"lamp/desk","to":"Another"}"#)
        house.answer(.problem(HouseProblem(.conflict, code: "name-in-file", detail: "The file has one.")))
        pier.bridge.wake()
        #expect(pier.drain().map(\.text) == [#"{"status":"error","error":"The file has one."}"#])
        #expect(house.noted == ["Reading lamp", "", "Another"].map { "lamp/desk is called '\($0)'" })
    }

    @Test(
        "a request that can't be read, or that there is not, is an error that says what to do",
        arguments: [
            ("remove", "desk", "name a device"), ("remove", "{", "begins like an object of JSON and is none"),
            ("remove", String(repeating: "x", count: 2000), "at most 1024 bytes"),
            (
                "restart", "",
                "there are: 'health', 'reload', 'devices', 'remove', 'rename', 'log-level', 'record', 'check'"
            ),
            ("rename", #"{"from":"lamp/desk"}"#, "name a device, and what it is called"),
            ("rename", #"{"from":"lamp/dsek","to":"x"}"#, "did you mean 'lamp/desk'?"),
            ("record", "{}", "say how long messages are kept"), ("record", #"{"hours":99}"#, "0 to 48"),
            ("log-level", "loud", "one of 'trace', 'debug'"), ("check", "", "give the text of a definition"),
        ]
    )
    func faults(name: String, payload: String, words: String) throws {
        let text = try answer(pier(), name, payload)
        #expect(text.hasPrefix(#"{"status":"error","error":""#))
        #expect(text.contains(words), "\(text)")
    }

    @Test("retained requests are ignored, and a flood of them is not answered")
    func flood() throws {
        let pier = try pier()
        pier.drain()
        pier.send("skerry/bridge/request/devices", "", isRetained: true)
        #expect(pier.drain().isEmpty)
        pier.send(Array(repeating: ("skerry/bridge/request/devices", "desk"), count: 100))
        #expect(pier.drain().count == 16)
    }

    // MARK: The process

    @Test("definitions are read again, and the answer comes when that is done")
    func reload() throws {
        let house = NotedHouse()
        let pier = try pier(house)
        pier.drain()
        pier.send("skerry/bridge/request/reload", #"{"transaction":"one"}"#)
        #expect(pier.drain().isEmpty && house.noted == ["reload"])
        house.mailbox.put([try Pier.lamp()])
        pier.bridge.wake()
        #expect(pier.events.redefinitions == 1, "those who watch read the definitions again")
        let answers = pier.drain().filter { $0.topic.hasSuffix("response/reload") }
        #expect(answers.count == 1)
        #expect(
            answers.first?.text.contains(#""report":["definitions: changed: lamp; 2 devices go on"]"#) == true
        )
        #expect(answers.first?.text.hasSuffix(#""transaction":"one"}"#) == true)
        pier.send("skerry/bridge/request/reload", "")
        house.mailbox.refuse("they are wrong")
        pier.bridge.wake()
        #expect(
            pier.drain().map(\.text)
                == [#"{"status":"error","error":"they are wrong; the log of the bridge has the reasons"}"#]
        )
    }

    @Test("the level of the log, a check and a recording are asked of the process")
    func surroundings() throws {
        let house = NotedHouse()
        let pier = try pier(house)
        #expect(try answer(pier, "log-level", "debug") == #"{"status":"ok","data":{"level":"debug"}}"#)
        pier.send("skerry/bridge/request/check", #"{"source":"skerry: 1","transaction":1}"#)
        #expect(pier.drain().isEmpty, "the answer is made elsewhere")
        house.answer(.found(Array(#"{"ok":true}"#.utf8)))
        pier.bridge.wake()
        #expect(pier.drain().map(\.text) == [#"{"status":"ok","data":{"ok":true},"transaction":1}"#])
        pier.send("skerry/bridge/request/record", "lamp/desk")
        house.answer(.found(Array("one\ntwo\n".utf8)))
        pier.bridge.wake()
        #expect(
            pier.drain().map(\.text) == [
                #"{"status":"ok","data":{"device":"lamp/desk","recording":"one\ntwo\n","truncated":false}}"#
            ]
        )
        pier.send("skerry/bridge/request/record", "lamp/none")
        house.answer(.problem(HouseProblem(.notFound, code: "no-recording", detail: "Nothing is kept.")))
        pier.bridge.wake()
        #expect(pier.drain().map(\.text) == [#"{"status":"error","error":"Nothing is kept."}"#])
        #expect(
            house.noted == ["level debug", "check skerry: 1", "recording lamp/desk", "recording lamp/none"]
        )
    }

    @Test("a bridge without surroundings refuses what it can't do")
    func alone() throws {
        let pier = try Pier()
        pier.connect()
        for name in ["reload", "log-level"] {
            #expect(try answer(pier, name, "debug").contains("without the program that could do this"))
        }
    }

    // MARK: Lists

    @Test("the lists of devices and definitions are retained, and published when they change")
    func lists() throws {
        let pier = try Pier()
        let first = connectAll(pier)
        #expect(first["skerry/bridge/devices"] == #"{"devices":[]}"#)
        #expect(
            first["skerry/bridge/definitions"]?.hasPrefix(
                #"{"definitions":[{"kind":"lamp","name":"lamp","topics":["lamp/+/state","lamp/+/LWT"],"states":[{"name":"dark"},"#
                    + #"{"name":"lit","title":"Lit"},"#
            ) == true
        )
        #expect(first["skerry/bridge/definitions"]?.contains(#""events":["snooze"]"#) == true)
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let events = pier.drainAll().filter { $0.topic == "skerry/bridge/event" }
        #expect(
            events.map(\.text) == [#"{"type":"device_appeared","data":{"kind":"lamp","device":"desk"}}"#]
        )
        #expect(events.allSatisfy { !$0.isRetained })
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        let lists = pier.drainAll().filter {
            $0.topic == "skerry/bridge/devices" || $0.topic.hasSuffix("definitions")
        }
        #expect(lists.map(\.text) == [#"{"devices":[{"kind":"lamp","device":"desk"}]}"#])
        #expect(lists.allSatisfy { $0.isRetained })
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        let list = #"{"devices":[{"kind":"lamp","device":"desk"}]}"#
        #expect(
            connectAll(pier, isResumed: true)["skerry/bridge/devices"] == list,
            "the broker may have an older one"
        )
        pier.send("skerry/bridge/request/remove", "lamp/desk")
        #expect(
            pier.drainAll().contains {
                $0.text == #"{"type":"device_forgotten","data":{"kind":"lamp","device":"desk"}}"#
            }
        )
    }

    /// What is published with a connection, by topic.
    private func connectAll(_ pier: Pier, isResumed: Bool = false) -> [String: String] {
        pier.bridge.connect(BusSession(isResumed: isResumed))
        var texts: [String: String] = [:]
        for publication in pier.drainAll() { texts[publication.topic] = publication.text }
        return texts
    }
}

/// A house that notes what it is asked, and answers when a test says so.
final class NotedHouse: HouseAnswers {
    let mailbox = DefinitionMailbox()
    private let questions = Mutex<[String]>([])
    private let waiting = Mutex<[@Sendable (HouseAnswer) -> Void]>([])

    var noted: [String] { questions.withLock { $0 } }

    var surroundings: BridgeSurroundings {
        BridgeSurroundings(
            house: self,
            reload: { [self] in note("reload") },
            setLogLevel: { [self] level in
                if level != "debug" { return false }
                note("level \(level)")
                return true
            },
            wake: {}
        )
    }

    private func note(_ text: String) { questions.withLock { $0.append(text) } }

    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping @Sendable (HouseAnswer) -> Void) {
        switch question {
        case .check(let source): note("check \(source)")
        case .recording(let device): note("recording \(device)")
        case .chooseSettings(let device, nil, let name?): note("\(device) is called '\(name)'")
        default: note("another question")
        }
        waiting.withLock { $0.append(then) }
    }

    /// Answers the question that has waited longest.
    func answer(_ answer: HouseAnswer) {
        let then = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        then?(answer)
    }
}
