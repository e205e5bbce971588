import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

/// Settings of devices that were chosen on the page: their file, and what outranks them.
@Suite struct ChosenSettingsTests {
    private static let path = FileManager.default.temporaryDirectory.path

    /// A definition whose threshold has a greatest value.
    private func plug(greatest: Int = 100) throws -> Definition {
        let text = """
            skerry: 1
            kind: plug
            settings: { threshold: { default: 10, max: \(greatest) }, rest: 2m, room: hall }
            sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
            machine:
              states:
                idle: { always: { guard: power > settings.threshold && settings.room != "", target: running } }
                running: { always: { guard: power <= settings.threshold, for: settings.rest, target: idle } }
            """
        let compiled = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        return try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
    }

    private func settings(_ text: String) -> WrittenDevices {
        let file = SettingsFile(text)
        #expect(file.problems.isEmpty)
        return file.devices
    }

    /// The values of the settings of the plug `a`.
    private func values(
        _ file: WrittenDevices,
        _ page: WrittenDevices,
        _ definition: Definition
    ) -> [SettingValue] {
        let chosen = file.over(page.fitting([definition]).devices).choose(for: [definition])
        #expect(chosen.problems.isEmpty)
        return chosen.definitions[0].form(of: "a").settingChoices
    }

    @Test(arguments: [
        ("{}", "{}", [SettingValue.number(10), .length(.minutes(2)), .text("hall")], []),
        (
            "{}", "{ threshold: 20, rest: 1m, room: attic }",
            [.number(20), .length(.minutes(1)), .text("attic")], ["threshold page", "rest page", "room page"]
        ),
        (
            "{ threshold: 30 }", "{ threshold: 20, rest: 1m }",
            [.number(30), .length(.minutes(1)), .text("hall")], ["threshold file", "rest page"]
        ),
        (
            "{ threshold: 30 }", "{ threshold: 2000 }", [.number(30), .length(.minutes(2)), .text("hall")],
            ["threshold file"]
        ),
        ("{}", "{ threshold: 2000, gone: 1 }", [.number(10), .length(.minutes(2)), .text("hall")], []),
    ])
    func `the configuration file outranks the page, and what no longer fits is no choice`(
        file: String,
        page: String,
        values: [SettingValue],
        origins: [String]
    ) throws {
        let definition = try plug()
        let written = [file, page].map { settings("devices: { plug/a: { settings: \($0) } }") }
        #expect(self.values(written[0], written[1], definition) == values)
        let told = ChosenSettings(file: written[0], page: written[1]).origins(of: "a", in: definition)
        #expect(told.map { "\($0.setting) \($0.origin)" } == origins)
    }

    @Test func `a name in the configuration file stays beside what is chosen on the page`() throws {
        let definition = try plug()
        let page = settings("devices: { plug/a: { settings: { rest: 1m } } }")
        let chosen = settings("names: { plug/a: Big washer }").over(page).choose(for: [definition])
        let form = chosen.definitions[0].form(of: "a")
        #expect(form.givenName == "Big washer" && form.settingChoices[1] == .length(.minutes(1)))
    }

    @Test func `a name outranks messages, the configuration file outranks it, it goes with its kind`() throws
    {
        let definition = try plug()
        var page = settings("names: { plug/a: Big washer, lamp/b: Desk }")
        let (fitting, ignored) = page.fitting([definition])
        #expect(ignored.map(\.message) == ["there is no definition of the kind 'lamp'"])
        for (file, name, origin) in [
            ("{}", "Big washer", ChosenSettings.Origin.page),
            ("names: { plug/a: Cellar }", "Cellar", .file),
        ] {
            let chosen = settings(file).over(fitting).choose(for: [definition])
            #expect(chosen.problems.isEmpty)
            #expect(chosen.definitions[0].form(of: "a").givenName == name)
            let both = ChosenSettings(file: settings(file), page: page)
            #expect(both.nameOrigin(of: "a", kind: "plug") == origin)
        }
        page.rename("a", kind: "plug", to: "")
        #expect(page.document == "devices: {}\nnames:\n  lamp/b: Desk\n")
        #expect(ChosenSettings(page: page).nameOrigin(of: "a", kind: "plug") == nil)
    }

