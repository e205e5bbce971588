import SkerryDevice
import SkerryValues

/// An event for a device, sent over MQTT.
struct Command {
    /// The longest command, in bytes.
    static let limit = 1024

    var kind: String
    var device: String
    var event: String

    /// Makes a command.
    ///
    /// - Throws: the reason why there is no such event.
    init(kind: String, device: String, event: String) throws(Refusal) {
        guard !event.utf8.isEmpty, event.utf8.count <= Self.limit else {
            throw Refusal(message: "the name of an event has 1 to \(Self.limit) bytes")
        }
        self.kind = kind
        self.device = device
        self.event = event
    }

    /// Reads the payload of a command: `{"event": "snooze"}`, or the name of the event alone.
    ///
    /// - Throws: the reason why it can't be read.
    init(to device: DeviceKey, payload: ArraySlice<UInt8>) throws(Refusal) {
        kind = device.kind
        self.device = device.name
        event = try Self.event(payload)
    }

    /// Why a command can't be read.
    struct Refusal: Error {
        var message: String

        init(message: String) { self.message = message }

        /// The refusal of an event that a definition does not accept from outside.
        init(of event: String, by definition: Definition) {
            let names = definition.events.map { "'\($0)'" }.joined(separator: ", ")
            message =
                "nobody may send '\(event)' to a device of the kind '\(definition.kind)'; "
                + (names.isEmpty ? "it accepts no events" : "it accepts \(names)")
        }
    }

    private static func event(_ payload: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard payload.count <= limit else { throw Refusal(message: "a command has at most \(limit) bytes") }
        var name: String?
        if payload.first == UInt8(ascii: "{") {
            if case .map(let members)? = try? JSONReader.value(of: payload.span),
                case .string(let text)? = members["event"]
            {
                name = text
            }
        } else {
            name = String(validating: payload, as: UTF8.self)
        }
        guard let name, !name.utf8.isEmpty else {
            throw Refusal(message: "a command must be {\"event\": \"name\"} or the name of the event")
        }
        return name
    }
}
