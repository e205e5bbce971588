import SkerryActivity
import SkerryGateway
import SkerryValues

extension RequestDesk {
    /// The largest number of activities in one answer.
    private static let pageLimit = 1000

    /// `GET /v1/activities`: the snapshots of all activities, in the order of their ids, a page at a time.
    func tellActivities(_ request: Request) throws(Problem) -> Response {
        let viewer = try viewer(request)
        let limit = try Self.number("limit", in: request, max: Self.pageLimit) ?? Self.pageLimit
        let all = log.activities(after: request.parameter("after"), limit: limit + 1, for: viewer)
        let page = all.prefix(limit)
        let next = all.count > page.count ? page.last?.id : nil
        let revisions = page.map { "\($0.id) \($0.revision)" }.joined(separator: "\n")
        let tag = "\"\(String("\(next ?? "")\n\(revisions)".utf8.fingerprint, radix: 16))\""
        return Self.response(to: request, tag: tag) {
            var body = Array("{\"activities\":[".utf8)
            body += page.map { $0.snapshotJSON() }.joined(separator: [UInt8(ascii: ",")])
            body += "],\"next\":".utf8
            var writer = JSONWriter()
            if let next { writer.string(next) } else { writer.null() }
            return body + writer.bytes + [UInt8(ascii: "}")]
        }
    }

    /// `GET /v1/activities/{kind}/{device}`: the snapshot of one activity, as it is retained on MQTT.
    func tellActivity(_ request: Request) throws(Problem) -> Response {
        let viewer = try viewer(request, of: request.device)
        let activity = try activity(request, for: viewer)
        return Self.response(to: request, tag: "\"\(activity.revision)\"") { activity.snapshotJSON() }
    }

    private func activity(_ request: Request, for viewer: Viewer) throws(Problem) -> ActivityUpdate {
        let device = request.device
        guard let activity = log.activity(kind: device.kind, device: device.name, for: viewer) else {
            throw Self.noActivity
        }
        return activity
    }

    /// The problem of a device without an activity.
    static var noActivity: Problem {
        Problem(
            status: .notFound,
            code: "no-activity",
            detail: "this device has no activity now, or there is no such device"
        )
    }

    /// The tag of an answer of the house.
    static func tag(of body: [UInt8]) -> String { "\"\(HouseAnswer.version(of: body))\"" }

    /// A response with a tag, or that nothing has changed.
    static func response(to request: Request, tag: String, _ body: () -> [UInt8]) -> Response {
        var response = Response.tagged(tag, for: request) { Response(json: body()) }
        response.headers["Cache-Control"] = "private, no-cache"
        return response
    }
}

extension ActivityUpdate {
    /// The mark that tells this revision from all others of the activity.
    fileprivate var revision: String { "\(epoch)-\(rev)" }
}
