import SkerryDevice
import SkerryValues
import Testing

@Suite("Actions with guards, and actions that may fail")
struct ActionTests {
    private static let pump = """
        sources:
          - topic: thing/{device}
            event: "'told'"
            signals: { level: payload.level, limit: payload.limit }
        context: { high: 0, low: 0, last: unset, limit: unset, seen: 0 }
        timers: { rest: { duration: duration("5m") } }
        machine:
          on:
            told:
              actions:
                - guard: level > 10
                  actions:
                    - assign: { high: context.high + 1 }
                    - guard: level > 20
                      actions: { start: rest }
                  else:
                    - assign: { low: context.low + 1 }
                    - stop: rest
                - try: { assign: { limit: limit, last: level } }
                - assign: { seen: context.seen + 1 }
            ask: [{ guard: has(context.last) && timer.rest.elapsed, target: rested }, dry]
          states: { idle: {}, dry: {}, rested: {} }
        activity:
          starts: [idle, dry, rested]
          content:
            high: context.high
            low: context.low
            last: default(context.last, "nothing")
            limit: default(context.limit, context.high + 0.5)
            seen: context.seen
        """

    @Test("A guard chooses between actions, even within other guarded actions")
    func guarded() throws {
        var scene = try Scene(Self.pump)
        scene.send(#"{"level": 5}"#)
        #expect(scene.content == #"{"high":0,"low":1,"last":5,"limit":0.5,"seen":1}"#)
        scene.send(#"{"level": 15}"#)
        #expect(scene.timer("rest") == "stopped")
        scene.send(#"{"level": 25}"#)
        #expect(scene.content == #"{"high":2,"low":1,"last":25,"limit":2.5,"seen":3}"#)
        #expect(scene.timer("rest") == "0 to 300")
        scene.send(#"{"level": 1}"#)
        #expect(scene.timer("rest") == "stopped")
    }

    @Test("A guard that can't be evaluated chooses the other actions")
    func guardWithError() throws {
        var scene = try Scene(Self.pump)
        scene.send(#"{"level": "much"}"#)
        #expect(scene.content == #"{"high":0,"low":1,"last":"much","limit":0.5,"seen":1}"#)
    }

    @Test("An action that fails under try skips only itself; elsewhere it ends the block")
    func attempt() throws {
        var scene = try Scene(Self.pump)
        scene.send("{}")
        #expect(scene.content == #"{"high":0,"low":1,"last":"nothing","limit":0.5,"seen":1}"#)
        scene.send(#"{"limit": 7}"#)
        #expect(scene.content == #"{"high":0,"low":2,"last":"nothing","limit":7,"seen":2}"#)
        var strict = try Scene(Self.pump.replacing("- try: { assign: {", with: "- { assign: {"))
        strict.send("{}")
        #expect(strict.content == #"{"high":0,"low":1,"last":"nothing","limit":0.5,"seen":0}"#)
    }

    @Test("timer.<name>.elapsed is true from the end of a countdown until it is started or stopped")
    func elapsed() throws {
        var scene = try Scene(Self.pump)
        scene.send(#"{"level": 25}"#)
        scene.wait(.seconds(299))
        scene.tell("ask")
        #expect(scene.state == "dry")
        scene.wait(.seconds(1))
        scene.tell("ask")
        #expect(scene.state == "rested")
        scene.send(#"{"level": 25}"#)
        scene.tell("ask")
        #expect(scene.state == "dry")
        scene.wait(.seconds(300))
        scene.send(#"{"level": 1}"#)
        scene.tell("ask")
        #expect(scene.state == "dry")
    }
}
