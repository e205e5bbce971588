import Logging
package import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryExpressions
import SkerryPhones
import SkerrySinks
package import SkerryValues

// Requests over MQTT, in the scheme of zigbee2mqtt: see docs/reference/requests.md#requests.

extension Bridge {
    /// The bytes of devices, or of a recording, in an answer; readers take packets of limited size.
    static var responseLimit: Int { 128 * 1024 }

    /// The number of devices among which a similar name is searched.
    private static var comparedNames: Int { 500 }

    /// Answers a request, now or later, unless there are too many.
    func take(_ request: BridgeRequest, at now: Timestamp) {
        guard mayAnswer(at: now) else { return }
        if let fault = request.fault { return refuse(request, fault) }
        switch request.name {
        case .health: accept(request) { $0.json(healthReport(at: now).payload) }
        case .reload: reload(request)
        case .devices: listDevices(request, at: now)
        case .remove: remove(request, at: now)
        case .rename: rename(request)
        case .logLevel: setLogLevel(request)
        case .record: record(request)
        case .check: check(request)
        case nil:
            let names = BridgeRequest.Name.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            refuse(request, "there is no such request; there are: \(names)")
        }
    }

    private func refuse(_ request: BridgeRequest, _ error: String) {
        announce(request.response(sink, error: error))
    }

    private func accept(_ request: BridgeRequest, data: (inout JSONWriter) -> Void) {
        announce(request.response(sink, data: data))
    }

    // MARK: Devices

    private func listDevices(_ request: BridgeRequest, at now: Timestamp) {
        let name = request.text("device") ?? ""
        let devices = Set(devices(called: name))
        accept(request) { writer in
            writer.beginObject()
            writer.key("devices")
            writer.beginArray()
            let (written, meant) = engine.summarize(
                limit: Requests.devicesLimit,
                bytes: Self.responseLimit,
                at: now,
                to: &writer
            ) { kind, device in
                name.isEmpty || devices.contains("\(kind)/\(device)")
            }
            writer.endArray()
            writer.member("count", Int64(meant))
            if meant > written { writer.member("left", Int64(meant - written)) }
            if meant == 0, let near = nearestDevice(to: name) { writer.member("near", near) }
            writer.endObject()
        }
    }

    /// Returns the devices that a person means, as `kind/name`: those of the name or, if there are none, those that people
    /// call so.
    private func devices(called name: String) -> [String] {
        if name.isEmpty { return [] }
        var (named, called): ([String], [String]) = ([], [])
        engine.forEachName { kind, device, given in
            let key = "\(kind)/\(device)"
            if device.hasSameCodePoints(as: name) || key.hasSameCodePoints(as: name) {
                named.append(key)
            } else if given?.lowercased() == name.lowercased() {
                called.append(key)
            }
        }
        return named.isEmpty ? called : named
    }

    /// The device with the most similar name, `kind/name`; nil if none is similar.
    private func nearestDevice(to name: String) -> String? {
        var others: [String] = []
        engine.forEachDevice { kind, device in
            if others.count < Self.comparedNames { others.append("\(kind)/\(device.name)") }
        }
        let names =
            name.contains("/")
            ? others : others.map { $0.split(separator: "/").dropFirst().joined(separator: "/") }
        return nearestName(to: name, among: names).flatMap { names.firstIndex(where: $0.hasSameCodePoints) }
            .map { others[$0] }
    }

    private func remove(_ request: BridgeRequest, at now: Timestamp) {
        guard let device = request.device() else {
            return refuse(request, "name a device: {\"device\": \"kind/name\"}")
        }
        guard forgetDevice(kind: device.kind, device: device.name, at: now) else {
            return refuse(request, missing: device)
        }
        accept(request) { $0.object([("device", "\(device)")]) }
    }

    private func refuse(_ request: BridgeRequest, missing device: DeviceKey) {
        let near = nearestDevice(to: "\(device)").map { "; did you mean '\($0)'?" } ?? ""
        refuse(request, "there is no device '\(device)'\(near)")
    }

    private func rename(_ request: BridgeRequest) {
        guard let device = request.device("from"), let name = request.text("to") else {
            return refuse(
                request,
                "name a device, and what it is called: {\"from\": \"kind/name\", \"to\": \"Big washer\"}"
            )
        }
        guard engine.device(kind: device.kind, named: device.name) != nil else {
            return refuse(request, missing: device)
        }
        ask(.chooseSettings(device, name: name), for: request) {
            $1.object([("from", "\(device)"), ("to", name)])
        }
    }

