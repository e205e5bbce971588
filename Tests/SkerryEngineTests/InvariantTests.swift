import SkerryDevice
import SkerryValues
import Testing

@testable import SkerryEngine

/// The rules that the simulator checks at every commit: each tells when it is broken.
@Suite("Invariants of the engine")
struct InvariantTests {
    private static func engine() throws -> Engine {
        let door = try definition(
            """
            skerry: 1
            kind: door
            sources: [{ topic: "door/{device}", payload: text, signals: { word: payload } }]
            machine:
              initial: shut
              states:
                shut: { always: { guard: word == "open", target: open } }
                open: { after: { 1h: shut } }
            activity: { starts: open, ends: shut, content: { word: word } }
            """
        )
        var engine = Engine([door])
        _ = engine.say("door/a", "open")
        _ = engine.say("door/b", "a word of more than fifteen bytes")
        return engine
    }

    struct Break: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var act: @Sendable (inout Engine) -> Void

        init(_ rule: String, _ act: @escaping @Sendable (inout Engine) -> Void) {
            testDescription = rule
            self.act = act
        }
    }

    @Test(
        "A broken rule is reported",
        arguments: [
            Break("door/a: its deadline is not the one that is filed") {
                $0.deadlines = Engine($0.definitions).deadlines
            },
            Break("door/a: a deadline has a number to come") { $0.workspace.sequence = 0 },
            Break("door/a: it is not found by its name") { $0.names.removeAll() },
            Break("the storage of all devices is miscounted") { $0.storage += 1 },
            Break("door/b: its storage is miscounted") {
                $0.storage -= $0.devices[1].storage
                $0.devices[1].storage = 0
            },
            Break("the followed devices are miscounted") { $0.devices[0].isFollowed = false },
            Break("door/a: it was shown and may be replaced") { $0.unseen.touch(0) },
            Break("door/a: its image is not taken with those that have changed") { $0.changed = [] },
            Break("door/a: it was heard later than now") { $0.now = .distantPast },
        ]
    )
    func broken(_ rule: Break) throws {
        var engine = try Self.engine()
        #expect(engine.brokenInvariant() == nil)
        rule.act(&engine)
        #expect(engine.brokenInvariant() == rule.testDescription)
    }
}
