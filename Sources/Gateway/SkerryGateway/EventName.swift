import SkerryDevice
import SkerryValues

/// The name of an event that somebody sends to a device, over MQTT or HTTP.
struct EventName {
    /// The longest name, and the longest command over MQTT, in bytes.
    static let limit = 1024

    let text: String

    /// Makes a name.
    ///
    /// - Throws: the reason why there is no such event.
    init(_ text: String) throws(Refusal) {
        guard !text.utf8.isEmpty, text.utf8.count <= Self.limit else {
            throw Refusal(message: "the name of an event has 1 to \(Self.limit) bytes")
        }
        self.text = text
    }

    /// Reads a command over MQTT: `{"event": "snooze"}`, or the name of the event alone.
    ///
    /// - Throws: the reason why it can't be read.
    init(payload: ArraySlice<UInt8>) throws(Refusal) { try self.init(Self.text(of: payload)) }

    /// The reason why an event is not taken.
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

    private static func text(of payload: ArraySlice<UInt8>) throws(Refusal) -> String {
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
