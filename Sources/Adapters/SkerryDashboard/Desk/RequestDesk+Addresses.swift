import SkerryGateway

/// The handling of a method at an address, with the right that it takes.
struct Route {
    typealias Handler = (Request) throws(Problem) -> Reply

    let right: Right
    /// The question that it is a form of, as far as the address says it; nil for none.
    let question: HouseQuestion?
    let handle: Handler

    init(_ right: Right, _ handle: @escaping Handler) {
        (self.right, question, self.handle) = (right, nil, handle)
    }

    init(to question: HouseQuestion, _ handle: @escaping Handler) {
        (right, self.question, self.handle) = (question.right, question, handle)
    }
}

// Which address does what, by method, and the right that it takes; questions bring their own. `docs/openapi.yaml` describes all
// of them.
extension RequestDesk {
    /// The routes of an address, by method.
    typealias Routes = KeyValuePairs<String, Route>

    /// The route of a request.
    ///
    /// - Throws: a problem when there is none.
    func route(of request: Request) throws(Problem) -> Route {
        let routes = try routes(of: request)
        guard let route = routes.first(where: { $0.key == request.plainMethod }) else {
            throw .wrongMethod(allowed: routes.map(\.key).joined(separator: ", "))
        }
        return route.value
    }

    /// The routes of an address.
    ///
    /// - Throws: a problem when there is nothing there.
    func routes(of request: Request) throws(Problem) -> Routes {
        let path = request.path
        switch (path[0], path.count) {
        case ("", 1): return ["GET": Route(.enter, now(tellPage))]
        case ("page", 2): return ["GET": Route(.enter, now(tellFile))]
        // The page asks for the admin token itself.
        case ("pair", 1):
            return ["GET": Route(.enter, now(askForToken)), "POST": Route(.enter, now(showCode))]
        case ("healthz", 1): return ["GET": Route(.enter, now(tellAlive))]
        case ("readyz", 1): return ["GET": Route(.enter, tellReady)]
        case ("metrics", 1): return ["GET": Route(to: .metrics, tellMetrics)]
        case ("v1", 2...): break
        default: throw .unknownAddress
        }
        let found =
            sessionRoutes(path) ?? pairingRoutes(path) ?? deviceRoutes(request) ?? houseRoutes(path)
        guard let found else { throw .unknownAddress }
        return found
    }

    private func sessionRoutes(_ path: [String]) -> Routes? {
        switch (path[1], path.count) {
        case ("session", 2):
            [
                "GET": Route(.enter, now(tellSession)), "POST": Route(.enter, now(beginSession)),
                "DELETE": Route(.enter, now(endSession)),
            ]
        case ("guests", 2): ["POST": Route(.act, now(inviteGuest))]
        case ("browsers", 2): ["GET": Route(.oversee, now(tellBrowsers))]
        case ("browsers", 3):
            [
                "PUT": Route(.administer, now(introduceBrowser)),
                "DELETE": Route(.administer, now(removeBrowser)),
            ]
        default: nil
        }
    }

    private func pairingRoutes(_ path: [String]) -> Routes? {
        switch (path[1], path.count) {
        case ("pair", 2): ["POST": Route(.enter, now(pair))]
        case ("pairings", 2): ["POST": Route(.administer, now(offerPairing))]
        case ("pairings", 3): ["GET": Route(.administer, now(tellPairing))]
        case ("phones", 2): ["GET": Route(.oversee, now(tellPhones))]
        case ("phones", 3):
            [
                "GET": Route(.know, now(tellPhone)), "PUT": Route(.administer, now(introduce)),
                "DELETE": Route(.care, now(unpair)),
            ]
        case ("phones", 4) where path[3] == "person": ["PUT": Route(.administer, now(assign))]
        case ("phones", 4) where path[3] == "test":
            ["POST": asks(.test(phone: path[2]), phoneTest, as: Self.json(.accepted))]
        case ("phones", 4) where path[3] == "tokens":
            ["PUT": Route(.report, now(takeReport)), "POST": Route(.report, now(takeReport))]
        default: nil
        }
    }

