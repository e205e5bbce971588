import Foundation
import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

/// Where definitions and recordings are.
enum PhoneFiles {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// Those of the devices that play with the phones.
    static let definitions: [Definition] = {
        let files = SimulatedHousehold.kinds.map { package.appendingPathComponent("devices/\($0).yaml").path }
        return (try? CompiledFiles(files))?.definitions ?? []
    }()
    static let recordings: URL = {
        let named = ProcessInfo.processInfo.environment["SKERRY_RECORDINGS"]
        return named.map { URL(fileURLWithPath: $0) }
            ?? package.deletingLastPathComponent().appendingPathComponent("shared/recordings")
    }()
    static let hasRecordings = FileManager.default.fileExists(
        atPath: recordings.appendingPathComponent("household.jsonl").path
    )
    static let noon = Timestamp(seconds: 1_790_000_000)
}

/// Lock Screens in worlds made of one seed.
@Suite("Phones", .serialized)
struct PhoneWorldTests {
    /// A recording through the engine, the desk and a phone, 52 weeks later: the gateway takes a clock that is before
    /// 2026 for one that was never set, and pushes nothing then.
    static func play(_ name: String) throws -> PhoneWorld {
        let reader = try RecordingReader(
            path: PhoneFiles.recordings.appendingPathComponent("\(name).jsonl").path
        )
        var messages: [SimulatedMessage] = []
        while let message = try reader.next() {
            messages.append(
                SimulatedMessage(
                    at: message.at + .hours(24 * 364),
                    topic: Array(message.topic),
                    payload: Array(message.payload),
                    isRetained: message.isRetained
                )
            )
        }
        let start = try #require(messages.first).at
        let world = try PhoneWorld(seed: 1, start: start, definitions: PhoneFiles.definitions)
        try world.play(messages)
        try world.pass(until: world.clocks.truth + .hours(16))
        return world
    }

    static func figures(_ world: PhoneWorld, _ name: String) -> String {
        let pushes = world.sent.map { $0.push }
        let immediate = pushes.count { $0.priority == .immediate }
        let starts = pushes.count { $0.event == .start }
        return
            "\(name): \(pushes.count) pushes to a phone, \(immediate) of them with priority 10, \(starts) starts; "
            + "behind at most \(world.judge.longestLag.inSeconds) s, at 0:00 at most \(world.judge.longestAtZero.inSeconds) s"
    }

    @Test(
        "recordings cost a phone few pushes, and it is never behind",
        .enabled(if: PhoneFiles.hasRecordings, "../shared/recordings is not there"),
        arguments: [("printer-cube", 8, 4), ("household", 60, 60)]
    )
    func recordings(name: String, most: Int, mostImmediate: Int) throws {
        let world = try Self.play(name)
        print(Self.figures(world, name))
        #expect(!world.sent.isEmpty)
        #expect(world.sent.count <= most)
        #expect(world.sent.count { $0.push.priority == .immediate } <= mostImmediate)
        #expect(world.owners[0].phone.notes.filter { $0.isDropped } == [])
        #expect(world.owners[0].phone.cards.allSatisfy { !$0.isOnScreen })
    }

    @Test("a ten-hour print is renewed once, without a gap")
    func renewal() throws {
        let world = try PhoneWorld(seed: 2, start: PhoneFiles.noon, definitions: PhoneFiles.definitions)
        try world.play(Self.printing(hours: 10, from: PhoneFiles.noon))
        print(
            Self.figures(world, "ten-hour print"),
            "both there for \(world.judge.longestOverlap.inSeconds) s,",
            "none for \(world.judge.longestGap.inSeconds) s"
        )
        #expect(world.sent.count { $0.push.event == .start } == 2)
        #expect(world.judge.longestOverlap > .zero)
        #expect(world.owners[0].phone.notes.filter { $0.isDropped } == [])
        #expect(world.owners[0].phone.lockScreen.map { $0.instance } == [2])
    }

    /// A printer that says every ten seconds how many minutes are left.
    static func printing(hours: Int64, from start: Timestamp) -> [SimulatedMessage] {
        (0...hours * 360 + 6).map { tick in
            let left = max(0, hours * 60 - tick / 6)
            let state = tick == 0 ? "PREPARE" : left == 0 ? "FINISH" : "RUNNING"
            let text =
                #"{"print":{"gcode_state":"\#(state)","mc_remaining_time":\#(left),"subtask_name":"castle"}}"#
            return SimulatedMessage(
                at: start + .seconds(tick * 10),
                topic: Array("device/X1/report".utf8),
                payload: Array(text.utf8)
            )
        }
    }

