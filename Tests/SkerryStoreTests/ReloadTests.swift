import Foundation
import Logging
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Definitions that change while a bridge runs.
@Suite("Reloading")
struct ReloadTests {
    static let oven = RecoveryTests.definition
    static let start = RecoveryTests.start

    static func definition(_ text: String) throws -> Definition {
        let reading = DefinitionReader.read(text: text)
        let draft = try #require(reading.draft, "\(reading.problems)")
        let compilation = Definition.compile(draft)
        return try #require(compilation.definition, "\(reading.problems) \(compilation.problems)")
    }

    static func replacing(_ old: String, with new: String) throws -> Definition {
        try #require(oven.contains(old))
        return try definition(oven.replacingOccurrences(of: old, with: new))
    }

    /// A bridge with an oven that is hot, and what was published of it read.
    func hotOven(_ folder: Folder) throws -> RecoveryTests.Gateway {
        let gateway = try RecoveryTests.Gateway(folder, at: Self.start)
        gateway.send(#"{"on":true,"left":3600,"heat":180}"#)
        gateway.clock.move(by: .minutes(10))
        _ = gateway.published()
        return gateway
    }

    @Test("the same definition changes nothing, and another kind beside it neither")
    func unchanged() throws {
        let gateway = try hotOven(Folder())
        let oven = gateway.definition
        let stove = try Self.replacing("kind: oven", with: "kind: stove")
        for definitions in [[oven], [stove, oven], [oven]] {
            gateway.change(to: definitions)
            #expect(gateway.published() == [])
        }
        gateway.clock.move(by: .minutes(50))
        gateway.bridge.wake()
        #expect(gateway.states.last == "done")
    }

    @Test("timers run on whatever their onRestart is, and equal content gives no update")
    func timers() throws {
        let gateway = try hotOven(Folder())
        gateway.change(to: [try Self.replacing("quiet: 2h", with: "quiet: 3h")])
        #expect(gateway.published() == [])
        gateway.change(to: [try Self.replacing("timers:\n", with: "timers:\n  extra: { count: up }\n")])
        #expect(gateway.published() == [])
        gateway.clock.move(by: .minutes(50))
        gateway.bridge.wake()
        #expect(gateway.states.last == "done")
    }

    @Test("a guard that now holds moves devices at once; a changed content is one update")
    func lookedAtAnew() throws {
        let gateway = try hotOven(Folder())
        gateway.change(to: [try Self.replacing("heat: heat", with: "heat: heat + 1")])
        let diffs = gateway.published().filter { $0.contains("/diff ") }
        #expect(diffs.count == 1)
        #expect(diffs.first?.contains(#""rev":2,"prev":1,"#) == true)
        #expect(diffs.first?.hasSuffix(#""patch":{"content":{"heat":181}}}"#) == true)
        gateway.change(to: [
            try Self.replacing(
                #"- { guard: "!on", target: cold }"#,
                with: "- { guard: heat > 100, target: lost }"
            )
        ])
        #expect(gateway.states == ["lost"])
    }

    @Test("a device in a removed state goes where migrate leads, with its timers")
    func migrated() throws {
        let text = Self.oven.replacingOccurrences(of: "hot", with: "baking") + "\nmigrate: { hot: baking }\n"
        let gateway = try hotOven(Folder())
        gateway.change(to: [try Self.definition(text)])
        #expect(gateway.states == ["baking"])
        gateway.clock.move(by: .minutes(50))
        gateway.bridge.wake()
        #expect(gateway.states.last == "done")
    }

    @Test("a device in a removed state without migrate starts from the initial state")
    func startedAnew() throws {
        let gateway = try hotOven(Folder())
        gateway.change(to: [try Self.definition(Self.oven.replacingOccurrences(of: "hot", with: "baking"))])
        #expect(gateway.states == ["baking"])
    }

    @Test(
        "the named timers of a device that starts from the initial state run on, over a restart as well",
        arguments: [false, true]
    )
    func timersOfStartedAnew(overRestart: Bool) throws {
        let folder = try Folder()
        let text = Self.oven.replacingOccurrences(of: "hot", with: "baking")
        var first: RecoveryTests.Gateway? = try hotOven(folder)
        if overRestart {
            first?.bridge.ended()
            first = nil
        } else {
            first?.change(to: [try Self.definition(text)])
        }
        let gateway = try first ?? RecoveryTests.Gateway(folder, at: Self.start + .minutes(10), text)
        #expect(gateway.states == ["baking"])
        gateway.clock.move(by: .seconds(50 * 60 - 1))
        gateway.bridge.wake()
        #expect(gateway.states == [])
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.states == ["done"])
    }

    @Test("a definition removed and restored within a second starts runs with new numbers")
    func backAtOnce() throws {
        let gateway = try hotOven(Folder())
        let hot = #"{"on":true,"left":3600}"#
        var ids: [Substring] = []
        for _ in 0..<3 {
            gateway.change(to: [])
            gateway.change(to: [try Self.definition(Self.oven)])
            gateway.send(hot)
            let first = try #require(gateway.published().first { $0.contains(#""rev":1,"#) })
            ids.append(first.drop { $0 != "{" }.prefix { $0 != "," })
        }
        #expect(Set(ids).count == 3, "\(ids)")
    }