    // MARK: The process

    private func reload(_ request: BridgeRequest) {
        if let reason = requests.reload(for: request) { refuse(request, reason) }
    }

    /// Answers the requests to read definitions again.
    ///
    /// - Parameters:
    ///   - report: What has changed, line by line.
    ///   - fault: The reason why nothing has changed.
    func answerReloads(_ report: [String], fault: String? = nil) {
        for request in requests.takeReloads() {
            if let fault {
                refuse(request, "\(fault); the log of the bridge has the reasons")
                continue
            }
            accept(request) { writer in
                writer.beginObject()
                writer.member("definitions", engine.definitions.count)
                writer.member("report", Array(report.prefix(Self.comparedNames)))
                writer.endObject()
            }
        }
    }

    private func setLogLevel(_ request: BridgeRequest) {
        guard let surroundings = requests.surroundings else { return refuse(request, Requests.alone) }
        let level = request.text("level") ?? ""
        guard surroundings.setLogLevel(level) else {
            let levels = Logger.Level.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return refuse(request, "name a level: {\"level\": …}, one of \(levels)")
        }
        journal.logger.notice(.logLevel, "the level of the log is '\(level)' from now on, on request")
        accept(request) { $0.object([("level", level)]) }
    }

    // MARK: Recordings and checks

    private func record(_ request: BridgeRequest) {
        if let hours = request.members["hours"] {
            guard case .int(let hours) = hours, (0...48).contains(hours) else {
                return refuse(request, "'hours' is 0 to 48")
            }
            recorder.keep(for: .hours(hours))
            guard request.members["device"] != nil else {
                return accept(request) { writer in
                    writer.beginObject()
                    writer.member("hours", hours)
                    writer.endObject()
                }
            }
        }
        guard let device = request.device() else {
            return refuse(
                request,
                "say how long messages are kept, {\"hours\": 2}, or whose you want, {\"device\": \"kind/name\"}"
            )
        }
        let limit = Self.responseLimit
        ask(.recording(device), for: request) { lines, writer in
            var lines = lines[...]
            let isWhole = lines.count <= limit
            if !isWhole {
                lines = lines.suffix(limit)
                lines = lines.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            }
            writer.beginObject()
            writer.member("device", "\(device)")
            writer.member("recording", String(decoding: lines, as: UTF8.self))
            writer.member("truncated", !isWhole)
            writer.endObject()
        }
    }

    private func check(_ request: BridgeRequest) {
        guard let source = request.text("source"), !source.isEmpty else {
            return refuse(request, "give the text of a definition: {\"source\": \"skerry: 1\\n…\"}")
        }
        ask(.check(source: source), for: request) { answer, writer in writer.json(answer) }
    }

    /// Asks the house, and publishes its answer when it comes.
    private func ask(
        _ question: HouseQuestion,
        for request: BridgeRequest,
        data: @escaping @Sendable (_ found: [UInt8], inout JSONWriter) -> Void
    ) {
        if let reason = requests.ask(question, for: request, sink: sink, data: data) {
            refuse(request, reason)
        }
    }
}

extension JSONWriter {
    /// Writes an object with texts.
    fileprivate mutating func object(_ members: [(name: String, text: String)]) {
        beginObject()
        for (name, text) in members {
            member(name, text)
        }
        endObject()
    }
}

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
    ) throws(HouseProblem) -> DeviceExplanation {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        guard shows(device.name, of: device.kind, to: viewer),
            explain(device.kind, device.name, for: viewer, at: clock.now, to: &writer)
        else { throw .noDevice }
        return DeviceExplanation(members: writer, since: beginning(of: device, for: viewer))
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

    package func givenNames(kind: String?, device: String?, for viewer: Viewer) -> [DeviceKey: String] {
        var names: [DeviceKey: String] = [:]
        engine.forEachName { deviceKind, name, given in
            guard let given, kind.map(deviceKind.hasSameCodePoints) ?? true,
                device.map(name.hasSameCodePoints) ?? true, shows(name, of: deviceKind, to: viewer)
            else { return }
            names[DeviceKey(kind: deviceKind, name: name)] = given
        }
        return names
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
