import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// The recordings of real devices.
@Suite("Real recordings", .enabled(if: Files.hasRecordings, "../shared/recordings is not there"))
struct RecordingTests {
    static let names = ["printer-cube", "printer-pauses", "household", "buses"]

    @Test("two replays give the same bytes, and no reader has a complaint", arguments: names)
    func replays(name: String) throws {
        let messages = try Files.recording(name)
        let definitions = Files.devices + [try Files.definition(BusTests.definition)]
        let first = Playback(messages, definitions)
        #expect(Playback(messages, definitions).text == first.text)
        #expect(!first.text.isEmpty)
        #expect(try Reader.complaints(about: first.sent.map(\.publication)) == [])
        #expect(first.replay.engine?.counters.refused == 0)
        #expect(first.replay.engine?.hasPendingActivity == false)
    }

    @Test("a print of 406 messages is four updates")
    func cube() throws {
        let playback = Playback(try Files.recording("printer-cube"), Files.devices)
        #expect(playback.replay.engine?.counters.messages == 406)
        let updates = playback.updates.map(\.update)
        #expect(updates.map(\.kind) == [.started, .changed, .changed, .ended])
        #expect(Set(updates.map(\.id)).count == 1)
        #expect(updates.map(\.state) == ["preparing", "printing", "printing", "done"])
    }

    /// Seconds of a Unix time in the content.
    static func second(_ name: String, of content: ValueMap) -> Int64? {
        guard case .map(let time)? = content["print"], case .int(let second)? = time[name] else { return nil }
        return second
    }

    /// The countdown of a printer against what the printer says: how often it spoke, and the largest error.
    static func judgeEnd(_ name: String) throws -> (reports: Int, worst: Interval) {
        var shown: ActivityUpdate?
        var reports = 0
        var worst = Interval.zero
        _ = Playback(try Files.recording(name), Files.devices) { message, effects in
            for effect in effects {
                if case .update(let update) = effect.what { shown = update }
            }
            guard let shown, shown.state == "printing", let end = second("end", of: shown.content),
                let report = try? JSON(Array(message.payload)),
                let minutes = report["print"]?["mc_remaining_time"]?.number
            else { return }
            reports += 1
            let reported = message.at + .seconds(Int64(minutes) * 60)
            worst = max(worst, (Timestamp(seconds: end) - reported).magnitude)
        }
        return (reports, worst)
    }

    @Test("the published end is never further from the printer's own than the tolerance")
    func publishedEnd() throws {
        let printer = try #require(Files.devices.first { $0.kind == "printer-bambu" })
        let tolerance = try #require(printer.timers.first { $0.name == "print" }).tolerance
        let cube = try Self.judgeEnd("printer-cube")
        #expect(cube.reports == 13)
        // Times are published in whole seconds.
        #expect(cube.worst <= tolerance + .milliseconds(500), "\(cube.worst)")
        let pauses = try Self.judgeEnd("printer-pauses")
        #expect(pauses.reports == 17)
        #expect(pauses.worst <= tolerance + .milliseconds(500), "\(pauses.worst)")
    }

    /// All that a printer knows after some of its messages: the answer to the question that its definition asks.
    static func answer(after messages: [RecordedMessage]) throws -> RecordedMessage {
        var known = Value.map(ValueMap())
        for message in messages {
            known = MergePatch.apply(try JSONReader.value(of: message.payload.span), to: known)
        }
        var writer = JSONWriter()
        writer.value(known)
        var answer = try #require(messages.last)
        answer.payload = writer.bytes[...]
        return answer
    }

    @Test(
        "whatever goes unheard, the answer of the printer leads to the right end",
        arguments: ["printer-cube", "printer-pauses"]
    )
    func gaps(name: String) throws {
        let messages = try Files.recording(name)
        let printer = Files.devices.filter { $0.kind == "printer-bambu" }
        let whole = Playback(messages, printer).updates.map(\.effect.at)
        let (begin, end) = (try #require(whole.first), try #require(whole.last))
        var random = SimulatedRandom(seed: 23)
        var heard = 0
        for _ in 0..<60 {
            let first = random.below(messages.count - 2)
            let next = min(first + 1 + random.below(messages.count), messages.count - 1)
            // A print of which nothing was heard while it lasted is none.
            let isHeard = messages[first].at > begin || messages[next].at < end
            let answer = try Self.answer(after: Array(messages[...next]))
            let updates = Playback(messages[..<first] + [answer] + messages[next...], printer).updates.map(
                \.update
            )
            #expect(updates.last.map { $0.state } == (isHeard ? "done" : nil), "\(first) to \(next)")
            #expect(Set(updates.map(\.id)).count == (isHeard ? 1 : 0), "\(first) to \(next)")
            heard += isHeard ? 1 : 0
        }
        #expect(heard >= 50)
    }

    @Test("each pause and each resume is one update, and the countdown stands still between")
    func pauses() throws {
        let playback = Playback(try Files.recording("printer-pauses"), Files.devices)
        let updates = playback.updates.map(\.update)
        #expect(updates.count == 12)
        #expect(updates.first?.kind == .started)
        #expect(updates.last?.kind == .ended)
        let pauses = updates.indices.filter { updates[$0].state == "paused" }
        // When gcode_state went to PAUSE and back in the recording (UTC).
        let times = [
            ("18:31:31", "18:34:03"), ("18:35:16", "18:41:42"), ("18:41:55", "18:42:19"),
            ("18:45:25", "18:45:47"),
        ]
        #expect(pauses.count == times.count)
        for (pause, time) in zip(pauses, times) {
            let (before, paused, resumed) = (updates[pause - 1], updates[pause], updates[pause + 1])
            // A pause is believed after ten seconds.
            #expect(RecordingTime.text(paused.at - .seconds(10)) == "2025-12-19 \(time.0)")
            #expect(RecordingTime.text(resumed.at) == "2025-12-19 \(time.1)")
            #expect(before.state == "printing" && resumed.state == "printing")
            let left = try #require(Self.second("remaining", of: paused.content))
            let end = try #require(Self.second("end", of: before.content))
            #expect(abs(end - paused.at.roundedSeconds - left) <= 1, "frozen at what was left")
            #expect(
                Self.second("end", of: paused.content) == nil
                    && Self.second("start", of: paused.content) == nil
            )
            let resumedEnd = try #require(Self.second("end", of: resumed.content))
            #expect(abs(resumedEnd - resumed.at.roundedSeconds - left) <= 1, "goes on with what was left")
            let length = try #require(Self.second("duration", of: paused.content))
            #expect(Self.second("start", of: resumed.content) == resumedEnd - length)
        }
    }
}
