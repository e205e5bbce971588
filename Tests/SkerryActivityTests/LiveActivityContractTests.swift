import SkerryActivity
import SkerryTesting
import SkerryValues
import Testing

@Suite struct LiveActivityContractTests {
    static let noon = Timestamp(seconds: 1_700_000_000)

    private static func update(
        _ fields: [(name: String, value: ContentValue)],
        attributes: [(name: String, value: Value)] = [],
        link: String? = nil
    ) -> ActivityUpdate {
        var map = ValueMap()
        for attribute in attributes { map.set(attribute.name, to: attribute.value) }
        var update = Activity.start(
            ActivityPlan(kind: "lamp", fields: fields.map { .init(name: $0.name) }, contentLimit: 1 << 20),
            device: "desk",
            run: 7,
            epoch: 9,
            state: "on",
            attributes: map,
            content: fields.map { $0.value },
            at: noon
        ).update
        update.link = link
        return update
    }

    @Test func `a content state has sorted keys, seconds as numbers, and neither lists nor objects`() {
        let update = Self.update([
            ("text", .value(.string("On \"the\" desk"))),
            ("level", .value(.double(20))),
            ("watts", .value(.double(20.5))),
            ("off", .time(.running(start: Self.noon, end: Self.noon + .seconds(90)))),
            ("held", .time(.paused(remaining: .seconds(30), duration: .seconds(60)))),
            ("since", .value(.timestamp(CalendarTimestamp(Self.noon)))),
            ("bright", .value(.bool(true))),
            ("none", .value(.null)),
            ("colours", .value(.list([.string("red")]))),
            ("place", .value(.map(ValueMap(uniqueEntries: [.init(key: .string("x"), value: .int(1))])))),
            ("huge", .value(.uint(.max))),
        ])
        #expect(
            text(LiveActivityContract.contentState(of: update)) == #"{"content":{"bright":true,"#
                + #""held":{"duration":60,"remaining":30},"level":20,"#
                + #""off":{"end":1700000090,"start":1700000000},"since":1700000000,"text":"On \"the\" desk","#
                + #""watts":20.5},"phase":"active","rev":1,"state":"on"}"#
        )
    }

    @Test func `attributes contain the run, the device and the instance`() {
        let update = Self.update([], attributes: [("name", .string("Desk"))], link: "skerry://lamp/desk")
        #expect(
            text(LiveActivityContract.attributes(of: update, device: "desk", instance: 2))
                == #"{"attributes":{"name":"Desk"},"device":"desk","id":"lamp/desk/7","instance":2,"#
                + #""link":"skerry://lamp/desk"}"#
        )
        let long = Self.update([], link: "skerry://" + String(repeating: "x", count: 506))
        #expect(
            text(LiveActivityContract.attributes(of: long, device: "desk", instance: 1))
                == #"{"attributes":{},"device":"desk","id":"lamp/desk/7","instance":1,"#
                + #""link":"skerry://lamp/desk"}"#,
            "half a link opens nothing"
        )
    }

    @Test func `a link that changes is in the content state and not in the attributes`() {
        var update = Self.update([], link: "tel:+4930")
        update.isLinkContent = true
        #expect(
            text(LiveActivityContract.contentState(of: update))
                == #"{"content":{},"link":"tel:+4930","phase":"active","rev":1,"state":"on"}"#
        )
        #expect(
            text(LiveActivityContract.attributes(of: update, device: "desk", instance: 1))
                == #"{"attributes":{},"device":"desk","id":"lamp/desk/7","instance":1}"#
        )
        let look = LiveActivityContract.look(of: update)
        update.link = "tel:+4931"
        #expect(LiveActivityContract.look(of: update) != look, "phones get it")
        update.link = nil
        #expect(text(LiveActivityContract.contentState(of: update)).contains(#""link":"skerry://lamp/desk""#))
    }

    @Test func `texts are cut between characters`() {
        let limit = LiveActivityContract.longestText
        func cut(_ text: String) -> String { LiveActivityContract.cut(text) }
        let full = String(repeating: "x", count: limit)
        #expect(cut(full) == full)
        #expect(cut(full + "x") == full.dropLast(3) + "…")
        let family = "👨‍👩‍👧"
        #expect(cut(String(repeating: family, count: 100)) == String(repeating: family, count: 14) + "…")
        #expect(cut(String(repeating: "\u{1}", count: 100)).utf8.count == (limit - 3) / 6 + 3)
        #expect(cut("a" + String(repeating: "\u{301}", count: 300)) == "…")
    }

    @Test(arguments: [
        ("washer-plug", "WasherPlugAttributes"), ("washer", "WasherAttributes"),
        ("3d_printer", "Device3dPrinterAttributes"), ("größe.2", "GrE2Attributes"),
        ("🧺", "DeviceAttributes"), ("WASHER top", "WASHERTopAttributes"),
    ])
    func `a kind names a type`(kind: String, name: String) {
        #expect(LiveActivityContract.attributesType(ofKind: kind) == name)
    }

    @Test func `no message of a device makes a push larger than its contract`() {
        var random = SimulatedRandom(seed: 5)
        for _ in 0..<200 {
            let types = (0..<random.below(6)).map { _ in
                FieldType.allCases[random.below(FieldType.allCases.count)]
            }
            func value(_ type: FieldType) -> Value {
                switch type {
                case .any, .string:
                    let characters = ["x", "\"", "\u{1}", "ß", "👨‍👩‍👧"]
                    let character = characters[random.below(characters.count)]
                    return .string(String(repeating: character, count: random.below(400)))
                case .int: return .int(.min)
                case .double, .timestamp, .duration: return .double(-1.234_567_890_123_456_7e-300)
                case .bool: return .bool(false)
                case .time, .structure: return .list([.string("x")])
                }
            }
            let fields = types.enumerated().map { (name: "f\($0.offset)", type: $0.element) }
            var update = Self.update(
                fields.map { field in
                    guard field.type == .time else { return (field.name, .value(value(field.type))) }
                    return (field.name, .time(.running(start: .distantPast, end: .distantFuture)))
                },
                attributes: fields.filter { $0.type != .time }.map { ($0.name, value($0.type)) },
                link: String(repeating: "l", count: random.below(600))
            )
            var contract = LiveActivityContract(
                kind: "lamp",
                attributes: fields.filter { $0.type != .time }.map { .init(name: $0.name, type: $0.type) },
                content: fields.map { .init(name: $0.name, type: $0.type) },
                states: ["on"],
                longestState: 2
            )
            update.isLinkContent = random.below(2) == 0
            contract.isLinkContent = update.isLinkContent
            let state = LiveActivityContract.contentState(of: update).count
            let attributes = LiveActivityContract.attributes(of: update, device: "desk", instance: 2).count
            #expect(state <= contract.largestContentState)
            #expect(attributes <= contract.largestAttributes)
            #expect(state + attributes < contract.largestBody)
        }
    }
}
