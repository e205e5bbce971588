import SkerryActivity
import SkerryExpressions
import SkerryValues

/// Renders requests of Braze, which shows Live Activities in an app with its SDK.
///
/// Attributes and content state are those of the generated app. See docs/sinks-for-apps.md#braze.
struct BrazeActivities: Sendable {
    /// The identifier of the app in Braze.
    let appID: String
    /// External ids of users, or `segment:` and the id of a segment.
    let targets: [String]

    static let segment = "segment:"

    func render(_ scene: SinkScene, for recipient: Int) -> SinkRendering {
        let (update, target) = (scene.update, targets[recipient])
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.member("app_id", appID)
        // Updates go to all who have an activity of this id, so that of each target is another.
        let mark = PlainName.mark(of: target)
        writer.member("activity_id", "\(SinkTag.name(of: update.id))-\(mark)")
        if scene.step == .start {
            writer.member(
                "activity_attributes_type",
                LiveActivityContract.attributesType(ofKind: scene.kind)
            )
            writer.member(
                "activity_attributes",
                json: LiveActivityContract.attributes(of: update, device: scene.device, instance: 1)
            )
        }
        var seen = update
        // A person who may not see it any more gets nothing of it; all fields of the generated types may be missing.
        if scene.step == .clear { (seen.content, seen.state, seen.link) = (ValueMap(), "", nil) }
        writer.member("content_state", json: LiveActivityContract.contentState(of: seen))
        if scene.step == .end || scene.step == .clear {
            writer.member("end_activity", true)
            let dismissAt = scene.step == .end ? update.dismissAt : update.startedAt
            if let dismissAt {
                let date = CalendarTimestamp(seconds: dismissAt.roundedSeconds, nanoseconds: 0)
                writer.member("dismissal_date", date.text)
            }
        }
        write(scene, target: target, to: &writer)
        writer.endObject()
        return .json(
            writer.bytes,
            to: scene.step == .start ? "/messages/live_activity/start" : "/messages/live_activity/update"
        )
    }

    /// Writes the alert, and at a start whom it is for.
    private func write(_ scene: SinkScene, target: String, to writer: inout JSONWriter) {
        let isStart = scene.step == .start
        // iOS drops a start without an alert, and lights up the screen for each that has one.
        let opening = ActivityAlert(title: scene.shown.title, body: scene.shown.text)
        if var alert = scene.alert ?? (isStart ? opening : nil), isStart || alert.level != .passive {
            // Phones show both.
            if alert.body.isEmpty {
                alert.body =
                    scene.shown.title.hasSameCodePoints(as: alert.title) ? scene.device : scene.shown.title
            }
            writer.object("notification") { writer in
                writer.alert(alert)
                if let sound = scene.update.alert?.heardSound { writer.member("sound", sound) }
            }
        }
        guard isStart else { return }
        if target.hasPrefix(Self.segment) {
            writer.member("segment_id", String(target.dropFirst(Self.segment.count)))
        } else {
            writer.member("external_user_ids", [target])
        }
    }
}
