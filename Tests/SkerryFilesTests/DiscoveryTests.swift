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

    /// Read once for all tests.
    private static let devices = Result { () throws(FileError) in
        try CompiledFiles([package.appendingPathComponent("devices").path])
    }

    private let shipped: CompiledFiles

    init() throws { shipped = try Self.devices.get() }

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

    @Test func `an outline recognises what its definition does, and has the same settings`() throws {
        for file in shipped.files {
            let compiled = CompiledFiles([file.source.outline(in: nil)])
            let outline = try #require(compiled.definitions.first, "\(compiled.problems)")
            let whole = try #require(file.definition)
            #expect(outline.kind == whole.kind && outline.name == whole.name)
            #expect(outline.settings.map(\.name) == whole.settings.map(\.name))
            for message in MixedHousehold.sections.flatMap(\.messages) {
                func sightings(_ definition: Definition) -> [Sighting] {
                    definition.recognition.flatMap { $0.sightings(in: message.topic, message.payload) }
                }
                #expect(sightings(outline) == sightings(whole), "\(whole.kind)")
            }
        }
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

    @Test
    func
        `nothing that is published beside a known plug is told as unknown, nor is what its messages never have`()
    {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        let announcement =
            #"{"t":"Washer","dn":"Washer","rl":[1],"ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"]}"#
        for (topic, payload) in [
            ("tasmota/discovery/A1B2/config", announcement),
            ("tasmota/discovery/A1B2/sensors", #"{"sn":{"ENERGY":{"Power":3}},"ver":1}"#),
            ("tele/Washer/SENSOR", #"{"Time":"2026-11-29T10:00:00","ENERGY":{"Power":3}}"#),
            ("tele/Washer/INFO1", #"{"Info1":{"Module":"Plug"}}"#),
            ("stat/Washer/RESULT", #"{"POWER":"ON"}"#), ("cmnd/Washer/POWER", ""),
            ("cmnd/other/POWER", "ON"),
        ] {
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600),
                    topic: ArraySlice(topic.utf8),
                    payload: ArraySlice(payload.utf8)
                )
            )
        }
        #expect(names(search) == ["washer-plug/Washer?"])
        #expect(search.devices(at: Timestamp(seconds: 1_767_225_601)).flatMap(\.unset) == [])
        #expect(search.unknownTopics().map(\.filter) == ["cmnd/{device}/POWER"])
        #expect(search.unknownTopics().flatMap(\.devices) == ["other"])
    }

    @Test func `messages of known devices whose topics begin otherwise are told`() {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        for (topic, payload) in [
            ("vacuum/valetudo/robby/StatusStateAttribute/status", "cleaning"),
            ("garden-os/station/3", #"{"state":1,"duration":600}"#),
            ("meteo/garden/state", #"{"state":1,"hours":3}"#),
        ] {
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600),
                    topic: ArraySlice(topic.utf8),
                    payload: ArraySlice(payload.utf8)
                )
            )
        }
        let like = search.unknownTopics().map { $0.like }
        #expect(Set(like) == ["robot-valetudo", "sprinkler", nil])
        #expect(like.count == 3)
    }

    @Test(
        "a plug that is called like a machine has one definition, whoever made the plug",
        arguments: [
            ("Washing machine", "washer"), ("Waschmaschine", "washer"), ("wama_keller", "washer"),
            ("washer", "washer"),
            ("Waschtrockner", "washer"), ("Washer dryer", "washer"), ("lave-linge", "washer"),
            ("Dishwasher", "dishwasher"), ("Geschirrspüler", "dishwasher"), ("Spuelmaschine", "dishwasher"),
            ("Dryer", "dryer"), ("Wäschetrockner", "dryer"), ("heat pump dryer", "dryer"),
            ("Waschküche Trockner", "dryer"),
            ("Bakoven", "oven"), ("Herdplatte", "oven"), ("kettleplug", "kettle"),
            ("Backofen", "oven"), ("Herd", "oven"), ("kitchen stove", "oven"), ("Kettle", "kettle"),
            ("Kaffeemaschine", "coffee-maker"), ("Microwave oven", "microwave"), ("Mikrowelle", "microwave"),
            ("Wärmepumpe", "heat-pump"), ("heatpump", "heat-pump"), ("E-Bike", "charger"),
            ("ladegerät", "charger"),
            ("Waschküche", nil), ("Waschbecken", nil), ("Hair dryer", nil), ("Handtuchtrockner", nil),
            ("Oven light", nil),
            ("Kaminofen", nil), ("Kaffeemühle", nil), ("Coffee table lamp", nil), ("shepherd", nil),
            ("the bike shed", nil),
            ("Freezer", nil), ("shellyplusplugs-a8032abe54dc", nil), ("tasmota_5E1A2B", nil),
        ] as [(String, String?)]
    )
    func calledLikeAMachine(name: String, machine: String?) {
        let families = [
            ("zigbee2mqtt", "zigbee2mqtt/\(name)", #"{"state":"ON","power":3,"energy":2.1,"voltage":230}"#),
            (
                "tasmota", "tele/\(name)/SENSOR",
                #"{"Time":"2026-01-01T00:00:30","ENERGY":{"Total":1.3,"Power":3}}"#
            ),
            (
                "shelly", "\(name)/status/switch:0",
                #"{"id":0,"output":true,"apower":3.1,"aenergy":{"total":6.5}}"#
            ),
            (
                "shelly", "\(name)/events/rpc",
                #"{"src":"shellyplugsg3-a1","method":"NotifyStatus","params":{"switch:0":{"apower":3.1}}}"#
            ),
            ("shelly", "shellies/\(name)/relay/0/power", "3.1"),
        ]
        for (family, topic, payload) in families {
            var search = DeviceSearch(shipped.files, prefix: "skerry")
            let message = RecordedMessage(
                at: Timestamp(seconds: 1_767_225_600),
                topic: ArraySlice(topic.utf8),
                payload: ArraySlice(payload.utf8)
            )
            search.add(message)
            let found = search.devices(at: message.at)
            let kind = machine.map { "\($0)-plug" } ?? "plug-\(family)"
            #expect(found.map(\.identity) == ["\(kind)/\(name)"], "\(topic)")
            #expect(found.first?.alternatives == [], "\(topic)")
        }
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
        func add(_ topic: String, _ payload: String, after seconds: Int64 = 0) {
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600 + seconds),
                    topic: ArraySlice(topic.utf8),
                    payload: ArraySlice(payload.utf8)
                )
            )
        }
        add("device/A1/report", #"{"print":{"wifi_signal":"-40dBm","mc_percent":3}}"#)
        var printer = try #require(search.devices(at: Timestamp(seconds: 1_767_225_600)).first)
        #expect(printer.shown?.content == nil && printer.unset.contains("job"))
        add("device/A1/report", #"{"print":{"gcode_state":"RUNNING","mc_remaining_time":10}}"#)
        // A state of a moment is none.
        add("device/A1/report", #"{"print":{"wifi_signal":"-41dBm"}}"#, after: 60)
        printer = try #require(search.devices(at: Timestamp(seconds: 1_767_225_660)).first)
        #expect(printer.shown?.title == "Printing")
        let status: Value? = printer.shown?.content?["status"]
        guard case .string("Printing") = status else {
            Issue.record("the status is shown, and is \(String(describing: status))")
            return
        }
        #expect(!printer.unset.contains("job") && !printer.unset.contains("left"))
        #expect(printer.topic == "device/A1/report")
    }

    @Test func `what a car in its present state need not tell is not missing`() throws {
        func missing(_ data: String) throws -> [String] {
            var search = DeviceSearch(shipped.files, prefix: "skerry")
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600),
                    topic: ArraySlice("bmw/raw/WBA1".utf8),
                    payload: ArraySlice(#"{"vin":"WBA1","data":{\#(data)}}"#.utf8)
                )
            )
            return try #require(search.devices(at: Timestamp(seconds: 1_767_225_600)).first).unset
        }
        let status = #""vehicle.drivetrain.electricEngine.charging.status":{"value":"NOCHARGING"}"#
        let level = #""vehicle.drivetrain.batteryManagement.header":{"value":"41"}"#
        #expect(try missing("\(status),\(level)") == [])
        // Nothing tells yet whether it charges.
        #expect(try missing(level) == [])
    }

    @Test func `of a relay that was only announced is told on which topic a meter is missing`() throws {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        for (topic, payload) in [
            ("tasmota/discovery/AABB/config", #"{"t":"hall","rl":[1],"ft":"%prefix%/%topic%/","dn":"Hall"}"#),
            ("tele/hall/STATE", #"{"POWER":"OFF"}"#),
        ] {
            search.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600),
                    topic: ArraySlice(topic.utf8),
                    payload: ArraySlice(payload.utf8)
                )
            )
        }
        let relay = try #require(search.devices(at: Timestamp(seconds: 1_767_225_600)).first)
        #expect(relay.identity == "plug-tasmota/hall" && relay.certainty == .likely && relay.shown == nil)
        #expect(relay.awaited == ["tele/hall/SENSOR"])
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

    private func message(_ topic: String, _ payload: String) -> RecordedMessage {
        RecordedMessage(
            at: Timestamp(seconds: 1_767_225_600),
            topic: Array(topic.utf8)[...],
            payload: Array(payload.utf8)[...]
        )
    }

    @Test func `unrelated topics have a line each, and devices of one kind have one together`() {
        var search = DeviceSearch([], prefix: "skerry")
        for (topic, payload) in [
            ("gateway/LWT", "online"), ("gateway/mill/LWT", "online"), ("gateway/mill/state/speed", "3"),
            ("zigbee2mqtt/lion", #"{"roar":3,"mane":true,"food":"x"}"#),
            ("zigbee2mqtt/lamb", #"{"roar":1,"mane":false}"#),
            ("zigbee2mqtt/pond", #"{"water":3,"depth":2}"#), ("barn/Tools/status/door", "closed"),
            ("barn/Tools/status/light", "off"), ("pump-mini3-cellar/online", "true"),
            ("pump-mini3-cellar/status/pm1:0", #"{"id":0,"apower":12}"#),
            ("tele/lamp/STATE", #"{"POWER":"ON"}"#),
            ("stat/lamp/POWER", "ON"),
        ] {
            search.add(message(topic, payload))
        }
        let unknown = search.unknownTopics()
        #expect(
            unknown.map { $0.devices.joined(separator: ", ") }.sorted()
                == ["Tools", "lamp", "lion, lamb", "mill", "pond", "pump-mini3-cellar"]
        )
        #expect(
            unknown.allSatisfy { !$0.filter.hasPrefix("{device}") || $0.devices == ["pump-mini3-cellar"] }
        )
    }

    @Test func `a plug that meters watts on topics of its own is told with the definition of its name`() {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        for name in ["tumble dryer", "microwave", "stove", "washing machine", "lamp"] {
            search.add(message("house/\(name)/now/watts", "12.5"))
            let named = search.unknownTopics().first?.named
            if name == "tumble dryer" { #expect(named == "dryer-plug") }
        }
    }

    @Test func `devices that a definition knows for certain are taken out of a survey`() {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        search.add(message("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#))
        search.add(message("mill/red/speed", "3"))
        let (known, rest) = search.unknown(at: Timestamp(seconds: 1_767_226_000))
        #expect(known.map(\.identity) == ["sprinkler/lawn"])
        #expect(
            DefinitionProposal.text(kind: "mill", from: rest, file: "x")?.contains("mill/{device}/speed")
                == true
        )
    }

    // MARK: Recordings of others

    private static let mixed = package.deletingLastPathComponent()
        .appendingPathComponent("shared/cases/discover-mixed.jsonl").path

    @Test(.enabled(if: FileManager.default.fileExists(atPath: mixed), "../shared/cases is not there"))
    func `five things on one broker have five lines`() throws {
        var search = DeviceSearch(shipped.files, prefix: "skerry")
        var messages = RecordedMessages()
        let reader = try RecordingReader(path: Self.mixed)
        while try reader.read(into: &messages) {
            for message in messages { search.add(message) }
        }
        let unknown = search.unknownTopics()
        // A valve may have a line for each of its outlets.
        let known = Set(search.devices(at: Timestamp(seconds: 1_772_352_000)).map(\.topic))
        #expect(known.count + unknown.count == 5, "\(names(search)) \(unknown)")
        #expect(unknown.allSatisfy { $0.devices.count == 1 })
    }

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
