import Logging
import SkerryActivity
import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization

/// Answers requests: who asks, for what, and what there is to say.
final class RequestDesk: Sendable {
    let options: DashboardOptions
    let phones: any PhoneDirectory
    let browsers: BrowserDesk
    let log: EventLog
    let house: any HouseAnswers
    let logger: Logger
    /// The time that goes on whatever the wall clock does.
    let steadyClock = SystemClock()
    let pairings = Mutex(Pairings())
    /// The bodies of more than the usual size that are arriving.
    let largeBodies = LargeBodies()
    /// The files of the page, by their names.
    let files: [String: PageFile]
    /// The description of the API.
    let description: PageFile
    /// The names that the settings give the bridge.
    let ownNames: Set<String>
    /// The digest of the admin token.
    let admin: [UInt8]
    /// The key of cookies, which is the admin token.
    let adminKey: String
    /// The digest of the token that opens the numbers alone; nil if there is none.
    let metricsKey: [UInt8]?
    /// Answers for all partitions; nil in a bridge.
    let front: FrontDesk?
    private let meter: Mutex<RequestMeter>

    init(
        options: DashboardOptions,
        of bridge: ServedBridge,
        admin: AdminSecret,
        front: FrontDesk? = nil,
        logger: Logger
    ) {
        self.options = options
        ownNames = Self.names(options)
        phones = bridge.phones
        browsers = bridge.browsers
        log = bridge.log
        house = bridge.house
        self.logger = logger
        self.admin = Secret.digest(admin.text)
        adminKey = admin.text
        metricsKey = options.metricsToken.map { Secret.digest($0.text) }
        self.front = front
        files = PageFiles.served
        description = PageFiles.loadDescription()
        meter = Mutex(RequestMeter(perMinute: options.requestsPerMinute))
    }

    /// Those by whose right something is seen.
    var accounts: Accounts { Accounts(phones: phones, browsers: browsers) }

    /// The role of somebody whose request begins; a front knows browsers and phones only from what partition 0 told of them.
    func likelyRole(_ request: Request) -> Role { front?.roles.role(of: request) ?? caller(request).role }

    /// Counts a request of an address.
    ///
    /// - Throws: a problem when there are too many.
    func admit(_ address: String) throws(Problem) {
        let wait = meter.withLock { $0.refusal(of: address, at: steadyClock.now) }
        guard let wait else { return }
        let seconds = max(1, wait.roundedSeconds + 1)
        throw Problem(
            status: .tooManyRequests,
            code: "too-many-requests",
            detail: "more than \(options.requestsPerMinute) requests a minute; ask again in \(seconds) s",
            headers: ["Retry-After": "\(seconds)"]
        )
    }

    /// Reacts to a request of somebody who has the right to ask it.
    ///
    /// - Throws: a problem.
    func reply(to request: Request) throws(Problem) -> Reply {
        try requireOwnSite(request)
        if let front, let reply = try front.reply(to: request, asking: (try? route(of: request))?.question) {
            return reply
        }
        let route = try route(of: request)
        if readsMetrics(request) { return try route.handle(request) }
        if case .browser(let id, _) = try require(route.right, request) { browsers.see(id, at: phones.now) }
        return try route.handle(request)
    }

    /// A handler that has its answer at once.
    func now(_ answer: @escaping (Request) throws(Problem) -> Response) -> Route.Handler {
        { request throws(Problem) in .response(try answer(request)) }
    }
}

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
        let name = try Self.name("name", in: object)
        let value: String
        if let code = try object.text("code", limit: 64) {
            value = try beginSession(code: code, name: name, request)
        } else if let token = try object.text("token", limit: 1024) {
            value = try beginSession(token: token, name: name, request)
        } else {
            throw .wrongBody("missing", "a code that 'skerry pair --browser' shows, or a token", at: "/code")
        }
        return Self.response(
            setting: SessionCookie.field(SessionCookie.name, value, from: request.sender)
        )
    }

    private func beginSession(code: String, name: String?, _ request: Request) throws(Problem) -> String {
        // The name that came with the code was chosen by somebody.
        let (offer, newcomer) = try redeem(code, isBrowser: true, request) {
            freeBrowserName($0 ?? name, request)
        }
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
        let link = GuestLink(to: device, activity: activity.id, inviter: inviter).text(key: adminKey)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("url", "\(phoneURL(request))/?guest=\(link)")
        writer.member("until", "end of run")
        writer.endObject()
        return Response(json: writer.bytes, status: .created)
    }

    private static func response(setting cookie: String) -> Response {
        Response(status: .noContent, headers: ["Set-Cookie": cookie, "Cache-Control": "no-store"])
    }
}

