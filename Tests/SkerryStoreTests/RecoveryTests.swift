import Foundation
import Logging
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Bridges that end without a word, and those that take over from them.
@Suite("Recovery")
struct RecoveryTests {
    /// The topics of an update, in the order in which they are told.
    static let topics: [Substring] = [
        "skerry/oven/a/activity", "skerry/oven/a/activity/diff", "skerry/oven/a/timeline",
    ]

    static let definition = """
        skerry: 1
        kind: oven
        sources:
          - topic: oven/{device}/state
            signals: { on: payload.on, left: seconds(payload.left), heat: payload.heat }
        timers:
          bake: { remaining: left, while: inState("hot") }
          soak: { duration: duration("20m"), while: inState("hot"), onRestart: remaining }
          rest: { duration: duration("20m"), while: inState("hot"), onRestart: restart }
          idle: { duration: duration("20m"), while: inState("hot"), onRestart: drop }
        machine:
          initial: cold
          states:
            cold:
              always: { guard: on, target: hot }
            hot:
              always:
                - { guard: "!on", target: cold }
                - { quiet: 2h, target: lost }
              on: { bake.elapsed: done }
            lost: { always: { guard: "!on", target: cold } }
            done:
              after: { 10m: cooled }
              always: { guard: "!on", target: cold }
            cooled:
              always: { guard: "!on", target: cold }
        activity:
          starts: hot
          ends: [cold, cooled, lost]
          content:
            status: state
            bake: timer.bake
            soak: timer.soak
            rest: timer.rest
            idle: timer.idle
            heat: heat
          dismiss: immediate
        """

    static let start = Timestamp(seconds: 1_772_355_600)

