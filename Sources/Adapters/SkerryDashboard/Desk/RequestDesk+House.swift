import SkerryActivity
import SkerryFiles
import SkerryGateway
import SkerryValues

// Addresses as forms of questions: what a request asks, and how the answer is shown.
extension RequestDesk {
    /// Makes a question of a whole request.
    typealias Reading = (Request) throws(Problem) -> HouseQuestion
    /// Shows somebody the answer to a request.
    typealias Showing = @Sendable (Request, Caller, [UInt8]) -> Response

    /// The way from a request to the answer of a question, for those who have the right that the question takes.
    ///
    /// - Parameters:
    ///   - question: The question as far as the address says it, whose right is asked for before the rest is read.
    ///   - read: Makes the whole question, which may take another right; nil if the address says all of it.
    ///   - show: The form of the answer.
    /// - Returns: The route of the question.
    func asks(
        _ question: HouseQuestion,
        _ read: Reading? = nil,
        as show: @escaping Showing = RequestDesk.json()
    ) -> Route {
        Route(to: question) { request throws(Problem) in
            let question = try read?(request) ?? question
            let caller = try self.require(question.right, request)
            if question.isEdit { try self.requireEditing() }
            return self.ask(question, for: try self.viewer(caller, asking: question)) {
                show(request, caller, $0)
            }
        }
    }

    /// The reply that the bridge makes of a question.
    func ask(
        _ question: HouseQuestion,
        for viewer: Viewer,
        as make: @escaping @Sendable ([UInt8]) -> Response
    ) -> Reply {
        .later { [house] then in
            house.ask(question, for: viewer) { answer in
                switch answer {
                case .found(let bytes): then(make(bytes))
                case .problem(let problem): then(Problem(problem).response)
                }
            }
        }
    }

    private func requireEditing() throws(Problem) {
        guard options.allowsEditing else {
            throw Problem(
                status: .forbidden,
                code: "no-editing",
                detail:
                    "this bridge writes neither definitions nor settings of devices: set http.edit: true, or edit the "
                    + "file itself"
            )
        }
    }
}

// The forms of answers.
extension RequestDesk {
    /// The answer as it is.
    static func json(_ status: Status = .ok, type: String? = nil) -> Showing {
        { _, _, body in
            var response = Response(json: body, status: status)
            if let type { response.headers["Content-Type"] = type }
            return response
        }
    }

    /// Nothing but a status.
    static func nothing(_ status: Status) -> Showing { { _, _, _ in Response(status: status) } }

    /// The answer with a tag, or that it has not changed.
    static let tagged: Showing = { request, _, body in
        response(to: request, tag: tag(of: body)) { body }
    }

    /// A definition with a tag; a guest gets what a card of its device needs.
    static let definition: Showing = { request, caller, body in
        tagged(request, caller, caller.role == .guest ? card(of: body) : body)
    }

    /// The members of a definition that a card needs: a guest has no use for its text, its topics and its guards.
    private static func card(of definition: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        for name in ["kind", "name", "symbol", "fields", "attributes", "relevance", "layout"] {
            guard let place = JSONMember.place(of: name, in: definition) else { continue }
            writer.member(name, json: Array(definition[place]))
        }
        if let place = JSONMember.place(of: "machine", in: definition) {
            let machine = Array(definition[place])
            writer.object("machine") { writer in
                if let states = JSONMember.place(of: "states", in: machine) {
                    writer.member("states", json: Array(machine[states]))
                }
            }
        }
        writer.endObject()
        return writer.bytes
    }

    /// Runs, with a link to earlier ones (RFC 8288).
    static let linked: Showing = { request, _, body in
        var response = Response(json: body)
        if let next = next(in: body) {
            let query = request.query.filter { $0.name != "before" } + [(name: "before", value: next)]
            response.headers["Link"] = "<?\(PercentCoding.query(query))>; rel=\"next\""
        }
        return response
    }

    /// The run at which a list of runs was cut.
    private static func next(in body: [UInt8]) -> String? {
        guard let place = JSONMember.place(of: "next", in: body),
            case .string(let next)? = try? JSONReader.value(of: body[place].span)
        else { return nil }
        return next
    }
}

