import SkerryDevice
import SkerryExpressions
import SkerryFiles
import SkerryGateway
import SkerryValues

// What the bridge says as JSON, with what else the desk knows.
extension HouseAnswer {
    static func devices(_ told: (list: JSONWriter, left: Int)) -> HouseAnswer {
        var list = told.list
        list.endArray()
        var writer = JSONWriter(capacity: list.bytes.count + 64)
        writer.beginObject()
        writer.member("devices", json: list.bytes)
        if told.left > 0 { writer.member("left", Int64(told.left)) }
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The explanation of a device, with its last moves and where its settings and its name were chosen.
    static func explanation(
        _ told: DeviceExplanation,
        of device: DeviceKey,
        _ log: MoveLog,
        _ sources: HouseSources
    ) -> HouseAnswer {
        var writer = told.members
        if let origin = sources.settings().nameOrigin(of: device.name, kind: device.kind) {
            writer.member("named", origin.rawValue)
        }
        let origins = sources.origins(of: device)
        if !origins.isEmpty {
            writer.key("chosen")
            writer.beginObject()
            for (setting, origin) in origins {
                writer.member(setting, origin.rawValue)
            }
            writer.endObject()
        }
        writer.key("moves")
        writer.beginArray()
        for move in log.moves(of: device) where move.at >= told.since {
            writer.beginObject()
            writer.member("at", move.at)
            writer.key("from")
            if move.from.isEmpty { writer.null() } else { writer.string(move.from) }
            writer.member("to", move.to)
            if !move.through.isEmpty { writer.member("through", move.through) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The bridge itself; without the names of devices if the viewer may not see all of them.
    static func status(
        _ status: BridgeStatus,
        _ sources: HouseSources,
        phones: Int,
        _ viewer: Viewer
    ) -> HouseAnswer {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.member("version", status.version)
        writer.member("started", status.startedAt)
        writer.member("prefix", status.prefix)
        writer.key("broker")
        writer.beginObject()
        writer.member("connected", status.isConnected)
        writer.member("since", status.connectionSince)
        writer.member("address", sources.brokerAddress)
        if let fault = status.connectionFault {
            let hint = "Only those who see every device are told why."
            writer.member("problem", viewer.seesEverything ? fault : hint)
        }
        if viewer.seesEverything {
            if let path = sources.settings().path { writer.member("settings", path) }
        }
        writer.endObject()
        writer.member("messages", status.messages)
        writer.member("updates", status.updates)
        status.quarters.writeDays(in: sources.location().zone, to: &writer)
        writer.member("health", json: viewer.seesEverything ? status.health : status.healthWithoutNames)
        writer.member("store", sources.isStored)
        writer.member("storing", status.isStoring)
        writer.member("phones", Int64(phones))
        writer.member("adopts", sources.adoptsByItself)
        writer.member("recordHours", status.recordLength.microseconds / Interval.hours(1).microseconds)
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The numbers of the process, the phones and the bridge.
    static func metrics(_ figures: MetricsText, _ sources: HouseSources) -> HouseAnswer {
        var text = MetricsText()
        sources.measure(&text)
        if let phones = sources.phones { text.add(.phones, phones.phones().count) }
        return .found(Array((text.text + figures.text).utf8))
    }

    /// The definitions in force, with the numbers of their devices.
    static func definitions(_ files: [CompiledFiles.File], _ counts: [String: Int]) -> HouseAnswer {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("definitions")
        writer.beginArray()
        for file in files {
            guard let description = DefinitionDescription(file), let definition = file.definition else {
                continue
            }
            writer.beginObject()
            description.writeHead(to: &writer, file: file.source.path)
            writer.member("island", definition.island != nil)
            writer.member("devices", Int64(counts[definition.kind] ?? 0))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .found(writer.bytes)
    }
}

extension [TrafficLog.Quarter] {
    /// Writes the counts of the last seven days by the clocks of a time zone, newest first, as the member `days`.
    func writeDays(in zone: TimeZoneRules, to writer: inout JSONWriter) {
        var days: [(from: Int64, messages: UInt64, updates: UInt64)] = []
        for quarter in self {
            let local = quarter.from.flooredSeconds + Int64(zone.offset(at: quarter.from.flooredSeconds))
            let from = zone.moment(ofLocal: local.floorDivided(by: 86_400) * 86_400)
            if days.last?.from != from { days.append((from, 0, 0)) }
            days[days.count - 1].messages += quarter.messages
            days[days.count - 1].updates += quarter.updates
        }
        writer.objects("days", days.suffix(7).reversed()) { writer, day in
            writer.member("from", Timestamp(seconds: day.from))
            writer.member("messages", day.messages)
            writer.member("updates", day.updates)
        }
    }
}

extension BridgeStatus {
    /// The health report without the members that name devices.
    fileprivate var healthWithoutNames: [UInt8] {
        guard case .map(let health)? = try? JSONReader.value(of: health.span) else { return Array("{}".utf8) }
        let rest = health.entries.filter { entry in
            if case .string(let key) = entry.key { !["setAside", "lastError"].contains(key) } else { false }
        }
        var writer = JSONWriter(capacity: 1024)
        writer.value(.map(ValueMap(uniqueEntries: rest)))
        return writer.bytes
    }
}

extension [CompiledFiles.File] {
    /// A definition in force as JSON.
    func definition(kind: String) -> HouseAnswer {
        guard let file = file(ofKind: kind), let description = DefinitionDescription(file) else {
            return .problem(.noDefinition(kind))
        }
        var writer = JSONWriter(capacity: 8192)
        description.write(to: &writer, file: file.source.path)
        return .found(writer.bytes)
    }

    /// The file of the definition in force of a kind.
    func file(ofKind kind: String) -> CompiledFiles.File? {
        first { $0.definition?.kind.hasSameCodePoints(as: kind) == true }
    }
}

extension HouseProblem {
    /// Nothing is foretold of a device.
    static let noTimeline = HouseProblem(
        .notFound,
        code: "no-timeline",
        detail: "this device has no activity now, so there is nothing to see of it"
    )

    /// There is no definition of a kind.
    static func noDefinition(_ kind: String) -> HouseProblem {
        HouseProblem(
            .notFound,
            code: "no-definition",
            detail: "There is no definition of the kind '\(kind)'."
        )
    }
}

extension MessageTape {
    /// The messages as the lines of a recording.
    var lines: [UInt8] {
        var writer = RecordingWriter()
        forEach { message in
            writer.append(
                RecordedMessage(
                    at: message.at,
                    topic: message.topic,
                    payload: message.payload,
                    qos: message.quality.rawValue,
                    isRetained: message.isRetained
                )
            )
        }
        return writer.takeBytes()
    }
}
