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
        hasErrors: Bool = false
    ) throws -> House {
        let shelf = CompiledFiles([DefinitionFile(path: "kettle.yaml", bytes: Array(Self.kettle.utf8))]).files
        try #require(shelf.first?.definition != nil, "\(shelf.map(\.problems))")
        let own = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(lamp.utf8))]).files
        return try House(prepare: { sources in
            sources.shelf = { shelf }
            sources.hidden = HiddenDevices(hidden)
            sources.files = { choices.all.last == "use kettle" && !hasErrors ? own + shelf : own }
            sources.adopt = { kind throws(HouseProblem) in choices.add("use \(kind)") }
            sources.giveUp = { kind throws(HouseProblem) in choices.add("give up \(kind)") }
        })
    }

    /// Asks for the first time, lets the broker say something, and asks again.
    private func found(_ house: House, after messages: [QuietBus.Call]) async throws -> JSON {
        _ = try await house.json(.found)
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
        #expect(told["found"].elements.isEmpty && house.bus.starts == 2)
    }

    @Test func `a broker that can't be listened to is told`() async throws {
        for call in [QuietBus.Call.subscribed(granted: false), .disconnected] {
            let house = try house()
            _ = try await house.json(.found)
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
            HouseQuestion.decide(decision, kind: kind, device: "1", name: nil)
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
        let question = HouseQuestion.decide(.use, kind: "kettle", device: "1", name: "Tea")
        #expect(await house.problem(question) == "no-place-for-settings")
        #expect(choices.all == ["use kettle", "give up kettle"])
    }

    @Test func `hidden devices stand in a file that people can read`() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/skerry.db.hidden"
        let house = try house(hidden: path)
        let decide = { (decision: FoundDecision, device: String) in
            HouseQuestion.decide(decision, kind: "kettle", device: device, name: nil)
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
