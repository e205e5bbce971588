import SkerryDevice
import SkerryEngine
import SkerrySinks
import SkerryValues

/// The bridge's report about itself, for `bridge/info` and `bridge/health`.
struct BridgeHealth {
    /// The number of devices set aside that the report names.
    private static let shownDevices = 20

    /// The start of the bridge.
    private(set) var startedAt: Timestamp
    /// Connections made.
    var connects: UInt64 = 0
    /// The state of the wall clock.
    var clock = ClockState.known
    /// Messages left out because they were too large.
    var oversized: UInt64 = 0
    /// The number of alerts that were too late before any sink had them.
    var lateAlerts: UInt64 = 0
    /// Messages on the bridge's own topics that it did not write.
    var foreign: UInt64 = 0
    /// Devices that were set aside.
    var setAside: [String] = []
    /// Things that went wrong.
    var problems: UInt64 = 0
    /// The last problem, with its time.
    var lastProblem: (at: Timestamp, message: String)?

    /// The wall clock was set: the bridge has run as long as before.
    mutating func clockStepped(by length: Interval) {
        startedAt = startedAt + length
        lastProblem = lastProblem.map { ($0.at + length, $0.message) }
    }

    /// The publication of `bridge/info`: version, start, owner's mark and client id, definitions with their topics.
    func info(
        of engine: Engine,
        owner: String,
        options: BridgeOptions,
        announces: String?,
        topic: String
    ) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("version")
        writer.string(options.version)
        writer.key("started")
        writer.int(startedAt.flooredSeconds)
        writer.key("owner")
        writer.string(owner)
        writer.key("client")
        writer.string(options.clientID)
        if let machine = options.machine {
            writer.key("machine")
            writer.string(machine)
        }
        if let node = options.node {
            writer.key("node")
            writer.string(node)
        }
        writer.key("epoch")
        writer.int(engine.epoch)
        if let announces {
            writer.key("homeAssistant")
            writer.string(announces)
        }
        writer.key("definitions")
        writer.beginArray()
        for definition in engine.definitions {
            writer.beginObject()
            writer.key("kind")
            writer.string(definition.kind)
            writer.key("name")
            writer.string(definition.name)
            writer.key("topics")
            writer.beginArray()
            for source in definition.sources { writer.string(source.filter.subscription) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return Publication(
            topic: topic,
            payload: writer.bytes,
            isRetained: true,
            contentType: "application/json"
        )
    }

    /// The `number` of a report.
    static func number(_ payload: ArraySlice<UInt8>) -> UInt64? {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span) else { return nil }
        return if case .int(let number)? = members["number"] { UInt64(exactly: number) } else { nil }
    }

    /// The publication of `bridge/health`; `number` is the last publication id.
    func report(
        engine: Engine,
        number: UInt64,
        waiting: Int,
        dropped: UInt64,
        sinks: [SinkQueue],
        at now: Timestamp,
        topic: String
    ) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("uptime")
        writer.int((now - startedAt).roundedSeconds)
        writer.key("devices")
        writer.int(Int64(engine.deviceCount))
        writer.key("replaced")
        writer.uint(engine.counters.replaced)
        writer.key("values")
        writer.beginObject()
        writer.key("bytes")
        writer.int(Int64(engine.storage))
        writer.key("refused")
        writer.uint(engine.counters.refusedValues)
        writer.endObject()
        writer.key("messages")
        writer.beginObject()
        let counters = engine.counters
        for (name, count) in [
            ("in", counters.messages), ("unrouted", counters.unrouted), ("ignored", counters.ignored),
            ("refused", counters.refused), ("beyondLimit", counters.beyondLimit), ("oversized", oversized),
        ] {
            writer.key(name)
            writer.uint(count)
        }
        writer.endObject()
        for (name, count) in [
            ("updates", counters.updates), ("waiting", UInt64(waiting)), ("dropped", dropped),
            ("lateAlerts", sinks.reduce(lateAlerts) { $0 + $1.lateAlerts }), ("connects", connects),
            ("problems", problems), ("failedReadings", engine.failedReadings),
        ] {
            writer.key(name)
            writer.uint(count)
        }
        writer.key("number")
        writer.uint(number)
        writer.key("clock")
        writer.string(clock.rawValue)
        if !sinks.isEmpty { write(sinks, to: &writer) }
        write(actions: counters, to: &writer)
        writeTroubles(to: &writer)
        writer.endObject()
        return Publication(
            topic: topic,
            payload: writer.bytes,
            quality: .atMostOnce,
            isRetained: true,
            contentType: "application/json"
        )
    }

    /// Writes how much actions have published.
    private func write(actions counters: EngineCounters, to writer: inout JSONWriter) {
        writer.key("actions")
        writer.beginObject()
        for (name, count) in [("published", counters.published), ("refused", counters.unpublished)] {
            writer.key(name)
            writer.uint(count)
        }
        writer.endObject()
    }

    /// Members that are there only where something is not as it should be.
    private func writeTroubles(to writer: inout JSONWriter) {
        if foreign > 0 {
            writer.key("foreign")
            writer.uint(foreign)
        }
        if !setAside.isEmpty {
            writer.key("setAside")
            writer.beginArray()
            for device in setAside.prefix(Self.shownDevices) { writer.string(device) }
            writer.endArray()
        }
        if let lastProblem {
            writer.key("lastError")
            writer.beginObject()
            writer.key("at")
            writer.int(lastProblem.at.flooredSeconds)
            writer.key("message")
            writer.string(lastProblem.message)
            writer.endObject()
        }
    }

    private func write(_ sinks: [SinkQueue], to writer: inout JSONWriter) {
        writer.key("sinks")
        writer.beginObject()
        writer.key("waiting")
        writer.int(Int64(sinks.reduce(0) { $0 + $1.count }))
        writer.key("dropped")
        writer.uint(sinks.reduce(0) { $0 + $1.dropped })
        let tallies = sinks.map { $0.tally }
        for (name, count) in [
            ("sent", tallies.reduce(0) { $0 + $1.sent }), ("failed", tallies.reduce(0) { $0 + $1.failed }),
            ("held", tallies.reduce(0) { $0 + UInt64($1.held) }),
        ] {
            writer.key(name)
            writer.uint(count)
        }
        writer.endObject()
    }
}
