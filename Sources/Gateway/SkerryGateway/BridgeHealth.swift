import SkerryDevice
import SkerryEngine
import SkerrySinks
import SkerryValues

/// The bridge's report about itself, for `bridge/info` and `bridge/health`.
struct BridgeHealth {
    /// The number of devices set aside that the report names, and that of parts of messages that were not read.
    private static let (shownDevices, shownParts) = (20, 20)

    private(set) var startedAt: Timestamp
    /// Connections made.
    var connects: UInt64 = 0
    /// The state of the wall clock.
    var clock = ClockState.known
    /// Messages left out because they were too large.
    var oversized: UInt64 = 0
    /// The number of alerts that were too late before any sink had them.
    var lateAlerts: UInt64 = 0
    /// Connections that another client has ended by taking the session over.
    var takenOver: UInt64 = 0
    /// Messages on the bridge's own topics that it did not write.
    var foreign: UInt64 = 0
    /// Devices that were set aside.
    var setAside: [String] = []
    /// Why the store takes nothing, and since when; nil while it does.
    private(set) var storeFault: (since: Timestamp, fault: StoreFault)?
    /// The time that commits took.
    var commits = CommitMeter()
    /// The counts of each kind of device.
    var kinds = KindCounts()
    /// Things that went wrong.
    var problems: UInt64 = 0
    /// The last problem, with its time.
    var lastProblem: (at: Timestamp, message: String)?

    /// The wall clock was set: the bridge has run as long as before.
    mutating func clockStepped(by length: Interval) {
        startedAt = startedAt + length
        lastProblem = lastProblem.map { ($0.at + length, $0.message) }
        storeFault = storeFault.map { ($0.since + length, $0.fault) }
    }

