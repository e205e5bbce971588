import SkerryActivity
import SkerryGateway
import SkerryValues
import Synchronization

extension RequestDesk {
    /// `GET /v1/session`: who asks, and what that allows.
    ///
    /// A browser gets its cookie again, so that it keeps it for as long as it comes.
    func tellSession(_ request: Request) -> Response {
        let caller = caller(request)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("role", caller.role.rawValue)
        writer.member("may", Right.allCases.filter { $0.roles.contains(caller.role) }.map(\.rawValue))
        writer.member("mayEdit", caller.role == .administrator && options.allowsEditing)
        writer.member("mayRename", Right.rename.roles.contains(caller.role) && options.allowsEditing)
        if case .guest(let device, _) = caller { writer.member("device", "\(device)") }
        var cookie: String?
        if case .browser(let id, _) = caller, let browser = browsers.browser(id, at: phones.now) {
            writer.member("browser", id)
            writer.member("name", browser.name)
            cookie = request.cookie(SessionCookie.name)
        }
        writer.member("version", options.version)
        writer.endObject()
        var response = Response(json: writer.bytes)
        if let cookie {
            response.headers.append(
                "Set-Cookie",
                SessionCookie.field(SessionCookie.name, cookie, from: request.sender)
            )
        }
        return response
    }

    /// `POST /v1/session`: gives the page of somebody with a code or a token a cookie.
    func beginSession(_ request: Request) throws(Problem) -> Response {
        let object = try JSONObject(request.body)
        let value: String
        if let code = try object.text("code", limit: 64) {
            value = try beginSession(code: code, request)
        } else if let token = try object.text("token", limit: 1024) {
            value = try beginSession(token: token, name: try Self.name("name", in: object), request)
        } else {
            throw .wrongBody("missing", "a code that 'skerry pair --browser' shows, or a token", at: "/code")
        }
        return Self.response(
            setting: SessionCookie.field(SessionCookie.name, value, from: request.sender)
        )
    }

    private func beginSession(code: String, _ request: Request) throws(Problem) -> String {
        let (offer, newcomer) = try redeem(code, isBrowser: true, request) { freeBrowserName($0, request) }
        do throws(Problem) {
            return try letIn(newcomer, as: offer.role ?? .viewer, person: offer.person, false, request)
        } catch {
            pairings.withLock { $0.reopen(offer) }
            throw error
        }
    }

    private func beginSession(token: String, name: String?, _ request: Request) throws(Problem) -> String {
        switch caller(token: token) {
        case .admin:
            let newcomer = Newcomer(id: Secret.makeID(), name: freeBrowserName(name, request))
            return try letIn(newcomer, as: .administrator, person: nil, true, request)
        case .phone(let id): if let value = cookieValue(ofPhone: id) { return value }
        case .browser, .local, .guest, .stranger: break
        }
        throw Problem(
            status: .forbidden,
            code: "wrong-token",
            detail: "this is neither the admin token of this bridge nor the token of a phone"
        )
    }

    /// `DELETE /v1/session`: ends the session, and takes the cookies away.
    func endSession(_ request: Request) throws(Problem) -> Response {
        var headers: HeaderFields = ["Cache-Control": "no-store"]
        for name in [SessionCookie.name, SessionCookie.guestName] {
            headers.append("Set-Cookie", SessionCookie.field(name, "", from: request.sender))
        }
        if case .browser(let id, _) = caller(request) {
            do throws(Problem) {
                _ = try end(id)
            } catch {
                // Whoever leaves a browser that others use, too, is signed out there whatever the store does.
                var problem = error
                problem.detail += "; this browser has forgotten the session, which an administrator can end"
                problem.headers.append(headers)
                throw problem
            }
        }
        return Response(status: .noContent, headers: headers)
    }

    /// `POST /v1/guests`: makes a link that shows a device until its run is over.
    func inviteGuest(_ request: Request) throws(Problem) -> Response {
        let viewer = try viewer(request)
        guard let name = try JSONObject(request.body).text("device", limit: 1024) else {
            throw .wrongBody("missing", "the device, as kind/name", at: "/device")
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let activity = log.activity(kind: parts[0], device: parts[1], for: viewer)
        else { throw Self.noActivity }
        let device = DeviceKey(kind: parts[0], name: parts[1])
        let caller = caller(request)
        // The link of an administrator, who sees everything, outlives the session.
        let inviter = caller.role == .administrator ? nil : caller.account
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
