import SkerryActivity
import SkerryExpressions
import SkerryValues

/// The form of a CloudEvent in an HTTP request.
package enum WebhookMode: String, Sendable, CaseIterable {
    /// Attributes and data are one JSON object.
    case structured
    /// Attributes are headers, and the body is the data.
    case binary
}

/// Renders states of activities as events of CloudEvents 1.0.
///
/// See docs/sinks.md#webhook.
struct WebhookEvents: Sendable {
    /// The form of the requests.
    let mode: WebhookMode
    /// The client id of the bridge, which is the source of the events.
    let client: String

    private struct Attribute {
        var name: String
        var value: String
    }

    func render(_ scene: SinkScene) -> SinkRendering {
        let update = scene.update
        // The state of a revision has the same id in each attempt and after a restart.
        let id = "\(PlainName.mark(of: update.id))-\(update.epoch)-\(update.rev)"
        let attributes = [
            Attribute(name: "specversion", value: "1.0"),
            Attribute(name: "id", value: id),
            Attribute(name: "source", value: "/skerry/\(client.percentEncoded)"),
            Attribute(name: "type", value: "skerry.activity.\(Self.name(of: scene.step))"),
            Attribute(name: "subject", value: update.id),
            Attribute(name: "time", value: CalendarTimestamp(update.at).text),
        ]
        let data = Self.data(of: scene)
        switch mode {
        case .binary:
            let headers = attributes.map { SinkRequest.Header("ce-\($0.name)", $0.value.percentEncoded) }
            return .request(
                path: "",
                headers: headers + [SinkRequest.Header("content-type", "application/json")],
                body: data,
                messageID: id
            )
        case .structured:
            var writer = JSONWriter(capacity: 1024)
            writer.beginObject()
            for attribute in attributes { writer.member(attribute.name, attribute.value) }
            writer.member("datacontenttype", "application/json")
            writer.member("data", json: data)
            writer.endObject()
            return .request(
                path: "",
                headers: [SinkRequest.Header("content-type", "application/cloudevents+json")],
                body: writer.bytes,
                messageID: id
            )
        }
    }

    private static func name(of step: SinkStep) -> String {
        switch step {
        case .start: "started"
        case .update: "updated"
        case .end, .clear: "ended"
        }
    }

    private static func data(of scene: SinkScene) -> [UInt8] {
        let update = scene.update
        var writer = JSONWriter(capacity: 768)
        writer.beginObject()
        writer.member("kind", scene.kind)
        writer.member("device", scene.device)
        writer.member("title", scene.shown.title)
        writer.member("started", update.startedAt)
        if let link = update.link { writer.member("link", link) }
        if let dismissAt = update.dismissAt { writer.member("dismiss", dismissAt) }
        if let alert = update.alertJSON() { writer.member("alert", json: alert) }
        writer.member("activity", json: update.snapshotJSON())
        writer.endObject()
        return writer.bytes
    }
}

extension String {
    /// The text with each byte as `%XX` that a header of CloudEvents or a path can't have as it is.
    fileprivate var percentEncoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "%"), 0...0x20, 0x7F...:
                let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
                bytes += [UInt8(ascii: "%")] + (digits.count == 1 ? [UInt8(ascii: "0")] : []) + digits
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
