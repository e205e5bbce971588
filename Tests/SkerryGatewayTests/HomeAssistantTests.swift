import SkerryDevice
import SkerryFiles
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryGateway

/// Devices that are announced to Home Assistant.
@Suite("Announcements to Home Assistant")
struct HomeAssistantTests {
    static let topic = "homeassistant/device/skerry_lamp_desk/config"
    static let bridgeTopic = "homeassistant/device/skerry_bridge/config"

    /// A bridge that announces, connected, with a lamp that is lit.
    func pier(prefix: String = "homeassistant") throws -> Pier {
        let pier = try Pier { $0.homeAssistant = HomeAssistantOptions(prefix: prefix) }
        pier.connect()
        return pier
    }

    /// The announcements of devices.
    func announcements(_ publications: [Publication]) -> [Publication] {
        publications.filter { $0.topic.hasSuffix("/config") && !$0.topic.hasSuffix("_bridge/config") }
    }

    /// The announcements of the bridge.
    func bridges(_ publications: [Publication]) -> [Publication] {
        publications.filter { $0.topic == Self.bridgeTopic }
    }

    // MARK: What is announced

    static let everything = """
        skerry: 1
        kind: "oven_2"
        name: Oven
        sources:
          - topic: oven/{device}
            signals: { on: payload.on, left: payload.left, text: payload.text }
        timers:
          bake: { remaining: seconds(left), while: inState("hot") }
        machine:
          initial: cold
          states:
            cold:
              title: "It is {device.name}"
              always: { guard: on, target: hot }
              on: { preheat: hot }
            hot:
              title: "It's \\\\ {{hot}}"
              on: { "open.door": cold, bake.elapsed: cold, more: { actions: { raise: own } }, own: cold }
              always: { guard: "!on", target: cold }
        activity:
          starts: hot
          ends: cold
          attributes: { name: device.name }
          content:
            bake: timer.bake
            items: text
            heat: { value: left, type: double, of: 80 }
            steps: { value: left, type: int }
            isDone: { value: on, type: bool }
            since: { value: "timestamp('2026-01-01T00:00:00Z')", type: timestamp }
            rest: { value: duration("5m"), type: duration }
            list: "[1, 2]"
        island:
          symbol: washer.fill
          lock: { title: Oven, progress: bake }
          expanded: { bottom: { progress: heat } }
          buttons: { more: A bit longer }
        """

    func definition(_ text: String) throws -> Definition {
        let reading = DefinitionReader.read(text: text)
        let draft = try #require(reading.draft, "\(reading.problems)")
        let compilation = Definition.compile(draft, limits: DeviceLimits())
        return try #require(compilation.definition, "\(compilation.problems)")
    }

    func announcement(_ definition: Definition, device: String) throws -> Publication {
        let homeAssistant = HomeAssistant(prefix: "homeassistant", sink: MQTTSink(), version: "1.2.3")
        return try #require(homeAssistant.announcement(of: Device(name: device, of: definition), definition))
    }

    @Test(
        "an announcement is what Home Assistant requires",
        arguments: ["desk", "Küche links", "a+b\u{1}", "", String(repeating: "x", count: 200)]
    )
    func rules(device: String) throws {
        for definition in [try Pier.lamp(), try definition(Self.everything)] {
            let announcement = try announcement(definition, device: device)
            let rules = try HomeAssistantRules(topic: announcement.topic, payload: announcement.object)
            #expect(rules.findings == [])
            #expect(announcement.isRetained && announcement.quality == .atLeastOnce)
        }
    }

