import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

/// The search for devices with the definitions that come with Skerry.
@Suite("Devices that are found")
struct DiscoveryTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let recordings = package.deletingLastPathComponent()
        .appendingPathComponent("shared/recordings").path

    private let shipped: CompiledFiles

    init() throws { shipped = try CompiledFiles([Self.package.appendingPathComponent("devices").path]) }

    private var kinds: Set<String> { Set(shipped.definitions.map(\.kind)) }

    private func names(_ search: DeviceSearch) -> [String] {
        search.devices(at: Timestamp(seconds: 1_767_226_000)).map {
            $0.identity + ($0.certainty == .certain ? "" : "?")
        }
    }

    /// The devices of a section of the house whose definitions there are.
    private func known(_ devices: [String]) -> Set<String> {
        Set(devices.filter { kinds.contains(String($0.prefix { $0 != "/" })) })
    }

    @Test func `each device of a mixed house is found, and nothing else`() {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        for section in MixedHousehold.sections {
            var alone = DeviceSearch(shipped.files, prefix: "skerry")
            for message in section.messages {
                alone.add(message)
                search.add(message)
            }
            #expect(Set(names(alone)) == known(section.devices), "\(section.devices)")
        }
        let all = names(search)
        #expect(Set(all) == known(MixedHousehold.sections.flatMap(\.devices)))
        #expect(all.count == Set(all).count)
        #expect(MixedHousehold.sections.count > 15)
    }

    @Test func `each shipped definition tells how its devices are recognised`() {
        for definition in shipped.definitions {
            #expect(!definition.recognition.isEmpty, "\(definition.kind)")
        }
    }

    @Test
    func `lamps, the bridge of another house and one's own topics are no unknown devices of a definition`() {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        for message in MixedHousehold.sections.flatMap(\.messages) { search.add(message) }
        let unknown = search.unknownTopics()
        #expect(unknown.contains { $0.filter == "zigbee2mqtt/{device}" && $0.devices.contains("bath") })
        #expect(!unknown.contains { $0.filter.hasPrefix("house2/") || $0.filter.hasPrefix("skerry/") })
        #expect(!unknown.contains { $0.filter.hasPrefix("$SYS/") || $0.filter.hasPrefix("device/01S") })
        #expect(
            unknown.contains { $0.filter.hasPrefix("solar/") || $0.devices.contains("solar") || $0.hasWatts }
        )
    }

    @Test func `a device is told with what it would show and what is missing`() throws {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        func add(_ topic: String, _ payload: String) {
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600),
                    topic: ArraySlice(topic.utf8),
                    payload: ArraySlice(payload.utf8)
                )
            )
        }
        add("device/A1/report", #"{"print":{"wifi_signal":"-40dBm","mc_percent":3}}"#)
        var printer = try #require(search.devices(at: Timestamp(seconds: 1_767_225_600)).first)
        #expect(printer.shown?.content == nil && printer.unset.contains("job"))
        add("device/A1/report", #"{"print":{"gcode_state":"RUNNING","mc_remaining_time":10}}"#)
        printer = try #require(search.devices(at: Timestamp(seconds: 1_767_225_600)).first)
        #expect(printer.shown?.title == "Printing")
        let status: Value? = printer.shown?.content?["status"]
        guard case .string("Printing") = status else {
            Issue.record("the status is shown, and is \(String(describing: status))")
            return
        }
        #expect(!printer.unset.contains("job") && !printer.unset.contains("left"))
        #expect(printer.topic == "device/A1/report")
    }

    @Test func `of two kinds that the same messages fit, the surer and closer one is told`() throws {
        func definition(_ kind: String, _ entries: String) -> CompiledFiles.File {
            let text = """
                skerry: 1
                kind: \(kind)
                sources: [{ topic: 'tele/{device}/SENSOR' }]
                recognise: [\(entries)]
                machine: { states: { idle: {} } }
                """
            return CompiledFiles([DefinitionFile(path: "\(kind).yaml", bytes: Array(text.utf8))]).files[0]
        }
        let message = RecordedMessage(
            at: Timestamp(seconds: 1),
            topic: ArraySlice("tele/washer/SENSOR".utf8),
            payload: ArraySlice(#"{"ENERGY":{"Power":3}}"#.utf8)
        )
        func found(_ files: [CompiledFiles.File]) -> [FoundDevice] {
            var search = DeviceSearch(files, prefix: "skerry")
            search.add(message)
            return search.devices(at: Timestamp(seconds: 1))
        }
        let plug = definition("plug", "{ topic: 'tele/{device}/SENSOR', when: has(payload.ENERGY) }")
        let guess = definition(
            "washer",
            "{ topic: 'tele/{device}/SENSOR', when: 'topic.device.matches(\"wash\")', sure: likely }"
        )
        let wide = definition("wide", "{ topic: '+/{device}/SENSOR', when: has(payload.ENERGY) }")
        let one = try #require(found([guess, plug]).first)
        #expect(
            one.identity == "plug/washer" && one.alternatives == ["washer"]
                && found([guess, plug]).count == 1
        )
        #expect(found([wide, plug]).map(\.identity) == ["plug/washer"])
        #expect(found([guess]).map(\.certainty) == [.likely])
        let any = definition(
            "any",
            "{ topic: 'tele/{device}/SENSOR', when: has(payload.ENERGY), sure: likely }"
        )
        #expect(found([any, guess]).map(\.identity) == ["washer/washer"])
    }

    // MARK: Recordings of others

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: recordings), "../shared/recordings is not there")
    )
    func `printers, plugs and buses are each found once`() throws {
        func devices(_ file: String) throws -> [String] {
            var search = DeviceSearch(shipped.files, prefix: "skerry")
            var messages = RecordedMessages()
            let reader = try RecordingReader(path: "\(Self.recordings)/\(file).jsonl")
            while try reader.read(into: &messages) {
                for message in messages { search.add(message) }
            }
            return names(search)
        }
        #expect(try devices("printer-cube") == ["printer-bambu/A1CUBE"])
        #expect(try devices("printer-pauses") == ["printer-bambu/A1MULTI"])
        let plugs = try devices("household")
        let isComplete = kinds.isSuperset(of: ["kettle-plug", "coffee-maker-plug"])
        #expect(plugs.count == (isComplete ? 9 : 7) && Set(plugs).count == plugs.count)
        #expect(plugs.allSatisfy { $0.hasSuffix("?") })
        if kinds.contains("bus") { #expect(try devices("buses").count == 1) }
    }
}
