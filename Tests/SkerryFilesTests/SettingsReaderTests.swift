import SkerryDevice
import SkerryFiles
import Testing

/// Settings from the command line, the environment and the file.
@Suite("Settings and their rank")
struct SettingsReaderTests {
    private func reader(
        options: [String: WrittenSetting] = [:],
        _ variables: [String: String] = [:],
        file: String = ""
    ) -> SettingsReader {
        SettingsReader(
            options: options,
            environment: SettingsEnvironment(variables),
            file: SettingsFile(file, path: "home.yaml")
        )
    }

    private let everywhere = (
        options: ["mqtt.host": WrittenSetting("option", option: "--host")],
        variables: ["SKERRY_MQTT_HOST": "variable"],
        file: "mqtt: { host: file }\n"
    )

    @Test func `an option outranks a variable, and that the file`() {
        let (options, variables, file) = everywhere
        #expect(reader(options: options, variables, file: file).text("mqtt.host") == "option")
        #expect(reader(variables, file: file).text("mqtt.host") == "variable")
        #expect(reader(file: file).text("mqtt.host") == "file")
        #expect(reader().text("mqtt.host") == nil)
    }

    @Test func `of two settings the one at the place of higher rank is told`() {
        let file = "mqtt: { password: a, password-file: b }\n"
        let reader = { self.reader($0, file: file) }
        #expect(!reader([:]).outranks("mqtt.password", "mqtt.password-file"))
        #expect(reader(["SKERRY_MQTT_PASSWORD": "c"]).outranks("mqtt.password", "mqtt.password-file"))
        let both = ["SKERRY_MQTT_PASSWORD": "c", "SKERRY_MQTT_PASSWORD_FILE": "d"]
        #expect(!reader(both).outranks("mqtt.password", "mqtt.password-file"))
        #expect(!reader(both).outranks("mqtt.username", "mqtt.password"))
    }

    @Test(
        "a list is a list in the file, and has commas in a variable",
        arguments: [
            ("http: { hosts: [a.org, 'b, c'] }\n", [:], ["a.org", "b, c"]),
            ("http:\n  hosts:\n    - a.org\n", [:], ["a.org"]),
            ("http: { hosts: 'a.org, b.org' }\n", [:], ["a.org, b.org"]),
            ("http: { hosts: [] }\n", [:], []),
            ("http: { hosts: a.org }\n", ["SKERRY_HTTP_HOSTS": " b.org ,c d.org"], ["b.org", "c d.org"]),
            ("", ["SKERRY_HTTP_HOSTS": "b.org,"], ["b.org", ""]),
        ] as [(String, [String: String], [String])]
    )
    func lists(file: String, variables: [String: String], expected: [String]) {
        #expect(reader(variables, file: file).texts("http.hosts") == expected)
    }

    @Test(
        "numbers are whole or decimal, and may be in quotes",
        arguments: [
            ("8883", 8883), ("'8883'", 8883), ("+5", 5), ("65_535", 65_535),
        ]
    )
    func numbers(written: String, expected: Int) throws {
        let reader = reader(file: "mqtt: { port: \(written) }\n")
        #expect(try reader.number("mqtt.port", in: 1...65_535) == expected)
    }

