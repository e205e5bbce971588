import Logging
import SkerryActivity
import SkerryGateway
import SkerryValues

/// Answers requests for all partitions: asks the one that has the device, or all of them, and makes one answer of theirs.
struct FrontDesk: Sendable {
    let front: PartitionFront
    /// The roles of those who have cookies.
    let roles = FrontRoles()

    typealias Then = @Sendable (Response) -> Void

    /// The reply to a request, and to the question that it is a form of; nil where the front needs no partition.
    func reply(to request: Request, asking question: HouseQuestion?) throws(Problem) -> Reply? {
        if let question { return try reply(to: question, request) }
        let (method, path) = (request.plainMethod, request.path)
        switch (path[0], path.count) {
        case ("", 1): return request.parameter("guest") == nil ? nil : .later { answerGuest(request, $0) }
        case ("page", 2), ("healthz", 1): return nil
        case ("readyz", 1) where method == "GET": return merge(request, FrontMerge.readiness)
        case ("pair", 1): return one(0, request)
        case ("v1", 2...): return try answer(request, path, method)
        default: throw .unknownAddress
        }
    }

    /// The reply to a question, by the partitions that know the answer.
    private func reply(to question: HouseQuestion, _ request: Request) throws(Problem) -> Reply {
        switch question {
        case .devices: return merge(request, FrontMerge.devices)
        case .definitions: return merge(request, FrontMerge.definitions)
        case .status: return merge(request, FrontMerge.status)
        case .metrics: return merge(request, FrontMerge.metrics)
        case .runs: return try runs(request)
        case .failures(_, _, let usual):
            let limit = try RequestDesk.number("limit", in: request, max: 1000) ?? usual
            return merge(request) { FrontMerge.errors($0, limit) }
        case .device(let device), .timeline(let device), .recording(let device), .event(let device, _),
            .message(let device, _, _), .chooseSettings(let device, _, _):
            return one(front.partition(of: device.name), request)
        case .test: return one(front.partition(of: ActivityUpdate.testDevice), request)
        case .replay: return onDevice(request)
        case .saveDefinition, .addDefinition, .removeDefinition, .decide:
            guard front.places.hosts.count == 1 else { throw .severalComputers }
            return one(0, request)
        // What one has heard, the others have not.
        case .found, .shelvedDefinition, .proposal, .cards, .arrange, .broker, .chooseBroker, .giveUpBroker:
            return one(0, request)
        case .definition, .check, .compile, .unreadTopics: return any(request)
        }
    }

    private func answer(_ request: Request, _ path: [String], _ method: String) throws(Problem) -> Reply? {
        switch (method, path[1], path.count) {
        case ("GET", "openapi.yaml", 2): return nil
        case ("GET", "stream", 2):
            return .later { then in
                // A front that has begun again knows none of the pages that are open, which now come back.
                learnRole(request)
                open(request, then)
            }
        case ("GET", "session", 2): return .later { tellSession(request, $0) }
        case ("POST", "session", 2): return .later { beginSession(request, $0) }
        case ("DELETE", "session", 2), ("DELETE", "browsers", 3): return .later { tellPhone(request, $0) }
        case ("GET", "browsers", 2): return .later { tellBrowsers(request, $0) }
        case (_, "browsers", _): return one(0, request)
        case ("GET", "phones", 2): return merge(request, FrontMerge.phones)
        case ("GET", "phones", 3), ("GET", "devices", 3): return merge(request, FrontMerge.phone)
        case ("GET", "activities", 2):
            let limit = try RequestDesk.number("limit", in: request, max: 1000) ?? 1000
            return merge(request) { FrontMerge.activities($0, limit, request) }
        case ("GET", "activities", 4): return one(front.partition(of: path[3]), request)
        case ("POST", "pair", 2): return .later { pair(request, $0) }
        case (_, "pairings", _): return one(0, request)
        case (_, "guests", 2): return onDevice(request)
        case ("DELETE", "phones", 3), ("DELETE", "devices", 3), ("PUT", "phones", 4),
            ("PUT", "devices", 4), ("POST", "devices", 4), ("POST", "phones", 4):
            return .later { tellPhone(request, $0) }
        default: return any(request)
        }
    }

    /// The answer of the partition of the device that the body names; of any if it names none.
    private func onDevice(_ request: Request) -> Reply {
        let name = try? JSONObject(request.body).text("device", limit: 1024)
        guard let device = name.flatMap({ $0 })?.split(separator: "/").last else { return any(request) }
        return one(front.partition(of: String(device)), request)
    }