// A browser sends requests for any page that it shows, also to addresses that only the home network reaches. What such a
// page can't do is choose Host and Origin, or send JSON to another site without asking that site first.

extension RequestDesk {
    /// Top-level names that can not be registered, so that no stranger can have a page under them.
    private static let homeEndings = [
        "localhost", "local", "lan", "home", "internal", "localdomain", "home.arpa",
    ]

    /// Makes sure that a request calls the bridge by a name of its own, and that no page of another site sent it.
    ///
    /// A stranger's name that leads to an address of this network (DNS rebinding) would else make a page of the
    /// stranger's one of the bridge's.
    func requireOwnSite(_ request: Request) throws(Problem) {
        // Home Assistant has judged by its own name who asks.
        if let authority = request.authority, !request.sender.isIngress {
            guard let host = HTTPAddress(authority)?.host, isOwn(host) else {
                throw Problem(
                    status: .misdirectedRequest,
                    code: "unknown-host",
                    detail: "this bridge does not go by that name; add it to http.hosts, or set http.url"
                )
            }
        }
        if ["GET", "HEAD"].contains(request.method) { return }
        if let origin = request.headers["Origin"] {
            try requireOwn(origin: origin, request)
        }
        if request.path.first == "v1", !request.body.isEmpty { try requireJSON(request) }
    }

    private func requireOwn(origin: String, _ request: Request) throws(Problem) {
        if let origin = WebOrigin(origin) {
            if origin.isCalled(request.authority ?? "", isSecure: request.sender.isSecure) { return }
            // A proxy may have changed the name that the browser called.
            if Self.isOwn(origin, options) { return }
        }
        throw Problem(
            status: .forbidden,
            code: "foreign-origin",
            detail:
                "a page of another site may not ask this; http.url and http.hosts tell which are the bridge's own"
        )
    }

    private func requireJSON(_ request: Request) throws(Problem) {
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw Problem(
                status: .unsupportedMediaType,
                code: "wrong-content-type",
                detail: "the body must be JSON, with Content-Type: application/json"
            )
        }
    }

    /// Returns whether a host, without its port, is this bridge: an address, a name without a dot, one that no stranger
    /// can have, or one of the settings.
    private func isOwn(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return IPAddress.canonical(name) != nil || !name.contains(".") || ownNames.contains(name)
            || Self.homeEndings.contains { name.hasSuffix(".\($0)") }
    }

    /// Returns whether a page of an origin is one of the bridge: that of `http.url`, an address on which it listens, or a
    /// name of `http.hosts` at one of these ports or at the usual one, where a proxy listens.
    private static func isOwn(_ origin: WebOrigin, _ options: DashboardOptions) -> Bool {
        if let url = options.publicURL.flatMap({ WebOrigin($0) }), url == origin { return true }
        let places = [options.address, options.secure?.address].compactMap(\.self)
        if places.contains(where: { $0.host.lowercased() == origin.host && $0.port == origin.port }) {
            return true
        }
        let ports = places.map(\.port) + [WebOrigin.usualPort(of: origin.scheme)]
        return ports.contains(origin.port) && options.hosts.contains { $0.lowercased() == origin.host }
    }

    /// The names that the settings give the bridge, in small letters.
    static func names(_ options: DashboardOptions) -> Set<String> {
        var names = options.hosts + [options.address.host, options.secure?.address.host].compactMap(\.self)
        if let url = options.publicURL, let start = url.firstRange(of: "://")?.upperBound,
            let address = HTTPAddress(String(url[start...].prefix { $0 != "/" }))
        {
            names.append(address.host)
        }
        return Set(names.map { $0.lowercased() })
    }
}

extension RequestDesk {
    /// `GET /pair`: a page that asks for the admin token, unless an administrator has signed in.
    func askForToken(_ request: Request) -> Response {
        Self.page(PairPage.question(asksForToken: caller(request).role != .administrator))
    }

