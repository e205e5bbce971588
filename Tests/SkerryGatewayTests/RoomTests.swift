import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// Devices that make room for others, and those that somebody lets the bridge forget.
@Suite("Room for devices")
struct RoomTests {
    private func removed(_ pier: Pier) -> [String] {
        pier.ledger.commits.flatMap { $0.removed }.map { "\($0.kind)/\($0.name)" }
    }

    @Test("A forgotten device ends its activity, and is removed from the broker and the store")
    func forget() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/LWT", "online")
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.drain()
        #expect(pier.send("skerry/bridge/request/remove", "lamp/desk") == .committed)
        let told = pier.drainAll()
        let answer = try #require(told.first { $0.topic == "skerry/bridge/response/remove" })
        #expect(answer.text == #"{"status":"ok","data":{"device":"lamp/desk"}}"# && !answer.isRetained)
        let taken = told.filter { $0.payload.isEmpty && $0.isRetained }.map(\.topic).sorted()
        #expect(
            taken == [
                "skerry/lamp/desk/activity", "skerry/lamp/desk/availability", "skerry/lamp/desk/timeline",
            ]
        )
        #expect(told.contains { $0.topic == "skerry/lamp/desk/activity/diff" && $0.text.contains("ended") })
        #expect(removed(pier) == ["lamp/desk"])
        #expect(pier.ledger.commits.last?.images.isEmpty == true)
        // It is a new one when it is heard again, and a broker that forgot its session gets no more than that.
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(pier.drain().contains { $0.topic == "skerry/lamp/desk/activity" })
    }

    @Test(
        "Forgetting an unknown device has no effect, nor has a retained request",
        arguments: ["lamp/attic", "attic", "", "/", "lamp/", "lamp/desk/x"]
    )
    func forgetNobody(asked: String) throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.drain()
        pier.send("skerry/bridge/request/remove", asked)
        let told = pier.drain()
        #expect(told.map(\.topic) == ["skerry/bridge/response/remove"])
        #expect(told.first?.text.contains(#""status":"error""#) == true)
        pier.send("skerry/bridge/request/remove", "lamp/desk", isRetained: true)
        #expect(pier.drain().isEmpty && removed(pier) == [])
    }

    @Test(
        "At the limit new devices replace junk, which is reported, counted and deleted from the store"
    )
    func junk() throws {
        let pier = try Pier { $0.engine.devices = 100 }
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.send((0..<150).map { ("lamp/junk\($0)/LWT", "online") })
        pier.drain()
        #expect(removed(pier).count == 51 && removed(pier).first == "lamp/junk0")
        pier.send("lamp/real/state", #"{"on":true}"#)
        let told = pier.drain()
        #expect(told.contains { $0.topic == "skerry/lamp/real/activity" })
        #expect(told.contains { $0.topic == "skerry/lamp/junk51/availability" && $0.payload.isEmpty })
        let health = try pier.health()
        #expect(health.devices == 100 && health.replaced == 52 && health.problems == 52)
        #expect(health.lastError?.message.contains("limits.devices") == true)
    }

    @Test("Messages of devices without room are reported once a minute, with a remedy")
    func noRoom() throws {
        let pier = try Pier {
            $0.engine.devices = 1
            $0.engine.newDevices = 0
        }
        pier.connect()
        for name in ["a", "b", "c"] { pier.send("lamp/\(name)/LWT", "online") }
        let health = try pier.health()
        #expect(health.messages.beyondLimit == 2 && health.problems == 2)
        #expect(health.lastError?.message.contains("skerry forget") == true)
    }

    @Test("A device that comes back in the batch in which it was forgotten is kept")
    func back() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/LWT", "online")
        pier.send([("skerry/bridge/request/remove", "lamp/desk"), ("lamp/desk/LWT", "online")])
        let last = try #require(pier.ledger.commits.last)
        #expect(last.removed.map(\.name) == ["desk"] && last.images.map(\.name) == ["desk"])
        #expect(pier.drain().last { $0.topic.hasSuffix("availability") }?.text == "online")
    }
}
