import Logging
import SkerryGateway
import SkerryValues

// Browsers, which all partitions know: partition 0 lets them in, and those that it does not know are let in nowhere.
extension FrontDesk {
    /// `GET /v1/session`: who asks.
    ///
    /// A partition that was away when a browser was let in gets to know it, and one that was away when the session ended
    /// ends it now.
    func tellSession(_ request: Request, _ then: @escaping Then) {
        let ask: @Sendable (@escaping @Sendable (PartitionFront.Answers) -> Void) -> Void = { [front] in
            front.ask(front.all, "GET", { _ in request.target }, front.fields(of: request), then: $0)
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
        front.ask(0, "POST", request.target, front.fields(of: request), request.body) { [self] answer in
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
        front.ask(others, "GET", { _ in "/v1/browsers" }, front.ownFields) { [self] answers in
            front.ask(0, "GET", request.target, front.fields(of: request)) { [self] first in
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
        front.ask(0, "GET", "/v1/session", front.fields(of: request)) { [roles] answer in
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
        front.ask(0, "GET", "/v1/browsers", front.ownFields) { [self] answer in
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
            let body = writer.bytes
            end(stale.map { id in numbers.map { ($0, id) } } ?? []) { [front] in
                front.ask(numbers, "PUT", { _ in Self.target(parts[0]) }, front.ownFields, body) { answers in
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
        front.ask(number, "DELETE", Self.target(id), front.ownFields) { _ in end(rest, then: then) }
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