    /// `POST /pair`: the page with a code, for administrators.
    func showCode(_ request: Request) throws(Problem) -> Response {
        let form = PercentCoding.form(String(decoding: request.body, as: UTF8.self))
        let isSignedIn = caller(request).role == .administrator
        let token = form.first { $0.name == "token" }?.value
        guard isSignedIn || token.map({ caller(token: $0) == .admin }) ?? false else {
            return Self.page(PairPage.question(.wrongToken), status: .forbidden)
        }
        guard let person = Self.person(inForm: form.first { $0.name == "person" }?.value ?? "") else {
            return Self.page(
                PairPage.question(.wrongPerson, asksForToken: !isSignedIn),
                status: .badRequest
            )
        }
        let offer = offerPairing(person: person.isEmpty ? nil : person)
        let url = phoneURL(request)
        return Self.page(
            PairPage.code(
                offer.text,
                link: Self.link(to: url, code: offer.text),
                url: url,
                isReachable: Self.isReachable(url),
                minutes: Pairings.lifetime.roundedSeconds / 60
            ),
            status: .created
        )
    }

    private static func page(_ html: String, status: Status = .ok) -> Response {
        var response = Response(json: Array(html.utf8), status: status)
        response.headers["Content-Type"] = "text/html; charset=utf-8"
        response.headers["Content-Security-Policy"] = PairPage.policy
        // Not `no-referrer`: browsers then send the form with `Origin: null`, which is refused.
        response.headers["Referrer-Policy"] = "same-origin"
        return response
    }
}

extension RequestDesk {
    /// `GET /v1/stream`: everything that happens, as it happens.
    func openStream(_ request: Request) throws(Problem) -> Reply {
        let caller = caller(request)
        var wish = StreamWish()
        if let name = request.parameter("device") {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw .wrongBody("unknown-value", "device is written as kind/name")
            }
            wish.watched = DeviceKey(kind: parts[0], name: parts[1])
        }
        switch caller {
        case .guest(let device, let inviter):
            // The explanation of a device says more than a guest should know.
            guard wish.watched == nil else { throw .unauthorized("a guest sees no explanations") }
            wish.only = device
            // The link is for the run that is shown now.
            wish.run = log.activity(kind: device.kind, device: device.name)?.id
            wish.account = inviter
        case .phone, .browser, .admin, .local, .stranger:
            _ = try viewer(request)
            wish.account = caller.account
        }
        if request.method == "HEAD" { return .response(Response(headers: Self.streamHeaders)) }
        // A browser sends the field by itself; a page that begins again has the id in its address.
        let last = request.headers["Last-Event-ID"] ?? request.parameter("last")
        wish.last = last.flatMap { StreamPosition($0) }
        wish.takesGzip = request.takesGzip
        wish.address = request.sender.address
        wish.isLocal = IPAddress.isLoopback(request.sender.address)
        return .stream(wish)
    }

    /// The head of a stream, which asks proxies to pass each event on at once.
    static var streamHeaders: HeaderFields {
        [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            "Vary": "Accept-Encoding",
        ]
    }
}

extension RequestDesk {
    /// `GET /`: the page, and a cookie for a guest, so that the page need not know about guests.
    func tellPage(_ request: Request) throws(Problem) -> Response {
        var response = try tellFile(PageFiles.start, request)
        if let secret = request.parameter("guest"), case .guest = caller(request) {
            let field = SessionCookie.field(
                SessionCookie.guestName,
                secret,
                from: request.sender
            )
            response.headers.append("Set-Cookie", field)
        }
        return response
    }

    /// `GET /page/{file}`: a file of the page.
    func tellFile(_ request: Request) throws(Problem) -> Response {
        var response = try tellFile(request.path[1], request)
        // It is for the whole page, wherever a proxy has that, and not for this folder alone.
        if request.path[1] == PageFiles.worker { response.headers["Service-Worker-Allowed"] = "../" }
        return response
    }

    private func tellFile(_ name: String, _ request: Request) throws(Problem) -> Response {
        guard let file = files[name] else { throw .unknownAddress }
        return Self.response(with: file, to: request)
    }

    /// `GET /v1/openapi.yaml`: the description of this API.
    func tellDescription(_ request: Request) -> Response { Self.response(with: description, to: request) }

    /// `GET /v1/schema`: the JSON Schema of definitions, for editors.
    func tellSchema(_ request: Request) -> Response { Self.response(with: PageFiles.schema, to: request) }

