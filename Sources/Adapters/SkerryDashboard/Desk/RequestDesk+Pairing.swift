import Glibc
import Logging
import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization

extension RequestDesk {
    /// The longest name of a phone, a browser or a person in bytes.
    private static let nameLimit = 64

    /// `POST /v1/pairings`: makes a code for one phone, or with a role for one browser.
    func offerPairing(_ request: Request) throws(Problem) -> Response {
        let object = try request.body.isEmpty ? nil : JSONObject(request.body)
        let name = try object.flatMap { object throws(Problem) in try Self.name("name", in: object) }
        let person = try object.flatMap { object throws(Problem) in try Self.name("person", in: object) }
        let role = try object.flatMap { object throws(Problem) in try Self.role(in: object) }
        let offer = offerPairing(forBrowser: role, named: name, person: person)
        let url = phoneURL(request)
        let link =
            role == nil ? Self.link(to: url, code: offer.text) : Self.browserLink(to: url, code: offer.text)
        var writer = JSONWriter()
        writer.beginObject()
        for (key, text) in [("pairing", offer.id), ("code", offer.text), ("url", url), ("link", link)] {
            writer.member(key, text)
        }
        if let code = QRCode(link) { writer.member("qr", code.svg) }
        writer.member("expiresIn", (offer.expiresAt - steadyClock.now).roundedSeconds)
        writer.member("reachable", Self.isReachable(url))
        writer.endObject()
        return Response(json: writer.bytes, status: .created)
    }

