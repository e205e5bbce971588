import SkerryActivity
import SkerryValues

/// Renders notifications of Home Assistant's app, which shows them as a Live Activity or as a Live Update of Android 16.
///
/// Each is a call of `notify.<target>` with the whole state. See docs/sinks.md#home-assistant.
struct HomeAssistantNotifier: Sendable {
    /// The names of the targets: `mobile_app_…`, below `notify.`.
    let targets: [String]

    func render(_ scene: SinkScene, for recipient: Int) -> SinkRendering {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        if scene.step == .clear {
            writer.member("message", "clear_notification")
        } else {
            writer.member("title", scene.shown.title)
            writer.member("message", scene.alertText ?? scene.shown.text)
        }
        writer.object("data") { writer in
            writer.member("tag", SinkTag.name(of: scene.update.id))
            if scene.step != .clear { Self.writeCard(scene, to: &writer) }
        }
        writer.endObject()
        return .json(writer.bytes, to: "/api/services/notify/\(targets[recipient])")
    }

    private static func writeCard(_ scene: SinkScene, to writer: inout JSONWriter) {
        let shown = scene.shown
        writer.member("live_update", true)
        if let text = shown.shortText { writer.member("critical_text", text) }
        // A bar beside a running clock would stand still until the next update, and the app draws one of its own.
        if let clock = shown.clock {
            writer.member("chronometer", true)
            switch clock {
            case .down(let moment), .up(let moment): writer.member("when", moment.roundedSeconds)
            }
        } else if scene.step != .end, let bar = shown.bar {
            writer.member("progress", bar.part)
            writer.member("progress_max", bar.whole)
        }
        writer.member("notification_icon", MaterialIcon.name(ofSymbol: shown.symbol))
        if let tint = shown.tint {
            for name in ["notification_icon_color", "color", "progress_bar_color"] {
                writer.member(name, tint)
            }
        }
        if let link = scene.link {
            writer.member("url", link)
            writer.member("clickAction", link)
        }
        if scene.step != .end { writer.member("sticky", true) }
        if let alert = scene.update.alert { writeUrgency(of: alert, to: &writer) }
        if scene.update.alert?.heardSound == nil {
            writer.member("alert_once", true)
            // Without this, iPhones sound at each update. A start that is silent may come late.
            if scene.step != .start || scene.isQuiet { writer.member("silent", true) }
        }
    }

    /// Writes the keys for an alert that is not as usual: below `push` those for notifications of iPhones, the others for
    /// Android.
    ///
    /// Home Assistant's push service reads none of them for a Live Activity: there, an alert has the usual sound or none.
    private static func writeUrgency(of alert: ActivityAlert, to writer: inout JSONWriter) {
        guard alert.sound != .standard || alert.level != .active else { return }
        writer.object("push") { writer in
            if alert.level == .critical {
                writer.criticalSound(alert)
            } else {
                writer.member("sound", alert.heardSound ?? "none")
            }
            if alert.level != .active { writer.member("interruption-level", alert.level.name) }
        }
        guard alert.level == .timeSensitive || alert.level == .critical else { return }
        writer.member("ttl", 0)
        writer.member("priority", "high")
        if alert.level == .critical { writer.member("channel", "alarm_stream") }
    }
}
