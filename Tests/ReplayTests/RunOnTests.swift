import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// How the clock of a replay runs on after the last message.
@Suite("After the last message")
struct RunOnTests {
    /// A device that never rests: a state each hour, whatever happens.
    static let definition = """
        skerry: 1
        kind: clockwork
        sources:
          - topic: clockwork/{device}
            payload: number
            signals: { wound: payload }
        machine:
          type: parallel
          states:
            hours:
              initial: tick
              states:
                tick: { after: { 1h: tock } }
                tock: { after: { 1h: tick } }
            job:
              initial: idle
              states:
                idle: { always: { guard: wound > 0, target: busy } }
                busy: { after: { 90m: over } }
                over: {}
        activity:
          starts: busy
          ends: over
          content: { wound: wound }
          dismiss: 10m
        """

    static let start = Timestamp(seconds: 1_772_355_600)

    func replay(_ payload: String, of definition: String = Self.definition) throws -> Replay {
        var replay = Replay(definitions: [try Files.definition(definition)])
        let topic = Array("clockwork/a".utf8)
        _ = replay.take(Message(topic: topic[...], payload: Array(payload.utf8)[...]), at: Self.start)
        return replay
    }

    @Test("it stops when no activity is followed")
    func nothingPending() throws {
        var replay = try replay("0")
        #expect(replay.runOn().isEmpty)
        #expect(replay.engine?.now == Self.start)
    }

    @Test("it runs until the activity is dismissed, and no further")
    func untilDismissed() throws {
        var replay = try replay("1")
        let effects = replay.runOn()
        #expect(effects.last?.at == Self.start + .minutes(100))
        guard let last = effects.last, case .dismissed = last.what else {
            Issue.record("\(effects) does not end with a dismissal")
            return
        }
        #expect(replay.runOn().isEmpty)
    }

    @Test("it runs until a guard that holds has held for its time")
    func heldGuard() throws {
        let held = Self.definition.replacing("wound > 0, target", with: "wound > 0, for: 1s, target")
        var replay = try replay("1", of: held)
        let effects = replay.runOn()
        #expect(effects.first?.at == Self.start + .seconds(1))
        #expect(effects.last?.at == Self.start + .seconds(1) + .minutes(100))
    }

    @Test("it stops where a definition wakes itself without end, and says so; a given moment lets it run on")
    func cutShort() throws {
        let restless = Self.definition.replacing("after: { 1h:", with: "after: { 1ms:")
            .replacing("after: { 90m: over }", with: "on: { done: over }")
        var replay = try replay("1", of: restless)
        replay.deadlineLimit = 1000
        var count = 0
        while replay.goOn() != nil { count += 1 }
        #expect(count == 1000)
        #expect(replay.isCutShort)
        #expect(replay.engine?.now == Self.start + .seconds(1))
        _ = replay.runOn(until: Self.start + .seconds(2))
        #expect(replay.engine?.now == Self.start + .seconds(2))
    }

    @Test("what is due before a message comes deadline by deadline")
    func passing() throws {
        var replay = try replay("0")
        var moments: [Interval] = []
        let end = Self.start + .hours(3)
        while let effects = replay.passDeadline(before: end) { moments += effects.map { $0.at - Self.start } }
        #expect(moments == [.hours(1), .hours(2)])
        #expect(replay.engine?.nextDeadline == end)
    }

    @Test("it runs until a given moment, the moment included")
    func untilMoment() throws {
        var replay = try replay("0")
        _ = replay.runOn(until: Self.start + .hours(5))
        #expect(replay.engine?.now == Self.start + .hours(5))
        _ = replay.runOn(until: Self.start + .hours(7) - .milliseconds(1))
        #expect(replay.engine?.now == Self.start + .hours(6))
    }
}
