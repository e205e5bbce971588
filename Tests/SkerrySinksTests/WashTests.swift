import Foundation
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryExpressions
import SkerryFiles
import SkerryValues
import Testing

@testable import SkerrySinks

/// The requests of a whole wash, byte by byte.
@Suite("A wash at each service")
struct WashTests {
    /// The messages of a wash of an hour, by the minute: an end that moves a little, a pause, and the end.
    static let messages: [(minute: Int64, payload: String)] = [
        (0, #"{"OperationState":"Run","ActiveProgram":"Cotton","RemainingProgramTime":3600}"#),
        (10, #"{"RemainingProgramTime":3010}"#), (14, #"{"RemainingProgramTime":2765}"#),
        (20, #"{"OperationState":"Pause"}"#), (24, #"{"OperationState":"Run","RemainingProgramTime":2400}"#),
        (36, #"{"RemainingProgramTime":1690}"#), (50, #"{"RemainingProgramTime":840}"#),
        (64, #"{"OperationState":"Finished"}"#),
    ]

    /// Plays the wash, and returns the requests as text.
    static func requests(_ service: SinkService, _ answer: SinkAnswer = .accepted([])) throws -> [String] {
        var bench = SinkBench(service)
        bench.answers = [answer]
        var engine = Engine(definitions: [try #require(SinkBench.washer)], epoch: 7)
        var requests: [String] = []
        for (minute, payload) in messages {
            let moment = SinkBench.start + .minutes(minute)
            for request in bench.pass(moment - bench.now) { requests.append(text(request, bench.now)) }
            let message = Message(
                topic: Array("homeconnect/laundry/state".utf8)[...],
                payload: Array(payload.utf8)[...],
                isRetained: false
            )
            for effect in engine.handle(.message(message), at: moment) {
                if case .update(let update) = effect.what { bench.deliver(update, device: effect.device) }
            }
            for request in bench.send() { requests.append(text(request, bench.now)) }
        }
        for request in bench.pass(.hours(1)) { requests.append(text(request, bench.now)) }
        #expect(bench.scheduler.tally.held == 0)
        return requests
    }

    private static func text(_ request: SinkRequest, _ now: Timestamp) -> String {
        let headers = request.headers.map { "\($0.name): \($0.value)" }
        return (["POST \(request.path)"] + headers + [String(decoding: request.body, as: UTF8.self)])
            .joined(separator: "\n")
    }

    static let services: [(name: String, service: SinkService, answer: SinkAnswer)] = [
        ("home-assistant", SinkBench.homeAssistant, .accepted([])),
        ("webhook-structured", SinkBench.webhook, .accepted([])),
        ("webhook-binary", .webhook(mode: .binary, client: "skerry at home"), .accepted([])),
        ("ntfy", SinkBench.ntfy, .accepted(Array(#"{"id":"a1","sequence_id":"x"}"#.utf8))),
        ("ntfy-old", SinkBench.ntfy, .accepted(Array(#"{"id":"a1"}"#.utf8))),
        ("fcm", SinkBench.fcm, .accepted([])), ("braze", SinkBench.braze, .accepted([])),
    ]

    @Test("the requests are the expected ones", arguments: services.indices)
    func golden(index: Int) throws {
        let (name, service, answer) = Self.services[index]
        let requests = try Self.requests(service, answer)
        #expect(requests.count <= 5, "\(name)")
        let actual = requests.joined(separator: "\n\n") + "\n"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Goldens/\(name).txt")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try actual.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).txt")
            return
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(actual == expected, "\(name): the requests have changed")
    }
}

/// What services demand of requests.
@Suite("The form of requests")
struct RequestFormTests {
    @Test(
        "a tag has letters that Home Assistant takes, 64 at most, and no other activity has it",
        arguments: ["washer/laundry/1", "ofen/Küche unten/1", String(repeating: "long/", count: 40)]
    )
    func tags(id: String) {
        let tag = SinkTag.name(of: id)
        #expect(
            tag.utf8.count <= 64
                && tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        )
        #expect(tag != SinkTag.name(of: id + "2") && tag == SinkTag.name(of: id))
    }

    @Test("a running countdown has no bar, because that would stand still; a paused one has")
    func bars() throws {
        var bench = SinkBench()
        bench.show("Running", rev: 1, end: 3600)
        let running = try #require(bench.send().first).data
        #expect(running["chronometer"] != nil && running["progress"] == nil)
        guard case .int(let when)? = running["when"] else {
            Issue.record("no moment")
            return
        }
        #expect(when == SinkBench.start.flooredSeconds + 3600)
    }

    @Test(
        "the short text is whole words where they fit into ten characters, and means something",
        arguments: [
            ("Running", "Running"), ("Laundry is done", "Laundry"), ("Finishing up", "Finishing"),
            ("Nachspülenfertig", "Nachspüle…"), ("Gart, 178 °C von 180 °C", "Gart"),
            ("198 °C von 220 °C", "198 °C"), ("Noch 5 min bis Ende", "Noch 5 min"), ("5 · 7 left of 12", "5"),
            ("a b c d e f g h", "a"), ("Done after 84 min", "Done"), ("12 min 12345 W", "12 min"),
        ]
    )
    func short(status: String, text: String) throws {
        var bench = SinkBench()
        bench.show(status, rev: 1)
        #expect(try #require(bench.send().first).data["critical_text"]?.text == text)
    }

    @Test("texts show numbers with their units, times of day in the house's zone, and no blanks alone")
    func texts() throws {
        var layouts = SinkBench.layouts
        layouts.zone = { TimeZoneRules(firstOffset: 3600) }
        var bench = SinkBench(SinkBench.ntfy, layouts)
        bench.show("Running", rev: 1, end: 3600)
        #expect(try #require(bench.send().first).message == "Running · until 11:00")
    }

    @Test(
        "words that are not of the definition are in the language of the bridge",
        arguments: [
            (nil, "Läuft · until 10:00", "Läuft · not heard of for a while · until 10:00", "yes"),
            ("de-AT", "Läuft · bis 10:00", "Läuft · länger nichts gehört · bis 10:00", "ja"),
            (
                "es", "Läuft · hasta las 10:00", "Läuft · sin noticias desde hace un rato · hasta las 10:00",
                "sí"
            ),
            ("zh-Hans", "Läuft · 到 10:00", "Läuft · 有一阵没有消息 · 到 10:00", "是"),
            ("fr", "Läuft · until 10:00", "Läuft · not heard of for a while · until 10:00", "yes"),
        ] as [(String?, String, String, String)]
    )
    func words(tag: String?, running: String, silent: String, yes: String) throws {
        let words = SinkWords(language: tag)
        var bench = SinkBench(SinkBench.ntfy, words: words)
        bench.show("Läuft", rev: 1, end: 3600)
        #expect(bench.send().map { $0.message } == [running])
        bench.show("Läuft", rev: 2, end: 3600, phase: .stale)
        #expect(bench.pass(.minutes(2)).map { $0.message } == [silent])
        #expect(words.truth(true) == yes)
    }

    @Test(
        "a truth value in a text is a word",
        arguments: [("en", "Door open: yes"), ("de", "Door open: ja")]
    )
    func truth(tag: String, text: String) throws {
        let reading = DefinitionReader.read(
            text: """
                skerry: 1
                kind: freezer
                sources: [{ topic: "freezer/{device}", signals: { open: payload.open } }]
                machine: { initial: cold, states: { cold: {} } }
                activity: { starts: cold, content: { open: { value: open, type: bool } } }
                island: { lock: { text: "Door open: {open}" } }
                """
        )
        #expect(reading.problems.isEmpty)
        let compilation = Definition.compile(try #require(reading.draft), limits: DeviceLimits())
        let island = try #require(compilation.definition?.island)
        let layouts = SinkLayouts(zone: { Location.utc.zone }) { _ in island }
        var bench = SinkBench(SinkBench.ntfy, layouts, words: SinkWords(language: tag))
        bench.show("Cold", rev: 1, isOpen: true)
        #expect(bench.send().map { $0.message } == [text])
    }

    @Test("headers of events are plain ASCII whatever devices are called")
    func headers() throws {
        var bench = SinkBench(.webhook(mode: .binary, client: "küche \"1\""))
        bench.show("Läuft", rev: 1, device: "Küche\n%")
        let headers = try #require(bench.send().first).headers
        #expect(headers.allSatisfy { $0.value.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        #expect(headers.contains { $0.value == "washer/K%C3%BCche%0A%25/1772355600" })
    }

    @Test("Firebase gets the content as far as it has room, and all values are texts")
    func sizes() throws {
        for (target, isWhole) in [(SinkBench.token, true), ("topic:house", false)] {
            var bench = SinkBench(.fcm(targets: [target], budget: 20))
            bench.show(
                String(repeating: "long ", count: 240),
                rev: 1,
                alert: String(repeating: "x", count: 300)
            )
            let data = try #require(bench.send().first).messageData
            #expect((data["content"] != nil) == isWhole, "\(target)")
            var size = 0
            for entry in data.entries {
                guard case .string(let key) = entry.key, case .string(let text) = entry.value else {
                    Issue.record("\(entry.key) is no text")
                    continue
                }
                size += key.utf8.count + text.utf8.count
            }
            #expect(size <= (isWhole ? 4096 : 2048))
        }
    }

    @Test(
        "a target of Firebase is a registration token or a topic",
        arguments: [
            (SinkBench.token, true), ("topic:house-1", true), ("topic:", false), ("topic:a b", false),
            ("house", false), ("https://fcm.googleapis.com/x", false),
        ]
    )
    func targets(text: String, isTarget: Bool) {
        #expect(SinkService.isTargetOfFCM(text) == isTarget)
    }

    @Test("an older ntfy gets starts and alerts only")
    func oldServer() {
        var bench = SinkBench(SinkBench.ntfy)
        bench.answers = [.accepted(Array(#"{"id":"a1"}"#.utf8))]
        bench.show("Running", rev: 1)
        bench.show("Running", rev: 1)
        #expect(bench.send().count == 1)
        bench.show("Paused", rev: 2)
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench.show("Done", rev: 3, phase: .ended, alert: "Done")
        #expect(bench.send().map { $0.message } == ["Done"])
    }
}
