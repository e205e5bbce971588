import SkerryDevice
import Testing

@testable import SkerryFiles

/// The shape of a configuration file.
@Suite("The configuration file")
struct SettingsFileTests {
    private func problems(_ text: String) -> [String] {
        SettingsFile(text).problems.map { problem in
            "\(problem.place.line):\(problem.place.column) \(problem.message)"
                + (problem.remedy.map { "; \($0)" } ?? "")
        }
    }

    @Test(
        "valid settings pass",
        arguments: [
            "", "# nothing yet\n", "definitions: devices\n", "definitions: [devices, more]\n",
            "mqtt: { host: broker.local, port: 8883, tls: { ca: /etc/ca.pem, enabled: true } }\n",
            "log: { level: info, format: json }\nlimits: { devices: 5 }\nhealth-interval: 60\nprefix: home\n",
        ]
    )
    func right(text: String) {
        #expect(problems(text) == [])
    }

    @Test("a file in which all is commented out sets nothing")
    func empty() {
        #expect(SettingsFile("").isEmpty)
        #expect(SettingsFile("# mqtt: { host: broker }\n").isEmpty)
        #expect(!SettingsFile("prefix: home\n").isEmpty)
        #expect(!SettingsFile("mqtt: {").isEmpty)
    }

    @Test(
        "two files differ in the settings whose values they do not share, in order, whatever they say of devices",
        arguments: [
            ("", "", []), ("prefix: a\n", "# comment\nprefix: 'a'\n", []),
            ("prefix: a\n", "prefix: b\n", ["prefix"]),
            ("http: { hosts: [a, b] }\nprefix: a\n", "http: { hosts: [a] }\n", ["http.hosts", "prefix"]),
            ("names: { lamp/a: A }\n", "audience: { lamp/a: [Ada] }\nplace: { zone: UTC }\n", ["place.zone"]),
        ]
    )
    func differences(first: String, second: String, names: [String]) {
        let (first, second) = (SettingsFile(first), SettingsFile(second))
        #expect(SettingsFile.differences(first, second) == names)
        #expect(SettingsFile.differences(second, first) == names)
        #expect(SettingsFile.differences(first, nil) == SettingsFile.differences(nil, first))
    }

    @Test("a changed file changes nothing that an option, the environment or a file in its place has")
    func overridden() {
        let first = SettingsFile("mqtt: { host: a, port: 1 }\nprefix: a\nstore: { path: a }\n")
        let second = SettingsFile("mqtt: { host: b, port: 2 }\nprefix: b\nstore: { path: b }\n")
        let reader = SettingsReader(
            options: ["prefix": WrittenSetting("c", option: "--prefix")],
            environment: SettingsEnvironment(["SKERRY_MQTT_PORT": "3"]),
            file: first
        )
        #expect(reader.differences(in: second) == ["mqtt.host", "store.path"])
        let chosen = reader.replacing(["mqtt.host", "mqtt.port"], with: SettingsFile("mqtt: { host: c }\n"))
        #expect(chosen.differences(in: second) == ["store.path"])
    }

    @Test("an unknown key is reported with its place and the one that was meant")
    func unknownKeys() {
        #expect(
            problems("mqtt:\n  hots: broker\n  tls: { cert: a.pem }\nlogs: { level: info }\n") == [
                "2:3 unknown key 'hots' in 'mqtt'; did you mean 'host'?",
                "3:10 unknown key 'cert' in 'tls'; "
                    + "it can have 'enabled', 'ca', 'certificate', 'key' and 'insecure'",
                "4:1 unknown key 'logs' in the configuration; did you mean 'log'?",
            ]
        )
    }

    @Test(
        "a value in place of a group, and the other way round",
        arguments: [
            ("mqtt: 5\n", "1:7 'mqtt' must be a mapping, not a number"),
            ("mqtt: { tls: yes }\n", "1:14 'tls' must be a mapping, not a text"),
            ("mqtt: { host: [a, b] }\n", "1:15 'host' must be one value, not a list"),
            (
                "definitions: [a, { b: c }]\n",
                "1:18 an element of 'definitions' must be one value, not a mapping"
            ),
            ("prefix: { a: b }\n", "1:9 'prefix' must be one value, not a mapping"),
            ("[1, 2]\n", "1:1 the configuration must be a mapping, not a list"),
            ("just text\n", "1:1 the configuration must be a mapping, not a text"),
        ]
    )
    func wrongShapes(text: String, expected: String) throws {
        #expect(problems(text).count == 1)
        #expect(try #require(problems(text).first).hasPrefix(expected))
    }

    @Test("no problem shows a value, which may be a secret")
    func secrets() {
        for text in [
            "mqtt: { password: hunter2", "mqtt: { pasword: hunter2 }\n", "mqtt:\n  password: [hunter2]\n",
            "mqtt: { password: hunter2, password: hunter2 }\n", "mqtt: { password: *hunter2 }\n",
        ] {
            #expect(!problems(text).isEmpty)
            #expect(!problems(text).joined().contains("hunter2"), "\(problems(text))")
        }
    }
}