    /// `GET /v1/pairings/{pairing}`: what became of a code.
    func tellPairing(_ request: Request) throws(Problem) -> Response {
        guard let offer = pairings.withLock({ $0.offer(request.path[2], at: steadyClock.now) }) else {
            throw Problem(
                status: .notFound,
                code: "unknown-pairing",
                detail: "no such pairing, or a long time ago; POST /v1/pairings makes a new one"
            )
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("state")
        switch offer.outcome {
        case .open: writer.string("open")
        case .void: writer.string("void")
        case .expired: writer.string("expired")
        case .paired(let id, let name):
            writer.string("paired")
            writer.member(offer.role == nil ? "phone" : "browser", id)
            writer.member("name", name)
        }
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `POST /v1/pair`: pairs the phone that has a code.
    func pair(_ request: Request) throws(Problem) -> Response {
        let object = try JSONObject(request.body)
        guard let code = try object.text("code", limit: 64) else {
            throw .wrongBody("missing", "the code that 'skerry pair' shows", at: "/code")
        }
        let wish = try Self.name("name", in: object) ?? "iPhone"
        let token = Secret.make()
        let names = Set(phones.phones().map(\.name))
        let (offer, phone) = try redeem(code, isBrowser: false, request) { Self.free($0 ?? wish, names) }
        do throws(StoreFault) {
            let credential = Secret.digest(token)
            try phones.pair(
                NewPhone(id: phone.id, name: phone.name, person: offer.person, credential: credential),
                at: phones.now
            )
        } catch {
            pairings.withLock { $0.reopen(offer) }
            throw Problem.notStored(error.message)
        }
        logger.notice(.phonePaired, "paired with '\(phone.name)'")
        var writer = JSONWriter()
        writer.beginObject()
        for (key, text) in [("phone", phone.id), ("token", token), ("name", phone.name)] {
            writer.member(key, text)
        }
        writer.endObject()
        return Response(json: writer.bytes, status: .created)
    }

    /// Takes a code, if the sender may try another one.
    ///
    /// - Throws: a problem if it is none, or not any more.
    func redeem(
        _ code: String,
        isBrowser: Bool,
        _ request: Request,
        name: (_ given: String?) -> String
    ) throws(Problem) -> (offer: Pairings.Offer, newcomer: Newcomer) {
        let address = request.sender.address
        if let wait = pairings.withLock({ $0.wait(of: address, at: steadyClock.now) }) {
            throw Self.tooManyCodes(wait)
        }
        let id = Secret.makeID()
        let taken = pairings.withLock { pairings in
            pairings.redeem(code, isBrowser: isBrowser, from: address, at: steadyClock.now) {
                Newcomer(id: id, name: name($0))
            }
        }
        if let taken { return taken }
        if let count = pairings.withLock({ $0.takeWrongTries(at: steadyClock.now) }) {
            logger.warning(
                .pairingCodesWrong,
                "wrong codes for pairing: \(count), the last one from \(address)"
            )
        }
        let remedy = isBrowser ? "'skerry pair --browser'" : "'skerry pair'"
        throw Problem(
            status: .forbidden,
            code: "wrong-code",
            detail:
                "no such code, or not any more: it is good for 10 minutes and once; \(remedy) makes a new one"
        )
    }

    private static func tooManyCodes(_ wait: Interval) -> Problem {
        let seconds = max(1, wait.roundedSeconds)
        return Problem(
            status: .tooManyRequests,
            code: "too-many-codes",
            detail: """
                \(Pairings.tries) wrong codes came from this address; try again in \(seconds) s, or make a new code with \
                'skerry pair'
                """,
            headers: ["Retry-After": "\(seconds)"]
        )
    }

    /// Makes a code.
    func offerPairing(
        forBrowser role: Role? = nil,
        named name: String? = nil,
        person: String? = nil
    ) -> Pairings.Offer {
        pairings.withLock { $0.offer(forBrowser: role, named: name, person: person, at: steadyClock.now) }
    }

    /// The role of a browser in a body; nil when there is none.
    static func role(in object: JSONObject) throws(Problem) -> Role? {
        guard let word = try object.text("role", limit: nameLimit) else { return nil }
        guard let role = Role(rawValue: word), Role.ofBrowsers.contains(role) else {
            let words = Role.ofBrowsers.map(\.rawValue).joined(separator: ", ")
            throw .wrongBody("unknown-value", "it is one of \(words)", at: "/role")
        }
        return role
    }

    /// The name of a phone or a person in a member of the body; nil when there is none.
    static func name(_ key: String, in object: JSONObject) throws(Problem) -> String? {
        guard let name = try object.text(key, limit: nameLimit) else { return nil }
        guard isName(name) else { throw .wrongBody("unknown-value", "it is no name", at: "/\(key)") }
        return name
    }

    /// Returns whether a text can be the name of a phone or a person.
    private static func isName(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The person in the form of the page, without spaces around the name: empty for no person, nil for an invalid name.
    static func person(inForm text: String) -> String? {
        let start = text.drop { $0.isWhitespace }
        let person = String(start.reversed().drop { $0.isWhitespace }.reversed())
        return person.isEmpty || person.utf8.count <= nameLimit && isName(person) ? person : nil
    }

    /// The address that signs a browser in; what is behind the hash is sent to nobody.
    static func browserLink(to url: String, code: String) -> String { "\(url)/#/sign-in/\(code)" }

    /// The address in a QR code, which opens the app.
    static func link(to url: String, code: String) -> String {
        "skerry://pair?url=\(PercentCoding.encoded(url))&code=\(code)"
    }

    /// Returns the address by which phones reach this server: from the settings, else from this request, else its own.
    func phoneURL(_ request: Request) -> String {
        if let url = options.publicURL { return url }
        if let authority = request.authority, let host = HTTPAddress(authority), !host.isLocal,
            !host.isWildcard
        {
            return "\(request.sender.isSecure ? "https" : "http")://\(authority)"
        }
        var address = options.secure?.address ?? options.address
        if address.isWildcard, let name = Self.machineName { address.host = name }
        return "\(options.secure == nil ? "http" : "https")://\(address)"
    }

    /// Returns whether phones may reach an address: not when it is one of this machine only.
    static func isReachable(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound,
            let address = HTTPAddress(String(url[start...].prefix { $0 != "/" }))
        else { return true }
        return !address.isLocal && !address.isWildcard
    }

    /// The name itself, or with a number when another one has it.
    static func free(_ wish: String, _ names: Set<String>) -> String {
        guard names.contains(wish) else { return wish }
        return (2...).lazy.map { "\(wish) \($0)" }.first { !names.contains($0) } ?? wish
    }
}

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

extension RequestDesk {
    /// `GET /v1/phones`: all phones.
    func tellPhones(_ request: Request) throws(Problem) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("now", phones.now)
        writer.array("phones", phones.phones()) { $1.write(to: &$0) }
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `GET /v1/phones/{phone}`: what is known of a phone.
    func tellPhone(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        return try summary(of: phone)
    }

    /// `PUT /v1/phones/{phone}`: makes a phone known that another partition has paired.
    func introduce(_ request: Request) throws(Problem) -> Response {
        let object = try JSONObject(request.body)
        guard let name = try Self.name("name", in: object) else {
            throw .wrongBody("missing", "the name of the phone", at: "/name")
        }
        let text = try object.text("credential", limit: 64)
        guard let credential = text.flatMap({ Base64.bytes(of: $0) }), credential.count == admin.count,
            !Secret.areEqual(credential, admin)
        else {
            throw .wrongBody(
                "unknown-value",
                "the SHA-256 of the token of the phone, in base64",
                at: "/credential"
            )
        }
        let phone = request.path[2]
        guard phone.utf8.count <= 64 else { throw .unknownAddress }
        let person = try Self.name("person", in: object)
        guard phones.credential(of: phone) == nil else { return Response(status: .noContent) }
        let newcomer = NewPhone(id: phone, name: name, person: person, credential: credential)
        try Problem.storing { () throws(StoreFault) in try phones.pair(newcomer, at: phones.now) }
        logger.notice(.phonePaired, "'\(name)' was paired with another partition")
        return Response(status: .noContent)
    }

    /// `PUT /v1/phones/{phone}/tokens`: takes a report of a phone in.
    func takeReport(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        let now = phones.now
        let report = try ReportReader.report(request.body, apps: phones.bundleIDs, at: now)
        let isKnown = try Problem.storing { () throws(StoreFault) in
            try phones.report(report, of: phone, at: now)
        }
        guard isKnown else { throw Self.unknownPhone }
        return try summary(of: phone)
    }

    /// `PUT /v1/phones/{phone}/person`: changes the person that a phone belongs to.
    func assign(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        let object = try JSONObject(request.body)
        let person = try Self.name("person", in: object)
        guard person != nil || object.isNull("person") else {
            throw .wrongBody("missing", "the name of a person, or null for none", at: "/person")
        }
        let isKnown = try Problem.storing { () throws(StoreFault) in
            try phones.assign(person, to: phone)
        }
        guard isKnown else { throw Self.unknownPhone }
        return try summary(of: phone)
    }

    /// `DELETE /v1/phones/{phone}`: forgets a phone.
    func unpair(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        let caller = try requirePhone(phone, request)
        let name = phones.phones().first { $0.id == phone }?.name ?? phone
        let wasKnown = try Problem.storing { () throws(StoreFault) in
            try phones.unpair(phone, at: phones.now)
        }
        guard wasKnown else { throw Self.unknownPhone }
        logger.notice(.phoneRemoved, "'\(name)' was removed\(caller.role == .phone ? " by itself" : "")")
        return Response(status: .noContent)
    }

    private static var unknownPhone: Problem {
        Problem(
            status: .notFound,
            code: "unknown-phone",
            detail: "there is no such phone; GET /v1/phones tells which there are"
        )
    }

    private func summary(of id: String) throws(Problem) -> Response {
        guard let phone = phones.phones().first(where: { $0.id == id }) else { throw Self.unknownPhone }
        var writer = JSONWriter()
        phone.write(to: &writer)
        return Response(json: writer.bytes)
    }
}

extension PhoneSummary {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("phone", id)
        writer.member("name", name)
        writer.member("person", person)
        writer.member("pairedAt", pairedAt)
        writer.member("heardAt", heardAt)
        writer.member("bundleId", bundleID)
        writer.member("environment", environment?.name)
        writer.member("iosVersion", systemVersion)
        writer.member("frequentUpdates", allowsFrequentUpdates)
        writer.member("areActivitiesEnabled", allowsActivities)
        writer.member("notificationsConfirmedAt", notifiableSince)
        writer.key("widgets")
        if let widgets { widgets.write(to: &writer) } else { writer.null() }
        writer.member("hides", hides)
        writer.objects("pushToStart", startTokens) { writer, token in
            writer.member("type", token.type)
            writer.member("confirmedAt", token.confirmedAt)
        }
        writer.array("activities", activities) { $1.write(to: &$0) }
        writer.array("budgets", budgets) { $1.write(to: &$0) }
        writer.object("pushes") { writer in
            for event in Push.Event.allCases {
                writer.key(event.name)
                counts[event].write(to: &writer)
            }
        }
        writer.endObject()
    }
}

extension PhoneSummary.Widgets {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kinds", kinds.map { .list($0.map(Value.string)) } ?? .null)
        writer.member("confirmedAt", confirmedAt)
        writer.endObject()
    }
}

extension Phone.ShownActivity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("instance", Int64(instance))
        writer.member("tokenConfirmedAt", tokenConfirmedAt)
        writer.member("end", end?.name)
        writer.member("muted", isSilent)
        writer.endObject()
    }
}

extension PhoneSummary.Budget {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("used", Int64(used))
        writer.member("limit", Int64(limit))
        writer.endObject()
    }
}

extension PushCounts.Count {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sent", Int64(clamping: sent))
        writer.member("accepted", Int64(clamping: accepted))
        writer.member("refused", Int64(clamping: refused))
        writer.endObject()
    }
}

extension RequestDesk {
    /// The name of this machine in its network; nil when it has none.
    static var machineName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name.contains(".") ? name : name + ".local"
    }
}
