// Checks what the app makes of the gateway's stream: its events, the activities that they tell, and the sentences.

import Foundation

@MainActor extension Checks {
    /// Returns the events of a text as `name data`, with the position and the pause where one was told.
    private static func events(_ text: String, limit: Int = 1000) -> [String] {
        var reader = SkerryEventReader(limit: limit)
        var events: [String] = []
        do throws(SkerryGatewayError) {
            for byte in text.utf8 {
                guard let event = try reader.take(byte) else { continue }
                let position = event.position.map { " @\($0)" } ?? ""
                let pause = event.pause.map { " in \($0)" } ?? ""
                events.append(
                    "\(event.name) \(String(decoding: event.data, as: UTF8.self))\(position)\(pause)"
                )
            }
        } catch {
            events.append("\(error)")
        }
        return events
    }

    /// The rules of the HTML standard.
    static func reading() {
        for (text, found) in [
            ("event: a\ndata: 1\n\n", ["a 1"]),
            ("event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\r", ["a 1", "b 2"]),
            ("data: 1\r\n\ndata: 2\n\r\n", ["message 1", "message 2"]),
            // Comments, such as the sign of life, fields that nobody knows, and events without data.
            (": \n\n:\n\ncolour: red\ndata: 1\n\n", ["message 1"]),
            ("event: a\n\ndata: 1\n\n", ["message 1"]),
            // One space after the colon is none of the value.
            ("data:1\n\ndata:  2\n\ndata: a:b\n\n", ["message 1", "message  2", "message a:b"]),
            ("data: 1\ndata: 2\ndata\n\ndata\n\n", ["message 1\n2\n", "message "]),
            ("\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\n", ["message 1"]),
            ("data: Wäsche 灯\n\n", ["message Wäsche 灯"]),
            // What has not ended was not told.
            ("data: 1\n\ndata: 2\n", ["message 1"]),
            (
                "id: x-1\ndata: 1\n\ndata: 2\n\nid: x\0\ndata: 3\n\nid\ndata: 4\n\n",
                [
                    "message 1 @x-1", "message 2 @x-1", "message 3 @x-1", "message 4 @",
                ]
            ),
            (
                "retry: 3000\n\ndata: 1\n\nretry: 3s\nretry: -1\nretry\ndata: 2\n\n",
                [
                    "message 1 in 3.0", "message 2 in 3.0",
                ]
            ),
        ] { expect(events(text), found) }
        // A line without an end, and one event of many lines, do not fill the memory.
        let long = String(repeating: "x", count: 100)
        expect(events("data: 1\n\n: \(long)", limit: 100), ["message 1", "noBridge"])
        expect(events("data: \(long.prefix(40))\ndata: \(long.prefix(60))\n\n", limit: 100), ["noBridge"])
        expect(events("data: \(long.prefix(90))\n\n", limit: 100).count, 1)
    }

    private static func event(_ name: String, _ data: String) -> SkerryEvent {
        SkerryEvent(name: name, data: Data(data.utf8))
    }

