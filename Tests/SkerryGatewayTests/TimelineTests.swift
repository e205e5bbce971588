import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// Timelines as the broker gets them.
@Suite("Timelines of the bridge")
struct TimelineTests {
    static let topic = "skerry/lamp/desk/timeline"

    func timelines(_ publications: [Publication]) -> [Publication] { publications.filter { $0.isTimeline } }

    @Test("a timeline follows its update, retained, and is taken away with the snapshot")
    func life() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let sent = pier.drainAll().filter { !$0.isListing }
        #expect(sent.map { $0.topic } == ["skerry/lamp/desk/activity", Self.topic])
        #expect(sent[1].isRetained && sent[1].quality == .atLeastOnce)
        #expect(sent[1].contentType == "application/json")
        #expect(
            sent[1].text
                == #"{"id":"lamp/desk/1772355600","rev":1,"epoch":1772355600,"policy":"never","entries":["#
                + #"{"date":1772355600,"phase":"active","state":"lit","content":{"status":"Lit"}},"#
                + #"{"date":1772359200,"phase":"ended","state":"forgotten","content":{"status":"Left on"}},"#
                + #"{"date":1772359800,"phase":"gone"}]}"#
        )
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.drainAll()
        pier.clock.move(by: .minutes(10))
        pier.bridge.wake()
        let last = pier.drainAll().filter { $0.topic.hasPrefix("skerry/lamp/") }
        #expect(last.map { $0.topic } == [Self.topic, "skerry/lamp/desk/activity"])
        #expect(last.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    }

    @Test("a state that only the device changes has no timeline")
    func nothingToForetell() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.drainAll()
        pier.send("skerry/lamp/desk/event", "snooze")
        let sent = timelines(pier.drainAll())
        #expect(sent.map { $0.text } == [""], "the one there was is taken away")
        pier.send("lamp/desk/state", #"{"level":2}"#)
        #expect(timelines(pier.drainAll()) == [])
    }

    @Test("a broker that lost the session gets it again")
    func forgetful() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let sent = timelines(pier.drainAll())
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        pier.bridge.connect(BusSession(isResumed: false))
        #expect(timelines(pier.drainAll()).map { $0.payload } == sent.map { $0.payload })
    }

    @Test("nobody gets one unless the settings say so")
    func unpublished() throws {
        let pier = try Pier { $0.publishesTimelines = false }
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(timelines(pier.drainAll()) == [])
    }

    @Test("those who watch are told all timelines when they come, and then each that changes")
    func watched() throws {
        let isWatched = Mutex(false)
        let pier = try Pier(
            change: { $0.publishesTimelines = false },
            wantsTimelines: { isWatched.withLock(\.self) }
        )
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.bridge.wake()
        #expect(pier.events.takeTimelines() == [])
        isWatched.withLock { $0 = true }
        pier.bridge.wake()
        #expect(pier.events.takeTimelines() == ["desk: lit, forgotten, gone"])
        pier.bridge.wake()
        #expect(pier.events.takeTimelines() == [])
        pier.send("lamp/hall/state", #"{"on":true}"#)
        pier.send("lamp/desk/state", #"{"on":false}"#)
        #expect(pier.events.takeTimelines() == ["hall: lit, forgotten, gone", "desk: dark, gone"])
        isWatched.withLock { $0 = false }
        pier.bridge.wake()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(pier.events.takeTimelines() == [])
        #expect(timelines(pier.drainAll()) == [])
    }
}