    @Test("in a world without faults, no phone is ever behind", arguments: 1...2)
    func calm(seed: UInt64) throws {
        let world = try PhoneWorld(
            seed: seed,
            start: PhoneFiles.noon,
            definitions: PhoneFiles.definitions,
            phones: 3
        )
        world.isBad = false
        try world.play(SimulatedHousehold(seed: seed, start: PhoneFiles.noon, devices: 3, runs: 2))
        try world.pass(until: world.clocks.truth + .hours(5))
        #expect(world.judge.longestAtZero <= .seconds(3))
        for owner in world.owners {
            #expect(owner.phone.notes.filter { $0.isDropped } == [])
            #expect(owner.phone.cards.allSatisfy { !$0.isLive })
            #expect(owner.phone.notices == [])
        }
    }

    @Test(
        "where Allow is tapped late or never, each alert comes once, by the card or by a notification",
        arguments: [1, 2, 3, 11]
    )
    func notices(seed: UInt64) throws {
        let world = try PhoneWorld(
            seed: seed,
            start: PhoneFiles.noon,
            definitions: PhoneFiles.definitions,
            phones: 3,
            faults: [.noAllow, .lateAllow, .restarts]
        )
        world.judge.isStrict = false
        try world.play(SimulatedHousehold(seed: seed, start: PhoneFiles.noon, devices: 3, runs: 2))
        try world.pass(until: world.clocks.truth + .hours(5))
        #expect(world.owners.contains { !$0.phone.notices.isEmpty })
        // A restart may send the same push again, with the same id.
        var alerts: [String: Set<String>] = [:]
        for push in world.sent.map({ $0.push }) {
            let body = try JSONSerialization.jsonObject(with: Data(push.payload)) as? [String: Any]
            let aps = body?["aps"] as? [String: Any]
            guard var alert = aps?["alert"] as? [String: Any], aps?["sound"] ?? alert["sound"] != nil else {
                continue
            }
            alert["sound"] = nil
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: alert, options: .sortedKeys),
                as: UTF8.self
            )
            alerts["\(push.phone ?? "") \(push.activity) \(text)", default: []].insert(push.messageID)
        }
        #expect(!alerts.isEmpty)
        for (alert, ids) in alerts { #expect(ids.count == 1, "\(alert)") }
    }

    @Test(
        "whatever goes wrong, no run is shown twice, and after repair every phone is right",
        arguments: 1...4
    )
    func bad(seed: UInt64) throws {
        let world = try PhoneWorld(
            seed: seed,
            start: PhoneFiles.noon,
            definitions: PhoneFiles.definitions,
            phones: 2,
            faults: Set(PhoneWorld.Fault.allCases)
        )
        world.judge.isStrict = false
        let day = Array(SimulatedHousehold(seed: seed, start: PhoneFiles.noon, devices: 3, runs: 2))
        try world.play(day.prefix(day.count * 2 / 3))
        try world.repair()
        try world.play(day.dropFirst(day.count * 2 / 3).drop { $0.at < world.clocks.truth })
        try world.pass(until: world.clocks.truth + .hours(1))
        try world.repair()
        try world.pass(until: world.clocks.truth + .hours(1))
        #expect(world.judge.rest(of: world) == [])
        // What nothing could end is ended by iOS after eight hours.
        let begin = world.clocks.truth + .hours(9)
        try world.pass(until: begin)
        world.judge = PhoneJudge()
        try world.play(SimulatedHousehold(seed: seed + 1000, start: begin, devices: 3, runs: 1))
        #expect(world.judge.longestAtZero <= .seconds(3))
    }

    @Test("two people get what is theirs, over restarts and changes of the table", arguments: 1...3)
    func audiences(seed: UInt64) throws {
        let kinds = PhoneFiles.definitions.map { AudiencePolicy.Kind($0.kind) }
        let policies = [("Ada", "Ben"), ("Ben", "Ada")].map { first, second in
            let rules = kinds.enumerated().map { number, kind in
                AudiencePolicy.Rule("\(kind.name)/*", people: [number % 2 == 0 ? first : second])
            }
            return AudiencePolicy(rules: rules, kinds: kinds)
        }
        let world = try PhoneWorld(
            seed: seed,
            start: PhoneFiles.noon,
            definitions: PhoneFiles.definitions,
            phones: 2,
            faults: [.restarts],
            people: ["Ada", "Ben"],
            audience: policies[0]
        )
        world.judge.isStrict = false
        let day = Array(SimulatedHousehold(seed: seed, start: PhoneFiles.noon, devices: 3, runs: 2))
        let length = day.count / 12
        for part in 0..<12 {
            try world.play(day.dropFirst(part * length).prefix(length))
            try world.set(policies[(part + 1) % 2])
        }
        try world.play(day.dropFirst(12 * length))
        try world.pass(until: world.clocks.truth + .hours(12))
        for owner in world.owners {
            #expect(world.sent.contains { $0.push.phone == owner.name && $0.push.event == .start })
            #expect(owner.phone.cards.allSatisfy { !$0.isLive })
        }
        #expect(world.withheld > 0)
    }
}
