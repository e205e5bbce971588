import SkerryFiles
import SkerryGateway
import SkerryValues

// Questions that the bridge answers, each on its own thread.
extension RequestDesk {
    /// The number of runs in an answer.
    private static let runLimit = 1000
    /// The longest name of a device or an event, and the longest value of a setting, in bytes.
    private static let nameLimit = 1024
    /// The number of settings in a request.
    private static let settingLimit = 100
    /// The number of cards in a request.
    private static let cardLimit = 10_000

    /// `GET /v1/status`, `/v1/devices`, `/v1/definitions`, `/v1/unread-topics` and `/v1/found`.
    func ask(_ question: HouseQuestion) -> Handler {
        { request throws(Problem) in
            self.ask(question, for: try self.viewer(request))
        }
    }

    /// `GET /v1/devices/{kind}/{device}`: the explanation of a device.
    func explain(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        return ask(.device(kind: request.path[2], name: request.path[3]), for: viewer)
    }

    /// `GET /v1/definitions/{kind}`: a definition; a guest gets what a card of its device needs.
    func tellDefinition(_ request: Request) throws(Problem) -> Reply {
        let kind = request.path[2]
        if case .guest(let device, _) = caller(request), device.kind.hasSameCodePoints(as: kind) {
            return ask(.definition(kind: kind), for: .unrestricted) { body in
                let card = Self.card(of: body)
                return Self.response(to: request, tag: Self.tag(of: card)) { card }
            }
        }
        return ask(.definition(kind: kind), for: try viewer(request)) { body in
            Self.response(to: request, tag: Self.tag(of: body)) { body }
        }
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

    /// `GET /v1/runs`: the runs that go on and past runs, with a link to earlier ones (RFC 8288).
    func tellRuns(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        let limit = try Self.number("limit", in: request, max: Self.runLimit) ?? 100
        let question = HouseQuestion.runs(
            kind: request.parameter("kind"),
            device: request.parameter("device"),
            before: request.parameter("before"),
            limit: limit
        )
        return ask(question, for: viewer) { body in
            var response = Response(json: body)
            if let next = Self.next(in: body) {
                let query = request.query.filter { $0.name != "before" } + [(name: "before", value: next)]
                response.headers["Link"] = "<?\(PercentCoding.query(query))>; rel=\"next\""
            }
            return response
        }
    }

    /// The run at which a list of runs was cut.
    private static func next(in body: [UInt8]) -> String? {
        guard let place = JSONMember.place(of: "next", in: body),
            case .string(let next)? = try? JSONReader.value(of: body[place].span)
        else { return nil }
        return next
    }

    /// `GET /v1/errors`: what did not reach phones and recipients, newest first.
    func tellErrors(_ request: Request) throws(Problem) -> Reply {
        let limit = try Self.number("limit", in: request, max: FailureLog.limit) ?? 100
        let question = HouseQuestion.failures(
            service: request.parameter("service"),
            recipient: request.parameter("recipient"),
            limit: limit
        )
        return ask(question, for: .unrestricted)
    }

    /// `GET /v1/recordings/{kind}/{device}`: what the bridge keeps of a device.
    func tellRecording(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        return ask(.recording(kind: request.path[2], device: request.path[3]), for: viewer) {
            var response = Response(json: $0)
            response.headers["Content-Type"] = "application/x-ndjson"
            return response
        }
    }

    /// `GET /v1/found/{kind}`: a definition that comes with Skerry.
    func tellShelvedDefinition(_ request: Request) throws(Problem) -> Reply {
        ask(.shelvedDefinition(kind: request.path[2]), for: try viewer(request))
    }

    /// `PUT /v1/found/{kind}/{device}`: what becomes of a device that was found.
    func decide(_ request: Request) throws(Problem) -> Reply {
        let body = try JSONObject(request.body)
        let words = FoundDecision.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = try body.text("decision", limit: Self.nameLimit) else {
            throw .wrongBody("missing", "one of \(words)", at: "/decision")
        }
        guard let decision = FoundDecision(rawValue: word) else {
            throw .wrongBody("unknown-value", "it is one of \(words)", at: "/decision")
        }
        let name = try body.text("name", limit: Self.nameLimit)
        return ask(
            .decide(decision, kind: request.path[2], device: request.path[3], name: name),
            for: .unrestricted
        )
    }

    /// `POST /v1/check`: checks the text of a definition.
    func check(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        return ask(.check(source: try Self.source(request)), for: viewer)
    }

    /// `POST /v1/compile`: the compiled form of a definition's text.
    func compile(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        return ask(.compile(source: try Self.source(request)), for: viewer) {
            var response = Response(json: $0)
            response.headers["Content-Type"] = "application/octet-stream"
            return response
        }
    }

    /// `GET /v1/openapi.yaml`: the description of this API.
    func tellDescription(_ request: Request) -> Response { Self.response(with: description, to: request) }

    /// `GET /v1/schema`: the JSON Schema of definitions, for editors.
    func tellSchema(_ request: Request) throws(Problem) -> Response {
        var response = Response(json: LanguageSchema.bytes)
        response.headers["Content-Type"] = "application/schema+json"
        return response
    }

    /// `POST /v1/replay`: runs a recording through a definition, or through all that are in force.
    func replay(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        let object = try JSONObject(request.body)
        let wish = ReplayRequest(
            source: try object.text("source", limit: request.body.count),
            kind: try object.text("kind", limit: Self.nameLimit),
            recording: try object.text("recording", limit: request.body.count),
            device: try object.text("device", limit: Self.nameLimit)
        )
        if wish.source != nil || wish.recording != nil { try require(.author, request) }
        guard wish.source == nil || wish.kind == nil else {
            throw .wrongBody("unknown-value", "give either source or kind, not both", at: "/source")
        }
        guard (wish.recording == nil) != (wish.device == nil) else {
            throw .wrongBody("missing", "either recording, lines, or device, as kind/name", at: "/recording")
        }
        return ask(.replay(wish), for: viewer)
    }

    /// `POST /v1/devices/{kind}/{device}/events`: an event for a device.
    func sendEvent(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        guard let name = try JSONObject(request.body).text("event", limit: Self.nameLimit), !name.isEmpty
        else {
            throw .wrongBody("missing", "the name of an event", at: "/event")
        }
        let event = HouseQuestion.event(kind: request.path[2], device: request.path[3], name: name)
        return ask(event, for: viewer) { _ in Response(status: .accepted) }
    }

    /// `POST /v1/proposals`: a first text for the definition of devices that no definition knows.
    func propose(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        let body = try JSONObject(request.body)
        guard let kind = try body.text("kind", limit: Self.nameLimit), !kind.isEmpty else {
            throw .wrongBody("missing", "the kind of the new definition", at: "/kind")
        }
        guard let filter = try body.text("filter", limit: Self.nameLimit) else {
            throw .wrongBody("missing", "a filter of topics with {device}", at: "/filter")
        }
        return ask(.proposal(kind: kind, filter: filter), for: viewer)
    }

    /// `DELETE /v1/definitions/{kind}`: removes the file of a definition.
    func removeDefinition(_ request: Request) throws(Problem) -> Reply {
        try requireEditing()
        return ask(
            .removeDefinition(kind: request.path[2], over: Self.versions(in: request)),
            for: .unrestricted
        ) { _ in Response(status: .noContent) }
    }

    /// `PUT /v1/definitions/{kind}`: checks a text and writes it to the file of its definition; with `If-None-Match: *`, to a new one.
    func saveDefinition(_ request: Request) throws(Problem) -> Reply {
        try requireEditing()
        if request.headers["If-None-Match"] == "*" {
            let question = HouseQuestion.addDefinition(
                kind: request.path[2],
                source: try Self.source(request)
            )
            return ask(question, for: .unrestricted)
        }
        let question = HouseQuestion.saveDefinition(
            kind: request.path[2],
            source: try Self.source(request),
            over: Self.versions(in: request)
        )
        return ask(question, for: .unrestricted)
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

    /// `PUT /v1/devices/{kind}/{device}/settings`: chooses the settings and the name of a device.
    func chooseSettings(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        let body = try JSONObject(request.body)
        let name = try body.text("name", limit: Self.nameLimit)
        let settings = try body.object("settings").map { settings throws(Problem) in
            try Self.settings(settings)
        }
        if settings != nil { try require(.administer, request) }
        try requireEditing()
        guard settings != nil || name != nil else {
            throw .wrongBody("missing", "the settings, by their names", at: "/settings")
        }
        return ask(
            .chooseSettings(
                kind: request.path[2],
                device: request.path[3],
                settings: settings,
                name: name
            ),
            for: viewer
        )
    }

    /// `PUT /v1/cards`: the cards of devices on the page, in their order.
    func arrange(_ request: Request) throws(Problem) -> Reply {
        guard let list = try JSONObject(request.body).objects("cards", limit: Self.cardLimit) else {
            throw .wrongBody("missing", "the cards, in their order", at: "/cards")
        }
        var cards: [DeviceCard] = []
        for entry in list {
            guard let kind = try entry.text("kind", limit: Self.nameLimit),
                let name = try entry.text("device", limit: Self.nameLimit)
            else {
                throw .wrongBody("missing", "the kind and the device of each card", at: "/cards")
            }
            var card = DeviceCard(device: DeviceKey(kind: kind, name: name))
            card.room = try entry.text("room", limit: Self.nameLimit) ?? ""
            card.isHidden = try entry.truth("hidden") ?? false
            cards.append(card)
        }
        return ask(.arrange(cards), for: .unrestricted)
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

    /// The reply that the bridge makes of a question.
    func ask(
        _ question: HouseQuestion,
        for viewer: Viewer,
        as make: @escaping @Sendable ([UInt8]) -> Response = { Response(json: $0) }
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