    /// Each event, whether it could be taken in, and the activities afterwards.
    static func feeding() {
        let washer = #""id":"washer/laundry/1","epoch":5"#
        let oven = #""id":"oven/a/1","epoch":5,"rev":1,"phase":"active""#
        let held = ["washer/laundry/1 2 active Running [3]"]
        let others = ["oven/a/1 1 active - []"]
        let both = others + ["washer/laundry/2 1 active - []"]
        var feed = SkerryFeed()
        for (name, data, isKnown, activities) in [
            ("diff", #"{\#(washer),"rev":2,"prev":1,"patch":{}}"#, false, []),
            (
                "snapshot",
                #"{"activities":[{\#(washer),"rev":1,"phase":"active","content":{"status":"Running","n":{"a":1,"b":2}}}]}"#,
                true, ["washer/laundry/1 1 active Running [1, 2]"]
            ),
            (
                "diff", #"{\#(washer),"rev":2,"prev":1,"at":9.5,"patch":{"content":{"n":{"a":null,"b":3}}}}"#,
                true, held
            ),
            // Told before, of another epoch, and after one that was missed.
            ("diff", #"{\#(washer),"rev":2,"prev":1,"patch":{"phase":"x"}}"#, true, held),
            (
                "diff", #"{"id":"washer/laundry/1","epoch":6,"rev":3,"prev":2,"patch":{"phase":"x"}}"#, false,
                held
            ),
            ("diff", #"{\#(washer),"rev":5,"prev":4,"patch":{"phase":"x"}}"#, false, held),
            (
                "diff", #"{\#(washer),"rev":3,"prev":2,"patch":{"phase":"ended","content":{"status":null}}}"#,
                true,
                ["washer/laundry/1 3 ended - [3]"]
            ),
            ("activity", "{\(oven)}", true, ["oven/a/1 1 active - []", "washer/laundry/1 3 ended - [3]"]),
            // The next run of a device takes the place of the one before.
            ("activity", #"{"id":"washer/laundry/2","epoch":5,"rev":1,"phase":"active"}"#, true, both),
            ("dismissed", #"{"kind":"washer","device":"laundry","id":"washer/laundry/1"}"#, true, both),
            ("dismissed", #"{"kind":"washer","device":"laundry","id":"washer/laundry/2"}"#, true, others),
            ("moved", #"{"kind":"oven","device":"a"}"#, true, others),
            ("activity", "no JSON", true, others),
            ("forgotten", #"{"kind":"oven","device":"a"}"#, true, []),
        ] as [(String, String, Bool, [String])] {
            expect(feed.take(event(name, data)) == isKnown, "\(name) \(data)")
            expect(feed.activities.map(told).sorted(), activities)
        }
    }

    /// An answer that was on its way does not undo what the stream told meanwhile.
    static func answering() {
        var feed = SkerryFeed()
        _ = feed.take(event("activity", #"{"id":"washer/laundry/1","epoch":5,"rev":7}"#))
        for (rev, epoch, found) in [(6, 5, 7), (8, 5, 8), (1, 6, 1)] {
            let element: [String: Any] = ["id": "washer/laundry/1", "epoch": epoch, "rev": rev]
            feed.take([SkerrySnapshot(element)].compactMap { $0 })
            expect(feed.activities.map(\.rev), [found])
        }
        feed.take([])
        expect(feed.activities, [])
        var last = event("moved", "{}")
        last.position = "x-7"
        _ = feed.take(last)
        _ = feed.take(event("device", #"{"kind":"oven","device":"a","at":1}"#))
        expect(feed.position, "x-7")
        expect(feed.explanation?.page, "oven/a")
        _ = feed.take(event("device", "{}"))
        expect(feed.explanation?.page, "oven/a")
    }

    private static func told(_ activity: SkerrySnapshot) -> String {
        let content = activity.members["content"] as? [String: Any]
        let numbers = (content?["n"] as? [String: Int])?.sorted { $0.key < $1.key }.map(\.value) ?? []
        return
            "\(activity.id) \(activity.rev) \(activity.phase) \(content?["status"] as? String ?? "-") \(numbers)"
    }

    static func pausing() {
        var feed = SkerryFeed()
        let pauses = [true, false, false, false, false, false, false, true, false].map {
            feed.nextPause(isTold: $0)
        }
        expect(pauses, [3, 6, 12, 24, 48, 60, 60, 3, 6])
        feed = SkerryFeed()
        expect(feed.nextPause(isTold: false), 3)
        for (asked, pause) in [(0.2, 1.0), (10, 10), (900, 60)] {
            var told = event("moved", "{}")
            told.pause = asked
            _ = feed.take(told)
            expect(feed.nextPause(isTold: true), pause)
        }
    }
}
