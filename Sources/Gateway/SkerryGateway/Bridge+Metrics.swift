import SkerryDevice
import SkerryEngine
import SkerrySinks
import SkerryValues

// The numbers of a running bridge for Prometheus.

extension Bridge {
    /// Writes the numbers of the bridge; those with labels only for somebody who sees everything, because they name kinds and
    /// people.
    func metrics(for viewer: Viewer, at now: Timestamp) -> MetricsText {
        var text = MetricsText()
        text.add(.clockIsKnown, clock.state == .known)
        text.add(.uptime, (now - journal.health.startedAt).roundedSeconds)
        text.add(.brokerIsConnected, connection.isOpen)
        text.add(.brokerConnects, journal.health.connects)
        if viewer.seesEverything { writeKinds(to: &text) }
        text.add(.devicesSetAside, journal.health.setAside.count)
        text.add(.devicesReplaced, engine.counters.replaced)
        writeCounters(to: &text)
        journal.health.commits.write(to: &text)
        text.add(.isStoring, ledger.isStoring)
        text.add(.publicationsWaiting, ledger.waiting)
        text.add(.publicationsUnsettled, ledger.unsettled)
        text.add(.publicationsDropped, ledger.droppedCount)
        if viewer.seesEverything { writeSinks(to: &text) }
        return text
    }

    private func writeKinds(to text: inout MetricsText) {
        let kinds = engine.definitions.map(\.kind)
        var devices: [String: Int] = [:]
        engine.forEachDevice { kind, _ in devices[kind, default: 0] += 1 }
        text.add(.devices, kinds.map { (labels: [$0], number: devices[$0] ?? 0) })
        text.add(.updates, journal.health.kinds.samples(\.updates, of: kinds))
        text.add(.refusedPayloads, journal.health.kinds.samples(\.refused, of: kinds))
        text.add(.faults, journal.health.kinds.samples(\.faults, of: kinds))
        let unread = zip(kinds, engine.unread).map { (labels: [$0], number: $1.count) }
        text.add(.unreadParts, unread)
    }

    private func writeCounters(to text: inout MetricsText) {
        let counters = engine.counters
        text.add(.messages, counters.messages)
        text.add(.messagesUnrouted, counters.unrouted)
        text.add(.messagesIgnored, counters.ignored)
        text.add(.messagesRefused, counters.refused)
        text.add(.messagesBeyondLimit, counters.beyondLimit)
        text.add(.messagesOversized, journal.health.oversized)
        text.add(.values, engine.storage)
        text.add(.valuesRefused, counters.refusedValues)
        text.add(.readingsFailed, engine.failedReadings)
        text.add(.actionsPublished, counters.published)
        text.add(.actionsRefused, counters.unpublished)
        text.add(.alertsLate, ledger.sinks.reduce(journal.health.lateAlerts) { $0 + $1.lateAlerts })
        text.add(.problems, journal.health.problems)
    }

    private func writeSinks(to text: inout MetricsText) {
        text.add(.sinksWaiting, ledger.sinks.map { (labels: [$0.name], number: $0.count) })
        text.add(.sinksDropped, ledger.sinks.map { (labels: [$0.name], number: $0.dropped) })
        // What reaches phones is counted for each of them.
        let services = ledger.sinks.filter { $0.name != "phones" }
        text.add(.sinksSent, services.map { (labels: [$0.name], number: $0.tally.sent) })
        text.add(.sinksFailed, services.map { (labels: [$0.name], number: $0.tally.failed) })
        text.add(.sinksHeld, services.map { (labels: [$0.name], number: $0.tally.held) })
    }
}
