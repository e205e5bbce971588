package import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
import SkerrySinks
package import SkerryValues

// MARK: Questions over MQTT

extension Bridge {
    /// Answers a question about a device, not retained, unless there are too many.
    func explain(_ device: DeviceKey, at now: Timestamp) {
        guard mayAnswer(at: now) else { return }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        if !explain(device.kind, device.name, for: .unrestricted, at: now, to: &writer) {
            writer.member("error", "nothing was heard of this device")
        }
        writer.endObject()
        announce(sink.explanation(writer.bytes, of: device))
    }

    /// Returns whether one more question or request of this batch is answered.
    func mayAnswer(at now: Timestamp) -> Bool {
        if requests.admit(waiting: ledger.waiting) { return true }
        journal.note(
            .questionsRefused,
            "more questions than can be answered",
            kind: "too many questions",
            at: now
        )
        return false
    }

    /// Writes the explanation of a device as members of an object, with its kind, its name and the time, and with the
    /// decisions about phones that a viewer is told of.
    ///
    /// - Returns: false if there is no such device; then only those three are written.
    func explain(
        _ kind: String,
        _ device: String,
        for viewer: Viewer,
        at now: Timestamp,
        to writer: inout JSONWriter
    ) -> Bool {
        writer.member("kind", kind)
        writer.member("device", device)
        writer.member("at", now)
        // See docs/decisions/0027-explanations.md.
        guard engine.explain(kind: kind, device: device, at: now, to: &writer) else { return false }
        writer.key("phones")
        writer.beginArray()
        let run = engine.device(kind: kind, named: device)?.device.activity?.id
        let isAboutRun = viewer.seesSingleRuns(ofKind: kind)
        for decision in watcher.decisions(kind, device) where viewer.learns(of: decision) {
            if !isAboutRun || run.map(decision.activity.hasSameCodePoints) ?? false {
                decision.write(to: &writer)
            }
        }
        writer.endArray()
        return true
    }
}

// MARK: Questions of other threads

extension Bridge: BridgeAnswers {
    /// The number of runs that an answer names.
    private static var currentRunLimit: Int { 500 }

    /// Answers some of the questions that wait.
    func answerQuestions() {
        requests.beginTurn()
        while let question = requests.next() { question(self) }
    }

    package func devices(for viewer: Viewer) -> (list: JSONWriter, left: Int) {
        requests.endTurn()
        var list = JSONWriter(capacity: 16_384)
        list.beginArray()
        let limit = Requests.devicesLimit
        let (_, count) = engine.summarize(limit: limit, at: clock.now, to: &list) { kind, device in
            shows(device, of: kind, to: viewer)
        }
        return (list, max(0, count - limit))
    }

    package func explanation(
        of device: DeviceKey,
        for viewer: Viewer
    ) throws(HouseProblem) -> (members: JSONWriter, since: Timestamp) {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        guard shows(device.name, of: device.kind, to: viewer),
            explain(device.kind, device.name, for: viewer, at: clock.now, to: &writer)
        else { throw .noDevice }
        return (writer, beginning(of: device, for: viewer))
    }

    package func timeline(of device: DeviceKey, for viewer: Viewer) -> ActivityTimeline? {
        guard shows(device.name, of: device.kind, to: viewer) else { return nil }
        return engine.timeline(kind: device.kind, device: device.name)
    }

    package func deviceCounts(for viewer: Viewer) -> [String: Int] {
        var counts: [String: Int] = [:]
        engine.forEachDevice { kind, device in
            if shows(device.name, of: kind, to: viewer) { counts[kind, default: 0] += 1 }
        }
        return counts
    }

    package func tape(of device: DeviceKey, for viewer: Viewer) throws(HouseProblem) -> MessageTape? {
        // A recording has the messages of earlier runs, too, and whole messages: some are about several devices.
        guard engine.device(kind: device.kind, named: device.name) != nil,
            shows(device.name, of: device.kind, to: viewer), !viewer.seesSingleRuns(ofKind: device.kind),
            viewer.seesEverything || !sharesMessages(ofKind: device.kind)
        else { throw .noDevice }
        return recorder.tape(of: device, at: clock.now)
    }

