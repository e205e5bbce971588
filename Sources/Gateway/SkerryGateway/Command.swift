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

    /// Reads a message as a command; nil if its topic is not a command topic.
    ///
    /// The payload is `{"event": "snooze"}` or the name of the event alone.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message.
    ///   - payload: Its payload.
    ///   - start: The common beginning of command topics: the prefix and a slash.
    /// - Throws: the reason why a command can't be read.
    init?(topic: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, start: [UInt8]) throws(Refusal) {
        guard topic.starts(with: start) else { return nil }
        let levels = topic.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count == 3, levels[2].elementsEqual("event".utf8) else { return nil }
        kind = String(decoding: levels[0], as: UTF8.self)
        device = String(decoding: levels[1], as: UTF8.self)
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
