import SkerryGateway
import SkerryPhones
import SkerryValues
import Testing

/// Devices whose names differ only in how they write é: MQTT tells them apart, and Swift's `==` does not.
@Suite struct `Names that look alike` {
    static let names = ["caf\u{E9}", "cafe\u{301}"]

    /// The bytes of a member, without quotes.
    private func bytes(_ value: JSON) -> [UInt8] { Array(value.text.utf8.dropFirst().dropLast()) }

    @Test func `are two devices in all answers`() async throws {
        let house = try House { $0.recordLength = .hours(1) }
        for name in Self.names { house.send("lamp/\(name)/state", #"{"on":true}"#) }
        #expect(try await house.json(.devices)["devices"].elements.count == 2)
        house.send("lamp/\(Self.names[0])/state", #"{"on":false}"#, after: .minutes(5))
        for (name, phase) in zip(Self.names, ["dark", "lit"]) {
            let device = try await house.json(.device(DeviceKey(kind: "lamp", name: name)))
            #expect(
                bytes(device["device"]) == Array(name.utf8)
                    && device["states"][0]["name"].text == "\"\(phase)\""
            )
            let runs = try await house.json(.runs(kind: "lamp", device: name, limit: 10))["runs"].elements
            #expect(runs.map { bytes($0["device"]) } == [Array(name.utf8)])
            #expect(runs.map { $0["ended"].text } == [phase == "dark" ? "true" : "false"])
            #expect(runs.map { $0["phases"].elements.count } == [1])
            guard case .found(let lines) = await house.ask(.recording(DeviceKey(kind: "lamp", name: name)))
            else {
                Issue.record("there is no recording of \(name)")
                continue
            }
            #expect(lines.split(separator: 0x0A).count == (phase == "dark" ? 2 : 1))
        }
    }

    @Test func `are two devices in a replay`() async throws {
        let lines = Self.names.map { "1772355600 lamp/\($0)/state {\"on\":true}\n" }.joined()
        let told = try await House().json(.replay(ReplayRequest(kind: "lamp", recording: lines)))
        #expect(told["devices"].elements.map { bytes($0["device"]) } == Self.names.map { Array($0.utf8) })
    }

    @Test func `are kept apart in the store of phones`() {
        let store = MemoryPhoneStore()
        store.commit(
            Self.names.map { PhoneImage(id: "activity/lamp/\($0)/1", bytes: Array($0.utf8)) },
            removed: []
        )
        #expect(store.load().map(\.bytes) == Self.names.reversed().map { Array($0.utf8) })
        store.commit([], removed: ["activity/lamp/\(Self.names[0])/1"])
        #expect(store.load().map(\.bytes) == [Array(Self.names[1].utf8)])
    }
}
