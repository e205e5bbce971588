import SkerryActivity
import SkerryValues
import Testing

@Suite("Timelines of activities")
struct ActivityTimelineTests {
    static let noon = Timestamp(seconds: 1_700_000_000)

    /// A timeline that begins with the state `a`, after things that happen so many seconds later; `gone` is no state.
    static func timeline(_ happenings: [(Int64, String)]) -> ActivityTimeline {
        let activity = Activity.start(
            ActivityPlan(kind: "lamp", fields: []),
            device: "desk",
            run: 1,
            epoch: 9,
            state: "a",
            attributes: ValueMap(),
            content: [],
            at: noon
        ).activity
        var timeline = ActivityTimeline(of: activity)
        for (second, state) in happenings {
            let date = noon + .seconds(second)
            timeline.append(
                state == "gone"
                    ? ActivityTimeline.Entry(date: date, phase: nil)
                    : ActivityTimeline.Entry(date: date, phase: .active, state: state)
            )
        }
        return timeline
    }

    @Test(
        "an entry comes at least a minute after the one before it, and shows what is so by then",
        arguments: [
            ([], "0a"),
            ([(60, "b"), (120, "c")], "0a 60b 120c"),
            ([(90, "b"), (100, "gone")], "0a 90b 150gone"),
            ([(10, "b")], "0a 60b"),
            ([(10, "b"), (59, "c")], "0a 60c"),
            ([(10, "b"), (60, "c")], "0a 60c"),
            ([(10, "b"), (61, "c")], "0a 60b 120c"),
            ([(100, "b"), (100, "c")], "0a 100c"),
            ([(10, "b"), (20, "a")], "0a"),
            ([(100, "a"), (200, "b")], "0a 200b"),
            ([(50, "b"), (100, "c"), (150, "d"), (200, "e")], "0a 60b 120c 180d 240e"),
        ] as [([(Int64, String)], String)]
    )
    func pace(happenings: [(Int64, String)], expected: String) {
        let entries = Self.timeline(happenings).entries.map { entry in
            "\((entry.date - Self.noon).roundedSeconds)" + (entry.phase == nil ? "gone" : entry.state)
        }
        #expect(entries.joined(separator: " ") == expected)
    }

    @Test("it has room for a number of entries, and for one that replaces the last")
    func room() {
        let full = Self.timeline((1...14).map { ($0 * 100, "s\($0)") } + [(1410, "late")])
        #expect(full.entries.count == ActivityTimeline.entryLimit)
        #expect(full.hasRoom(at: Self.noon + .seconds(1460)))
        #expect(!full.hasRoom(at: Self.noon + .seconds(1461)))
        #expect(!Self.timeline([]).hasRoom(at: Self.noon, limit: 1))
    }

    @Test(
        "as JSON it tells what comes after it",
        arguments: [
            (.never, #""policy":"never""#), (.atEnd, #""policy":"atEnd""#),
            (.after(noon + .milliseconds(500)), #""policy":"after","after":1700000000.5"#),
        ] as [(ActivityTimeline.Policy, String)]
    )
    func json(policy: ActivityTimeline.Policy, words: String) {
        var timeline = Self.timeline([(100, "gone")])
        timeline.policy = policy
        #expect(
            String(decoding: timeline.json(), as: UTF8.self)
                == #"{"id":"lamp/desk/1","rev":1,"epoch":9,\#(words),"entries":["#
                + #"{"date":1700000000,"phase":"active","state":"a","content":{}},"#
                + #"{"date":1700000100,"phase":"gone"}]}"#
        )
    }
}