    /// The answer of one partition, as it is.
    private func one(_ number: Int, _ request: Request) -> Reply {
        var question = front.question(request, request.plainMethod)
        if let tag = request.headers["If-None-Match"] { question.fields.append("If-None-Match", tag) }
        return .later { [front, question] then in
            front.ask(number, question) { answer in
                guard let answer else { return then(Problem.missing([number]).response) }
                guard answer.status == .unauthorized, number > 0 else { return then(answer) }
                // The app of a phone that is told so forgets its pairing, but a partition may not know the phone yet.
                let session = FrontQuestion(target: "/v1/session", fields: question.fields)
                front.ask([0, number], session) { sessions in
                    let isKnown = sessions.map { $0.map { !$0.isOfNobody } ?? true }
                    then(isKnown[0] && !isKnown[1] ? Problem.missing([number]).response : answer)
                }
            }
        }
    }

    /// The answer of any partition that grants the request.
    private func any(_ request: Request) -> Reply {
        .later { [front] then in front.askAny(request) { then($0 ?? Problem.missing([0]).response) } }
    }

    /// An answer made of those of all partitions.
    private func merge(_ request: Request, _ make: @escaping @Sendable (FrontAnswers) -> Response) -> Reply {
        .later { [front] then in
            front.ask(front.all, front.question(request)) { then(FrontAnswers($0).merged(make)) }
        }
    }

    /// The runs of all partitions: the mark behind which the answer begins has one for each of them.
    private func runs(_ request: Request) throws(Problem) -> Reply {
        let limit = try RequestDesk.number("limit", in: request, max: 1000) ?? 100
        var marks = [String](repeating: "", count: front.places.count)
        if let before = request.parameter("before") {
            guard case .list(let list)? = try? JSONReader.value(of: Array(before.utf8).span),
                list.count == marks.count
            else { throw .wrongBody("unknown-value", "before is the member next of the answer before") }
            marks = list.map { if case .string(let text) = $0 { text } else { "" } }
        }
        let query = request.query.filter { $0.name != "before" }
        let last = marks
        return .later { [front] then in
            let fields = front.fields(of: request)
            front.ask(front.all) { number in
                let before = last[number].isEmpty ? [] : [(name: "before", value: last[number])]
                let target = "/v1/runs?" + PercentCoding.query(query + before)
                return FrontQuestion(target: target, fields: fields)
            } then: {
                then(FrontAnswers($0).merged { FrontMerge.runs($0, limit, query, after: last) })
            }
        }
    }

    /// The page of a guest, with the cookie of the partition that knows the link.
    private func answerGuest(_ request: Request, _ then: @escaping Then) {
        front.ask(front.all, front.question(request)) { answers in
            let granted =
                answers.first { $0?.headers["Set-Cookie"] != nil } ?? answers.first { $0 != nil } ?? nil
            then(granted ?? Problem.missing(front.all).response)
        }
    }
}

// Phones, which all partitions know: partition 0 pairs them.
extension FrontDesk {
    /// `POST /v1/pair`: pairs a phone with partition 0, and makes the others know it.
    private func pair(_ request: Request, _ then: @escaping Then) {
        front.ask(0, front.question(request, "POST")) { [self] answer in
            guard let answer else { return then(Problem.missing([0]).response) }
            guard answer.status == .created, case .map(let phone) = answer.value,
                case .string(let id)? = phone["phone"], case .string(let token)? = phone["token"]
            else { return then(answer) }
            // A partition that is away gets to know it with the first report.
            introduce(id, token, to: Array(front.all.dropFirst())) { _ in then(answer) }
        }
    }

    /// Makes partitions know a phone that partition 0 knows by a token.
    private func introduce(
        _ phone: String,
        _ token: String,
        to numbers: [Int],
        then: @escaping @Sendable (Bool) -> Void
    ) {
        guard !numbers.isEmpty else { return then(true) }
        let target = "/v1/phones/\(PercentCoding.encoded(phone))"
        var fields = front.ownFields
        fields["Authorization"] = "Bearer \(token)"
        front.ask(0, FrontQuestion(target: target, fields: fields)) { [front] answer in
            guard let answer, answer.status == .ok, case .map(let known) = answer.value else {
                return then(false)
            }
            var writer = JSONWriter()
            writer.beginObject()
            for name in ["name", "person"] { writer.member(name, known[name] ?? .null) }
            writer.member("credential", Base64.text(of: Secret.digest(token)))
            writer.endObject()
            front.ask(numbers, front.ownQuestion("PUT", target, writer.bytes)) { answers in
                then(answers.allSatisfy { $0?.status == .noContent })
            }
        }
    }

