import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Devices that messages name")
struct AddressTests {
    /// A definition with this source, whose devices go on when their power is above 5.
    private static func thing(_ source: String) -> String {
        """
        sources:
          - \(source.split(separator: "\n").joined(separator: "\n    "))
            signals: { power: payload.power }
        machine:
          initial: off
          states:
            off: { always: { guard: power > 5, target: on } }
            on: { always: { guard: power < 5, target: off } }
        """
    }

    /// The devices that there are after a message, in their order.
    private static func devices(_ source: String, _ topic: String, _ payload: String) throws -> [String] {
        var scene = try Scene(thing(source))
        scene.send(payload, to: topic)
        var names: [String] = []
        scene.engine.forEachDevice { _, device in names.append(device.name) }
        return names
    }

    @Test(
        "A template names the device; what a topic can't have becomes a hyphen",
        arguments: [
            ("device: openevse", "t", "{}", ["openevse"]),
            (#"device: "{payload.id}""#, "t", #"{"id": 17}"#, ["17"]),
            (#"device: "{payload.id}""#, "t", #"{"id": "a/b+c#d\u0000e\u0085é"}"#, ["a-b-c-d-e-é"]),
            (#"device: "{payload.id}""#, "t", #"{"id": ""}"#, []),
            (#"device: "{payload.id}""#, "t", #"{"id": null}"#, []),
            (#"device: "{payload.id}""#, "t", #"{"id": [1]}"#, []),
            (#"device: "x-{payload.id}""#, "t", "{}", []),
            (#"device: "x-{payload.id}""#, "t", #"{"id": 1.5}"#, ["x-1.5"]),
        ]
    )
    func template(device: String, topic: String, payload: String, names: [String]) throws {
        #expect(try Self.devices("topic: t\n\(device)", topic, payload) == names)
    }

    @Test(
        "The topic on which a message would be one of a device",
        arguments: [
            ("topic: oven/{device}/state", "kitchen", "oven/kitchen/state"),
            ("topic: oven/plug-{device}", "kitchen", "oven/plug-kitchen"),
            ("topic: oven/{device...}", "kitchen", "oven/kitchen"),
            ("topic: oven/{device...}", "a/b", nil),
            ("topic: oven/{device}", "#", nil),
            ("topic: oven/{device}", "", nil),
            ("topic: oven/+/{device}", "kitchen", nil),
            ("topic: oven/{device}/#", "kitchen", nil),
            ("topic: oven/{room}/{device}", "kitchen", nil),
            ("topic: oven/{device}\nwhen: payload.id == 1", "kitchen", nil),
            ("topic: oven/{device}\nwhen: payload.id == 7", "kitchen", "oven/kitchen"),
            ("topic: oven/{device}\nas: { k1: kitchen }", "kitchen", "oven/k1"),
            ("topic: oven\n" + #"device: "{payload.id}""#, "7", "oven"),
            ("topic: oven\n" + #"device: "{payload.id}""#, "8", nil),
        ] as [(String, String, String?)]
    )
    func topic(source: String, device: String, topic: String?) throws {
        let definition = try Scene.definition(Self.thing(source))
        let payload = Array(#"{"id": 7, "power": 9}"#.utf8)
        #expect(definition.topic(of: payload[...], forDevice: device) == topic)
        #expect(definition.topic(of: Array("{".utf8)[...], forDevice: device) == nil)
    }

    @Test("A template that can't be evaluated is counted; a value that the message lacks is not")
    func failingTemplate() throws {
        var scene = try Scene(Self.thing(#"topic: t"# + "\n" + #"device: "{100 / payload.id}""#))
        scene.send("{}", to: "t")
        #expect(scene.engine.failedReadings == 0)
        scene.send(#"{"id": 0}"#, to: "t")
        #expect(scene.engine.failedReadings == 1)
    }

    @Test(
        "Captures, also of several levels and in parts of levels, and names of other topics",
        arguments: [
            ("topic: \"f/{operator}/{car}\"\ndevice: \"{topic.operator}-{topic.car}\"", "f/vw/1", ["vw-1"]),
            ("topic: \"z/{device...}\"", "z/ground/lamp", ["ground-lamp"]),
            ("topic: \"z/{all...}\"\ndevice: \"{topic.all}\"", "z/ground/lamp", ["ground-lamp"]),
            ("topic: \"plug-{device}/power\"", "plug-1a/power", ["1a"]),
            ("topic: \"plug-{device}/power\"", "lamp-1a/power", []),
            ("topic: \"t/{device}\"\nas: { a: b }", "t/a", ["b"]),
            ("topic: \"t/{device}\"\nas: { a: b }", "t/c", ["c"]),
            ("topic: \"t/{id}\"\ndevice: \"x{topic.id}\"\nas: { xa: b }", "t/a", ["b"]),
        ]
    )
    func topics(source: String, topic: String, names: [String]) throws {
        #expect(try Self.devices(source, topic, "{}") == names)
    }

    @Test("A message that does not count makes no device and touches none")
    func when() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                when: payload.type == "thing"
                signals: { power: payload.power }
                available: payload.online
            machine:
              initial: off
              states:
                off: { always: { guard: power > 5, target: on } }
                on: { always: { quiet: 10m, target: silent } }
                silent: {}
            """
        )
        for payload in [#"{"type": "other", "power": 9}"#, #"{"power": 9}"#, #"{"type": 3}"#, "{"] {
            scene.send(payload)
        }
        #expect(scene.engine.deviceCount == 0 && scene.effects.isEmpty)
        #expect(scene.engine.counters.ignored == 3 && scene.engine.counters.refused == 1)
        #expect(scene.engine.counters.unrouted == 0)
        scene.send(#"{"type": "thing", "power": 9, "online": true}"#)
        scene.wait(.minutes(9))
        scene.send(#"{"type": "other", "power": 1, "online": false}"#)
        #expect(scene.state == "on" && scene.signal("power") == "9" && scene.isAvailable == true)
        scene.send("{")
        #expect(scene.story.last == "540 refused: not valid JSON: ends too early at byte 1")
        scene.wait(.minutes(2))
        #expect(scene.state == "silent", "another message broke no silence")
    }

    @Test("Elements are read in order, several of one device one after the other")
    func each() throws {
        var scene = try Scene(
            """
            sources:
              - topic: things
                each: payload.all
                device: "{item.id}"
                when: item.power != null
                signals: { power: item.power, house: payload.house }
            machine:
              initial: off
              states:
                off: { always: { guard: power > 5, target: on } }
                on: { always: { guard: power < 5, target: off } }
            """
        )
        scene.send(
            #"{"house": 1, "all": [{"id": "b", "power": 9}, {"id": "a", "power": 9}, {"id": "c", "power": null}, {"id": "a", "power": 1}, 7]}"#,
            to: "things"
        )
        #expect(
            scene.effects.map { "\($0.device) \(Scene.words($0.what))" } == [
                "b  > on", "a  > on", "a on > off",
            ]
        )
        #expect(scene.signal("house") == "1")
        #expect(scene.engine.counters.messages == 1)
        let many = (0..<300).map { #"{"id": "d\#($0)", "power": 1}"# }.joined(separator: ",")
        scene.send(#"{"all": [\#(many)]}"#, to: "things")
        #expect(scene.engine.deviceCount == 2 + 256)
        scene.send(#"{"all": {"id": "x", "power": 1}}"#, to: "things")
        #expect(scene.engine.counters.ignored == 1)
        #expect(scene.engine.failedReadings > 0, "what is no list is told")
    }

    @Test("The name that people gave a device is kept, and shows at once where it is read")
    func names() throws {
        var scene = try Scene(
            """
            sources:
              - { topic: "thing/{device}", signals: { power: payload.power } }
              - { topic: "name/{device}", name: payload.name }
            machine:
              initial: off
              states:
                off: { always: { guard: power > 5, target: on } }
                on: { always: { guard: power < 5, target: off } }
            activity:
              starts: on
              ends: off
              attributes: { name: device.name }
              content: { text: "device.name + ' ' + device.id + ' ' + device" }
            """
        )
        scene.send(#"{"power": 9}"#)
        #expect(scene.content == #"{"text":"a a a"}"#)
        let plain = scene.engine.takeImages(all: true)[0].bytes
        scene.send(#"{"name": "Ä b"}"#, to: "name/a", retained: true)
        #expect(scene.content == #"{"text":"Ä b a a"}"#)
        scene.send(#"{"name": ""}"#, to: "name/a")
        scene.send(#"{"name": 7}"#, to: "name/a")
        scene.send(#"{"name": "\#(String(repeating: "x", count: 257))"}"#, to: "name/a")
        let known = try #require(scene.engine.device(kind: "thing", named: "a"))
        #expect(known.device.givenName(in: known.definition) == "Ä b")
        #expect(scene.updates.count == 2)
        let image = known.device.image(in: known.definition)
        #expect(plain.first == 2 && image.first == 3, "a device without a name has the image it always had")
        let map = LayoutMap(from: DefinitionLayout(of: known.definition), to: known.definition)
        let copy = try Device(name: "a", image: image[...], map: map, in: known.definition)
        #expect(copy.givenName(in: known.definition) == "Ä b")
        #expect(known.device.brokenImage(map: map, in: known.definition) == nil)
    }

    @Test(
        "Mistakes are told with what to do",
        arguments: [
            ("topic: t\ndevice: payload.id", "SK0103", #"device: "{payload.id}""#),
            ("topic: t\ndevice: item.id", "SK0103", #"device: "{item.id}""#),
            ("topic: t\ndevice: \"'a' + topic.b\"", "SK0103", "braces"),
            ("topic: \"t/{device}\"\ndevice: a", "SK0103", "remove 'device:'"),
            ("topic: t\ndevice: ''", "SK0004", ""),
            ("topic: t", "SK0101", "'device:'"),
            ("topic: \"t/{device}\"\nas: { a: b/c }", "SK0103", "choose another name"),
            ("topic: \"t/{device}\"\nwhen: power > 5", "SK0202", "not known yet"),
            ("topic: \"t/{device}\"\nwhen: payload + 1 + 'a'", "SK0203", ""),
            ("topic: \"t/{device}\"\nwhen: \"'a'\"", "SK0203", "compare"),
            ("topic: \"t/{device}\"\neach: payload.a == 1", "SK0203", "payload.<field>"),
            ("topic: \"t/{device}\"\ndevice: \"{stat}\"", "SK0103", "remove"),
            ("topic: t\ndevice: \"{state}\"", "SK0202", "not known yet"),
            ("topic: \"t/{device}\"\nname: 1 + 1", "SK0203", "string("),
        ]
    )
    func mistakes(source: String, code: String, remedy: String) {
        let text = "skerry: 1\nkind: thing\n" + Self.thing(source)
        let reading = DefinitionReader.read(text: text)
        let problems = reading.problems + (reading.draft.map { Definition.compile($0).problems } ?? [])
        let found = problems.filter { $0.severity == .error }
        #expect(
            found.contains { $0.code.name == code && ($0.remedy ?? "").contains(remedy) },
            "\(found.map { "\($0.code.name) \($0.message): \($0.remedy ?? "-")" })"
        )
    }

    @Test(
        "Payloads that list something",
        arguments: [
            ("pairs", "a=1;b = x y ;;c", #"{"a":"1","b":"x y"}"#),
            ("pairs", "a=1&b=2&a=3", #"{"a":"3","b":"2"}"#),
            ("pairs", "a: =1\r\nb=2=3\n\n", #"{"a:":"1","b":"2=3"}"#),
            ("pairs", " a=1 b=2 ", #"{"a":"1","b":"2"}"#),
            ("pairs", "a=", #"{"a":""}"#), ("pairs", "=a", "refused"), ("pairs", "", "refused"),
            ("csv", "a, 1.5 ,,\"b, \"\"c\"\"\"\r\n", #"["a","1.5","","b, \"c\""]"#),
            ("csv", "1,5;2", #"["1,5","2"]"#), ("csv", "a", #"["a"]"#), ("csv", "a\nb", "refused"),
            ("csv", "\"a", "refused"), ("csv", "\"a\"b,c", "refused"), ("csv", " ", "refused"),
            ("hex", "00fF10", "[0,255,16]"), ("hex", "01 02:03\n", "[1,2,3]"), ("hex", "012", "refused"),
            ("hex", "0 1", "refused"), ("hex", "xy", "refused"), ("hex", "", "refused"),
            ("base64", "AQL/\n", "[1,2,255]"), ("base64", "AQ", "[1]"), ("base64", "A", "refused"),
            ("base64", "A-", "refused"), ("bytes", "AZ", "[65,90]"), ("bytes", "", "[]"),
            ("cbor", "eabcde", #""abcde""#), ("cbor", "eabc", "refused"), ("cbor", "", "refused"),
            ("sparkplug", "\u{12}\u{5}\u{A}\u{1}aP\u{7}", #"{"a":7}"#), ("sparkplug", "{}", "refused"),
            ("hex, struct: [{ a: u8 }, { _: u8 }, { b: i8 }, { c: u8 }]", "01 02 ff", #"{"a":1,"b":-1}"#),
            ("base64, struct: [{ a: u16le }]", "AQI=", #"{"a":513}"#),
            ("bytes, struct: [{ a: u8 }]", "", "{}"),
        ]
    )
    func formats(format: String, payload: String, value: String) throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", payload: \(format), signals: { value: payload } }]
            machine: { states: { one: {} }, initial: one }
            """
        )
        scene.send(payload)
        let isRefused = scene.engine.counters.refused == 1
        #expect((isRefused ? "refused" : scene.signal("value")) == value)
    }
}