// The questions of requests, of which the address says only a part.
extension RequestDesk {
    /// The number of runs in an answer.
    private static let runLimit = 1000
    /// The longest name of a device or an event, and the longest value of a setting, in bytes.
    private static let nameLimit = 1024
    /// The number of settings in a request.
    private static let settingLimit = 100
    /// The number of cards in a request.
    private static let cardLimit = 10_000
    /// The longest name of a kind that a test is of, in bytes.
    private static let kindLimit = 256
    /// The longest key of a request, in bytes.
    private static let keyLimit = 256

    static func runs(_ request: Request) throws(Problem) -> HouseQuestion {
        .runs(
            kind: request.parameter("kind"),
            device: request.parameter("device"),
            before: request.parameter("before"),
            limit: try number("limit", in: request, max: runLimit) ?? 100
        )
    }

    static func failures(_ request: Request) throws(Problem) -> HouseQuestion {
        .failures(
            service: request.parameter("service"),
            recipient: request.parameter("recipient"),
            limit: try number("limit", in: request, max: FailureLog.limit) ?? 100
        )
    }

    static func decision(_ request: Request) throws(Problem) -> HouseQuestion {
        let body = try JSONObject(request.body)
        let words = FoundDecision.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = try body.text("decision", limit: nameLimit) else {
            throw .wrongBody("missing", "one of \(words)", at: "/decision")
        }
        guard let decision = FoundDecision(rawValue: word) else {
            throw .wrongBody("unknown-value", "it is one of \(words)", at: "/decision")
        }
        return .decide(decision, request.device, name: try body.text("name", limit: nameLimit))
    }

    static func check(_ request: Request) throws(Problem) -> HouseQuestion {
        .check(source: try source(request))
    }

    static func compilation(_ request: Request) throws(Problem) -> HouseQuestion {
        .compile(source: try source(request))
    }

    static func replay(_ request: Request) throws(Problem) -> HouseQuestion {
        let object = try JSONObject(request.body)
        let wish = ReplayRequest(
            source: try object.text("source", limit: request.body.count),
            kind: try object.text("kind", limit: nameLimit),
            recording: try object.text("recording", limit: request.body.count),
            device: try object.text("device", limit: nameLimit)
        )
        guard wish.source == nil || wish.kind == nil else {
            throw .wrongBody("unknown-value", "give either source or kind, not both", at: "/source")
        }
        guard (wish.recording == nil) != (wish.device == nil) else {
            throw .wrongBody("missing", "either recording, lines, or device, as kind/name", at: "/recording")
        }
        return .replay(wish)
    }

    static func event(_ request: Request) throws(Problem) -> HouseQuestion {
        guard let name = try JSONObject(request.body).text("event", limit: nameLimit), !name.isEmpty else {
            throw .wrongBody("missing", "the name of an event", at: "/event")
        }
        return .event(request.device, name: name)
    }

    static func message(_ request: Request) throws(Problem) -> HouseQuestion {
        _ = try JSONObject(request.body)
        let key = request.headers["Idempotency-Key"]
        guard key.map({ (1...keyLimit).contains($0.utf8.count) }) ?? true else {
            throw .wrongBody("unknown-value", "Idempotency-Key has 1 to \(keyLimit) bytes")
        }
        return .message(request.device, payload: request.body, key: key)
    }

    static func proposal(_ request: Request) throws(Problem) -> HouseQuestion {
        let body = try JSONObject(request.body)
        guard let kind = try body.text("kind", limit: nameLimit), !kind.isEmpty else {
            throw .wrongBody("missing", "the kind of the new definition", at: "/kind")
        }
        guard let filter = try body.text("filter", limit: nameLimit) else {
            throw .wrongBody("missing", "a filter of topics with {device}", at: "/filter")
        }
        return .proposal(kind: kind, filter: filter)
    }

    static func removal(_ request: Request) throws(Problem) -> HouseQuestion {
        .removeDefinition(kind: request.path[2], over: versions(in: request))
    }

