import Foundation
import SkerryActivity
import SkerryGateway
import SkerryHouse
import SkerryTesting
import SkerryValues
import Testing

/// How the page shows devices: what somebody arranges there is kept in a file that people read.
@Suite struct CardTests {
    private let washer = DeviceCard(device: DeviceKey(kind: "plug", name: "b"), room: "Bath \"2\"")
    private let attic = DeviceCard(device: DeviceKey(kind: "plug", name: "a"), isHidden: true)

    private func house(_ path: String?) throws -> House {
        try House(prepare: { sources in sources.cards = CardBook(path) })
    }

    @Test func `cards are kept in their order, a line for each, and are there after a restart`() async throws
    {
        let folder = try Folder()
        let path = "\(folder.path)/skerry.db.cards.json"
        let before = try await house(path).json(.cards)
        #expect(before["cards"].text == "[]")
        let told = try await house(path).json(.arrange([washer, attic]))
        #expect(told["cards"].elements.count == 2)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text == #"""
                {"cards": [
                {"kind":"plug","device":"b","room":"Bath \"2\""},
                {"kind":"plug","device":"a","hidden":true}
                ]}

                """#
        )
        let after = try await house(path).json(.cards)
        #expect(after.text == told.text)
    }

    @Test func `what can't be read in the file is left out, and never written over`() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/cards.json"
        for (text, cards) in [
            ("", "[]"), ("{", "[]"), (#"{"cards":7}"#, "[]"),
            (String(repeating: " ", count: 1 << 20) + "{}", "[]"),
            (
                #"{"cards":[7,{"kind":"plug"},{"kind":"plug","device":"b","room":7}]}"#,
                #"[{"kind":"plug","device":"b"}]"#
            ),
        ] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let house = try house(path)
            #expect(try await house.json(.cards)["cards"].text == cards, "\(text)")
            if text.isEmpty { continue }
            #expect(await house.problem(.arrange([washer])) != nil)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func `Home Assistant hears of the devices that are in another room`() async throws {
        let house = try House(
            change: { $0.homeAssistant = HomeAssistantOptions() },
            prepare: { sources in sources.cards = CardBook(nil) }
        )
        house.bridge.connect(BusSession(isResumed: false), retained: [:])
        func areas() -> [String] {
            var areas: [String] = []
            while let publication = house.bridge.nextPublication() {
                house.bridge.settled(publication.id, .acknowledged)
                guard publication.topic.hasSuffix("/config"),
                    let announcement = try? JSON(JSONReader.value(of: publication.payload.span))
                else { continue }
                // The bridge is a device of its own, which is in no room.
                guard announcement["device"]["via_device"].text != "null" else { continue }
                areas.append(announcement["device"]["suggested_area"].text)
            }
            return areas.sorted()
        }
        for name in ["a", "b"] { house.send("lamp/\(name)/state", #"{"on":true}"#) }
        #expect(areas() == ["null", "null"])
        func card(_ name: String, _ room: String) -> DeviceCard {
            DeviceCard(device: DeviceKey(kind: "lamp", name: name), room: room)
        }
        let changes = [
            ([card("a", "Bath"), card("b", "")], [#""Bath""#]),
            // Another order is none of its business.
            ([card("b", ""), card("a", "Bath")], []),
            ([card("b", "Attic"), card("a", "Bath")], [#""Attic""#]),
            ([card("b", "Bath")], [#""Bath""#, "null"]),
        ]
        for (cards, expected) in changes {
            _ = try await house.json(.arrange(cards))
            #expect(areas() == expected)
        }
    }

    @Test func `a viewer of some devices sees the cards of those`() async throws {
        let house = try house(nil)
        _ = try await house.json(.arrange([washer, attic]))
        let policy = AudiencePolicy(
            rules: [AudiencePolicy.Rule("plug/b", people: ["Ben"])],
            kinds: [AudiencePolicy.Kind("plug")]
        )
        let viewer = Viewer.phone("Ada's iPhone", person: "Ada", policy)
        #expect(try await house.json(.cards, for: viewer)["cards"].text == "[]")
    }
}