    @Test("deadlines of a downtime are handled in order, each at its own time", arguments: Backing.all)
    func late(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":600}"#)
            #expect(gateway.recovery == nil, "there was nothing to recover")
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .hours(1))
        let recovery = try #require(gateway.recovery)
        #expect(recovery.devices == 1 && recovery.downtime == .hours(1) && recovery.late > 0)
        let lines = gateway.published()
        let diffs = lines.filter { $0.hasPrefix("skerry/oven/a/activity/diff ") }
        try #require(diffs.count == 2, "\(lines)")
        #expect(diffs[0].contains(#""rev":2,"prev":1,"epoch":1772355600,"at":1772356200,"#))
        #expect(diffs[0].contains(#""state":"done""#))
        #expect(diffs[1].contains(#""rev":3,"prev":2,"epoch":1772355600,"at":1772356800,"#))
        #expect(diffs[1].contains(#""phase":"ended","state":"cooled""#))
        #expect(lines.last == "skerry/oven/a/activity ")
    }

    @Test("an hour of missed deadlines of 300 devices is handled in their order", arguments: Backing.all)
    func missedHour(_ backing: Backing) throws {
        let folder = try Folder(backing)
        var random = SimulatedRandom(seed: 4)
        var expected: [Int64] = []
        do {
            let gateway = try Gateway(folder, at: Self.start)
            for device in 0..<300 {
                let left = Int64(1 + random.below(3600))
                gateway.send(#"{"on":true,"left":\#(left)}"#, by: "d\(device)")
                // Baked, and ten minutes later cooled.
                expected += [left, left + 600].filter { $0 <= 3600 }
            }
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .hours(1))
        let told = gateway.published().filter { $0.contains("/activity/diff ") }
            .compactMap { line in
                line.split(separator: #""at":"#).last.flatMap { Int64($0.prefix { $0.isNumber }) }
            }
        #expect(told == expected.sorted().map { Self.start.flooredSeconds + $0 })
    }

    @Test("each timer follows its onRestart over a downtime of ten minutes", arguments: Backing.all)
    func policies(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .minutes(10))
        let diff = try #require(gateway.published().first { $0.contains("/diff ") })
        #expect(
            diff.hasSuffix(
                #""patch":{"content":{"soak":{"start":1772356200,"end":1772357400},"#
                    + #""rest":{"start":1772356200,"end":1772357400},"idle":null}}}"#
            ),
            "\(diff)"
        )
    }

    @Test("silence counts only while a bridge listens", arguments: Backing.all)
    func silence(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":86400}"#)
            gateway.clock.move(by: .minutes(90))
            gateway.bridge.wake()
            gateway.bridge.ended()
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .hours(6))
        #expect(!gateway.states.contains("lost"))
        gateway.clock.move(by: .minutes(29))
        gateway.bridge.wake()
        #expect(!gateway.states.contains("lost"))
        gateway.clock.move(by: .minutes(1))
        gateway.bridge.wake()
        #expect(gateway.states == ["lost"])
    }

    @Test(
        "only unacknowledged publications are sent again, and no revision has two contents",
        arguments: Backing.all
    )
    func unsettled(_ backing: Backing) throws {
        let folder = try Folder(backing)
        let first: [String]
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
            gateway.send(#"{"on":true,"heat":180}"#)
            first = gateway.published(acknowledged: false)
            gateway.bridge.ended()
        }
        let gateway = try Gateway(folder, at: Self.start)
        let again = gateway.published()
        #expect(first.map { $0.prefix { $0 != " " } } == Self.topics)
        #expect(again.first == first[1])
        #expect(!again.contains { $0.contains(#""rev":1,"#) })
        #expect(again.contains { $0.contains("/diff") && $0.contains(#""rev":3,"prev":2,"#) })
    }

    @Test("timelines that are not published any more are taken away, once", arguments: Backing.all)
    func unpublishedTimelines(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            #expect(gateway.published().contains { $0.hasPrefix("skerry/oven/a/timeline {") })
            gateway.bridge.ended()
        }
        for expected in [["skerry/oven/a/timeline "], []] {
            let gateway = try Gateway(folder, at: Self.start, publishesTimelines: false)
            #expect(gateway.published().filter { $0.contains("timeline") } == expected)
            gateway.bridge.ended()
        }
    }

    @Test("a number that changed nothing else waits for the checkpoint or an orderly end; a text does not")
    func checkpoints() throws {
        let folder = try Folder()
        func lastAlive() throws -> Timestamp? {
            try FileManager.default.removeItemIfThere(folder.path + "/copy.db")
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(
                    atPath: folder.database + suffix,
                    toPath: folder.path + "/copy.db" + suffix
                )
            }
            var (store, _) = try StoreFile.open(folder.path + "/copy.db", durability: .normal, at: Self.start)
            return store.load().progress?.aliveAt
        }
        let gateway = try Gateway(folder, at: Self.start)
        gateway.send(#"{"on":false,"heat":20}"#)
        #expect(try lastAlive() == Self.start)
        gateway.clock.move(by: .seconds(10))
        gateway.send(#"{"heat":21}"#)
        #expect(try lastAlive() == Self.start)
        gateway.clock.move(by: .minutes(5))
        gateway.bridge.wake()
        #expect(try lastAlive() == Self.start + .seconds(310))
    }

    @Test(
        "an edited definition keeps devices and timers; a removed state is left for that of migrate",
        arguments: Backing.all
    )
    func edited(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
        }
        let edited =
            Self.definition
            .replacingOccurrences(of: "hot", with: "baking")
            .replacingOccurrences(of: "timers:\n", with: "timers:\n  first: { count: up }\n")
            + "\nmigrate: { hot: baking }\n"
        let gateway = try Gateway(folder, at: Self.start, edited)
        #expect(gateway.states == ["baking"])
        gateway.clock.move(by: .hours(1))
        gateway.bridge.wake()
        #expect(gateway.states.last == "done")
    }

    @Test(
        "a step of the clock ends no timer early or late; readers get one update with the new times",
        arguments: [-3600, 3600]
    )
    func clockStep(seconds: Int64) throws {
        let folder = try Folder()
        let gateway = try Gateway(folder, at: Self.start)
        gateway.send(#"{"on":true,"left":600}"#)
        _ = gateway.published()
        gateway.clock.step(by: .seconds(seconds))
        gateway.bridge.wake()
        let diffs = gateway.published().filter { $0.contains("/diff ") }
        try #require(diffs.count == 1, "\(diffs)")
        let (start, end) = (1_772_355_600 + seconds, 1_772_356_200 + seconds)
        #expect(diffs[0].contains(#""bake":{"start":\#(start),"end":\#(end)}"#), "\(diffs)")
        gateway.clock.move(by: .seconds(599))
        gateway.bridge.wake()
        #expect(gateway.states == [])
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.states == ["done"])
    }

    @Test(
        "where commits may be missing, all activities are published again in a new epoch",
        arguments: [false, true]
    )
    func forgotten(isOrderly: Bool) throws {
        let folder = try Folder()
        do {
            let gateway = try Gateway(folder, at: Self.start, durability: .normal)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
            if isOrderly { gateway.bridge.ended() }
        }
        let gateway = try Gateway(folder, at: Self.start + .seconds(9), durability: .normal)
        if isOrderly {
            #expect(!gateway.published().contains { $0.contains(#""rev":1,"#) })
            return
        }
        let lines = gateway.published().filter { !$0.contains("1772355600,\"at\"") }
        #expect(lines.first?.hasPrefix("skerry/oven/a/activity {") == true)
        #expect(lines.allSatisfy { $0.contains(#""epoch":1772355609,"#) }, "\(lines)")
        gateway.send(#"{"heat":180}"#)
        #expect(gateway.published().allSatisfy { $0.contains(#""epoch":1772355609,"#) })
    }

    @Test("after a step of the clock the moved deadlines are stored at once", arguments: Backing.all)
    func stepIsKept(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":600}"#)
            gateway.clock.step(by: .hours(1))
            gateway.bridge.wake()
            _ = gateway.published()
        }
        let gateway = try Gateway(folder, at: Self.start + .hours(1) + .seconds(599))
        #expect(gateway.states == [])
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.states == ["done"])
    }

    @Test("a step of the clock that changes nothing published is stored at once, too", arguments: Backing.all)
    func unseenStepIsKept(_ backing: Backing) throws {
        let folder = try Folder(backing)
        let withoutTimes = ["bake", "soak", "rest", "idle"].reduce(Self.definition) { text, timer in
            text.replacingOccurrences(of: "    \(timer): timer.\(timer)\n", with: "")
        }
        do {
            let gateway = try Gateway(folder, at: Self.start, withoutTimes)
            gateway.send(#"{"on":true,"left":600}"#)
            _ = gateway.published()
            gateway.clock.step(by: .hours(1))
            gateway.bridge.wake()
            #expect(!gateway.published().contains { $0.contains("/activity") })
        }
        let gateway = try Gateway(folder, at: Self.start + .hours(1) + .seconds(599), withoutTimes)
        #expect(gateway.states == [])
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.states == ["done"])
    }

    @Test("a removed definition ends the activities of its devices", arguments: Backing.all)
    func removed(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let gateway = try Gateway(folder, at: Self.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
        }
        let other = Self.definition.replacingOccurrences(of: "kind: oven", with: "kind: stove")
        do {
            let gateway = try Gateway(folder, at: Self.start + .seconds(60), other)
            let lines = gateway.published()
            #expect(lines.contains { $0.contains(#""rev":2"#) && $0.contains(#""phase":"ended""#) })
            #expect(lines.last == "skerry/oven/a/activity ")
            gateway.bridge.ended()
        }
        let again = try Gateway(folder, at: Self.start + .seconds(61), other)
        #expect(again.published() == [])
    }
}