    /// A text for the file of a definition; with `If-None-Match: *`, for a new one.
    static func saving(_ request: Request) throws(Problem) -> HouseQuestion {
        let (kind, source) = (request.path[2], try source(request))
        return request.headers["If-None-Match"] == "*"
            ? .addDefinition(kind: kind, source: source)
            : .saveDefinition(kind: kind, source: source, over: versions(in: request))
    }

    /// The versions that a request may replace (RFC 9110, section 13.1.1); nil for any.
    ///
    /// A weak tag counts as well: proxies that compress answers make every tag weak.
    private static func versions(in request: Request) -> [String]? {
        guard let field = request.headers["If-Match"] else { return nil }
        let tags = field.split(separator: ",").map { tag in
            tag.filter { $0 != " " }.replacing("W/", with: "", maxReplacements: 1)
        }
        return tags.contains("*") ? nil : tags.map { $0.replacing("\"", with: "") }
    }

    static func choice(_ request: Request) throws(Problem) -> HouseQuestion {
        let body = try JSONObject(request.body)
        let name = try body.text("name", limit: nameLimit)
        let settings = try body.object("settings").map { settings throws(Problem) in
            try Self.settings(settings)
        }
        guard settings != nil || name != nil else {
            throw .wrongBody("missing", "the settings, by their names", at: "/settings")
        }
        return .chooseSettings(request.device, settings: settings, name: name)
    }

    static func arrangement(_ request: Request) throws(Problem) -> HouseQuestion {
        guard let list = try JSONObject(request.body).objects("cards", limit: cardLimit) else {
            throw .wrongBody("missing", "the cards, in their order", at: "/cards")
        }
        var cards: [DeviceCard] = []
        for entry in list {
            guard let kind = try entry.text("kind", limit: nameLimit),
                let name = try entry.text("device", limit: nameLimit)
            else {
                throw .wrongBody("missing", "the kind and the device of each card", at: "/cards")
            }
            var card = DeviceCard(device: DeviceKey(kind: kind, name: name))
            card.room = try entry.text("room", limit: nameLimit) ?? ""
            card.isHidden = try entry.truth("hidden") ?? false
            cards.append(card)
        }
        return .arrange(cards)
    }

    /// A test on a phone, which a phone asks for itself only.
    func phoneTest(_ request: Request) throws(Problem) -> HouseQuestion {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        let kind =
            request.body.isEmpty ? nil : try JSONObject(request.body).text("kind", limit: Self.kindLimit)
        return .test(phone: phone, kind: kind)
    }

    private static func settings(_ object: JSONObject) throws(Problem) -> [GivenSetting] {
        try object.check(limit: settingLimit)
        var settings: [GivenSetting] = []
        for (name, value) in object.entries {
            guard let setting = GivenSetting(name, value) else {
                throw .wrongBody(
                    "wrong-type",
                    "it must be a number, a text, or true or false",
                    at: object.path(name)
                )
            }
            guard name.utf8.count <= nameLimit, setting.value.utf8.count <= nameLimit else {
                throw .wrongBody(
                    "too-long",
                    "it is longer than \(nameLimit) bytes",
                    at: object.path(name)
                )
            }
            settings.append(setting)
        }
        return settings
    }

    private static func source(_ request: Request) throws(Problem) -> String {
        guard let source = try JSONObject(request.body).text("source", limit: request.body.count) else {
            throw .wrongBody("missing", "the text of a definition", at: "/source")
        }
        return source
    }

    /// A number in the address; nil when it is not there.
    static func number(_ name: String, in request: Request, max: Int) throws(Problem) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let number = Int(text), (1...max).contains(number) else {
            throw .wrongBody("unknown-value", "\(name) is a number from 1 to \(max)")
        }
        return number
    }
}

extension Request {
    /// The device that the address names.
    var device: DeviceKey { DeviceKey(kind: path[2], name: path[3]) }
}

extension HouseQuestion {
    /// True if it writes what people wrote, which the setting `http.edit` allows.
    fileprivate var isEdit: Bool {
        switch self {
        case .saveDefinition, .addDefinition, .removeDefinition, .chooseSettings: true
        default: false
        }
    }
}

