import SkerryActivity
import SkerryGateway
import SkerryValues
import Synchronization

extension RequestDesk {
    /// `GET /v1/session`: who asks, and what that allows.
    func tellSession(_ request: Request) -> Response {
        let caller = caller(request)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("role", caller.name)
        writer.member("mayEdit", caller == .admin && options.allowsEditing)
        if case .guest(let device, _) = caller { writer.member("device", "\(device)") }
        writer.member("version", options.version)
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `POST /v1/session`: gives the page of somebody with a token a cookie.
    func beginSession(_ request: Request) throws(Problem) -> Response {
        guard let token = try JSONObject(request.body).text("token", limit: 1024) else {
            throw .wrongBody("missing", "the admin token, or the token of a phone", at: "/token")
        }
        guard let value = cookieValue(of: caller(token: token)) else {
            throw Problem(
                status: .forbidden,
                code: "wrong-token",
                detail: "this is neither the admin token of this bridge nor the token of a phone"
            )
        }
        return Self.response(
            setting: SessionCookie.field(SessionCookie.name, value, isSecure: request.sender.isSecure)
        )
    }

    /// `DELETE /v1/session`: takes the cookies away.
    func endSession(_ request: Request) -> Response {
        var response = Self.response(
            setting: SessionCookie.field(SessionCookie.name, "", isSecure: request.sender.isSecure)
        )
        let field = SessionCookie.field(SessionCookie.guestName, "", isSecure: request.sender.isSecure)
        response.headers.append("Set-Cookie", field)
        return response
    }

    /// `POST /v1/guests`: makes a link that shows a device until its run is over.
    func inviteGuest(_ request: Request) throws(Problem) -> Response {
        let viewer = try requireLook(request)
        guard let name = try JSONObject(request.body).text("device", limit: 1024) else {
            throw .wrongBody("missing", "the device, as kind/name", at: "/device")
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let activity = log.activity(kind: parts[0], device: parts[1], for: viewer)
        else { throw Self.noActivity }
        let inviter: String? = if case .phone(let id) = caller(request) { id } else { nil }
        let device = DeviceKey(kind: parts[0], name: parts[1])
        let secret = guests.withLock {
            $0.invite(to: Guests.Invitation(device: device, activity: activity.id, inviter: inviter))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("url", "\(phoneURL(request))/?guest=\(secret)")
        writer.member("until", "end of run")
        writer.endObject()
        return Response(json: writer.bytes, status: .created)
    }

    private static func response(setting cookie: String) -> Response {
        Response(status: .noContent, headers: ["Set-Cookie": cookie, "Cache-Control": "no-store"])
    }
}