    @Test(
        "truth values in all usual spellings",
        arguments: [
            ("true", true), ("Yes", true), ("ON", true), ("1", true),
            ("false", false), ("no", false), ("Off", false), ("0", false),
        ]
    )
    func truths(written: String, expected: Bool) throws {
        #expect(try reader(["SKERRY_MQTT_TLS_ENABLED": written]).truth("mqtt.tls.enabled") == expected)
        #expect(
            try reader(file: "mqtt: { tls: { enabled: \(written) } }\n").truth("mqtt.tls.enabled")
                == expected
        )
    }

    @Test(
        "a host is a name or an address alone; what is more is told apart",
        arguments: [
            ("localhost", nil), ("broker.example.org", nil), ("192.168.1.2", nil), ("::1", nil),
            ("fe80::1%eth0", nil),
            ("[::1]", "write '::1'"), ("[::1]:1884", "write '::1', and the port, 1884, on its own"),
            ("broker:1884", "write 'broker', and the port, 1884, on its own"),
            ("mqtt://ada@broker:1884/x", "write 'broker', and the port, 1884, on its own"),
            ("MQTTS://broker", "write 'broker', and turn TLS on"),
            ("mqtt://", "is no name or address of a host"),
            ("broker:", "write 'broker'"), ("mqtt:broker", "write 'mqtt'"),
            ("my broker", "is no name or address of a host"), ("", "is no name or address of a host"),
        ]
    )
    func hosts(written: String, advice: String?) {
        let problem = ChosenBroker.problem(ofHost: written)
        #expect((problem == nil) == (advice == nil), "\(problem ?? "")")
        if let advice { #expect(problem?.hasSuffix(advice) == true, "\(problem ?? "")") }
        let reader = reader(["SKERRY_MQTT_HOST": written])
        #expect((try? reader[SettingKeys.MQTT.host]) == (advice == nil ? written : nil))
    }

    @Test func `a wrong value is an error at its place, and none of lower rank takes its place`() {
        let file = "mqtt:\n  port: many\n  receive-maximum: 70000\n  tls:\n    insecure: 'maybe'\n"
        let reader = reader(
            options: ["health-interval": WrittenSetting("0", option: "--health-interval")],
            ["SKERRY_MQTT_TLS_ENABLED": "", "SKERRY_HEALTH_INTERVAL": "60"],
            file: file + "health-interval: 60\n"
        )
        let faults: [(() throws(SettingFault) -> Void, String)] = [
            (
                { () throws(SettingFault) in _ = try reader.number("mqtt.port", in: 1...65_535) },
                "home.yaml:2:9: mqtt.port: 'many' is not a whole number"
            ),
            (
                { () throws(SettingFault) in _ = try reader.number("mqtt.receive-maximum", in: 1...65_535) },
                "home.yaml:3:20: mqtt.receive-maximum: 70000 is not between 1 and 65535"
            ),
            (
                { () throws(SettingFault) in _ = try reader.truth("mqtt.tls.insecure") },
                "home.yaml:5:16: mqtt.tls.insecure: 'maybe' is neither true nor false"
            ),
            (
                { () throws(SettingFault) in _ = try reader.truth("mqtt.tls.enabled") },
                "SKERRY_MQTT_TLS_ENABLED: '' is neither true nor false"
            ),
            (
                { () throws(SettingFault) in _ = try reader.number("health-interval", in: 1...86_400) },
                "--health-interval: 0 is not between 1 and 86400"
            ),
        ]
        for (read, message) in faults {
            #expect(throws: SettingFault(message: message)) { try read() }
        }
    }

    @Test func `groups may have names that the author chose`() {
        let file = SettingsFile(
            "push: { apps: { shop: { key: a, bundle-id: b.c }, mine: { colour: x }, a.b: { key: c }, d: 1 } }"
        )
        #expect(file.problems.map(\.code) == [.unknownKey, .badName, .wrongShape])
        let reader = SettingsReader(options: [:], environment: SettingsEnvironment([:]), file: file)
        #expect(reader.names(below: "push.apps") == ["shop"])
        #expect(reader.text("push.apps.shop.bundle-id") == "b.c")
        #expect(reader.names(below: "push.apn") == [])
    }

    @Test func `every setting has a variable, and no two have the same`() {
        for key in SettingsFile.keys {
            let name = "SKERRY_" + String(key.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
            let reader = reader([name: key])
            #expect(SettingsFile.keys.filter { reader.text($0) != nil } == [key])
            #expect(reader.text(key) == key)
        }
    }

    @Test func `a variable near a setting is told, and no other`() {
        let variables = [
            "SKERRY_MQTT_HOTS": "x", "SKERRY_MQTT_HOST": "x", "SKERRY_ENTIRELY_DIFFERENT": "x",
            "MQTT_HOTS": "x",
            "SKERRY_LOG_LEVLE": "x",
        ]
        #expect(
            SettingsEnvironment(variables).advice == [
                "nothing reads the variable SKERRY_LOG_LEVLE; did you mean SKERRY_LOG_LEVEL?",
                "nothing reads the variable SKERRY_MQTT_HOTS; did you mean SKERRY_MQTT_HOST?",
            ]
        )
    }
}
