import Foundation
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// Compiled definitions do what their texts do.
@Suite("Compiled definitions")
struct CompiledTests {
    /// Definitions through bytes and back.
    private static func readBack(_ definitions: [Definition]) throws -> [Definition] {
        let zones = SystemTimeZones()
        return try definitions.map { try Definition.read(compiled: $0.compiled()[...]) { zones.rules($0) } }
    }

    @Test("every definition is the same bytes after it was read", arguments: Files.devices.map(\.kind))
    func bytes(kind: String) throws {
        let definition = try #require(Files.devices.first { $0.kind == kind })
        let bytes = try definition.compiled()
        let read = try Definition.read(compiled: bytes[...])
        #expect(try read.compiled() == bytes)
        #expect(DefinitionLayout(of: read).bytes == DefinitionLayout(of: definition).bytes)
        #expect(read.island == definition.island)
        #expect(read.events == definition.events)
    }

    /// The text of an expression has an escape; only its program has the letter.
    @Test func `an expression that several sources have is one program`() throws {
        let text = #"""
            skerry: 1
            kind: lamp
            sources:
              - { topic: "a/{name}", device: '{topic.name + "\u00e9"}', signals: { on: payload.on } }
              - { topic: "b/{name}", device: '{topic.name + "\u00e9"}', signals: { on: payload.on } }
            machine: { initial: idle, states: { idle: {} } }
            """#
        let compiled = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))])
        let definition = try #require(compiled.definitions.first, "\(compiled.problems)")
        #expect(String(decoding: try definition.compiled(), as: UTF8.self).split(separator: "é").count == 2)
    }

    @Test func `the simulated household publishes the same`() throws {
        let messages = SimulatedHousehold(seed: 7, start: Timestamp(seconds: 1_772_355_600)).map(\.recorded)
        let expected = Playback(messages, Files.devices).text
        #expect(expected.utf8.count > 9000)
        #expect(try Playback(messages, Self.readBack(Files.devices)).text == expected)
    }

    @Test(
        "every recording publishes the same",
        .enabled(if: Files.hasRecordings, "../shared/recordings is not there")
    )
    func recordings() throws {
        let compiled = try Self.readBack(Files.devices)
        let names = try FileManager.default.contentsOfDirectory(atPath: Files.recordings.path)
        for name in names.sorted() where name.hasSuffix(".jsonl") {
            let messages = try Files.recording(String(name.dropLast(6)))
            let expected = Playback(messages, Files.devices).text
            #expect(Playback(messages, compiled).text == expected, "\(name)")
        }
    }

    @Test func `choices of people and a location are as with the text`() throws {
        let washer = try #require(Files.devices.first { !$0.settings.isEmpty })
        var choices = DeviceChoices(device: "cellar")
        choices.name = "Cellar"
        let read = try #require(try Self.readBack([washer.chosen([choices])]).first)
        #expect(read.choices.isEmpty)
        #expect(
            read.chosen([choices]).form(of: "cellar").fingerprint
                == washer.chosen([choices]).form(of: "cellar").fingerprint
        )
    }

    @Test func `says what to do about other versions and damage`() throws {
        let bytes = try #require(Files.devices.first).compiled()
        func fault(_ bytes: [UInt8]) -> CompiledFault? {
            do throws(CompiledFault) {
                _ = try Definition.read(compiled: bytes[...])
                return nil
            } catch {
                return error
            }
        }
        var newer = bytes
        newer[3] += 1
        #expect(fault(newer) == .newer(Definition.compiledVersion + 1))
        newer[3] = 0
        #expect(fault(newer) == .older(0))
        #expect(fault([]) == .other)
        #expect(fault(bytes + Array(repeating: 0, count: Definition.compiledSizeLimit)) == .tooLarge)
        for length in 3..<min(bytes.count, 400) { #expect(fault(Array(bytes[..<length])) == .damaged) }
        var flipped = bytes
        flipped[bytes.count / 2] ^= 1
        #expect(fault(flipped) == .damaged)
        let file = CompiledFiles([DefinitionFile(path: "a.skd", bytes: flipped)]).files[0]
        #expect(file.problems.map(\.code) == [.badCompiled])
        #expect(file.problems[0].remedy?.contains("skerry compile") == true)
    }

    @Test func `a file of a kind that is there too is refused`() throws {
        let definition = try #require(Files.devices.first)
        let file = DefinitionFile(path: "a.skd", bytes: try definition.compiled())
        #expect(file.kind == definition.kind)
        let files = CompiledFiles([file, file])
        #expect(files.definitions.map(\.kind) == [definition.kind])
        #expect(files.problems.map(\.code) == [.duplicateName])
    }
}
