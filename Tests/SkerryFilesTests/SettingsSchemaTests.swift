import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

/// What is made of the declarations of settings.
@Suite struct SettingsSchemaTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..")

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the table of settings is the one in docs/reference`() throws {
        #expect(
            try text("docs/reference/settings.md").contains("\n\n\(SettingsSchema.table)\n"),
            "write it: skerry schema --settings --markdown"
        )
    }

    @Test func `every setting has a name of its own and a help`() {
        #expect(SettingKeys.all.filter { $0.help.isEmpty }.map(\.name) == [])
        #expect(Set(SettingKeys.all.map(\.name)).count == SettingKeys.all.count)
    }

    @Test func `every setting is read by its key, with its range and its default`() throws {
        func reader(_ file: String) -> SettingsReader {
            SettingsReader(options: [:], environment: SettingsEnvironment([:]), file: SettingsFile(file))
        }
        #expect(try reader("")[SettingKeys.Store.lease] == .seconds(10))
        #expect(try reader("")[SettingKeys.MQTT.port] == nil)
        #expect(try reader("store: { lease: 3 }")[SettingKeys.Store.lease] == .seconds(3))
        #expect(try reader("http: { hosts: [a, b] }")[SettingKeys.HTTP.hosts] == ["a", "b"])
        #expect(throws: SettingFault(message: "skerry.yaml:1:17: store.lease: 2 is not between 3 and 3600")) {
            try reader("store: { lease: 2 }")[SettingKeys.Store.lease]
        }
        let app = SettingKeys.App.usesChannels.below("push.apps.shop")
        #expect(try reader("push: { apps: { shop: { channels: true } } }")[app])
    }

    @Test func `a word has a type, and the words are named where it is wrong`() throws {
        enum Format: String { case text, json }
        enum Level: String { case info }
        let file = SettingsFile("log: { format: jsn, level: loud }")
        let reader = SettingsReader(options: [:], environment: SettingsEnvironment([:]), file: file)
        #expect(throws: SettingFault(message: "skerry.yaml:1:16: log.format: 'jsn' is neither text nor json"))
        {
            let _: Format? = try reader.word(SettingKeys.Log.format)
        }
        let words = "trace, debug, info, notice, warning, error, critical"
        #expect(throws: SettingFault(message: "skerry.yaml:1:28: log.level: 'loud' is none of \(words)")) {
            let _: Level = try reader.word(SettingKeys.Log.level)
        }
    }

    @Test(.enabled(if: SchemaValidator.python != nil, "apt-get install python3-jsonschema"))
    func `the schema takes right settings, and refuses wrong ones`() throws {
        let right: [String: Any] = [
            "definitions": ["auto", "devices"], "devices": ["washer/a": ["settings": [:] as [String: Any]]],
            "mqtt": ["host": "broker", "port": 1883, "version": 5, "tls": ["enabled": "yes"]]
                as [String: Any],
            "log": ["level": "debug"], "place": ["latitude": 52.5, "longitude": 13],
            "push": [
                "apns": ["key": "a.p8"],
                "apps": ["shop": ["key": "b.p8", "channels": true] as [String: Any]],
            ],
            "sinks": ["fcm": ["targets": "topic:house"]],
        ]
        let wrong: [String: Any] = [
            "key": ["mqtt": ["hots": "broker"]], "range": ["store": ["lease": 2]],
            "word": ["log": ["level": "loud"]], "shape": ["mqtt": ["host": ["a", "b"]]],
            "truth": ["http": ["edit": "maybe"]], "app": ["push": ["apps": ["shop": ["colour": "red"]]]],
        ]
        #expect(try SchemaValidator.refused(["right": right], by: SettingsSchema.bytes) == [:])
        #expect(try SchemaValidator.refused(wrong, by: SettingsSchema.bytes).count == wrong.count)
    }

    @Test func `the configuration of the package is right, also what is commented out`() throws {
        let file = try text("packaging/skerry.yaml")
        #expect(SettingsFile(file).problems.map(\.message) == [])
        let all = file.replacing(/\n( *)# ([a-z-]+:)/) { "\n\($0.1)\($0.2)" }
        #expect(SettingsFile(all).problems.map(\.message) == [])
    }
}
