import Dispatch
import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// Devices that are found on a broker, and what becomes of them.
@Suite struct FoundTests {
    private static let kettle = """
        skerry: 1
        kind: kettle
        name: Kettle
        sources: [{ topic: "kettle/{device}", signals: { hot: payload.hot } }]
        recognise: [{ topic: "kettle/{device}", when: has(payload.hot), sure: likely }]
        machine:
          states:
            idle: { title: Cold, always: { guard: hot, target: boiling } }
            boiling: { title: Boiling, always: { guard: "!hot", target: idle } }
        activity: { starts: boiling, ends: idle, content: { status: state.title } }
        """

    /// The kinds that a bridge has begun to use, and those that it was asked to give up.
    private final class Choices: Sendable {
        private let taken = Mutex<[String]>([])

        var all: [String] { taken.withLock { $0 } }

        func add(_ choice: String) { taken.withLock { $0.append(choice) } }
    }

    /// A house with the definition of a lamp, beside the one of a kettle that comes with Skerry.
    private func house(
        choices: Choices = Choices(),
        hidden: String? = nil,
        hasErrors: Bool = false,
        devicesFile: DevicesFile? = nil,
        beside others: [CompiledFiles.File] = []
    ) throws -> House {
        let shelf = CompiledFiles([DefinitionFile(path: "kettle.yaml", bytes: Array(Self.kettle.utf8))]).files
        try #require(shelf.first?.definition != nil, "\(shelf.map(\.problems))")
        let lamps = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(lamp.utf8))]).files
        let own = lamps + others
        return try House(prepare: { sources in
            sources.shelf = { _ in shelf }
            sources.hidden = HiddenDevices(hidden)
            sources.devicesFile = devicesFile
            sources.files = { choices.all.last == "use kettle" && !hasErrors ? own + shelf : own }
            sources.adopt = { kind throws(HouseProblem) in choices.add("use \(kind)") }
            sources.giveUp = { kind throws(HouseProblem) in choices.add("give up \(kind)") }
        })
    }

    /// Asks for the first time, lets the broker say something, and asks again.
    private func found(_ house: House, after messages: [QuietBus.Call]) async throws -> JSON {
        _ = try await house.json(.found)
        await house.bus.hasStarted()
        house.bus.call(.subscribed(granted: true))
        for message in messages { house.bus.call(message) }
        house.clock.move(by: .seconds(2))
        return try await house.json(.found)
    }

    @Test func `a device is told with what it would show, and what nobody knows by its topics`() async throws
    {
        let house = try house()
        let told = try await found(
            house,
            after: [
                .message(topic: "kettle/1", payload: #"{"hot":true}"#),
                .message(topic: "lamp/desk/state", payload: #"{"on":true,"level":1,"colour":"red"}"#),
                .message(topic: "weather/roof", payload: #"{"wind":3}"#),
                .message(topic: "skerry/bridge/state", payload: "online"),
            ]
        )
        #expect(told["listening"].text == "true" && told["messages"].text == "4")
        #expect(told["found"].elements.count == 1)
        let kettle = told["found"][0]
        #expect(kettle["kind"].text == #""kettle""# && kettle["device"].text == #""1""#)
        #expect(kettle["certain"].text == "false" && kettle["hidden"].text == "false")
        #expect(kettle["title"].text == #""Boiling""#)
        #expect(kettle["content"]["status"].text == #""Boiling""#)
        #expect(told["unknown"].elements.map { $0["filter"].text } == [#""weather/{device}""#])
    }

    @Test func `it listens as long as somebody asks, and forgets what it heard`() async throws {
        let house = try house()
        let message = QuietBus.Call.message(topic: "kettle/1", payload: #"{"hot":true}"#)
        _ = try await found(house, after: [message])
        house.clock.move(by: .seconds(59))
        house.bus.call(.wake)
        #expect(!house.bus.isStopped && house.bus.starts == 1)
        house.clock.move(by: .seconds(1))
        house.bus.call(.wake)
        #expect(house.bus.isStopped)
        house.bus.call(.ended)
        let told = try await house.json(.found)
        await house.bus.hasStarted(times: 2)
        #expect(told["found"].elements.isEmpty && house.bus.starts == 2)
    }

    @Test func `a question is answered while the shipped definitions are still being read`()
        async throws
    {
        let isAnswered = DispatchSemaphore(value: 0)
        let house = try House(prepare: { sources in
            sources.shelf = { _ in
                isAnswered.wait()
                return []
            }
        })
        let told = try await house.json(.found)
        isAnswered.signal()
        #expect(told["listening"].text == "false")
        await house.bus.hasStarted()
        #expect(house.bus.starts == 1)
    }

    @Test func `a broker that can't be listened to is told`() async throws {
        for call in [QuietBus.Call.subscribed(granted: false), .disconnected] {
            let house = try house()
            _ = try await house.json(.found)
            await house.bus.hasStarted()
            house.bus.call(call)
            house.bus.call(.ended)
            let told = try await house.json(.found)
            #expect(told["problem"].text.contains("The broker can't be listened to"))
        }
    }

    @Test func `a kind that is used is found no longer, and given up again`() async throws {
        let choices = Choices()
        let house = try house(choices: choices)
        let message = QuietBus.Call.message(topic: "kettle/1", payload: #"{"hot":true}"#)
        #expect(try await found(house, after: [message])["found"].elements.count == 1)
        let decide = { (decision: FoundDecision, kind: String) in
            HouseQuestion.decide(decision, DeviceKey(kind: kind, name: "1"), name: nil)
        }
        #expect(await house.problem(decide(.use, "toaster")) == "no-definition")
        #expect(await house.problem(decide(.use, "kettle")) == nil)
        house.clock.move(by: .seconds(2))
        #expect(try await house.json(.found)["found"].elements.isEmpty)
        #expect(await house.problem(decide(.giveUp, "kettle")) == nil)
        #expect(try await house.json(.found)["found"].elements.count == 1)
        #expect(choices.all == ["use kettle", "give up kettle"])

        let broken = try self.house(hasErrors: true)
        #expect(await broken.problem(decide(.use, "kettle")) == "definitions-with-errors")
    }

    @Test func `a first text is made from what was heard, saved to a file of its own, and removed again`()
        async throws
    {
        let folder = try Folder()
        let files = Mutex<[CompiledFiles.File]>([])
        let house = try House(
            CompiledFiles([] as [DefinitionFile]),
            folder: folder.path,
            prepare: { sources in
                sources.files = { files.withLock { $0 } }
                sources.readDefinitions = {
                    let read = try? CompiledFiles([folder.path]).files
                    files.withLock { $0 = read ?? [] }
                }
            }
        )
        #expect(
            await house.problem(.proposal(kind: "weather", filter: "weather/{device}")) == "nothing-heard"
        )
        _ = try await found(
            house,
            after: [
                .message(topic: "weather/roof", payload: #"{"wind":3,"rain":false}"#),
                .message(topic: "weather/yard", payload: #"{"wind":5,"rain":true}"#),
                .message(topic: "door/front", payload: "open"),
            ]
        )
        #expect(await house.problem(.proposal(kind: "door", filter: "no/such/{device}")) == "nothing-heard")
        let text = try await house.json(.proposal(kind: "weather", filter: "weather/{device}"))["source"]
            .plain
        #expect(
            text.contains("kind: weather") && text.contains("weather/{device}") && !text.contains("door/")
        )

        let path = "\(folder.path)/weather.yaml"
        let add = { (kind: String, text: String) in HouseQuestion.addDefinition(kind: kind, source: text) }
        #expect(await house.problem(add("weather", "kind: weather")) == "definition-has-errors")
        #expect(await house.problem(add("wind", text)) == "other-kind")
        for kind in ["../up", ".hidden", "_part", "a b", ""] {
            #expect(await house.problem(add(kind, text)) == "wrong-kind", "\(kind)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(await house.problem(add("weather", text)) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(await house.problem(add("weather", text)) == "definition-is-there")

        #expect(
            await house.problem(.removeDefinition(kind: "weather", over: ["another"])) == "definition-changed"
        )
        try (text + "# mine").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await house.problem(.removeDefinition(kind: "weather", over: nil)) == "file-was-edited")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await house.problem(.removeDefinition(kind: "weather", over: nil)) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(await house.problem(.removeDefinition(kind: "weather", over: nil)) == "no-definition")
    }

    @Test func `a name that can't be kept leaves everything as it was`() async throws {
        let choices = Choices()
        let house = try house(choices: choices)
        let use = { (device: String) in
            HouseQuestion.decide(.use, DeviceKey(kind: "kettle", name: device), name: "Tea")
        }
        #expect(await house.problem(use("1")) == "no-place-for-settings")
        #expect(choices.all == [])

        let unwritable = try self.house(choices: choices, devicesFile: DevicesFile("/dev/null/devices"))
        #expect(await unwritable.problem(use("1/2")) == "name-without-settings")
        #expect(choices.all == [])
        #expect(await unwritable.problem(use("1")) == "not-written")
        #expect(choices.all == ["use kettle", "give up kettle"])
    }

    @Test func `a kind that was in force before is neither added nor given up`()
        async throws
    {
        let choices = Choices()
        let file = DefinitionFile(path: "own.yaml", bytes: Array(Self.kettle.utf8))
        let kettle = CompiledFiles([file]).files
        let house = try house(
            choices: choices,
            devicesFile: DevicesFile("/dev/null/devices"),
            beside: kettle
        )
        let use = { (name: String?) in
            HouseQuestion.decide(.use, DeviceKey(kind: "kettle", name: "1"), name: name)
        }
        #expect(try await house.json(use(nil))["added"].text == "false")
        #expect(await house.problem(use("Tea")) == "not-written")
        #expect(choices.all == [])
        let empty = try self.house(choices: choices)
        #expect(try await empty.json(use(nil))["added"].text == "true")
    }

    @Test func `a kind that is in force is no alternative`() async throws {
        let pot = Self.kettle.replacing("kind: kettle", with: "kind: pot")
        let own = CompiledFiles([DefinitionFile(path: "pot.yaml", bytes: Array(pot.utf8))]).files
        let surer = Self.kettle.replacing("sure: likely", with: "sure: certain")
        let shelf = CompiledFiles([DefinitionFile(path: "kettle.yaml", bytes: Array(surer.utf8))]).files
        let message = QuietBus.Call.message(topic: "kettle/1", payload: #"{"hot":true}"#)
        for (inForce, alternatives) in [([], #"["pot"]"#), (own, "[]")] {
            let house = try House(prepare: { sources in
                sources.shelf = { _ in inForce.isEmpty ? shelf + own : shelf }
                sources.files = { inForce }
            })
            let kettle = try await found(house, after: [message])["found"][0]
            #expect(kettle["kind"].text == #""kettle""#)
            let kinds = kettle["alternatives"].elements.map { $0["kind"].text }.joined(separator: ",")
            #expect("[\(kinds)]" == alternatives)
        }
    }

    /// A bridge that reads the definitions of folders, and keeps the former ones where some have errors.
    private func house(reading paths: [String]) throws -> House {
        let read = { @Sendable in try? CompiledFiles(paths.filter { $0 != "/proc/self/fd" }) }
        let files = Mutex(read()?.files ?? [])
        return try House(
            prepare: { sources in
                sources.definitionPaths = paths
                sources.files = { files.withLock { $0 } }
                sources.readDefinitions = {
                    guard let compiled = read(), !compiled.hasErrors else { return }
                    files.withLock { $0 = compiled.files }
                }
            }
        )
    }

    @Test func `a definition that would not be in force is not kept, and one that others need stays`()
        async throws
    {
        let folder = try Folder()
        let path = try folder.write(Self.kettle, to: "kettle.yaml")
        let pot = try folder.write("skerry: 1\nextends: kettle.yaml\nkind: pot\nname: Pot\n", to: "pot.yaml")
        let house = try house(reading: [folder.path])
        let text = { try? String(contentsOfFile: path, encoding: .utf8) }
        let remove = HouseQuestion.removeDefinition(kind: "kettle", over: nil)
        #expect(await house.problem(remove) == "definitions-with-errors")
        #expect(text() == Self.kettle)

        try FileManager.default.removeItem(atPath: pot)
        #expect(await house.problem(.removeDefinition(kind: "pot", over: nil)) != nil)
        #expect(await house.problem(remove) == nil)
        #expect(text() == nil)

        let broken = try folder.write("skerry: 1\nkind: broken\n", to: "broken.yaml")
        let add = HouseQuestion.addDefinition(kind: "kettle", source: Self.kettle)
        #expect(await house.problem(add) == "definitions-with-errors")
        #expect(text() == nil)
        try FileManager.default.removeItem(atPath: broken)
        #expect(await house.problem(add) == nil)
        #expect(text() == Self.kettle)
    }

    @Test func `a new definition comes into the first folder that takes it`() async throws {
        let folder = try Folder()
        let file = try folder.write(lamp, to: "lamp.yaml")
        let add = HouseQuestion.addDefinition(kind: "kettle", source: Self.kettle)
        for paths in [[], [file]] {
            guard case .problem(let problem) = await (try house(reading: paths)).ask(add) else {
                Issue.record("\(paths)")
                continue
            }
            #expect(problem.code == "no-place-for-definitions")
            #expect(problem.detail.contains("name no folder"))
        }
        let missing = "\(folder.path)/new"
        for paths in [[file, "/proc/self/fd", folder.path], [file, missing]] {
            let house = try house(reading: paths)
            #expect(await house.problem(add) == nil, "\(paths)")
            let path = "\(paths.last ?? "")/kettle.yaml"
            #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.kettle)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(await (try house(reading: ["/proc/self/fd"])).problem(add) == "not-written")
    }

    @Test func `a list of hidden devices that can't be read is not written over`() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/skerry.db.hidden"
        let unread = Data([0xFF, 0x0A])
        try unread.write(to: URL(filePath: path))
        let house = try house(hidden: path)
        let hide = HouseQuestion.decide(.hide, DeviceKey(kind: "kettle", name: "1"), name: nil)
        #expect(await house.problem(hide) == "not-written")
        #expect(try Data(contentsOf: URL(filePath: path)) == unread)
    }

    @Test func `hidden devices stand in a file that people can read`() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/skerry.db.hidden"
        let house = try house(hidden: path)
        let decide = { (decision: FoundDecision, device: String) in
            HouseQuestion.decide(decision, DeviceKey(kind: "kettle", name: device), name: nil)
        }
        #expect(await house.problem(decide(.hide, "1")) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kettle/1\n")
        let again = try self.house(hidden: path)
        let message = QuietBus.Call.message(topic: "kettle/1", payload: #"{"hot":true}"#)
        #expect(try await found(again, after: [message])["found"][0]["hidden"].text == "true")
        for wrong in ["a\nkettle/2", String(repeating: "x", count: 600)] {
            #expect(await again.problem(decide(.hide, wrong)) == "not-written")
        }
        #expect(await again.problem(decide(.show, "1")) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
        for number in 0..<1000 { _ = await again.problem(decide(.hide, "k\(number)")) }
        #expect(await again.problem(decide(.hide, "one more")) == "not-written")
    }
}
