import SkerryExpressions
import SkerryMachine
import SkerryValues

/// A message that an action of a machine publishes.
public struct DevicePublication: Hashable, Sendable {
    /// The longest topic, in bytes.
    public static let topicLimit = 1024
    /// The longest payload, in bytes.
    public static let payloadLimit = 4096
    /// The most messages that a device may publish within a minute.
    public static let minuteLimit = 60

    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// True if the broker keeps it for later readers.
    public var isRetained: Bool
    /// The quality of service, 0 or 1.
    public var quality: UInt8
}

/// The reason why an action published nothing.
public enum PublicationRefusal: Hashable, Sendable {
    /// A value in the topic is missing.
    case noTopic
    /// The topic is too long.
    case longTopic
    /// The payload is too long.
    case longPayload
    /// The device has published too much within a minute.
    case tooMany

    /// The reason in words.
    var message: String {
        switch self {
        case .noTopic: "nothing is published, because a value of the topic is missing"
        case .longTopic:
            "nothing is published, because the topic exceeds \(DevicePublication.topicLimit) bytes"
        case .longPayload:
            "nothing is published, because the payload exceeds \(DevicePublication.payloadLimit) bytes"
        case .tooMany:
            "nothing is published, because there were \(DevicePublication.minuteLimit) within a minute"
        }
    }
}

/// An action of a definition that is no action of machines.
enum HostAction: Sendable {
    case assign(Assignment)
    case publish(PublicationTemplate)
}

/// A message that an action publishes, with its texts.
struct PublicationTemplate: Sendable {
    var topic: TextTemplate
    var payload: TextTemplate?
    var isRetained: Bool
    var quality: UInt8
}

/// The messages that a device has published within a minute.
struct PublicationMeter: Hashable, Sendable {
    var start: Timestamp
    var count: UInt64

    /// The meter after one more message; nil if there were too many.
    static func next(after last: PublicationMeter?, at now: Timestamp) -> PublicationMeter? {
        // A start in the future is from before the clock was set back.
        guard let last, now >= last.start, now - last.start < .minutes(1) else {
            return PublicationMeter(start: now, count: 1)
        }
        guard last.count < DevicePublication.minuteLimit else { return nil }
        return PublicationMeter(start: last.start, count: last.count + 1)
    }
}

extension PublicationMeter {
    func write(to writer: inout ImageWriter) {
        writer.moment(start)
        writer.unsigned(count)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        self.init(start: try reader.moment(), count: try reader.unsigned())
    }
}

extension Scene {
    /// Publishes a message at the end of the macrostep, unless it exceeds a bound.
    ///
    /// - Returns: True if it is published.
    mutating func publish(_ template: PublicationTemplate, _ machine: Machine) -> Bool {
        do throws(RefusedPublication) {
            let topic = try self.topic(of: template, machine)
            let payload = Array((template.payload.map { text($0, machine) } ?? "").utf8)
            guard payload.count <= DevicePublication.payloadLimit else {
                throw RefusedPublication(.longPayload)
            }
            guard let meter = PublicationMeter.next(after: memory.published, at: now) else {
                throw RefusedPublication(.tooMany)
            }
            memory.published = meter
            assert(meter.count <= DevicePublication.minuteLimit, "a device publishes more than it may")
            publications.append(
                DevicePublication(
                    topic: topic,
                    payload: payload,
                    isRetained: template.isRetained,
                    quality: template.quality
                )
            )
            mustKeep = true
            return true
        } catch {
            unpublished &+= 1
            if excess == nil { excess = .unpublished(error.reason) }
            return false
        }
    }

    /// The topic, whose levels are those of the template: a value adds none and is no wildcard.
    private mutating func topic(
        of template: PublicationTemplate,
        _ machine: Machine
    ) throws(RefusedPublication) -> String {
        var topic = ""
        for part in template.topic.parts {
            switch part {
            case .literal(let text): topic += text
            case .expression(let program, _):
                let value = evaluate(program, machine)
                if case .error(let error) = value { count(error, of: program) }
                guard let level = value.text, !level.utf8.isEmpty else { throw RefusedPublication(.noTopic) }
                topic += level.asTopicLevel
            }
        }
        if topic.utf8.count > DevicePublication.topicLimit { throw RefusedPublication(.longTopic) }
        return topic
    }
}

/// The reason for which a message is not published, as an error.
private struct RefusedPublication: Error {
    let reason: PublicationRefusal

    init(_ reason: PublicationRefusal) { self.reason = reason }
}
