import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryFiles

@Suite("Recordings for others")
struct ScrubberTests {
    private func scrub(
        _ lines: [(topic: String, payload: String)],
        words: [String] = []
    ) -> [(String, String)] {
        let messages = lines.map {
            RecordedMessage(
                at: Timestamp(seconds: 0),
                topic: Array($0.topic.utf8)[...],
                payload: Array($0.payload.utf8)[...]
            )
        }
        var scrubber = Scrubber(words: words, using: SimulatedRandom(seed: 7))
        for message in messages { scrubber.learn(message) }
        return messages.compactMap { scrubber.scrub($0) }
            .map { (String(decoding: $0.topic, as: UTF8.self), String(decoding: $0.payload, as: UTF8.self)) }
    }

    private func scrub(_ payload: String) -> String { scrub([("t", payload)]).first?.1 ?? "left out" }

    @Test(
        "What only says what a device does stays, byte by byte",
        arguments: [
            #"{"state": "RUNNING", "remaining": 1440, "at": "2026-03-01T12:00:00.250+01:00", "list": [1, -2.5e3, null, true]}"#,
            #"{"start":"20260301T120000Z","version":"01.07.00.00","firmware":"1.14.2.0","uuid":""}"#,
            "72.50 kWh", "", "ON", "{", #"{"cut": "te"#, #"["a\"b", "\u00fc"]"#,
            #"{"progress":12345678,"eta":"1790000000"}"#,
            "01:02:03", "3:1",
        ]
    )
    func kept(_ payload: String) { #expect(scrub(payload) == payload) }

    @Test("A name that a message tells is replaced in every topic and text, also before it was told")
    func names() {
        let lines = scrub([
            (topic: "zigbee2mqtt/Küche Ada/set", payload: "ON"),
            (
                topic: "zigbee2mqtt/bridge/devices",
                payload: #"[{"friendly_name":"Küche Ada","type":"Router"}]"#
            ),
            (topic: "home/log", payload: "küche ada: low battery; Küche Adams: fine"),
            (topic: "home/log", payload: #"{"Küche Ada":{"on":true},"adapter":"x"}"#),
        ])
        #expect(
            lines.map(\.0) == [
                "zigbee2mqtt/name-1/set", "zigbee2mqtt/bridge/devices", "home/log", "home/log",
            ]
        )
        #expect(
            lines.map(\.1) == [
                "ON", #"[{"friendly_name":"name-1","type":"Router"}]"#,
                "name-1: low battery; Küche Adams: fine",
                #"{"name-1":{"on":true},"adapter":"x"}"#,
            ]
        )
    }

    @Test("A word that was asked for goes, whatever its case, but not out of the middle of others")
    func words() {
        let lines = scrub([("plug/anna_phone/power", "Anna, annabel, ANNA")], words: ["Anna"])
        #expect(lines.map(\.0) == ["plug/name-1_phone/power"])
        #expect(lines.map(\.1) == ["name-1, annabel, name-1"])
    }

    @Test(
        "Serial numbers and ids keep their form and lose their figures",
        arguments: [
            "01P00A451601106", "0x00158d0001dc126a", "5f0c2d4e-8a91-7b36-90ab-cdef01234567",
            "a4:cf:12:6d:9b:01",
        ]
    )
    func serials(_ serial: String) throws {
        let lines = scrub([("device/\(serial)/report", #"{"sn":"\#(serial)","n":1}"#)])
        let (topic, payload) = try #require(lines.first)
        let said = topic.split(separator: "/")[1]
        #expect(said.utf8.count == serial.utf8.count && said != serial)
        for (new, old) in zip(said.utf8, serial.utf8) {
            #expect(new.isASCIIDigit == old.isASCIIDigit || new.isHexadecimalDigit == old.isHexadecimalDigit)
            #expect(new.isOfWord == old.isOfWord)
        }
        #expect(payload == #"{"sn":"\#(said)","n":1}"#)
    }

    @Test(
        "Addresses become addresses of documentation",
        arguments: [
            (#"{"ip":"192.168.1.20"}"#, #"{"ip":"192.0.2.1"}"#),
            ("http://10.0.0.7:8080/x and 10.0.0.8", "http://192.0.2.1:8080/x and 192.0.2.2"),
            (#"{"to":"ada.l@example.net."}"#, #"{"to":"address-1@example.org."}"#),
        ]
    )
    func addresses(_ payload: String, _ expected: String) { #expect(scrub(payload) == expected) }

    @Test("A way on the map keeps its form somewhere else")
    func positions() throws {
        let lines = scrub([
            ("bus", #"{"lat":60.269247,"long":-0.85,"spd":3.5}"#),
            ("bus", #"{"lat":"60.269300","long":0.15}"#),
        ])
        let numbers = lines.map { line in
            line.1.split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
        }
        let (first, second) = (try #require(numbers.first), try #require(numbers.last))
        #expect(abs(first[0] - 60.269247) >= 1 && abs(first[1] + 0.85) >= 1)
        #expect(abs(second[0] - first[0] - 0.000053) < 1e-9 && abs(second[1] - first[1] - 1) < 1e-9)
        #expect(lines[0].1.hasSuffix(#","spd":3.5}"#))
    }

    @Test("A payload that is not text is left out: nobody can look through it")
    func bytes() {
        var scrubber = Scrubber(using: SimulatedRandom(seed: 7))
        let picture = RecordedMessage(
            at: Timestamp(seconds: 0),
            topic: [0x61][...],
            payload: [0xFF, 0xD8][...]
        )
        #expect(scrubber.scrub(picture) == nil)
    }
}
