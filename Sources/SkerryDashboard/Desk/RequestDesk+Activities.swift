import SkerryActivity
import SkerryGateway
import SkerryValues

extension RequestDesk {
    /// How many activities one answer tells of.
    private static let pageLimit = 1000

    /// `GET /v1/activities`: the snapshots of all activities, in the order of their ids, a page at a time.
    func tellActivities(_ request: Request) throws(Problem) -> Response {
        try requireAnyone(request)
        var limit = Self.pageLimit
        if let text = request.parameter("limit") {
            guard let number = Int(text), (1...Self.pageLimit).contains(number) else {
                throw .wrongBody("unknown-value", "limit is a number from 1 to \(Self.pageLimit)")
            }
            limit = number
        }
        let all = board.activities(after: request.parameter("after"), limit: limit + 1)
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
        try requireAnyone(request)
        let activity = try activity(request)
        return Self.response(to: request, tag: "\"\(activity.revision)\"") { activity.snapshotJSON() }
    }

    /// `GET /v1/activities/{kind}/{device}/timeline`: what will be seen if nothing more is said, as it is retained on MQTT.
    func tellTimeline(_ request: Request) throws(Problem) -> Response {
        try requireAnyone(request)
        guard let timeline = board.timeline(kind: request.path[2], device: request.path[3]) else {
            throw Problem(
                status: .notFound,
                code: "no-timeline",
                detail: "nothing is foretold of this device: its snapshot is all there is to see"
            )
        }
        let body = timeline.json()
        return Self.response(to: request, tag: "\"\(String(body.fingerprint, radix: 16))\"") { body }
    }

    private func activity(_ request: Request) throws(Problem) -> ActivityUpdate {
        guard let activity = board.activity(kind: request.path[2], device: request.path[3]) else {
            throw Problem(
                status: .notFound,
                code: "no-activity",
                detail: "this device has no activity now, or there is no such device"
            )
        }
        return activity
    }

    /// A response with a tag, or that nothing has changed.
    private static func response(to request: Request, tag: String, _ body: () -> [UInt8]) -> Response {
        let known = request.headers["If-None-Match"]?.split(separator: ",").map { tag in
            tag.drop { $0 == " " }.replacing("W/", with: "", maxReplacements: 1)
        }
        var response: Response
        if let known, known.contains("*") || known.contains(tag[...]) {
            response = Response(status: .notModified)
        } else {
            response = Response(json: body())
        }
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
        return response
    }
}

extension ActivityUpdate {
    /// What tells this revision from all others of the activity.
    fileprivate var revision: String { "\(epoch)-\(rev)" }
}
