import SkerryMachine
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// Bridges that start without knowing the time and learn it later.
@Suite("Clocks that are found")
struct FoundClockTests {
    private typealias Gateway = RecoveryTests.Gateway

    private static let start = RecoveryTests.start

    @Test(
        "timers started while the time was unknown go on; restored ones are due at their own time",
        arguments: Backing.all
    )
    func beganMeanwhile(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#, by: "kept")
            gateway.send(#"{"on":true,"left":36000}"#, by: "long")
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .seconds(1))
        gateway.clock.move(by: .seconds(60))
        gateway.send(#"{"on":true,"left":240}"#, by: "new")
        _ = gateway.published()
        gateway.clock.move(by: .seconds(30))
        gateway.clock.find(lag: .hours(2))
        gateway.bridge.wake()
        let told = gateway.published().filter { $0.contains("/diff ") }
        let (kept, new) = (told.filter { $0.contains("/kept/") }, told.filter { $0.contains("/new/") })
        #expect(kept.first?.contains(#""at":1772359200,"#) == true, "\(kept)")
        #expect(kept.first?.contains(#""state":"done""#) == true, "\(kept)")
        try #require(new.count == 1, "\(new)")
        let (begin, end) = (1_772_355_661 + 7200, 1_772_355_901 + 7200)
        #expect(new[0].contains(#""bake":{"start":\#(begin),"end":\#(end)}"#), "\(new)")
        #expect(!told.contains { $0.contains("/long/") && $0.contains("bake") }, "\(told)")
        gateway.clock.move(by: .seconds(209))
        gateway.bridge.wake()
        #expect(!gateway.published().contains { $0.contains("/new/activity/diff ") })
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.published().contains { $0.contains("/new/") && $0.contains(#""state":"done""#) })
    }

    @Test(
        "an end that was reported again while the time was unknown moves with the clock, even an equal one",
        arguments: Backing.all
    )
    func toldAgain(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
        }
        let gateway = try Gateway(folder, at: Self.start + .seconds(1))
        gateway.clock.move(by: .seconds(59))
        gateway.send(#"{"left":3540}"#)
        _ = gateway.published()
        gateway.clock.find(lag: .hours(2))
        gateway.bridge.wake()
        #expect(!gateway.states.contains("done"))
        gateway.clock.move(by: .seconds(3540))
        gateway.bridge.wake()
        #expect(gateway.states == ["done"])
    }

    @Test(
        "a timer that continues after a restart does not count the time in which Skerry did not run",
        arguments: Backing.all
    )
    func remaining(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":36000}"#)
        }
        let gateway = try Gateway(folder, at: Self.start + .seconds(1))
        gateway.clock.find(lag: .hours(2))
        gateway.bridge.wake()
        let now = 1_772_355_600 + 7201
        let snapshot = try #require(gateway.published().last { $0.hasPrefix("skerry/oven/a/activity {") })
        #expect(snapshot.contains(#""soak":{"start":\#(now),"end":\#(now + 1200)}"#), "\(snapshot)")
        #expect(snapshot.contains(#""rest":{"start":\#(now),"end":\#(now + 1200)}"#), "\(snapshot)")
        #expect(snapshot.contains(#""bake":{"start":1772355600,"#), "\(snapshot)")
    }

    @Test(
        "a deadline that is overdue when the clock is set is handled at the time before",
        arguments: Backing.all
    )
    func overdue(_ backing: Backing) throws {
        let folder = try Folder(backing)
        let gateway = try Gateway(folder, at: Self.start)
        gateway.send(#"{"on":true,"left":600}"#)
        _ = gateway.published()
        gateway.clock.move(by: .seconds(605))
        gateway.clock.step(by: .hours(-1))
        gateway.bridge.wake()
        let diffs = gateway.published().filter { $0.contains("/diff ") }
        #expect(diffs.first?.contains(#""state":"done""#) == true, "\(diffs)")
        #expect(diffs.first?.contains(#""at":1772356200,"#) == true, "\(diffs)")
    }

    @Test("the store keeps the boot, the origin, and the newest run of a removed device")
    func kept() throws {
        let folder = try Folder()
        var progress = StoreProgress(aliveAt: Self.start, sequence: 7, lastPublication: 0)
        progress.boot = BootMoment(id: "a", elapsed: .seconds(9))
        progress.origin = TimeOrigin(moment: Self.start, sequence: .max)
        progress.newestLostRun = 1_772_355_599
        do {
            var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.start)
            try store.commit(StoreChanges(epoch: 1, progress: progress))
        }
        var (store, _) = try StoreFile.open(folder.database, durability: .full, at: Self.start)
        #expect(store.load().progress == progress)
    }
}