    /// Takes note of what came of a commit.
    ///
    /// - Returns: True if the store takes nothing any more, or takes commits again.
    mutating func committed(_ fault: StoreFault?, at now: Timestamp) -> Bool {
        let isNews = (fault == nil) != (storeFault == nil)
        storeFault = fault.map { (storeFault?.since ?? now, $0) }
        return isNews
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
        writer.member("version", options.version)
        writer.member("started", startedAt.flooredSeconds)
        writer.member("owner", owner)
        writer.member("client", options.clientID)
        if let machine = options.machine { writer.member("machine", machine) }
        if let node = options.node { writer.member("node", node) }
        if let partition = options.engine.partition {
            writer.member("partition", partition.number)
            writer.member("partitions", partition.count)
        }
        writer.member("epoch", engine.epoch)
        if let announces { writer.member("homeAssistant", announces) }
        writer.objects("definitions", engine.definitions) { writer, definition in
            writer.member("kind", definition.kind)
            writer.member("name", definition.name)
            writer.array("topics", definition.sources) { writer, source in
                writer.string(source.filter.subscription)
            }
        }
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

    /// The publication of `bridge/health`.
    func report(_ engine: Engine, _ ledger: Ledger, at now: Timestamp, topic: String) -> Publication {
        let sinks = ledger.sinks
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("uptime", (now - startedAt).roundedSeconds)
        writer.member("devices", Int64(engine.deviceCount))
        writer.member("replaced", engine.counters.replaced)
        writer.object("values") { writer in
            writer.member("bytes", Int64(engine.storage))
            writer.member("refused", engine.counters.refusedValues)
        }
        writer.key("messages")
        writer.beginObject()
        let counters = engine.counters
        for (name, count) in [
            ("in", counters.messages), ("unrouted", counters.unrouted), ("ignored", counters.ignored),
            ("refused", counters.refused), ("beyondLimit", counters.beyondLimit), ("oversized", oversized),
        ] {
            writer.member(name, count)
        }
        if engine.limits.partition != nil { writer.member("elsewhere", counters.elsewhere) }
        writer.endObject()
        for (name, count) in [
            ("updates", counters.updates), ("waiting", UInt64(ledger.waiting)),
            ("dropped", ledger.droppedCount),
            ("lateAlerts", sinks.reduce(lateAlerts) { $0 + $1.lateAlerts }), ("connects", connects),
            ("problems", problems), ("failedReadings", engine.failedReadings),
        ] {
            writer.member(name, count)
        }
        writer.member("number", ledger.progress.told)
        writer.member("clock", clock.rawValue)
        if !sinks.isEmpty { write(sinks, to: &writer) }
        write(actions: counters, to: &writer)
        writeTroubles(to: &writer)
        write(unreadBy: engine, to: &writer)
        write(unheardBy: engine, to: &writer)
        writer.endObject()
        return Publication(
            topic: topic,
            payload: writer.bytes,
            // One that gets lost is replaced within a minute; QoS 1 would take a place in the window of updates.
            quality: .atMostOnce,
            isRetained: true,
            contentType: "application/json"
        )
    }

    /// Writes how much actions have published.
    private func write(actions counters: EngineCounters, to writer: inout JSONWriter) {
        writer.object("actions") { writer in
            for (name, count) in [("published", counters.published), ("refused", counters.unpublished)] {
                writer.member(name, count)
            }
        }
    }

    /// Members that are there only where something is not as it should be.
    private func writeTroubles(to writer: inout JSONWriter) {
        if takenOver > 0 { writer.member("takenOver", takenOver) }
        if foreign > 0 { writer.member("foreign", foreign) }
        if !setAside.isEmpty { writer.member("setAside", Array(setAside.prefix(Self.shownDevices))) }
        if let storeFault {
            writer.object("store") { writer in
                writer.member("problem", storeFault.fault.sort == .full ? "full" : "refused")
                writer.member("since", storeFault.since.flooredSeconds)
                writer.member("message", storeFault.fault.message)
            }
        }
        if let lastProblem {
            writer.object("lastError") { writer in
                writer.member("at", lastProblem.at.flooredSeconds)
                writer.member("message", lastProblem.message)
            }
        }
    }

    /// Writes what definitions did not read of the messages of their devices, if there is such a thing.
    private func write(unreadBy engine: Engine, to writer: inout JSONWriter) {
        let unread = zip(engine.definitions, engine.unread).flatMap { definition, parts in
            parts.map { (kind: definition.kind, part: $0) }
        }
        if unread.isEmpty { return }
        writer.objects("unread", unread.prefix(Self.shownParts)) { writer, unread in
            writer.member("kind", unread.kind)
            if !unread.part.device.utf8.isEmpty { writer.member("device", unread.part.device) }
            writer.member("count", unread.part.count)
            writer.member("text", unread.part.text)
        }
    }

    /// Writes the kinds of which there is no device; one of several partitions may have none of a kind.
    private func write(unheardBy engine: Engine, to writer: inout JSONWriter) {
        if engine.limits.partition != nil { return }
        var heard: Set<String> = []
        engine.forEachDevice { kind, _ in heard.insert(kind) }
        let unheard = engine.definitions.map(\.kind).filter { !heard.contains($0) }
        if !unheard.isEmpty { writer.member("unheard", Array(unheard.prefix(Self.shownParts))) }
    }

    private func write(_ sinks: [SinkQueue], to writer: inout JSONWriter) {
        writer.key("sinks")
        writer.beginObject()
        writer.member("waiting", Int64(sinks.reduce(0) { $0 + $1.count }))
        writer.member("dropped", sinks.reduce(0) { $0 + $1.dropped })
        let tallies = sinks.map { $0.tally }
        for (name, count) in [
            ("sent", tallies.reduce(0) { $0 + $1.sent }), ("failed", tallies.reduce(0) { $0 + $1.failed }),
            ("held", tallies.reduce(0) { $0 + UInt64($1.held) }),
        ] {
            writer.member(name, count)
        }
        writer.endObject()
    }
}
