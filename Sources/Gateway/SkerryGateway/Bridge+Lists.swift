import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

// What there is: retained lists of devices and definitions, and an event for each device that comes or goes.

extension Bridge {
    /// The pause after which a changed list is published, so that many new devices are one change.
    private static var listPause: Interval { .seconds(1) }

    /// The bytes of a list; what does not fit in is counted.
    private static var listLimit: Int { 128 * 1024 }

    /// The number of waiting publications up to which an event is added: it must not displace diffs.
    private static var eventLimit: Int { 100 }

    /// Takes note of a device that comes or goes.
    func noteAppearance(_ effect: Effect) {
        switch effect.what {
        case .moved(from: "", to: _, through: _):
            tellDevice(effect.device, kind: effect.kind, "device_appeared")
        case .forgotten: tellDevice(effect.device, kind: effect.kind, "device_forgotten")
        case .moved, .update, .publication, .dismissed, .foretold, .availability, .refused, .fault: break
        }
    }

    /// Publishes that a device has come or gone, and soon the list of all.
    func tellDevice(_ name: String, kind: String, _ event: String) {
        if alarms[.lists] == nil { alarms[.lists] = clock.now + Self.listPause }
        guard ledger.unsent < Self.eventLimit else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", event)
        writer.key("data")
        writer.device(name, kind: kind)
        writer.endObject()
        enqueue(
            Publication(topic: sink.eventTopic, payload: writer.bytes, contentType: "application/json")
        )
    }

    /// Publishes the lists that have changed since they were published last.
    func announceLists() {
        alarms[.lists] = nil
        guard isAdmitted else { return }
        announceList(deviceList, at: sink.devicesTopic)
        announceList(definitionList, at: sink.definitionsTopic)
    }

    private func announceList(_ payload: [UInt8], at topic: String) {
        if lists[topic] == payload { return }
        lists[topic] = payload
        announce(
            Publication(topic: topic, payload: payload, isRetained: true, contentType: "application/json")
        )
    }

    private var deviceList: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("devices")
        writer.beginArray()
        var left = 0
        engine.forEachDevice { kind, device in
            if writer.bytes.count < Self.listLimit {
                writer.device(device.name, kind: kind)
            } else {
                left += 1
            }
        }
        writer.endArray()
        writer.left(left)
        writer.endObject()
        return writer.bytes
    }

    private var definitionList: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("definitions")
        writer.beginArray()
        var left = 0
        for definition in engine.definitions {
            if writer.bytes.count < Self.listLimit { definition.write(to: &writer) } else { left += 1 }
        }
        writer.endArray()
        writer.left(left)
        writer.endObject()
        return writer.bytes
    }
}

extension Definition {
    /// Writes what other programs may know of it: states, what is shown, and the events that may be sent.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("name", name)
        writer.member("topics", sources.map { $0.filter.subscription })
        writer.key("states")
        writer.beginArray()
        for state in chart.states.dropFirst() where state.kind == .atomic || state.kind == .final {
            writer.beginObject()
            writer.member("name", state.name)
            if let title = fixedTitle(ofState: state.name) { writer.member("title", title) }
            writer.endObject()
        }
        writer.endArray()
        for (name, fields) in [("attributes", contract?.attributes), ("content", contract?.content)] {
            writer.objects(name, fields ?? []) { writer, field in
                writer.member("name", field.name)
                writer.member("type", field.type.name)
            }
        }
        writer.member("events", events)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes an object with the kind and the name of a device.
    fileprivate mutating func device(_ name: String, kind: String) {
        beginObject()
        member("kind", kind)
        member("device", name)
        endObject()
    }

    /// Writes how many did not fit in, if there are any.
    fileprivate mutating func left(_ count: Int) {
        if count == 0 { return }
        member("left", Int64(count))
    }
}
