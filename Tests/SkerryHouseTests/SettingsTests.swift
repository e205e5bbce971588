import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryValues
import Synchronization
import Testing

/// Settings of devices that people choose on the page.
@Suite struct SettingsTests {
    private static let plug = """
        skerry: 1
        kind: plug
        settings:
          threshold: { default: 10, min: 1, max: 100 }
          rest: 2m
          room: hall
          loud: true
        sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
        machine:
          states:
            idle: { always: { guard: power > settings.threshold && settings.loud && settings.room != "", target: running } }
            running: { always: { guard: power <= settings.threshold, for: settings.rest, target: idle } }
        """

    /// A house with the plug `a`, whose threshold the configuration file sets, and the plug `b`.
    private func house(_ folder: Folder, hasFile: Bool = true) throws -> House {
        let files = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(Self.plug.utf8))])
        try #require(files.definitions.count == 1, "\(files.problems)")
        let written = SettingsFile(
            "devices: { plug/a: { settings: { threshold: 20 } } }\nnames: { plug/a: Hall }"
        ).devices
        let file = DevicesFile("\(folder.path)/skerry.db.devices")
        let shelf = Shelf(ChosenSettings(file: written, path: "skerry.yaml"))
        let house = try House(
            files,
            prepare: { sources in
                sources.devicesFile = hasFile ? file : nil
                sources.settings = { shelf.settings.withLock { $0 } }
                sources.readDevices = {
                    let page = try? file.read().devices
                    shelf.settings.withLock { $0.page = page ?? WrittenDevices() }
                }
            }
        )
        for device in ["a", "b"] { house.send("plug/\(device)", #"{"power":0}"#) }
        return house
    }

    /// Settings in force, which closures share.
    private final class Shelf: Sendable {
        let settings: Mutex<ChosenSettings>

        init(_ settings: ChosenSettings) { self.settings = Mutex(settings) }
    }

    private func text(_ folder: Folder) -> String? {
        try? String(contentsOfFile: "\(folder.path)/skerry.db.devices", encoding: .utf8)
    }

    @Test func `what is chosen is written as the configuration file has it, and explained with its origin`()
        async throws
    {
        let folder = try Folder()
        let house = try house(folder)
        let settings = [
            GivenSetting("threshold", "30", isText: false), GivenSetting("rest", "5m", isText: true),
            GivenSetting("room", "5m", isText: true), GivenSetting("loud", "false", isText: false),
        ]
        let told = try await house.json(
            .chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: settings)
        )
        #expect(told["device"].text == #""b""#)
        #expect(told["chosen"].text == #"{"threshold":"page","rest":"page","room":"page","loud":"page"}"#)
        let entry = #"  plug/b: { settings: { threshold: 30, rest: 5m, room: "5m", loud: false } }"#
        #expect(try #require(text(folder)).hasSuffix("devices:\n\(entry)\n"))
        let fixed = try await house.json(.device(DeviceKey(kind: "plug", name: "a")))
        #expect(fixed["chosen"].text == #"{"threshold":"file"}"#)

        let rest = [GivenSetting("rest", "3m", isText: true)]
        _ = try await house.json(.chooseSettings(DeviceKey(kind: "plug", name: "a"), settings: rest))
        let back = try await house.json(.chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: []))
        #expect(back["chosen"].text == "null")
        #expect(try #require(text(folder)).hasSuffix("devices:\n  plug/a: { settings: { rest: 3m } }\n"))
    }

    @Test func `what the configuration file says may be said again, and is not written`() async throws {
        let folder = try Folder()
        let house = try house(folder)
        let same = [GivenSetting("threshold", "20.0", isText: false)]
        _ = try await house.json(.chooseSettings(DeviceKey(kind: "plug", name: "a"), settings: same))
        #expect(try #require(text(folder)).hasSuffix("devices: {}\n"))
    }

    @Test func `a name is kept beside the settings, and the configuration file outranks it`() async throws {
        let folder = try Folder()
        let house = try house(folder)
        let rename = { (device: String, name: String) in
            HouseQuestion.chooseSettings(DeviceKey(kind: "plug", name: device), settings: nil, name: name)
        }
        let rest = [GivenSetting("rest", "5m", isText: true)]
        _ = try await house.json(
            .chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: rest, name: "Cellar: 1")
        )
        let told = try await house.json(.chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: []))
        #expect(told["named"].text == #""page""#)
        #expect(
            try #require(text(folder)).hasSuffix("devices: {}\nnames:\n  plug/b: \"Cellar: 1\"\n")
        )
        let back = try await house.json(rename("b", ""))
        #expect(back["named"].text == "null")
        #expect(try #require(text(folder)).hasSuffix("devices: {}\n"))

        let fixed = try await house.json(rename("a", "Hall"))
        #expect(fixed["named"].text == #""file""#)
        #expect(try #require(text(folder)).hasSuffix("devices: {}\n"))
        for name in ["Attic", ""] { #expect(await house.problem(rename("a", name)) == "name-in-file") }
        #expect(await house.problem(rename("b", String(repeating: "x", count: 257))) == "wrong-name")
        #expect(await house.problem(rename("c", "x")) == "no-device")
    }

    @Test(arguments: [
        (
            "b", GivenSetting("threshold", "0", isText: false), HouseProblem.Sort.wrong, "wrong-setting",
            "'threshold' must be at least 1, and this is 0; write a value from 1 to 100"
        ),
        (
            "b", GivenSetting("threshold", "20", isText: true), .wrong, "wrong-setting",
            "'threshold' must be a number, not a text; write a number such as 10"
        ),
        (
            "b", GivenSetting("rest", "5", isText: false), .wrong, "wrong-setting",
            "'rest' must be a length of time, not a number; write a length of time such as 2m"
        ),
        (
            "b", GivenSetting("rest", "soon", isText: true), .wrong, "wrong-setting",
            "'rest' must be a length of time, not a text; write a length of time such as 2m"
        ),
        (
            "b", GivenSetting("room", "", isText: true), .wrong, "wrong-setting",
            "'room' has no value; write a text, in quotes if it looks like something else"
        ),
        (
            "b", GivenSetting("rset", "5m", isText: true), .wrong, "wrong-setting",
            "'plug' has no setting 'rset'; did you mean 'rest'?"
        ),
        (
            "a", GivenSetting("threshold", "30", isText: false), .conflict, "setting-in-file",
            "skerry.yaml:1:34 sets 'threshold', and outranks the page: change it there."
        ),
    ])
    func `what can't be chosen is refused at its setting, and nothing is written`(
        device: String,
        setting: GivenSetting,
        sort: HouseProblem.Sort,
        code: String,
        detail: String
    ) async throws {
        let folder = try Folder()
        let house = try house(folder)
        let all = [GivenSetting("loud", "false", isText: false), setting]
        let answer = await house.ask(.chooseSettings(DeviceKey(kind: "plug", name: device), settings: all))
        let problem = HouseProblem(sort, code: code, detail: detail, setting: setting.name)
        #expect(answer == .problem(problem))
        #expect(text(folder) == nil)
    }

    @Test func `devices that are not there, and bridges without a place, have no settings`() async throws {
        let folder = try Folder()
        let question = HouseQuestion.chooseSettings(DeviceKey(kind: "plug", name: "c"), settings: [])
        #expect(await (try house(folder)).problem(question) == "no-device")
        let known = HouseQuestion.chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: [])
        #expect(await (try house(folder, hasFile: false)).problem(known) == "no-place-for-settings")
        #expect(text(folder) == nil)
    }

    @Test func `a file that somebody edits and that can't be read is left as it is`() async throws {
        let folder = try Folder()
        let house = try house(folder)
        let broken = "devices: { plug/b: { setings: { rest: 1m } } }\n"
        _ = try folder.write(broken, to: "skerry.db.devices")
        let question = HouseQuestion.chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: [])
        #expect(await house.problem(question) == "not-written")
        #expect(text(folder) == broken)
    }

    @Test func `the entries of other devices stay, also those that somebody wrote`() async throws {
        let folder = try Folder()
        let house = try house(folder)
        _ = try folder.write(
            "devices: { plug/z: { settings: { rest: 1m, gone: yes } } }\n",
            to: "skerry.db.devices"
        )
        let settings = [GivenSetting("rest", "3m", isText: true)]
        _ = try await house.json(.chooseSettings(DeviceKey(kind: "plug", name: "b"), settings: settings))
        let entries =
            "  plug/z: { settings: { rest: 1m, gone: yes } }\n  plug/b: { settings: { rest: 3m } }\n"
        #expect(try #require(text(folder)).hasSuffix("devices:\n\(entries)"))
    }
}
