import CSQLite
import Foundation
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Definitions that were edited, while the bridge ran or before its next start.
@Suite("Edited definitions")
struct EditedDefinitionTests {
    static let start = RecoveryTests.start

    /// A washer with some states besides the initial one, `idle`, which go by the events of its messages.
    static func washer(_ states: [String], starts: String = "[spinning, done]", _ more: String = "") -> String
    {
        """
        skerry: 1
        kind: oven
        sources:
          - topic: oven/{device}/state
            signals: { load: payload.load }
            event: payload.event
        machine:
          initial: idle
          states:
            idle: { on: { spin: spinning, end: done } }
        \(states.map { "    \($0)" }.joined(separator: "\n"))
        activity:
          starts: \(starts)
          ends: [idle, over]
          content: { load: load }
          dismiss: immediate
        \(more)
        """
    }

    static let spinning = "spinning: { on: { end: done }, after: { 30m: over } }"
    static let done = "done: { after: { 15m: over } }"
    static let over = "over: {}"

    /// Goes on with an edited definition, in this process or in the next one.
    static func edit(
        _ former: inout RecoveryTests.Gateway?,
        to text: String,
        overRestart: Bool,
        after downtime: Interval = .zero,
        _ folder: Folder
    ) throws -> RecoveryTests.Gateway {
        defer { former = nil }
        let now = try #require(former?.clock.now)
        if overRestart {
            former?.bridge.ended()
            former = nil
        } else {
            former?.change(to: [try ReloadTests.definition(text)])
        }
        return try former ?? RecoveryTests.Gateway(folder, at: now + downtime, text)
    }
}

extension EditedDefinitionTests {
    @Test(
        "devices in a state go on waiting; those migrated into it start their waits from zero",
        arguments: [[spinning, done, over], [done, spinning, over]],
        [false, true]
    )
    func led(states: [String], overRestart: Bool) throws {
        let edited = Self.washer([Self.done, Self.over], starts: "done", "migrate: { spinning: done }")
            .replacingOccurrences(of: "spin: spinning, ", with: "")
        for (event, minutes): (String, Int64) in [("end", 5), ("spin", 15)] {
            let folder = try Folder()
            var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(
                folder,
                at: Self.start,
                Self.washer(states)
            )
            first?.send(#"{"event":"\#(event)"}"#)
            first?.clock.move(by: .minutes(10))
            _ = first?.published()
            let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, folder)
            #expect(gateway.states == (event == "end" ? [] : ["done"]), "\(event)")
            gateway.clock.move(by: .minutes(minutes) - .seconds(1))
            gateway.bridge.wake()
            #expect(gateway.states == [], "\(event)")
            gateway.clock.move(by: .seconds(1))
            gateway.bridge.wake()
            #expect(gateway.states == ["over"], "\(event)")
        }
    }

    @Test("two states renamed to the same one keep their waits", arguments: [false, true])
    func renamedTogether(overRestart: Bool) throws {
        let edited = Self.washer(
            ["drying: { after: { 15m: over } }", Self.over],
            starts: "drying",
            "migrate: { spinning: drying, done: drying }"
        )
        .replacingOccurrences(of: "spin: spinning, end: done", with: "end: drying")
        for (event, minutes): (String, Int64) in [("end", 5), ("spin", 20)] {
            let folder = try Folder()
            var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(
                folder,
                at: Self.start,
                Self.washer([Self.spinning, Self.done, Self.over])
            )
            first?.send(#"{"event":"\#(event)"}"#)
            first?.clock.move(by: .minutes(10))
            _ = first?.published()
            let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, folder)
            gateway.clock.move(by: .minutes(minutes) - .seconds(1))
            gateway.bridge.wake()
            #expect(gateway.states == ["drying"], "\(event)")
            gateway.clock.move(by: .seconds(1))
            gateway.bridge.wake()
            #expect(gateway.states == ["over"], "\(event)")
        }
    }

    @Test("a final state that became an ordinary one can be left", arguments: [false, true])
    func noLongerFinal(overRestart: Bool) throws {
        let folder = try Folder()
        let final = "over: { type: final }"
        var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(
            folder,
            at: Self.start,
            Self.washer([Self.spinning, Self.done, final])
        )
        first?.send(#"{"event":"end"}"#)
        first?.clock.move(by: .minutes(15))
        first?.bridge.wake()
        #expect(first?.states == ["over"])
        let edited = Self.washer([Self.spinning, Self.done, "over: { after: { 5m: done } }"])
        let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, folder)
        gateway.clock.move(by: .minutes(5))
        gateway.bridge.wake()
        #expect(gateway.published().contains { $0.contains(#""state":"done""#) })
    }