    @Test("a field that was removed from the definition is removed by a diff", arguments: [false, true])
    func contentTakenAway(overRestart: Bool) throws {
        let folder = try Folder()
        let text = Self.oven.replacingOccurrences(of: "    heat: heat\n", with: "")
        try #require(text != Self.oven)
        var first: RecoveryTests.Gateway? = try hotOven(folder)
        if overRestart {
            first?.bridge.ended()
            first = nil
        } else {
            first?.change(to: [try Self.definition(text)])
        }
        let gateway = try first ?? RecoveryTests.Gateway(folder, at: Self.start + .minutes(10), text)
        let diffs = gateway.published().filter { $0.contains("/diff ") }
        #expect(diffs.count == 1)
        #expect(diffs.first?.contains(#""heat":null"#) == true, "\(diffs)")
    }

    @Test("an activity that is removed from a definition ends")
    func withoutActivity() throws {
        let gateway = try hotOven(Folder())
        let end = try #require(Self.oven.range(of: "activity:"))
        gateway.change(to: [try Self.definition(String(Self.oven[..<end.lowerBound]))])
        let lines = gateway.published()
        #expect(lines.contains { $0.contains(#""rev":2"#) && $0.contains(#""phase":"ended""#) })
        #expect(lines.last == "skerry/oven/a/activity ")
    }

    @Test("a removed definition ends the activities of its devices, which are no longer stored")
    func removed() throws {
        let folder = try Folder()
        let stove = try Self.replacing("kind: oven", with: "kind: stove")
        do {
            let gateway = try hotOven(folder)
            gateway.change(to: [stove])
            let lines = gateway.published()
            #expect(lines.contains { $0.contains(#""rev":2"#) && $0.contains(#""phase":"ended""#) })
            #expect(lines.last == "skerry/oven/a/activity ")
            gateway.send(#"{"on":true,"left":60}"#)
            #expect(gateway.published().allSatisfy { $0.hasPrefix("skerry/stove/a/") })
            gateway.bridge.ended()
        }
        let state = try StoreFile.look(at: folder.database)
        #expect(state.devices.map(\.kind) == ["stove"])
    }

    @Test("devices are stored under the new names, and a restart goes on from there")
    func restart() throws {
        let folder = try Folder()
        let text = Self.oven.replacingOccurrences(of: "hot", with: "baking") + "\nmigrate: { hot: baking }\n"
        do {
            let gateway = try hotOven(folder)
            gateway.change(to: [try Self.definition(text)])
            _ = gateway.published()
            gateway.bridge.ended()
        }
        let gateway = try RecoveryTests.Gateway(folder, at: Self.start + .minutes(10), text)
        #expect(gateway.states == [])
        gateway.clock.move(by: .minutes(50))
        gateway.bridge.wake()
        #expect(gateway.states.last == "done")
    }

    @Test("the subscriptions follow the definitions, even when those change without a connection")
    func subscriptions() throws {
        let gateway = try hotOven(Folder())
        gateway.change(to: [try Self.replacing("oven/{device}/state", with: "stove/{device}/state")])
        let plan = gateway.bridge.subscriptionPlan()
        #expect(plan.filters.prefix(2) == ["stove/+/state", "skerry/+/+/event"])
        #expect(plan.obsolete == ["oven/+/state"])
    }

    @Test("a refusal is counted in the health report, and nothing else happens")
    func refused() throws {
        let gateway = try hotOven(Folder())
        gateway.mailbox.refuse("oven.yaml is broken")
        gateway.bridge.wake()
        #expect(gateway.published() == [])
        gateway.bridge.connect(BusSession(isResumed: true))
        var health = ""
        while let publication = gateway.bridge.nextPublication() {
            if publication.topic.hasSuffix("/health") {
                health = String(decoding: publication.payload, as: UTF8.self)
            }
        }
        #expect(health.contains(#""message":"oven.yaml is broken""#))
    }

    @Test("the fates of devices are computed from a store in use, and nothing is written")
    func forecast() throws {
        let folder = try Folder()
        let gateway = try hotOven(folder)
        let before = folder.files
        let state = try StoreFile.look(at: folder.database)
        func kind(_ definitions: [Definition]) throws -> ChangeForecast.Kind {
            try #require(ChangeForecast(state: state, definitions: definitions).kinds.first)
        }
        let same = try kind([gateway.definition])
        #expect(same.devices == 1 && same.moves.isEmpty && !same.losesDevices)
        let renamed = Self.oven.replacingOccurrences(of: "hot", with: "baking")
        let migrated = try kind([try Self.definition(renamed + "\nmigrate: { hot: baking }\n")])
        #expect(migrated.moves.map(\.fate) == [.migrates(from: "hot", to: "baking")])
        #expect(!migrated.losesDevices)
        let lost = try kind([try Self.definition(renamed)])
        #expect(lost.moves.map(\.line) == ["oven/a: hot no longer exists, starts in the initial state"])
        #expect(lost.vanished?.states == ["hot"])
        #expect(lost.losesDevices)
        let gone = try kind([])
        #expect(!gone.isDefined && gone.losesDevices)
        #expect(folder.files == before)
    }
}