    /// Passes a report of a phone, its removal or its person, or the end of a browser's session on to all partitions, to
    /// partition 0 first: what that one refuses is refused.
    ///
    /// What partition 0 grants, the front asks of the others by its own right, because they may not know the one who asks.
    /// A phone repeats a report that was not taken everywhere, and so must an administrator.
    private func tellPhone(_ request: Request, _ then: @escaping Then) {
        if request.method == "DELETE", request.path[1] != "phones" { roles.forget(request) }
        let question = front.question(request, request.method)
        front.ask(0, question) { [self] first in
            guard let first else { return then(Problem.missing([0]).response) }
            // It may be gone there and not elsewhere, if the removal is repeated.
            guard first.isSuccess || request.method == "DELETE" && first.isOfStranger else {
                return then(first)
            }
            let others = Array(front.all.dropFirst())
            // Reports of a phone are proved by its token, and a browser that signs out is known by its cookie alone.
            let isByRight =
                request.path.last == "person" || request.method == "DELETE" && request.path[1] != "session"
            var own = question
            if isByRight, first.status != .unauthorized { own.fields = front.ownFields }
            let ask: @Sendable ([Int], @escaping @Sendable (PartitionFront.Answers) -> Void) -> Void = {
                [front, own] in front.ask($0, own, then: $1)
            }
            ask(others) { answers in
                let strangers = others.indices.filter { answers[$0]?.isOfStranger ?? false }
                // Only a report proves that the token is that of the phone.
                guard request.path.last == "tokens", let token = request.bearer, !strangers.isEmpty else {
                    return then(Self.outcome(first, others, answers))
                }
                introduce(request.path[2], token, to: strangers.map { others[$0] }) { _ in
                    ask(strangers.map { others[$0] }) { further in
                        var answers = answers
                        // What is still not known there is not taken there.
                        for (place, answer) in zip(strangers, further) {
                            answers[place] = answer?.isOfStranger ?? true ? nil : answer
                        }
                        then(Self.outcome(first, others, answers))
                    }
                }
            }
        }
    }

    /// The answer of all partitions to what they were told of a phone; those that do not know it have nothing to change.
    private static func outcome(
        _ first: Response,
        _ others: [Int],
        _ answers: PartitionFront.Answers
    ) -> Response {
        let missing = zip(others, answers).filter { $1 == nil }.map(\.0)
        if !missing.isEmpty { return Problem.missing(missing).response }
        let answers = answers.compactMap(\.self)
        if let refusal = answers.first(where: { !$0.isSuccess && !$0.isOfStranger }) { return refusal }
        guard first.isSuccess else { return answers.first(where: \.isSuccess) ?? first }
        return first.body.isEmpty ? first : FrontAnswers([first] + answers).merged(FrontMerge.phone)
    }
}

extension Problem {
    /// The problem of partitions that give no answer.
    static func missing(_ numbers: [Int]) -> Problem {
        let names = numbers.map(String.init).joined(separator: ", ")
        return Problem(
            status: .serviceUnavailable,
            code: "partition-missing",
            detail:
                "no gateway of partition \(names) answers; the log of the front says why: ask again",
            headers: ["Retry-After": "5"]
        )
    }

    fileprivate static let severalComputers = Problem(
        status: .conflict,
        code: "several-computers",
        detail:
            "the partitions are on several computers, each with files of its own: change the definition there, on each"
    )
}

extension Response {
    fileprivate var isSuccess: Bool { status.rawValue < 300 }

    /// True if the partition does not know the phone.
    fileprivate var isOfStranger: Bool { [.unauthorized, .notFound].contains(status) }

    /// True if it is the session of somebody that the partition does not know.
    var isOfNobody: Bool {
        if case .map(let session) = value, case .string("none")? = session["role"] { true } else { false }
    }

    /// The body as JSON; null if it is none.
    var value: Value {
        (try? JSONReader.value(of: body.span, limits: JSONLimits(bytes: PartitionLink.sizeLimit))) ?? .null
    }
}

// Browsers, which all partitions know: partition 0 lets them in, and those that it does not know are let in nowhere.
extension FrontDesk {
    /// `GET /v1/session`: who asks.
    ///
    /// A partition that was away when a browser was let in gets to know it, and one that was away when the session ended
    /// ends it now.
    func tellSession(_ request: Request, _ then: @escaping Then) {
        let ask: @Sendable (@escaping @Sendable (PartitionFront.Answers) -> Void) -> Void = { [front] in
            front.ask(front.all, front.question(request), then: $0)
        }
        let merge: @Sendable (PartitionFront.Answers) -> Void = { [roles] answers in
            if let first = answers[0] { roles.note(first, of: request) }
            then(FrontAnswers(answers).merged(FrontMerge.session))
        }
        ask { [self] answers in
            guard let first = answers[0], first.status == .ok,
                let session = request.cookie(SessionCookie.name)
            else { return merge(answers) }
            guard let id = first.browser else {
                let stale = front.all.dropFirst().compactMap { number in
                    answers[number]?.browser.map { (number, $0) }
                }
                return stale.isEmpty ? merge(answers) : end(stale) { ask(merge) }
            }
            let strangers = front.all.dropFirst().filter { answers[$0]?.isOfNobody ?? false }
            guard session.hasPrefix("\(id)."), !strangers.isEmpty else { return merge(answers) }
            introduce(browserOf: session, inPlaceOf: nil, to: strangers) { ask(merge) }
        }
    }

