import SkerryActivity
import SkerryGateway
import SkerryValues

/// Events as they are written in a stream (the HTML standard calls it `text/event-stream`).
enum StreamText {
    /// The start of every stream: the pause in milliseconds after which a browser connects again.
    static let beginning = Array("retry: 3000\n\n".utf8)
    /// The sign of life that readers ignore.
    static let heartbeat = Array(": \n\n".utf8)

    /// An event with its data, which is JSON of one line.
    static func event(_ name: String, _ json: [UInt8], id: StreamPosition? = nil) -> [UInt8] {
        var text = id.map { Array("id: \($0)\n".utf8) } ?? []
        text.reserveCapacity(text.count + json.count + 32)
        text += "event: \(name)\ndata: ".utf8
        text += json
        text += "\n\n".utf8
        return text
    }

    /// An entry of the log.
    static func event(_ entry: LoggedEvent, of process: String) -> [UInt8] {
        let (name, json) = content(entry)
        return event(name, json, id: StreamPosition(process: process, position: entry.position))
    }

    private static func content(_ entry: LoggedEvent) -> (name: String, json: [UInt8]) {
        switch entry.news {
        case .alerted(let update): ("alert", update.alertJSON() ?? Array("{}".utf8))
        case .revised(let update):
            update.diffJSON().map { ("diff", $0) } ?? ("activity", update.snapshotJSON())
        case .resumed(let update): ("activity", update.snapshotJSON())
        case .dismissed(let id): ("dismissed", json(of: entry, "id") { $0.string(id) })
        case .foretold(let timeline?): ("timeline", timeline.json())
        case .foretold(nil): ("timeline", json(of: entry, "entries") { $0.json(Array("[]".utf8)) })
        case .moved(let move, let title):
            (
                "moved",
                json(of: entry, "at") { writer in
                    writer.seconds(move.at)
                    for (key, text) in [("from", move.from), ("to", move.to), ("title", title)] {
                        writer.member(key, text)
                    }
                    let states = move.to.split(separator: ",").map { Value.string(String($0)) }
                    writer.member("states", .list(states))
                    if !move.through.isEmpty { writer.member("through", move.through) }
                }
            )
        case .availability(let isAvailable):
            ("availability", json(of: entry, "available") { $0.bool(isAvailable) })
        case .forgotten: ("forgotten", json(of: entry))
        case .broker(let presence): ("broker", presence.json)
        case .redefined: ("definitions", json(of: entry))
        }
    }

    /// An object that names the device of an entry, and has a further member.
    private static func json(
        of entry: LoggedEvent,
        _ key: String? = nil,
        _ write: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let device = entry.device {
            writer.member("kind", device.kind)
            writer.member("device", device.name)
        }
        if let key { writer.key(key) }
        write(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// Everything that a reader should hold, as JSON, of the state of the log and the answer to the question about all
    /// devices; only of one device, if that is said.
    static func snapshot(_ snapshot: LogSnapshot, devices: [UInt8]?, only: DeviceKey?) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.member("at", snapshot.at)
        writer.member("rate", snapshot.rate)
        writer.key("activities")
        writer.beginArray()
        for activity in snapshot.activities where only.map({ activity.id.isOf($0) }) ?? true {
            writer.json(activity.snapshotJSON())
        }
        writer.endArray()
        writer.key("timelines")
        writer.beginArray()
        for timeline in snapshot.timelines where only.map({ timeline.id.isOf($0) }) ?? true {
            timeline.write(to: &writer)
        }
        writer.endArray()
        writer.key("devices")
        // A guest learns of no other device, and of this one by its activity.
        let place = only == nil ? devices.flatMap { JSONMember.place(of: "devices", in: $0) } : nil
        writer.json(place.flatMap { place in devices.map { Array($0[place]) } } ?? Array("[]".utf8))
        writer.member("broker", json: snapshot.broker.json)
        writer.endObject()
        return writer.bytes
    }
}

extension String {
    /// True for the id of an activity of a device.
    fileprivate func isOf(_ device: DeviceKey) -> Bool { hasPrefix("\(device.kind)/\(device.name)/") }
}

extension BrokerPresence {
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("connected", isConnected)
        writer.member("since", since)
        writer.endObject()
        return writer.bytes
    }
}
