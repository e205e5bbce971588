import SkerryActivity
import SkerryValues

/// Renders messages of Firebase Cloud Messaging, HTTP v1, for an Android app of one's own.
///
/// Each has the whole state. Phones with iOS get alerts of it, as ordinary notifications. See docs/sinks-for-apps.md#fcm.
struct FCMMessages: Sendable {
    /// The addressee of a message.
    enum Target: Hashable, Sendable {
        /// To one app on one phone, by its registration token.
        case token(String)
        /// To all who subscribed to a topic.
        case topic(String)

        /// Reads a registration token, or `topic:` and the name of a topic; nil for other texts.
        init?(_ text: String) {
            if text.hasPrefix("topic:") {
                let name = text.dropFirst("topic:".count)
                let isPlain = name.utf8.allSatisfy { PlainName.takes($0) || ".~%".utf8.contains($0) }
                guard isPlain, (1...100).contains(name.utf8.count) else { return nil }
                self = .topic(String(name))
            } else {
                let isPlain = text.utf8.allSatisfy { PlainName.takes($0) || $0 == UInt8(ascii: ":") }
                guard isPlain, (20...1024).contains(text.utf8.count) else { return nil }
                self = .token(text)
            }
        }

        /// Its name in logs and decisions; of a token the beginning, because who has all of it can send to the phone.
        var name: String {
            switch self {
            case .topic(let name): "topic \(name)"
            case .token(let token): "\(token.prefix(8))…"
            }
        }

        /// The most bytes of keys and values of `data`.
        fileprivate var limit: Int {
            switch self {
            case .topic: 2048
            case .token: 4096
            }
        }
    }

    let targets: [Target]

    /// The time for which Firebase keeps a state for a phone that is off: what is older says little.
    private static let stateLife = "14400s"
    /// The same for ends: without one, a phone would show the activity for ever.
    private static let endLife = "86400s"

    func render(_ scene: SinkScene, for recipient: Int) -> SinkRendering {
        let target = targets[recipient]
        let tag = SinkTag.name(of: scene.update.id)
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.object("message") { writer in
            switch target {
            case .token(let token): writer.member("token", token)
            case .topic(let name): writer.member("topic", name)
            }
            writer.object("data") { writer in
                for (key, text) in Self.data(of: scene, tag: tag, limit: target.limit) {
                    writer.member(key, text)
                }
            }
            writer.object("android") { writer in
                let isLast = scene.step == .end || scene.step == .clear
                let isHeard = scene.update.alert.map { $0.level != .passive } ?? false
                let isUrgent = scene.step == .start || scene.step == .end || isHeard
                writer.member("priority", isUrgent && !scene.isQuiet ? "high" : "normal")
                writer.member("ttl", isLast ? Self.endLife : Self.stateLife)
                // Only what a newer state replaces whole may be dropped for it while a phone is off.
                if !isLast, scene.update.alert == nil { writer.member("collapse_key", tag) }
            }
            if let alert = scene.update.alert { Self.writeApple(alert, tag: tag, to: &writer) }
        }
        writer.endObject()
        return .json(writer.bytes, to: "/messages:send")
    }

    /// The members of `data`, which are texts all of them.
    private static func data(of scene: SinkScene, tag: String, limit: Int) -> [(String, String)] {
        let (update, shown) = (scene.update, scene.shown)
        var data = [
            ("event", scene.step.name), ("tag", tag), ("id", update.id), ("rev", "\(update.rev)"),
            ("epoch", "\(update.epoch)"), ("at", "\(update.at.flooredSeconds)"),
        ]
        if scene.step == .clear { return data }
        data += [
            ("kind", scene.kind), ("device", LiveActivityContract.cut(scene.device)),
            ("phase", update.phase.name), ("state", update.state), ("title", shown.title),
            ("text", shown.text),
            ("symbol", shown.symbol),
        ]
        if let text = shown.shortText { data.append(("short_text", text)) }
        switch shown.clock {
        case .down(let moment)?: data.append(("ends", "\(moment.roundedSeconds)"))
        case .up(let moment)?: data.append(("since", "\(moment.roundedSeconds)"))
        case nil:
            guard scene.step != .end, let bar = shown.bar else { break }
            data += [("progress", "\(bar.part)"), ("progress_max", "\(bar.whole)")]
        }
        if let tint = shown.tint { data.append(("color", tint)) }
        if let alert = scene.alert {
            data.append(("alert_title", LiveActivityContract.cut(alert.title)))
            if !alert.body.isEmpty { data.append(("alert_body", LiveActivityContract.cut(alert.body))) }
            if alert.sound != .standard { data.append(("alert_sound", alert.sound.name)) }
            if alert.level != .active { data.append(("alert_level", alert.level.name)) }
        }
        if let link = scene.link {
            data.append(("link", link))
        }
        let content = String(decoding: LiveActivityContract.contentState(of: update), as: UTF8.self)
        let size = data.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count }
        if size + "content".utf8.count + content.utf8.count <= limit { data.append(("content", content)) }
        return data
    }

    private static func writeApple(_ alert: ActivityAlert, tag: String, to writer: inout JSONWriter) {
        writer.object("apns") { writer in
            writer.object("headers") { writer in
                writer.member("apns-priority", "10")
                writer.member("apns-collapse-id", tag)
            }
            writer.object("payload") { writer in
                writer.object("aps") { writer in
                    writer.alert(alert)
                    if alert.level == .critical {
                        writer.criticalSound(alert)
                    } else if let sound = alert.heardSound {
                        writer.member("sound", sound)
                    }
                    if alert.level != .active { writer.member("interruption-level", alert.level.name) }
                }
            }
        }
    }
}

extension FCMMessages {
    /// The meaning of a refusal: https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode; nil for other answers.
    static func meaning(of status: Int, _ body: [UInt8], retryAfter: Interval?) -> SinkAnswer? {
        let code = errorCode(of: body)
        let reason = SinkAnswer.reason(status, body)
        switch (status, code) {
        case (401, "THIRD_PARTY_AUTH_ERROR"?):
            return .denied(reason: "\(reason): does Firebase have the key for Apple's push service?")
        case (401, _): return .unauthorized(reason: reason)
        case (403, "SENDER_ID_MISMATCH"?):
            return .denied(reason: "\(reason): the registration token is of another Firebase project")
        case (403, _):
            return .denied(
                reason: "\(reason): may the service account send messages, and is the API enabled?"
            )
        case (404, "UNREGISTERED"?):
            return .gone(
                reason: "\(reason): the app is gone from the phone, or has another registration token"
            )
        // Google asks for a minute after 429, and for ten seconds after others.
        case (429, _): return .busy(reason: reason, retryAfter: retryAfter ?? .minutes(1))
        case (500..., _): return .busy(reason: reason, retryAfter: retryAfter ?? .seconds(10))
        default: return nil
        }
    }

    /// The error code of Firebase in the details of an answer.
    private static func errorCode(of body: [UInt8]) -> String? {
        let limits = JSONLimits(bytes: max(body.count, 1), depth: 16)
        guard case .map(let members)? = try? JSONReader.value(of: body.span, limits: limits),
            case .map(let error)? = members["error"], case .list(let details)? = error["details"]
        else { return nil }
        for case .map(let detail) in details {
            if case .string(let code)? = detail["errorCode"] { return code }
        }
        return nil
    }
}