    /// A file that is in the program.
    static func response(with file: PageFile, to request: Request) -> Response {
        let packed = request.takesGzip ? file.packed : nil
        let tag = packed == nil ? "\"\(file.tag)\"" : "\"\(file.tag)-gzip\""
        var response = Response.tagged(tag, for: request) {
            Response(headers: ["Content-Type": file.mediaType], body: packed ?? file.bytes)
        }
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = "Accept-Encoding"
        if response.status == .ok, packed != nil { response.headers["Content-Encoding"] = "gzip" }
        // Home Assistant shows the page in a frame of its own.
        response.headers["Content-Security-Policy"] =
            request.sender.isIngress
            ? PageFiles.policy.replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'")
            : PageFiles.policy
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    }
}

extension Request {
    /// True if the client understands gzip.
    var takesGzip: Bool {
        let codings = headers["Accept-Encoding"]?.lowercased().split(separator: ",") ?? []
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return parts.dropFirst().allSatisfy { !$0.hasPrefix("q=") || (Double($0.dropFirst(2)) ?? 0) > 0 }
        }
    }
}

extension Response {
    /// A response with a tag, or the answer that nothing has changed.
    static func tagged(_ tag: String, for request: Request, _ make: () -> Response) -> Response {
        let known = request.headers["If-None-Match"]?.split(separator: ",").map { tag in
            tag.drop { $0 == " " }.replacing("W/", with: "", maxReplacements: 1)
        }
        let isKnown = known.map { $0.contains("*") || $0.contains(tag[...]) } ?? false
        var response = isKnown ? Response(status: .notModified) : make()
        response.headers["ETag"] = tag
        return response
    }
}

// What programs ask that watch over the bridge.
extension RequestDesk {
    /// `GET /healthz`: the process answers.
    func tellAlive(_ request: Request) -> Response { Self.text("ok\n") }

    /// `GET /readyz`: whether the bridge has its broker and its store.
    func tellReady(_ request: Request) -> Reply {
        .later { [house] then in
            house.ask(.status, for: .unrestricted) { answer in
                var reason = "the bridge does not answer"
                switch answer {
                case .found(let bytes):
                    if let status = try? JSONReader.value(of: bytes.span) {
                        reason = Self.trouble(status) ?? ""
                    }
                case .problem(let problem): reason = problem.detail
                }
                then(
                    reason.isEmpty
                        ? Self.text("ready\n")
                        : Problem(status: .serviceUnavailable, code: "not-ready", detail: reason).response
                )
            }
        }
    }

    private static func trouble(_ status: Value) -> String? {
        if status.truth("broker", "connected") != true { return "there is no connection to the broker" }
        return status.truth("storing") == false ? "the store takes nothing" : nil
    }

    /// `GET /metrics`: counters and gauges as Prometheus reads them.
    func tellMetrics(_ request: Request) throws(Problem) -> Reply {
        let viewer = readsMetrics(request) ? .unrestricted : try viewer(request)
        // What reaches whose phone is nothing for other phones.
        let pushes = viewer == .unrestricted ? phones.phones().pushFigures : MetricsText()
        return ask(.metrics, for: viewer) { bytes in
            var response = Self.text(String(decoding: bytes, as: UTF8.self) + pushes.text)
            response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }

    /// Returns whether somebody asks for numbers who has the token for them, which opens nothing else.
    func readsMetrics(_ request: Request) -> Bool {
        guard request.path == ["metrics"], let token = request.bearer, let metricsKey else { return false }
        return Secret.areEqual(Secret.digest(token), metricsKey)
    }

    private static func text(_ text: String) -> Response {
        var response = Response(json: Array(text.utf8))
        response.headers["Content-Type"] = "text/plain; charset=utf-8"
        return response
    }
}

extension [PhoneSummary] {
    /// The pushes to each phone by events; nothing without phones.
    fileprivate var pushFigures: MetricsText {
        let results: [(family: MetricFamily, count: KeyPath<PushCounts.Count, UInt64>)] = [
            (.pushesSent, \.sent), (.pushesAccepted, \.accepted), (.pushesRefused, \.refused),
        ]
        var text = MetricsText()
        for (family, count) in results {
            let samples = flatMap { phone in
                Push.Event.allCases.map { event in
                    (labels: [phone.name, event.name], number: phone.counts[event][keyPath: count])
                }
            }
            text.add(family, samples)
        }
        return text
    }
}

extension Value {
    private func member(at place: [String]) -> Value? {
        place.reduce(Optional(self)) { value, key in
            if case .map(let map)? = value { map[key] } else { nil }
        }
    }

    fileprivate func truth(_ place: String...) -> Bool? {
        if case .bool(let truth)? = member(at: place) { truth } else { nil }
    }
}
