import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryFiles

@Suite("Secrets in recordings for others")
struct ScrubbedSecretsTests {
    private static func scrub(
        _ lines: [(topic: String, payload: String)],
        seed: UInt64 = 7
    ) -> (lines: [(topic: String, payload: String)], doubts: ScrubDoubts) {
        let messages = lines.map {
            RecordedMessage(
                at: Timestamp(seconds: 0),
                topic: Array($0.topic.utf8)[...],
                payload: Array($0.payload.utf8)[...]
            )
        }
        var scrubber = Scrubber(using: SimulatedRandom(seed: seed))
        for message in messages { scrubber.learn(message) }
        let scrubbed = messages.compactMap { scrubber.scrub($0) }.map {
            (String(decoding: $0.topic, as: UTF8.self), String(decoding: $0.payload, as: UTF8.self))
        }
        return (scrubbed, scrubber.doubts)
    }

    @Test(
        "What stands under a personal key goes, whatever form it has",
        arguments: [
            (#"{"serial":4711081512}"#, "4711081512"), (#"{"imei": 490154203237518}"#, "490154203237518"),
            (#"{"phone":4930123456}"#, "4930123456"), (#"{"postcode":10437}"#, "10437"),
            (#"{"device":{"token":99887766}}"#, "99887766"), (#"{"pin":4321}"#, "4321"),
            (#"{"user":"Jo"}"#, "Jo"), (#"{"owner":"K\u00fcche"}"#, "u00fc"),
            (#"{"passwd":"hunter2"}"#, "hunter2"), (#"{"psk":"correct horse"}"#, "horse"),
            (#"{"wifi_password":"ab c"}"#, "ab c"), (#"{"mqttPassword2":"x1y2"}"#, "x1y2"),
            (#"{"refresh-token":"q"}"#, #""q""#), (#"{"serials":["A1","B2"]}"#, "A1"),
            (#"{"data":"{\"token\":\"s3cret\"}"}"#, "s3cret"),
            (#"{"data":"{\"in\":\"{\\\"user\\\":\\\"Adam\\\"}\"}"}"#, "Adam"),
            ("power=3&token=abcdef&on=1", "abcdef"), ("user=Ada Lovelace;x=1", "Lovelace"),
            ("GET /x?access_token=zzz HTTP", "zzz"), ("Authorization: Bearer tok.en", "tok.en"),
            ("<wifi><ssid>Villa</ssid></wifi>", "Villa"), (#"{token: "unquoted", x"#, "unquoted"),
            ("from fe80::1ff:fe23:4567:890a up", "fe80"), ("[2001:db8:85a3::8a2e:370:7334]:80", "85a3"),
            ("2003:e5:1f00:1234:5678:9abc:def0:1234", "9abc"), ("at ::ffff:c0a8:101", "c0a8"),
            ("a4cf.126d.9b01", "126d"),
        ]
    )
    func keys(_ payload: String, _ secret: String) throws {
        let (lines, _) = Self.scrub([("t", payload)])
        let said = try #require(lines.first).payload
        #expect(!said.contains(secret), "\(said)")
        if case .map? = try? JSONReader.value(of: Array(payload.utf8).span) {
            #expect((try? JSONReader.value(of: Array(said.utf8).span)) != nil, "\(said) is JSON no more")
        }
    }

    @Test(
        "What measures something stays, also under keys that may be somebody's",
        arguments: [
            #"{"area":3500,"room":2,"key":1,"user":0,"address":12}"#, "area=3500;room=2", #"{"pin":12}"#,
            #"{"user":"on","host":"unknown","room":null}"#, "12:30:45", "std::string", "a::", "1234567",
            #"{"monitor":"x","spin":1400,"passes":3}"#, "energy: 12.5 kWh",
        ]
    )
    func kept(_ payload: String) throws {
        #expect(try #require(Self.scrub([("t", payload)]).lines.first).payload == payload)
    }

    @Test(
        "Numbers of devices in topics go, also from payloads",
        arguments: ["12345678", "471108", "a4cf12abcdef", "aabbccddeeff", "DVES_A1B2C3", "a4-cf-12-6d-9b-01"]
    )
    func topics(_ level: String) throws {
        let number = level.split(separator: "_").last.map(String.init) ?? level
        let (lines, _) = Self.scrub([("plug/\(level)/power", "3"), ("log", "\(number) is there")])
        #expect(!lines[0].topic.contains(number) && lines[0].topic.hasSuffix("/power"))
        #expect(!lines[1].payload.contains(number), "\(lines[1].payload)")
    }

    @Test(
        "A name that JSON wrote with escapes or in full goes from topics, with underscores and percent signs"
    )
    func variants() {
        let (lines, _) = Self.scrub([
            ("a", #"{"friendly_name":"K\u00fcche Ada"}"#), ("z/Küche Ada/set", ""), ("z/küche_ada", ""),
            ("z/KÜCHE-ADA", ""), ("z", "http://x/K%C3%BCche%20Ada"),
            ("z", #"{"t":"in der K\u00FCche Ada!"}"#),
        ])
        for line in lines {
            #expect(!line.topic.lowercased().contains("ada") && !line.payload.contains("Ada"))
        }
        #expect(lines[5].payload == #"{"t":"in der name-1!"}"#)
    }

    @Test("What only a person can judge is listed")
    func doubts() {
        let (_, doubts) = Self.scrub([
            ("home/attic/status", #"{"name":"Grandma's lamp","state":"RUNNING","t":1790000000,"mode":"eco"}"#)
        ])
        #expect(doubts.levels == ["attic"])
        #expect(doubts.texts == [#"name "Grandma's lamp""#])
        #expect(doubts.numbers == ["t"])
    }

    // MARK: Planted secrets

    private static let keys = [
        "serial", "sn", "Token", "imei", "wifi_password", "passwd", "psk", "phone", "postcode", "user",
        "friendly_name",
        "ssid", "accessToken", "mqtt-password", "owner", "macs",
    ]

    private static func secret(_ random: inout SimulatedRandom) -> String {
        let letters = Array("bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ")
        func text(_ length: Int, of letters: [Character]) -> String {
            String((0..<length).map { _ in letters.randomElement(using: &random) ?? "x" })
        }
        let digits = Array("123456789")
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: text(Int.random(in: 6...16, using: &random), of: digits)
        case 1: text(Int.random(in: 4...12, using: &random), of: letters + digits)
        case 2: "Qué \(text(5, of: letters)) Zoé"
        case 3: (0..<6).map { _ in text(2, of: Array("abcdef1234567890")) }.joined(separator: ":")
        case 4: "\(text(6, of: letters))@\(text(5, of: letters)).org"
        default: "\(text(5, of: letters)) \(text(6, of: letters))"
        }
    }

    private static func json(_ text: String, escaping: Bool) -> String {
        var json = ""
        for scalar in text.unicodeScalars {
            if scalar.value > 127, escaping {
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else if scalar == "\"" || scalar == "\\" {
                json += "\\\(scalar)"
            } else {
                json.unicodeScalars.append(scalar)
            }
        }
        return "\"\(json)\""
    }

    /// A payload that tells a secret under a personal key.
    private static func telling(_ secret: String, _ random: inout SimulatedRandom) -> String {
        let key = keys.randomElement(using: &random) ?? "sn"
        let escaping = Bool.random(using: &random)
        let isNumber =
            secret.utf8.allSatisfy { $0.isASCIIDigit } && !["user", "friendly_name", "owner"].contains(key)
        let value = isNumber && Bool.random(using: &random) ? secret : json(secret, escaping: escaping)
        let object = "{\"state\":\"ON\",\"\(key)\":\(value),\"power\":3}"
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: object
        case 1: "{\"a\":[{\"b\":\(object)}]}"
        case 2: "{\"raw\":\(json(object, escaping: escaping))}"
        case 3: "{\"raw\":\(json("{\"deep\":\(json(object, escaping: false))}", escaping: escaping))}"
        case 4: "x=1&\(key)=\(secret)&y=2"
        default: "[\(object),\(object)]"
        }
    }

    /// A message with a secret that another one tells.
    private static func using(_ secret: String, _ random: inout SimulatedRandom) -> (String, String) {
        let level = secret.contains("/") ? "x" : secret
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: ("home/\(level)/set", "ON")
        case 1: ("home/log", "\(secret): low battery")
        case 2: ("home/log", "{\"\(secret)\":{\"on\":true}}")
        case 3: ("\(level)/status", "{\"text\":\(json("about \(secret).", escaping: true))}")
        case 4: ("home/log", "{\"raw\":\(json("{\"of\":\(json(secret, escaping: false))}", escaping: true))}")
        default: ("home/\(level)", "{\"list\":[1,\(json(secret, escaping: false)),null]}")
        }
    }

    @Test(
        "A random recording with secrets in every position comes out without one",
        arguments: 0..<200 as Range<UInt64>
    )
    func planted(_ seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        let secrets = (0..<6).map { _ in Self.secret(&random) }
        var lines: [(topic: String, payload: String)] = []
        for secret in secrets {
            lines.append(("home/device", Self.telling(secret, &random)))
            for _ in 0..<3 { lines.append(Self.using(secret, &random)) }
        }
        lines.shuffle(using: &random)
        let scrubbed = Self.scrub(lines, seed: seed).lines
        #expect(scrubbed.count == lines.count)
        for (line, original) in zip(scrubbed, lines) {
            for secret in secrets {
                for form in [secret, Self.json(secret, escaping: true).dropFirst().dropLast().description] {
                    #expect(!line.topic.contains(form), "\(original.topic)")
                    #expect(!line.payload.contains(form), "\(original.payload) became \(line.payload)")
                }
            }
        }
    }
}
