package import SkerryActivity
import SkerryExpressions
package import SkerryValues

/// The newest state of an activity, as the bridge delivers it.
package struct SinkNews: Sendable {
    /// The id of the delivery.
    package var delivery: UInt64
    /// The kind of the device.
    package var kind: String
    /// The name of the device.
    package var device: String
    /// The newest revision.
    package var update: ActivityUpdate
    /// The revision that the alert of ``update`` belongs to.
    package var alertRev: Int64
    /// The moment at which that alert was raised.
    package var alertedAt: Timestamp
    /// True if an earlier process has sent it to every recipient.
    package var hasArrived = false

    /// Makes a piece of news, whose alert is that of its own revision.
    package init(delivery: UInt64, kind: String, device: String, update: ActivityUpdate) {
        self.delivery = delivery
        self.kind = kind
        self.device = device
        self.update = update
        alertRev = update.rev
        alertedAt = update.at
    }
}

/// The step of an activity that a request makes.
enum SinkStep: UInt8, Hashable, Sendable {
    /// The recipient has nothing of the activity yet.
    case start
    /// The recipient has an earlier state.
    case update
    /// The last state.
    case end
    /// The recipient should remove what it shows of an ended activity.
    case clear

    /// The step in words.
    var name: String {
        switch self {
        case .start: "start"
        case .update: "update"
        case .end: "end"
        case .clear: "clear"
        }
    }
}

/// All that a service renders a request of.
struct SinkScene: Sendable {
    /// The step that the request makes.
    var step: SinkStep
    /// The newest revision; its alert is nil if the recipient has it already.
    var update: ActivityUpdate
    /// The kind of the device.
    var kind: String
    /// The name of the device.
    var device: String
    /// The texts, the clock and the bar that a person sees.
    var shown: ShownActivity
    /// The words beside those of the definition.
    var words: SinkWords
    /// The time zone of times in texts.
    var zone: TimeZoneRules
    /// The address of the page without a slash at its end; nil if there is none.
    var page: String?
    /// True if nothing may sound or light up a screen: then there is no alert.
    var isQuiet = false

    /// The link for an app that is not the household's own: that of the definition, unless only such an app opens it, else
    /// the page.
    var link: String? {
        if let link = update.link, !ActivityLink.isOfApp(link),
            link.utf8.count <= LiveActivityContract.longestLink
        {
            return link
        }
        return page.map { ActivityLink.page(ofActivity: update.id, at: $0) }
    }

    /// The alert; one whose title is only the device, because what it would name is unknown, has the text of the activity beside it.
    var alert: ActivityAlert? {
        guard var alert = update.alert else { return nil }
        if alert.title.isEmpty { alert.title = device }
        if alert.body.isEmpty, alert.title.hasSameCodePoints(as: device) { alert.body = shown.text }
        return alert
    }

    /// The alert as one text: `Laundry is done: Cotton has finished`.
    var alertText: String? {
        guard let alert else { return nil }
        return LiveActivityContract.cut(alert.body.isEmpty ? alert.title : "\(alert.title): \(alert.body)")
    }
}

/// The request of a service for a scene.
enum SinkRendering: Sendable {
    case request(path: String, headers: [SinkRequest.Header], body: [UInt8], messageID: String?)
    /// No request, with the reason.
    case nothing(reason: String)

    /// A request with JSON and no headers of its own.
    static func json(_ body: [UInt8], to path: String) -> SinkRendering {
        .request(
            path: path,
            headers: [SinkRequest.Header("content-type", "application/json")],
            body: body,
            messageID: nil
        )
    }
}
