import Logging
import SkerryGateway
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