    private func deviceRoutes(_ request: Request) -> Routes? {
        let path = request.path
        return switch (path[1], path.count) {
        case ("devices", 2): ["GET": asks(.devices)]
        // Where phones were before there was a page.
        case ("devices", 3): ["GET": Route(.know, now(tellPhone)), "DELETE": Route(.care, now(unpair))]
        case ("devices", 4) where path[3] == "tokens":
            [
                "GET": asks(.device(request.device)), "PUT": Route(.report, now(takeReport)),
                "POST": Route(.report, now(takeReport)),
            ]
        case ("devices", 4): ["GET": asks(.device(request.device))]
        case ("devices", 5) where path[4] == "events":
            ["POST": asks(.event(request.device, name: ""), Self.event, as: Self.nothing(.accepted))]
        case ("devices", 5) where path[4] == "settings":
            ["PUT": asks(.chooseSettings(request.device), Self.choice)]
        case ("recordings", 4):
            ["GET": asks(.recording(request.device), as: Self.json(type: "application/x-ndjson"))]
        case ("cards", 2): ["GET": asks(.cards), "PUT": asks(.arrange([]), Self.arrangement)]
        case ("activities", 2): ["GET": Route(.look, now(tellActivities))]
        case ("activities", 4):
            [
                "GET": Route(.follow, now(tellActivity)),
                "PUT": asks(
                    .message(request.device, payload: []),
                    Self.message,
                    as: Self.nothing(.noContent)
                ),
            ]
        case ("activities", 5) where path[4] == "timeline":
            ["GET": asks(.timeline(request.device), as: Self.tagged)]
        case ("found", 4): ["PUT": asks(.decide(.use, request.device), Self.decision)]
        default: nil
        }
    }

    private func houseRoutes(_ path: [String]) -> Routes? {
        switch (path[1], path.count) {
        case ("status", 2): ["GET": asks(.status)]
        case ("stream", 2): ["GET": Route(.follow, openStream)]
        case ("definitions", 2): ["GET": asks(.definitions)]
        case ("definitions", 3):
            [
                "GET": asks(.definition(kind: path[2]), as: Self.definition),
                "PUT": asks(.saveDefinition(kind: path[2], source: "", over: nil), Self.saving),
                "DELETE": asks(
                    .removeDefinition(kind: path[2], over: nil),
                    Self.removal,
                    as: Self.nothing(.noContent)
                ),
            ]
        case ("runs", 2): ["GET": asks(.runs(), Self.runs, as: Self.linked)]
        case ("errors", 2): ["GET": asks(.failures(), Self.failures)]
        case ("schema", 2): ["GET": Route(.look, now(tellSchema))]
        case ("openapi.yaml", 2): ["GET": Route(.enter, now(tellDescription))]
        case ("broker", 2):
            [
                "GET": asks(.broker), "PUT": asks(.chooseBroker(GivenBroker()), Self.broker),
                "DELETE": asks(.giveUpBroker, as: Self.nothing(.noContent)),
            ]
        case ("unread-topics", 2): ["GET": asks(.unreadTopics)]
        case ("found", 2): ["GET": asks(.found)]
        case ("found", 3): ["GET": asks(.shelvedDefinition(kind: path[2]))]
        case ("proposals", 2): ["POST": asks(.proposal(kind: "", filter: ""), Self.proposal)]
        case ("check", 2): ["POST": asks(.check(source: ""), Self.check)]
        case ("compile", 2):
            [
                "POST": asks(
                    .compile(source: ""),
                    Self.compilation,
                    as: Self.json(type: "application/octet-stream")
                )
            ]
        case ("replay", 2): ["POST": asks(.replay(ReplayRequest()), Self.replay)]
        default: nil
        }
    }
}