    package func send(_ event: String, to device: DeviceKey, for viewer: Viewer) throws(HouseProblem) {
        guard engine.device(kind: device.kind, named: device.name) != nil,
            shows(device.name, of: device.kind, to: viewer)
        else { throw .noDevice }
        do throws(EventName.Refusal) {
            let isSent = try send(EventName(event), to: device, at: clock.now)
            assert(isSent)
        } catch {
            throw .refused(error.message)
        }
    }

    package func take(
        _ payload: [UInt8],
        of device: DeviceKey,
        key: String?,
        then: @escaping @Sendable (HouseProblem?) -> Void
    ) {
        do throws(HouseProblem) {
            try takePosted(payload, of: device, key: key, at: clock.now)
            // As a message of the broker, it is acknowledged after the commit.
            requests.awaitCommit(then)
        } catch {
            then(error)
        }
    }

    /// Returns whether somebody sees a device now; where each run has a person of its own, by the run that goes on.
    private func shows(_ device: String, of kind: String, to viewer: Viewer) -> Bool {
        viewer.sees(kind: kind, device: device, attributes: currentRun(of: device, kind: kind)?.attributes)
    }

    /// The run of a device that goes on.
    private func currentRun(of device: String, kind: String) -> Activity? {
        let activity = engine.device(kind: kind, named: device)?.device.activity
        return activity.flatMap { $0.phase == .ended ? nil : $0 }
    }

    /// The moment before which a viewer may see nothing of a device.
    private func beginning(of device: DeviceKey, for viewer: Viewer) -> Timestamp {
        guard viewer.seesSingleRuns(ofKind: device.kind) else { return .distantPast }
        return currentRun(of: device.name, kind: device.kind)?.startedAt ?? .distantFuture
    }

    package func status() -> BridgeStatus {
        BridgeStatus(
            version: options.version,
            startedAt: journal.health.startedAt,
            prefix: options.prefix,
            isConnected: connection.isOpen,
            connectionSince: connection.since ?? journal.health.startedAt,
            connectionFault: connection.fault,
            messages: engine.counters.messages,
            updates: engine.counters.updates,
            quarters: journal.quarters(upTo: engine.counters),
            isStoring: ledger.isStoring,
            health: healthReport(at: clock.now).payload,
            recordLength: recorder.length
        )
    }

    package func currentRuns(kind: String?, device: String?, for viewer: Viewer) -> [CurrentRun] {
        var runs: [CurrentRun] = []
        engine.forEachDevice { deviceKind, found in
            guard runs.count < Self.currentRunLimit, kind.map(deviceKind.hasSameCodePoints) ?? true,
                device.map(found.name.hasSameCodePoints) ?? true, let activity = found.activity,
                activity.phase != .ended,
                viewer.sees(kind: deviceKind, device: found.name, attributes: activity.attributes)
            else { return }
            let run = CurrentRun(
                id: activity.id,
                device: DeviceKey(kind: deviceKind, name: found.name),
                startedAt: activity.startedAt,
                attributes: activity.attributes,
                revisions: activity.rev
            )
            runs.append(run)
        }
        return runs
    }

    /// Returns whether a message may be about several devices of a kind.
    private func sharesMessages(ofKind kind: String) -> Bool {
        let definition = engine.definitions.first { $0.kind.hasSameCodePoints(as: kind) }
        return definition?.sources.contains { $0.asksMessage } ?? true
    }
}

// MARK: Numbers for Prometheus

extension Bridge {
    package func metrics(for viewer: Viewer) -> MetricsText {
        var text = MetricsText()
        text.add(.clockIsKnown, clock.state == .known)
        text.add(.uptime, (clock.now - journal.health.startedAt).roundedSeconds)
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

extension PhoneDecision {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", at)
        writer.member("phone", phone)
        writer.member("activity", activity)
        writer.member("decision", kind.name)
        writer.member("why", text)
        if let until { writer.member("until", until) }
        writer.endObject()
    }
}
