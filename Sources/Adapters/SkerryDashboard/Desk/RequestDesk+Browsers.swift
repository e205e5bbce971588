import Logging
import SkerryGateway
import SkerryValues

// Browsers that were let in.
extension RequestDesk {
    /// The name of a browser that was given none.
    private static let usualName = "Browser"

    /// Lets a browser in, and returns its cookie.
    ///
    /// It takes the place of the session that the browser has so far.
    func letIn(
        _ newcomer: Newcomer,
        as role: Role,
        person: String?,
        _ isExpendable: Bool,
        _ request: Request
    ) throws(Problem) -> String {
        let token = Secret.make()
        let former: String? = if case .browser(let id, _) = caller(request) { id } else { nil }
        let now = phones.now
        let browser = Browser(
            id: newcomer.id,
            name: newcomer.name,
            role: role,
            person: person,
            credential: Secret.digest(token),
            pairedAt: now,
            seenAt: now,
            isExpendable: isExpendable
        )
        try add(browser, inPlaceOf: former)
        logger.notice(.browserLetIn, "'\(browser.name)' was let in as \(role.title)")
        return SessionCookie.value(of: browser.id, token: token)
    }

    /// A name for a browser that no other one has.
    func freeBrowserName(_ wish: String?, _ request: Request) -> String {
        let own: String? = if case .browser(let id, _) = caller(request) { id } else { nil }
        let others = browsers.browsers(at: phones.now).filter { $0.id != own }
        return Self.free(wish ?? Self.usualName, Set(others.map(\.name)))
    }

    /// `GET /v1/browsers`: the browsers that are let in.
    func tellBrowsers(_ request: Request) -> Response {
        let now = phones.now
        let own = caller(request).account
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("now", now)
        writer.objects("browsers", browsers.browsers(at: now)) { writer, browser in
            writer.member("browser", browser.id)
            writer.member("name", browser.name)
            writer.member("role", browser.role.rawValue)
            writer.member("person", browser.person)
            writer.member("pairedAt", browser.pairedAt)
            writer.member("seenAt", browser.seenAt)
            writer.member("isOwn", browser.id == own)
        }
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `PUT /v1/browsers/{browser}`: makes a browser known that another partition has let in.
    func introduceBrowser(_ request: Request) throws(Problem) -> Response {
        let object = try JSONObject(request.body)
        guard let name = try Self.name("name", in: object) else {
            throw .wrongBody("missing", "the name of the browser", at: "/name")
        }
        guard let role = try Self.role(in: object) else {
            throw .wrongBody("missing", "the role of the browser", at: "/role")
        }
        let text = try object.text("credential", limit: 64)
        guard let credential = text.flatMap({ Base64.bytes(of: $0) }), credential.count == admin.count else {
            throw .wrongBody(
                "unknown-value",
                "the SHA-256 of the token of the browser, in base64",
                at: "/credential"
            )
        }
        let id = request.path[2]
        guard (1...64).contains(id.utf8.count), !id.contains(".") else { throw .unknownAddress }
        let now = phones.now
        if browsers.browser(id, at: now) != nil { return Response(status: .noContent) }
        let browser = Browser(
            id: id,
            name: name,
            role: role,
            person: try Self.name("person", in: object),
            credential: credential,
            pairedAt: now,
            seenAt: now,
            isExpendable: true
        )
        try add(browser, inPlaceOf: nil)
        return Response(status: .noContent)
    }

    /// `DELETE /v1/browsers/{browser}`: ends the session of a browser.
    func removeBrowser(_ request: Request) throws(Problem) -> Response {
        let id = request.path[2]
        let name = browsers.browser(id, at: phones.now)?.name
        guard try end(id) else {
            throw Problem(
                status: .notFound,
                code: "unknown-browser",
                detail: "there is no such browser; GET /v1/browsers tells which there are"
            )
        }
        logger.notice(.browserEnded, "the session of '\(name ?? id)' was ended")
        return Response(status: .noContent)
    }

    /// Ends the session of a browser; false if there is no such browser.
    func end(_ id: String) throws(Problem) -> Bool {
        do throws(StoreFault) {
            return try browsers.remove(id)
        } catch {
            throw .notStored(error.message)
        }
    }

    private func add(_ browser: Browser, inPlaceOf former: String?) throws(Problem) {
        let isAdded: Bool
        do throws(StoreFault) {
            isAdded = try browsers.add(browser, inPlaceOf: former, at: phones.now)
        } catch {
            throw .notStored(error.message)
        }
        guard isAdded else {
            throw Problem(
                status: .conflict,
                code: "too-many-browsers",
                detail: "\(BrowserDesk.limit) browsers are let in; end the session of one of them"
            )
        }
    }
}
