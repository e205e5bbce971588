import SkerryDevice
import SkerryValues
import Testing

@Suite("Countdowns reported after their end")
struct PastEndTests {
    /// An oven that tells the Unix seconds of its end, and how long is left; 1,000,000 is the start of the scene.
    private static func oven(_ end: String) -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, to: timestamp(int(payload.to)), left: seconds(payload.left) }
        context: { ends: 0 }
        timers:
          cycle: { \(end), while: inState("on") }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "on", target: on } }
            on:
              always: { guard: mode == "idle", target: idle }
              on: { cycle.elapsed: { target: over, actions: { assign: { ends: context.ends + 1 } } } }
            over:
              always: { guard: mode == "idle", target: idle }
              after: { 15m: idle }
        activity:
          starts: on
          ends: [over, idle]
          content: { ends: context.ends, cycle: timer.cycle }
        """
    }

    /// Messages at seconds, one that was retained with `!`, and how often the countdown came to its end.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var end = "until: to"
        var says: [(at: Int64, payload: String)]
        var ends: Int
        var state = "over"
    }

    static let stories = [
        Story(
            testDescription: "retained, as the bridge starts",
            says: [(0, #"!{"mode":"on","to":999000}"#)],
            ends: 1
        ),
        Story(
            testDescription: "retained on two topics, the end first",
            says: [(0, #"!{"to":999000}"#), (0, #"!{"mode":"on"}"#)],
            ends: 1
        ),
        Story(
            testDescription: "retained on two topics, the end last",
            says: [(0, #"!{"mode":"on"}"#), (0, #"!{"to":999000}"#)],
            ends: 1
        ),
        Story(
            testDescription: "told with the beginning",
            says: [(0, #"{"mode":"on","to":999000}"#)],
            ends: 1
        ),
        Story(
            testDescription: "told at its very end",
            says: [(0, #"{"mode":"on","to":1000000}"#)],
            ends: 1
        ),
        Story(
            testDescription: "told after the beginning",
            says: [(0, #"{"mode":"on"}"#), (5, #"{"to":999000}"#)],
            ends: 1
        ),
        Story(
            testDescription: "told again each second",
            says: (0..<60).map { ($0, #"{"mode":"on","to":999000}"#) },
            ends: 1
        ),
        Story(
            testDescription: "told again each second, always a second ago",
            says: (0..<60).map { ($0, #"{"mode":"on","to":\#(999_999 + $0)}"#) },
            ends: 1
        ),
        Story(
            testDescription: "told again when the definition itself begins another run",
            says: (0..<3000).map { ($0, #"{"mode":"on","to":999000}"#) },
            ends: 1,
            state: "on"
        ),
        Story(
            testDescription: "that of the last run, told in the next",
            says: [
                (0, #"{"mode":"on","to":1000010}"#), (20, #"{"mode":"idle"}"#), (30, #"{"to":1000010}"#),
                (40, #"{"mode":"on"}"#), (41, #"{"mode":"on","to":1000010}"#),
            ],
            ends: 1,
            state: "on"
        ),
        Story(
            testDescription: "that of the last run, and then the right one",
            says: [
                (0, #"{"mode":"on","to":1000010}"#), (20, #"{"mode":"idle"}"#),
                (40, #"{"mode":"on","to":1000010}"#), (45, #"{"to":1000060}"#),
            ],
            ends: 2
        ),
        Story(
            testDescription: "told before the beginning, when it was over already",
            says: [
                (0, #"{"mode":"idle","to":999000}"#), (60, #"{"mode":"on"}"#),
                (61, #"{"mode":"on","to":999000}"#),
            ],
            ends: 0,
            state: "on"
        ),
        Story(
            testDescription: "what the broker kept of an idle one",
            says: [(0, #"!{"mode":"idle","to":999000}"#), (60, #"{"mode":"on","to":999000}"#)],
            ends: 0,
            state: "on"
        ),
        Story(
            testDescription: "another run, which nobody saw begin",
            says: [
                (0, #"{"mode":"on","to":1000010}"#), (20, #"{"mode":"idle"}"#),
                (900, #"!{"mode":"on","to":1000500}"#),
            ],
            ends: 2
        ),
        Story(
            testDescription: "nothing is left",
            end: "remaining: left",
            says: [(0, #"{"mode":"on","left":0}"#)],
            ends: 1
        ),
        Story(
            testDescription: "less than nothing is left, retained",
            end: "remaining: left",
            says: [(0, #"!{"mode":"on","left":-5}"#)],
            ends: 0,
            state: "on"
        ),
        Story(
            testDescription: "nothing is left, told again and again",
            end: "remaining: left",
            says: (0..<3000).map { ($0, #"{"mode":"on","left":0}"#) },
            ends: 1,
            state: "on"
        ),
        Story(
            testDescription: "nothing was left of the last run, and nobody knows yet of the next",
            end: "remaining: left",
            says: [
                (0, #"{"mode":"on","left":10}"#), (10, #"{"mode":"idle","left":0}"#),
                (60, #"{"mode":"on"}"#), (61, #"{"mode":"on","left":0}"#), (65, #"{"left":600}"#),
            ],
            ends: 1,
            state: "on"
        ),
        Story(
            testDescription: "an end that is computed with the time of day",
            end: "remaining: to - now",
            says: [(0, #"{"mode":"on","to":999000}"#), (1, #"{"mode":"on","to":999000}"#)],
            ends: 1
        ),
    ]

    @Test("A countdown that is reported after its end elapses at once, and only once", arguments: stories)
    func past(story: Story) throws {
        var scene = try Scene(Self.oven(story.end))
        var time: Int64 = 0
        for (at, payload) in story.says {
            scene.wait(.seconds(at - time))
            time = at
            let isRetained = payload.hasPrefix("!")
            scene.send(String(payload.drop { $0 == "!" }), retained: isRetained)
        }
        if let last = story.says.last, last.payload.contains("1000060") { scene.wait(.seconds(60)) }
        #expect(scene.state == story.state)
        #expect(scene.variable("ends") == "\(story.ends)")
    }

    @Test("An end that passes between two deadlines counts: nothing else was reported meanwhile")
    func passesMeanwhile() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power, to: timestamp(int(payload.to)) }
            timers:
              cycle: { until: to, while: inState("on") }
            machine:
              initial: idle
              states:
                idle: { always: { guard: power > 10, for: 2m, target: on } }
                on: { on: { cycle.elapsed: over } }
                over: {}
            """
        )
        scene.send(#"{"power": 900, "to": 1000060}"#)
        scene.wait(.minutes(2))
        #expect(scene.state == "over")
        #expect(scene.timer("cycle") == "elapsed 60 to 60")
    }

    /// How the bar of a level that regenerates is drawn when its end comes later.
    static let starts: [(policy: String, from: String, end: String, shown: String)] = [
        ("keep", "", "1001300", "0 to 1300"),
        ("keep", ", from: start", "1001300", "-100 to 1300"),
        ("restart", "", "1001300", "200 to 1300"),
        ("restart", ", from: start", "1001300", "50 to 1300"),
        // Within the tolerance nothing moves.
        ("restart", "", "1001030", "0 to 1000"),
    ]

    @Test("A definition chooses the start that is shown when another end is reported", arguments: starts)
    func start(policy: String, from: String, end: String, shown: String) throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals:
                  to: timestamp(int(payload.to))
                  start: timestamp(int(payload.start))
                  on: payload.on
            timers:
              level: { until: to, tolerance: 1m, onNewEnd: \(policy)\(from), while: on }
            machine: { states: { some: {} } }
            """
        )
        scene.send(#"{"on": true, "to": 1001000, "start": 999900}"#)
        scene.wait(.seconds(200))
        scene.send(#"{"to": \#(end), "start": 1000050}"#)
        #expect(scene.timer("level") == shown)
    }

    @Test("Paused and elapsed countdowns get the start of the new end, too")
    func startElsewhere() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { left: seconds(payload.left), on: payload.on }
            timers:
              level: { remaining: left, onNewEnd: restart, while: on }
            machine: { states: { some: {} } }
            """
        )
        scene.send(#"{"on": true, "left": 100}"#)
        scene.wait(.seconds(40))
        scene.send(#"{"on": false}"#)
        #expect(scene.timer("level") == "60 of 100")
        scene.send(#"{"left": 80}"#)
        #expect(scene.timer("level") == "80 of 80")
        scene.send(#"{"on": true}"#)
        scene.wait(.seconds(80))
        #expect(scene.timer("level") == "elapsed 40 to 120")
        scene.send(#"{"left": 30}"#)
        #expect(scene.timer("level") == "120 to 150")
    }
}