    /// `POST /v1/session`: lets a browser in at partition 0, and makes the others know it.
    func beginSession(_ request: Request, _ then: @escaping Then) {
        let former = request.cookie(SessionCookie.name)?.split(separator: ".").first.map(String.init)
        front.ask(0, front.question(request, "POST")) { [self] answer in
            guard let answer else { return then(Problem.missing([0]).response) }
            let start = "\(SessionCookie.name)="
            guard answer.status == .noContent, let field = answer.headers["Set-Cookie"],
                field.hasPrefix(start)
            else { return then(answer) }
            let session = String(field.dropFirst(start.utf8.count).prefix { $0 != ";" })
            introduce(browserOf: session, inPlaceOf: former, to: Array(front.all.dropFirst())) {
                then(answer)
            }
        }
    }

    /// `GET /v1/browsers`: those of partition 0; the others end the sessions that it does not know.
    func tellBrowsers(_ request: Request, _ then: @escaping Then) {
        let others = Array(front.all.dropFirst())
        // The others first: a browser that is let in meanwhile is known to partition 0 before it is known to them.
        front.ask(others, front.ownQuestion("GET", "/v1/browsers")) { [self] answers in
            front.ask(0, front.question(request)) { [self] first in
                guard let first else { return then(Problem.missing([0]).response) }
                guard first.status == .ok else { return then(first) }
                let known = Set(first.browsers.map { $0.text("browser") })
                let stale = zip(others, answers).flatMap { number, answer in
                    (answer?.browsers ?? []).map { (number, $0.text("browser")) }
                }
                end(stale.filter { !known.contains($0.1) }) { then(first) }
            }
        }
    }

    /// Asks partition 0 for the role of somebody with a cookie, unless it is known.
    func learnRole(_ request: Request) {
        guard request.cookie(SessionCookie.name) != nil, roles.role(of: request) == nil else { return }
        let question = FrontQuestion(target: "/v1/session", fields: front.fields(of: request))
        front.ask(0, question) { [roles] answer in
            if let answer { roles.note(answer, of: request) }
        }
    }

    /// Makes partitions know the browser that partition 0 knows by a cookie; nothing for the cookie of a phone.
    ///
    /// They end the session in whose place it was let in, if partition 0 does not know that one any more.
    private func introduce(
        browserOf session: String,
        inPlaceOf former: String?,
        to numbers: [Int],
        then: @escaping @Sendable () -> Void
    ) {
        let parts = session.split(separator: ".").map(String.init)
        guard parts.count == 2 else { return then() }
        front.ask(0, front.ownQuestion("GET", "/v1/browsers")) { [self] answer in
            guard let known = answer?.browsers,
                let browser = known.first(where: { $0.text("browser") == parts[0] })
            else { return then() }
            let stale = former.flatMap { former in
                known.contains { $0.text("browser") == former } ? nil : former
            }
            var writer = JSONWriter()
            writer.beginObject()
            for name in ["name", "role", "person"] { writer.member(name, browser[name] ?? .null) }
            writer.member("credential", Base64.text(of: Secret.digest(parts[1])))
            writer.endObject()
            let question = front.ownQuestion("PUT", Self.target(parts[0]), writer.bytes)
            end(stale.map { id in numbers.map { ($0, id) } } ?? []) { [front] in
                front.ask(numbers, question) { answers in
                    for (number, answer) in zip(numbers, answers) {
                        guard let answer, answer.status != .noContent else { continue }
                        front.logger.warning(
                            .browserRefused,
                            "partition \(number) does not let '\(browser.text("name"))' in: \(answer.status.phrase)"
                        )
                    }
                    then()
                }
            }
        }
    }

    /// Ends sessions, each at one partition, by the right of the front.
    private func end(_ sessions: [(number: Int, id: String)], then: @escaping @Sendable () -> Void) {
        guard let (number, id) = sessions.first else { return then() }
        let rest = Array(sessions.dropFirst())
        front.ask(number, front.ownQuestion("DELETE", Self.target(id))) { _ in end(rest, then: then) }
    }

    private static func target(_ id: String) -> String { "/v1/browsers/\(PercentCoding.encoded(id))" }
}

extension Response {
    /// The browser whose session it is; nil for others.
    fileprivate var browser: String? {
        if case .map(let session) = value, case .string(let id)? = session["browser"] { id } else { nil }
    }

    /// The browsers that it lists; empty for other answers.
    fileprivate var browsers: [ValueMap] { FrontAnswers([self]).elements("browsers") }
}
