import Logging
import SkerryDevice
import SkerryEngine
import SkerryExpressions
import SkerryValues

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
                name.isEmpty || device.hasSameCodePoints(as: name)
                    || "\(kind)/\(device)".hasSameCodePoints(as: name)
            }
            writer.endArray()
            writer.member("count", Int64(meant))
            if meant > written { writer.member("left", Int64(meant - written)) }
            if meant == 0, let near = nearestDevice(to: name) { writer.member("near", near) }
            writer.endObject()
        }
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