    @Test("fields, states and events become entities of their kinds")
    func entities() throws {
        let object = try announcement(definition(Self.everything), device: "kitchen").object
        guard case .map(let components)? = object["components"] else { throw PierFailure() }
        var kinds: [String: String] = [:]
        for (name, value) in components.members {
            guard case .map(let members) = value, case .string(let platform)? = members["platform"] else {
                continue
            }
            kinds[name] = platform
            if case .string(let text)? = members["device_class"] { kinds[name]? += " \(text)" }
        }
        #expect(
            kinds == [
                "state": "sensor enum", "running": "binary_sensor running", "field_bake": "sensor timestamp",
                "field_items": "sensor", "field_heat": "sensor", "field_steps": "sensor",
                "progress": "sensor", "field_isDone": "binary_sensor", "field_since": "sensor timestamp",
                "field_rest": "sensor duration", "event_preheat": "button", "event_more": "button",
                "event_open_door_\(PlainName.mark(of: "event_open.door"))": "button",
            ]
        )
        guard case .map(let state)? = components["state"], case .map(let button)? = components["event_more"]
        else {
            throw PierFailure()
        }
        // A computed title is another one each time, so its first words stand for it.
        #expect(json(state["options"]) == #"["It is","It's \\ {hot}","none"]"#)
        #expect(json(button["command_topic"]) == #""skerry/oven_2/kitchen/event""#)
        #expect(json(button["payload_press"]) == #""more""#)
        #expect(json(button["name"]) == #""A bit longer""#)
        // In place of that of the device, and so with its topics.
        let states = "{{ 'online' if value_json is defined and value_json.state in ['hot'] else 'offline' }}"
        #expect(
            json(button["availability"])
                == #"[{"topic":"skerry/bridge/state"},{"topic":"skerry/oven_2/kitchen/activity","value_template":"\#(states)"}]"#
        )
        #expect(json(components["field_items"]).contains("none if v is none or v == '' else"))
        #expect(json(state["icon"]) == #""mdi:washing-machine""#)
        // A countdown fills the first bar, which Home Assistant could not move.
        guard case .map(let progress)? = components["progress"] else { throw PierFailure() }
        #expect(json(progress["unit_of_measurement"]) == #""%""#)
        #expect(json(progress["value_template"]).contains("get('heat')"))
        #expect(json(progress["value_template"]).contains("v * 100 / 80.0"))
    }

    private func json(_ value: Value?) -> String {
        var writer = JSONWriter()
        writer.value(value ?? .null)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "a device is called like its kind, and by its own name where that says more",
        arguments: [
            ("Oven", "oven", "Oven"), ("Oven", "OVEN", "Oven"), ("Oven", "kitchen", "Oven kitchen"),
            ("Oven", "oven-2", "Oven oven-2"), ("Tumble dryer", "dryer", "Tumble dryer dryer"),
            // Beside it there may be a dryer that is called like the whole kind.
            ("Tumble dryer", "tumble_dryer", "Tumble dryer"), ("Oven", "-", "Oven -"),
        ]
    )
    func names(kind: String, device: String, name: String) throws {
        let text = Self.everything.replacing("name: Oven", with: "name: \(kind)")
        let object = try announcement(definition(text), device: device).object
        guard case .map(let members)? = object["device"] else { throw PierFailure() }
        #expect(json(members["name"]) == "\"\(name)\"")
    }

    @Test("the alerts of a device are events, where its definition has some")
    func alerts() throws {
        let text = Self.everything.replacing(
            "  content:",
            with: "  alerts: { hot: { title: Hot } }\n  content:"
        )
        let announcement = try announcement(definition(text), device: "kitchen")
        let rules = try HomeAssistantRules(topic: announcement.topic, payload: announcement.object)
        #expect(rules.findings == [])
        guard case .map(let components)? = try announcement.object["components"],
            case .map(let alert)? = components["alert"]
        else { throw PierFailure() }
        #expect(json(alert["platform"]) == #""event""#)
        #expect(json(alert["event_types"]) == #"["alert"]"#)
        #expect(json(alert["state_topic"]) == #""skerry/oven_2/kitchen/alert""#)
        // It is heard while the device is away, too.
        #expect(json(alert["availability"]) == #"[{"topic":"skerry/bridge/state"}]"#)
    }

    @Test("a device is visited on the page, if that has an address")
    func page() throws {
        let definition = try definition(Self.everything)
        let homeAssistant = HomeAssistant(
            prefix: "ha",
            sink: MQTTSink(),
            version: "1",
            page: "https://skerry.example.org"
        )
        let announcement = try #require(
            homeAssistant.announcement(of: Device(name: "Küche 1", of: definition), definition)
        )
        guard case .map(let members)? = try announcement.object["device"] else { throw PierFailure() }
        #expect(
            json(members["configuration_url"])
                == #""https://skerry.example.org/#/device/oven_2/K%C3%BCche%201""#
        )
    }

    @Test(
        "a field that a bar shows is no second entity of its name, and a unit in words is none of statistics"
    )
    func namesake() throws {
        let text = Self.everything.replacing("heat", with: "progress")
            .replacing(
                "steps: { value: left, type: int }",
                with: "steps: { value: left, type: int, unit: min late }"
            )
        let object = try announcement(definition(text), device: "kitchen").object
        guard case .map(let components)? = object["components"],
            case .map(let steps)? = components["field_steps"]
        else { throw PierFailure() }
        #expect(components["progress"] != nil && components["field_progress"] == nil)
        #expect(json(steps["unit_of_measurement"]) == #""min late""# && steps["state_class"] == nil)
    }

    @Test(
        "the unit of a number says what it measures",
        arguments: [
            ("kWh", "energy", "total_increasing"), ("W", "power", "measurement"),
            ("°C", "temperature", "measurement"),
            ("m²", nil, "measurement"),
        ]
    )
    func quantities(unit: String, deviceClass: String?, stateClass: String) throws {
        let text = Self.everything.replacing(
            "steps: { value: left, type: int }",
            with: "steps: { value: left, type: int, unit: \(unit) }"
        )
        guard
            case .map(let components)? = try announcement(definition(text), device: "kitchen").object[
                "components"
            ],
            case .map(let steps)? = components["field_steps"]
        else { throw PierFailure() }
        #expect(json(steps["device_class"]) == (deviceClass.map { "\"\($0)\"" } ?? "null"))
        #expect(json(steps["state_class"]) == "\"\(stateClass)\"")
        #expect(json(steps["unit_of_measurement"]) == "\"\(unit)\"")
    }

    @Test("different devices have different names")
    func identifiers() throws {
        let homeAssistant = HomeAssistant(prefix: "ha", sink: MQTTSink(prefix: "home/a"), version: "1")
        let devices = [
            ("lamp", "desk"), ("lamp", "desk "), ("lamp", "desk_"), ("lamp_desk", "a"), ("lamp", "desk_a"),
            ("lamp", "désk"), ("lamp", "dèsk"), ("lamp", String(repeating: "y", count: 64)),
            ("lamp", String(repeating: "y", count: 65)), ("lamp", String(repeating: "y", count: 66)),
        ]
        let topics = devices.map { homeAssistant.topic(ofDevice: $0.1, kind: $0.0) }
        #expect(Set(topics).count == devices.count)
        #expect(topics[0] == "ha/device/home_a_lamp_desk/config")
        let start = HomeAssistant.topicStart(under: "ha", for: MQTTSink(prefix: "home/a"))
        #expect(topics.allSatisfy { $0.hasPrefix(start) })
    }

    @Test("a device that is called as another one is named in Home Assistant has a name of its own")
    func identifierOfAnother() {
        let homeAssistant = HomeAssistant(prefix: "ha", sink: MQTTSink(), version: "1")
        func object(_ device: String) -> String {
            String(homeAssistant.topic(ofDevice: device, kind: "lamp").split(separator: "/")[2])
        }
        let other = object("d\u{E9}sk")
        #expect(other.hasPrefix("skerry_lamp_d__sk_"))
        #expect(object(String(other.dropFirst("skerry_lamp_".count))) != other)
        for name in [
            "plug_00158d0001a2b3c4", "my_plug_00158D0001A2B3C4", "my_plug_0123", "0x00158d0001a2b3c4",
        ] {
            #expect(object(name) == "skerry_lamp_\(name)", "no other name is reduced to it")
        }
    }

    // MARK: When

    @Test("a device is announced with its first message, once, and again only when something changes")
    func life() throws {
        let pier = try pier()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let first = announcements(pier.drain())
        #expect(first.map(\.topic) == [Self.topic])
        #expect(
            pier.ledger.commits.flatMap(\.enqueued).contains { $0.topic == Self.topic },
            "it is stored first"
        )
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.clock.move(by: .hours(1))
        pier.bridge.wake()
        #expect(announcements(pier.drain()) == [])
        pier.send("lamp/desk/LWT", "online")
        let second = announcements(pier.drain())
        #expect(second.map(\.topic) == [Self.topic])
        #expect(second.first?.text.contains(#"{"topic":"skerry/lamp/desk/availability"}"#) == true)
        #expect(first.first?.text.contains("lamp/desk/availability") == false)
        pier.send("lamp/desk/LWT", "offline")
        #expect(announcements(pier.drain()) == [])
        pier.send("skerry/bridge/request/remove", "lamp/desk")
        #expect(announcements(pier.drain()).map(\.text) == [""])
    }

    /// The areas that announcements suggest.
    private func areas(in publications: [Publication]) throws -> [String] {
        try announcements(publications).map { announcement in
            guard case .map(let device)? = try announcement.object["device"] else { throw PierFailure() }
            return json(device["suggested_area"])
        }
    }

    @Test("a device is announced with the room that people gave it, and again when that changes")
    func room() throws {
        let rooms = Mutex(["desk": "Study \"2\""])
        let pier = try Pier(
            change: { $0.homeAssistant = HomeAssistantOptions() },
            room: { key in rooms.withLock { key.kind == "lamp" ? $0[key.name] : nil } }
        )
        pier.connect()
        for name in ["desk", "attic"] { pier.send("lamp/\(name)/state", #"{"on":true}"#) }
        #expect(try areas(in: pier.drain()) == [#""Study \"2\"""#, "null"])
        let changes: [(String?, [String])] = [("Hall", [#""Hall""#]), ("Hall", []), (nil, ["null"])]
        for (changed, areas) in changes {
            rooms.withLock { $0["desk"] = changed }
            let devices = ["desk", "attic", "gone"].map { DeviceKey(kind: "lamp", name: $0) }
            #expect(pier.questions.put { $0?.announce(devices) })
            pier.bridge.wake()
            #expect(try self.areas(in: pier.drain()) == areas)
        }
    }

    @Test("nothing is announced unless it is turned on")
    func off() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(announcements(pier.drain()) == [])
        #expect(!pier.bridge.subscriptionPlan().filters.contains("homeassistant/status"))
    }

    @Test("when Home Assistant starts, all is announced again after some seconds")
    func birth() throws {
        let pier = try pier()
        for name in ["desk", "attic"] { pier.send("lamp/\(name)/state", #"{"on":true}"#) }
        pier.drain()
        #expect(pier.bridge.subscriptionPlan().filters.contains("homeassistant/status"))
        pier.send("homeassistant/status", "online", isRetained: true)
        pier.send("homeassistant/status", "offline")
        pier.clock.move(by: .seconds(20))
        pier.bridge.wake()
        #expect(announcements(pier.drain()) == [], "it had started before, or has ended")
        pier.send("homeassistant/status", "online")
        #expect(announcements(pier.drain()) == [])
        let delay = try #require(pier.bridge.sleepLimit)
        #expect(delay >= .seconds(1) && delay <= .seconds(15))
        pier.clock.move(by: delay)
        pier.bridge.wake()
        #expect(
            announcements(pier.drain()).map(\.topic).sorted() == [
                "homeassistant/device/skerry_lamp_attic/config", Self.topic,
            ]
        )
        pier.clock.move(by: .minutes(1))
        pier.bridge.wake()
        #expect(announcements(pier.drain()) == [])
    }

    /// The messages about activities that say that there is none.
    private func idle(_ publications: [Publication]) -> [String] {
        publications.filter { $0.topic.hasSuffix("/activity") && $0.payload.isEmpty }.map(\.topic).sorted()
    }

    @Test(
        "a device that does nothing says so once Home Assistant has subscribed, and after each of its starts"
    )
    func idleDevices() throws {
        let pier = try pier()
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.send("lamp/attic/state", #"{"on":true}"#)
        #expect(idle(pier.drain()) == [], "it has not subscribed yet")
        pier.clock.move(by: .seconds(15))
        pier.bridge.wake()
        #expect(idle(pier.drain()) == ["skerry/lamp/desk/activity"])
        pier.clock.move(by: .minutes(5))
        pier.bridge.wake()
        #expect(idle(pier.drain()) == [])
        pier.send("homeassistant/status", "online")
        pier.clock.move(by: try #require(pier.bridge.sleepLimit))
        pier.bridge.wake()
        #expect(announcements(pier.drain()).count == 2)
        pier.clock.move(by: .seconds(15))
        pier.bridge.wake()
        #expect(idle(pier.drain()) == ["skerry/lamp/desk/activity"])
        // The bridge was away when Home Assistant started.
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        pier.connect()
        pier.clock.move(by: .seconds(15))
        pier.bridge.wake()
        #expect(idle(pier.drain()) == ["skerry/lamp/desk/activity"])
    }

    // MARK: The bridge

    @Test(
        "devices are connected through their bridge, which has a name of its own beside others",
        arguments: [
            ("skerry", nil, "skerry_bridge", "Skerry"), ("skerry", 0, "skerry_bridge-p0", "Skerry p0"),
            ("home/a", nil, "home_a_bridge", "Skerry home/a"),
            ("two", 3, "two_bridge-p3", "Skerry two p3"),
        ] as [(String, Int?, String, String)]
    )
    func bridge(prefix: String, partition: Int?, identifier: String, name: String) throws {
        let sink = MQTTSink(prefix: prefix, partition: partition)
        let homeAssistant = HomeAssistant(
            prefix: "homeassistant",
            sink: sink,
            version: "1.2.3",
            page: "https://skerry.example.org"
        )
        let bridge = homeAssistant.bridgeAnnouncement
        #expect(bridge.topic == "homeassistant/device/\(identifier)/config")
        #expect(HomeAssistant.isAnnouncement(bridge.payload[...], by: sink))
        #expect(!HomeAssistant.isAnnouncement(bridge.payload[...], by: MQTTSink(prefix: "another")))
        let rules = try HomeAssistantRules(topic: bridge.topic, payload: bridge.object)
        #expect(rules.findings == [])
        let lamp = try Pier.lamp()
        let announcement = try #require(homeAssistant.announcement(of: Device(name: "desk", of: lamp), lamp))
        guard case .map(let device)? = try announcement.object["device"],
            case .map(let parent)? = try bridge.object["device"]
        else { throw PierFailure() }
        #expect(json(device["via_device"]) == "\"\(identifier)\"")
        #expect(json(parent["identifiers"]) == "[\"\(identifier)\"]")
        #expect(json(parent["name"]) == "\"\(name)\"")
        #expect(json(parent["configuration_url"]) == #""https://skerry.example.org""#)
    }

    @Test("the bridge is announced once and when Home Assistant starts, and no more when that is turned off")
    func bridgeLife() throws {
        let pier = try Pier { $0.homeAssistant = HomeAssistantOptions() }
        let first = pier.connect()
        let announcement = try #require(bridges(first).first)
        #expect(bridges(first).count == 1)
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(bridges(pier.drain()) == [])
        pier.send("homeassistant/status", "online")
        pier.clock.move(by: .seconds(15))
        pier.bridge.wake()
        #expect(bridges(pier.drain()).map(\.text) == [announcement.text])
        let info = try #require(first.first { $0.topic == "skerry/bridge/info" }).text
        let retained = ["skerry/bridge/info": info, Self.bridgeTopic: announcement.text]
        for isOn in [true, false] {
            let next = try Pier { $0.homeAssistant = isOn ? HomeAssistantOptions() : nil }
            #expect(bridges(next.connect(retained: retained)).map(\.text) == (isOn ? [] : [""]))
        }
    }

    // MARK: What the broker retains

    @Test("an entity that is no more is retracted, as long as somebody may have it")
    func retracted() throws {
        func publication(_ components: String) -> Publication {
            let text = #"{"device":{},"components":{"# + components + "}}"
            return Publication(topic: "t", payload: Array(text.utf8), isRetained: true)
        }
        let (a, b) = (#""a":{"platform":"sensor","name":"A"}"#, #""b":{"platform":"button","name":"B"}"#)
        let gone = #""b":{"platform":"button"}"#
        func text(_ next: String, after former: String, keepsRetracted: Bool = true) -> String {
            HomeAssistant.retracting(
                publication(next),
                after: publication(former).payload,
                keepsRetracted: keepsRetracted
            ).text
        }
        #expect(text(a, after: "\(a),\(b)") == publication("\(a),\(gone)").text)
        #expect(text(a, after: "\(a),\(gone)") == publication("\(a),\(gone)").text)
        #expect(text(a, after: "\(a),\(gone)", keepsRetracted: false) == publication(a).text)
        #expect(text("\(a),\(b)", after: "\(a),\(gone)") == publication("\(a),\(b)").text)
        #expect(text("", after: b) == publication(gone).text)
        // One that the last process had announced.
        let pier = try pier()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let own = try #require(announcements(pier.drain()).first).text
        let former = String(own.dropLast(2)) + #","old":{"platform":"sensor","name":"Old"}}}"#
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        for (told, expected) in [
            (former, String(own.dropLast(2)) + #","old":{"platform":"sensor"}}}"#)
        ] {
            let again = pier.connect(retained: [
                "skerry/bridge/info":
                    #"{"owner":"pier","client":"skerry","epoch":1772355600,"homeAssistant":"homeassistant"}"#,
                Self.topic: told,
            ])
            #expect(announcements(again).map(\.text) == [expected])
        }
    }

    @Test(
        "on a connection, missing and changed announcements are sent again, and those of devices that are gone deleted"
    )
    func readBack() throws {
        let pier = try pier()
        for name in ["desk", "attic", "hall"] { pier.send("lamp/\(name)/state", #"{"on":true}"#) }
        let sent = announcements(pier.drain())
        let texts = Dictionary(uniqueKeysWithValues: sent.map { ($0.topic, $0.text) })
        let own = try #require(texts[Self.topic])
        let other = own.replacing("skerry/bridge/state", with: "skerry_2/bridge/state")
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        let again = pier.connect(retained: [
            "skerry/bridge/info":
                #"{"owner":"pier","client":"skerry","epoch":1772355600,"homeAssistant":"homeassistant"}"#,
            Self.topic: own, "homeassistant/device/skerry_lamp_attic/config": "{}",
            "homeassistant/device/skerry_lamp_cellar/config": own,
            "homeassistant/device/skerry_2_lamp_desk/config": other,
            "homeassistant/device/zigbee2mqtt_lamp/config": own,
        ])
        #expect(
            announcements(again).map { "\($0.topic) \($0.payload.isEmpty)" }.sorted() == [
                "homeassistant/device/skerry_lamp_attic/config false",
                "homeassistant/device/skerry_lamp_cellar/config true",
                "homeassistant/device/skerry_lamp_hall/config false",
            ]
        )
    }

    @Test(
        "turned off, or moved to another prefix, the former announcements are deleted, and bridge/info says so then"
    )
    func turnedOff() throws {
        let (sent, info) = try {
            let pier = try pier()
            let sent = pier.connect()
            pier.send("lamp/desk/state", #"{"on":true}"#)
            return (announcements(pier.drain()), sent.first { $0.topic == "skerry/bridge/info" })
        }()
        let retained = [
            "skerry/bridge/info": try #require(info).text, Self.topic: try #require(sent.first).text,
        ]
        for prefix in [nil, "ha"] as [String?] {
            let next = try Pier { $0.homeAssistant = prefix.map { HomeAssistantOptions(prefix: $0) } }
            let then = next.connect(retained: retained)
            #expect(announcements(then).map { "\($0.topic) \($0.text)" } == ["\(Self.topic) "])
            let told = try then.filter { $0.topic == "skerry/bridge/info" }.map { info in
                if case .string(let text)? = try info.object["homeAssistant"] { text } else { "" }
            }
            #expect(told == [prefix ?? ""])
        }
    }
}

/// A shape that a test relies on is another one.
struct PierFailure: Error {}
