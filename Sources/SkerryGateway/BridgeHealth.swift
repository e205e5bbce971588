import SkerryDevice
import SkerryEngine
import SkerryValues

/// What the bridge knows of itself, for `bridge/info` and `bridge/health`.
struct BridgeHealth {
    /// How many of the devices that were set aside the report names.
    private static let shownDevices = 20

    /// When the bridge started.
    private(set) var startedAt: Timestamp
    /// Connections made.
    var connects: UInt64 = 0
    /// What is known of the wall clock.
    var clock = ClockState.known
    /// Messages left out because they were too large.
    var oversized: UInt64 = 0
    /// Alerts that came too late to be told, before any sink had them.
    var lateAlerts: UInt64 = 0
    /// Devices that were set aside.
    var setAside: [String] = []
    /// Things that went wrong.
    var problems: UInt64 = 0
    /// What went wrong last, and when.
    var lastProblem: (at: Timestamp, message: String)?

    init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// The wall clock was set: the bridge has run as long as before.
    mutating func clockStepped(by length: Interval) {
        startedAt = startedAt + length
        lastProblem = lastProblem.map { ($0.at + length, $0.message) }
    }

    /// What the bridge is: version, start, definitions with their topics.
    func info(of definitions: [Definition], version: String, topic: String) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("version")
        writer.string(version)
        writer.key("started")
        writer.int(startedAt.flooredSeconds)
        writer.key("definitions")
        writer.beginArray()
        for definition in definitions {
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

    /// How the bridge is doing.
    func report(
        engine: Engine,
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
        writer.key("messages")
        writer.beginObject()
        let counters = engine.counters
        for (name, count) in [
            ("in", counters.messages), ("unrouted", counters.unrouted), ("refused", counters.refused),
            ("beyondLimit", counters.beyondLimit), ("oversized", oversized),
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
        writer.key("clock")
        writer.string(clock.rawValue)
        if !sinks.isEmpty { write(sinks, to: &writer) }
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
        writer.endObject()
        return Publication(
            topic: topic,
            payload: writer.bytes,
            quality: .atMostOnce,
            isRetained: true,
            contentType: "application/json"
        )
    }

    private func write(_ sinks: [SinkQueue], to writer: inout JSONWriter) {
        writer.key("sinks")
        writer.beginObject()
        writer.key("waiting")
        writer.int(Int64(sinks.reduce(0) { $0 + $1.count }))
        writer.key("dropped")
        writer.uint(sinks.reduce(0) { $0 + $1.dropped })
        writer.endObject()
    }
}