    @Test func `what no longer fits a definition is told with its place, and the rest has an effect`() throws
    {
        let page = settings(
            "devices: { plug/a: { settings: { threshold: 80, rest: 1m, gone: 1 } }, lamp/b: { settings: { x: 1 } } }"
        )
        let before = try plug()
        let after = try plug(greatest: 50)
        #expect(values(WrittenDevices(), page, before)[0] == .number(80))
        let (fitting, ignored) = page.fitting([after])
        #expect(values(WrittenDevices(), fitting, after).prefix(2) == [.number(10), .length(.minutes(1))])
        #expect(
            ignored.map { "\($0.place.column) \($0.message)" } == [
                "45 'threshold' must be at most 50, and this is 80", "59 'plug' has no setting 'gone'",
                "72 there is no definition of the kind 'lamp'",
            ]
        )
    }

    @Test func `the file is read as it was written, whatever the texts are`() throws {
        let path = "\(Self.path)/devices-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = DevicesFile(path)
        #expect(try file.read().devices.isEmpty)
        let texts = [
            "hall", "5m", "20", "true", " ", " a", "a: b", "a # b", "\"'\\", "[x]", "line\nline", "\u{7f}",
            "null", "ü 🧺",
            "- x", "2026-01-01", "x}", "a,b",
        ]
        var devices = WrittenDevices()
        for (number, text) in texts.enumerated() {
            let settings = [
                WrittenChoice("room", text, isText: true), WrittenChoice("rest", "1m", isText: false),
            ]
            let device = "\(number) \(text)".filter { !"/+#".contains($0) }
            devices.replace(settings, of: device, kind: "plug")
            devices.rename(device, kind: "plug", to: text)
        }
        try file.write(devices)
        let (read, problems) = try file.read()
        #expect(problems.isEmpty)
        #expect(read.document == devices.document)
        let choices = read.choose(for: [try plug()])
        #expect(choices.problems.isEmpty)
        for (number, text) in texts.enumerated() {
            let name = "\(number) \(text)".filter { !"/+#".contains($0) }
            let form = choices.definitions[0].form(of: name)
            #expect(form.settingChoices[2] == .text(text) && form.givenName == text, "\(text)")
        }
        // The file can be moved into a configuration file.
        let moved = try String(contentsOfFile: path, encoding: .utf8)
        #expect(settings(moved).document == devices.document)

        for (number, text) in texts.enumerated() {
            let device = "\(number) \(text)".filter { !"/+#".contains($0) }
            devices.replace([], of: device, kind: "plug")
            devices.rename(device, kind: "plug", to: "")
        }
        try file.write(devices)
        #expect(try file.read().devices.isEmpty)
    }

    @Test(arguments: [
        ("device: {}", "unknown key 'device' in the file"),
        ("devices: { plug: { settings: {} } }", "'plug' names no device"),
        ("[]", "the file must be a mapping, not a list"),
        ("devices: [a]", "'devices' must be a mapping, not a list"),
    ])
    func `a file that can't be read has problems`(text: String, problem: String) throws {
        let path = "\(Self.path)/devices-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try NewFile.write(text, to: path)
        #expect(try DevicesFile(path).read().problems.map(\.message) == [problem])
    }

    @Test(arguments: [("a", 1 << 20), (String(repeating: "a", count: 1020), 1)])
    func `a file that could not be read again is not written`(device: String, length: Int) throws {
        let path = "\(Self.path)/devices-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var devices = WrittenDevices()
        let room = WrittenChoice("room", String(repeating: "x", count: length), isText: true)
        devices.replace([room], of: device, kind: "plug")
        #expect(throws: FileError.self) { try DevicesFile(path).write(devices) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