    @Test(
        "a device migrated into a state with children is where a transition to it leads",
        arguments: [false, true]
    )
    func ledWithin(overRestart: Bool) throws {
        let within = "states: { soak: { after: { 5m: rinse } }, rinse: { after: { 5m: over } } }"
        let side = "lamp: { states: { dark: { after: { 5m: lit } }, lit: {} } }"
        let last = "back: { type: history, target: rinse }"
        let cases: [(work: String, target: String, states: [String])] = [
            ("work: { \(within) }", "work", ["soak", "rinse"]),
            (
                "work: { type: parallel, states: { drum: { \(within) }, \(side) } }", "work",
                ["soak,dark", "rinse,lit"]
            ),
            ("work: { \(within.dropLast(2)), \(last) } }", "back", ["rinse", "over"]),
            (
                "work: { type: parallel, states: { drum: { \(within) }, \(side) } }", "rinse",
                ["rinse,dark", "rinse,lit"]
            ),
        ]
        for (work, target, states) in cases {
            let folder = try Folder()
            let text = Self.washer([Self.spinning, Self.done, Self.over])
            var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(folder, at: Self.start, text)
            first?.send(#"{"event":"spin"}"#)
            _ = first?.published()
            let edited = Self.washer(
                [work, Self.over],
                starts: "work",
                "migrate: { spinning: \(target), done: over }"
            )
            .replacingOccurrences(of: "spin: spinning, end: done", with: "spin: work")
            let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, folder)
            #expect(gateway.states == Array(states.prefix(1)), "\(work) \(target)")
            gateway.clock.move(by: .minutes(5))
            gateway.bridge.wake()
            #expect(gateway.states.last == states.last, "\(work) \(target)")
        }
    }

    @Test("an edit without new names takes effect at once", arguments: [false, true])
    func sameNames(overRestart: Bool) throws {
        let text = Self.washer([Self.spinning, Self.done, Self.over])
        let edits: [(from: String, to: String, tells: String?)] = [
            ("load: load", "load: load + 1", #""patch":{"content":{"load":8}}"#),
            ("spinning: {", "spinning: { title: Whirling,", nil),
            ("spinning: {", #"spinning: { always: { guard: "load > 5", target: over },"#, #""state":"over""#),
            ("kind: oven", "kind: oven  # in the kitchen", nil),
        ]
        for edit in edits {
            let folder = try Folder()
            var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(folder, at: Self.start, text)
            first?.send(#"{"event":"spin","load":7}"#)
            _ = first?.published()
            try #require(text.contains(edit.from))
            let edited = text.replacingOccurrences(of: edit.from, with: edit.to)
            let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, folder)
            let told = gateway.published().filter { $0.contains("/diff ") }
            #expect(told.count == (edit.tells == nil ? 0 : 1), "\(edit.to): \(told)")
            if let tells = edit.tells { #expect(told.first?.contains(tells) == true, "\(edit.to): \(told)") }
        }
    }

    @Test(
        "a stale that is added to a definition applies to the present run",
        arguments: [false, true]
    )
    func staleAdded(overRestart: Bool) throws {
        let folder = try Folder()
        let text = Self.washer([Self.spinning, Self.done, Self.over])
        var first: RecoveryTests.Gateway? = try RecoveryTests.Gateway(folder, at: Self.start, text)
        first?.send(#"{"event":"spin","load":7}"#)
        first?.clock.move(by: .minutes(10))
        _ = first?.published()
        let edited = text.replacingOccurrences(of: "dismiss:", with: "stale: 15m\n  dismiss:")
        // What nobody could hear is no silence.
        let gateway = try Self.edit(&first, to: edited, overRestart: overRestart, after: .minutes(10), folder)
        gateway.clock.move(by: .minutes(5) - .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.published() == [])
        gateway.clock.move(by: .seconds(1))
        gateway.bridge.wake()
        #expect(gateway.published().contains { $0.contains(#""phase":"stale""#) })
    }

    @Test("devices stored by an earlier version go on, and an edit takes effect")
    func earlierVersion() throws {
        let folder = try Folder()
        let text = Self.washer([Self.spinning, Self.done, Self.over])
        let layout: DefinitionLayout
        do {
            let first = try RecoveryTests.Gateway(folder, at: Self.start, text)
            first.send(#"{"event":"spin","load":7}"#)
            _ = first.published()
            first.bridge.ended()
            layout = DefinitionLayout(of: first.definition)
        }
        // Version 2 had no fingerprint, which is a number of up to ten bytes.
        let former = [2] + layout.bytes.dropFirst().drop { $0 >= 0x80 }.dropFirst()
        let id = Int64(bitPattern: former.fingerprint)
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        let statement = """
            UPDATE layout SET id = \(id), bytes = x'\(former.hexadecimal)';
            UPDATE device SET layout = \(id);
            """
        #expect(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let edited = text.replacingOccurrences(of: "load: load", with: "load: load + 1")
        for tells in [1, 0] {
            let gateway = try RecoveryTests.Gateway(folder, at: Self.start, edited)
            let told = gateway.published().filter { $0.contains("/diff ") }
            #expect(told.count == tells, "\(told)")
            gateway.bridge.ended()
        }
        #expect(try StoreFile.look(at: folder.database).devices.first?.layout != id)
    }
}

extension [UInt8] {
    /// The bytes as SQL writes them.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