extension Problem {
    /// The problem of a question that the bridge does not answer.
    fileprivate init(_ problem: HouseProblem) {
        let status: Status =
            switch problem.sort {
            case .notFound: .notFound
            case .wrong: .badRequest
            case .conflict: .conflict
            case .outdated: .preconditionFailed
            case .tooMuch: .contentTooLarge
            case .unavailable: .serviceUnavailable
            }
        self.init(
            status: status,
            code: problem.code,
            detail: problem.detail,
            path: problem.setting.map { JSONObject.pointer("/settings", $0) },
            problems: problem.problems
        )
    }
}

extension GivenSetting {
    /// A value of JSON; nil for one that no setting has.
    fileprivate init?(_ name: String, _ value: Value) {
        switch value {
        case .bool(let truth): self.init(name, truth ? "true" : "false", isText: false)
        case .int(let number): self.init(name, "\(number)", isText: false)
        case .uint(let number): self.init(name, "\(number)", isText: false)
        case .double(let number): self.init(name, "\(number)", isText: false)
        case .string(let text): self.init(name, text, isText: true)
        default: return nil
        }
    }
}

extension RequestDesk {
    /// The largest number of activities in one answer.
    private static let pageLimit = 1000

    /// `GET /v1/activities`: the snapshots of all activities, with their links, in the order of their ids, a page at a time.
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
            body += page.map { $0.snapshotJSON(link: LiveActivityContract.ownLink(of: $0)) }
                .joined(separator: [UInt8(ascii: ",")])
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

// The broker, as an administrator chooses it.
extension RequestDesk {
    /// The longest host name (RFC 1035), in bytes.
    private static let hostLimit = 253
    /// The longest user name and password, in bytes.
    private static let secretLimit = 1024
    /// The size of an authority's certificates, in bytes.
    private static let authorityLimit = 12 * 1024

    /// `PUT /v1/broker`: tries a broker, and has the bridge use it if that succeeds.
    static func broker(_ request: Request) throws(Problem) -> HouseQuestion {
        let body = try JSONObject(request.body)
        guard let host = try word("host", limit: Self.hostLimit, in: body), !host.isEmpty else {
            throw .wrongBody("missing", "the name or address of the broker", at: "/host")
        }
        if let problem = ChosenBroker.problem(ofHost: host) {
            throw .wrongBody("unknown-value", problem, at: "/host")
        }
        guard let number = try body.number("port"), let port = Int(exactly: number),
            (1...65_535).contains(port)
        else { throw .wrongBody("missing", "a port from 1 to 65535", at: "/port") }
        let username = try word("username", limit: Self.secretLimit, in: body)
        let broker = GivenBroker(
            host: host,
            port: port,
            username: username.flatMap { $0.isEmpty ? nil : $0 },
            password: try word("password", limit: Self.secretLimit, in: body),
            security: try security(body)
        )
        guard broker.username != nil || broker.password ?? "" == "" else {
            throw .wrongBody("missing", "a password needs a user name", at: "/username")
        }
        return .chooseBroker(broker)
    }

    private static func security(_ body: JSONObject) throws(Problem) -> GivenBroker.Security {
        switch try body.text("tls", limit: 16) {
        case nil, "none"?: return .none
        case "system"?: return .system
        case "authority"?:
            let certificates = try body.text("authority", limit: authorityLimit)
            guard certificates?.contains("-----BEGIN CERTIFICATE-----") ?? true else {
                throw .wrongBody("unknown-value", "it holds no certificate in PEM", at: "/authority")
            }
            return .authority(certificates)
        default: throw .wrongBody("unknown-value", "one of none, system, authority", at: "/tls")
        }
    }

    /// A text without control characters, which neither MQTT nor a line of settings has.
    private static func word(_ key: String, limit: Int, in body: JSONObject) throws(Problem) -> String? {
        let text = try body.text(key, limit: limit)
        guard text?.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) ?? true else {
            throw .wrongBody("unknown-value", "it has control characters", at: body.path(key))
        }
        return text
    }
}
