import SkerryGateway

// Which address does what, by method, and the right that it takes; questions bring their own. `docs/openapi.yaml` describes all
// of them.
extension RequestDesk {
    typealias Route = (right: Right, handle: Handler)
    typealias Handlers = KeyValuePairs<String, Route>

    /// The handlers of an address.
    ///
    /// - Throws: a problem when there is nothing there.
    func handlers(of request: Request) throws(Problem) -> Handlers {
        let path = request.path
        switch (path[0], path.count) {
        case ("", 1): return ["GET": (.enter, now(tellPage))]
        case ("page", 2): return ["GET": (.enter, now(tellFile))]
        // The page asks for the admin token itself.
        case ("pair", 1): return ["GET": (.enter, now(askForToken)), "POST": (.enter, now(showCode))]
        case ("healthz", 1): return ["GET": (.enter, now(tellAlive))]
        case ("readyz", 1): return ["GET": (.enter, tellReady)]
        case ("metrics", 1): return ["GET": (HouseQuestion.metrics.right, tellMetrics)]
        case ("v1", 2...): break
        default: throw .unknownAddress
        }
        let found =
            sessionHandlers(path) ?? pairingHandlers(path) ?? deviceHandlers(request) ?? houseHandlers(path)
        guard let found else { throw .unknownAddress }
        return found
    }

    private func sessionHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("session", 2):
            [
                "GET": (.enter, now(tellSession)), "POST": (.enter, now(beginSession)),
                "DELETE": (.enter, now(endSession)),
            ]
        case ("guests", 2): ["POST": (.act, now(inviteGuest))]
        case ("browsers", 2): ["GET": (.oversee, now(tellBrowsers))]
        case ("browsers", 3):
            ["PUT": (.administer, now(introduceBrowser)), "DELETE": (.administer, now(removeBrowser))]
        default: nil
        }
    }

    private func pairingHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("pair", 2): ["POST": (.enter, now(pair))]
        case ("pairings", 2): ["POST": (.administer, now(offerPairing))]
        case ("pairings", 3): ["GET": (.administer, now(tellPairing))]
        case ("phones", 2): ["GET": (.oversee, now(tellPhones))]
        case ("phones", 3):
            [
                "GET": (.know, now(tellPhone)), "PUT": (.administer, now(introduce)),
                "DELETE": (.care, now(unpair)),
            ]
        case ("phones", 4) where path[3] == "person": ["PUT": (.administer, now(assign))]
        case ("phones", 4) where path[3] == "test":
            ["POST": asks(.test(phone: path[2]), phoneTest, as: Self.json(.accepted))]
        case ("phones", 4) where path[3] == "tokens":
            ["PUT": (.report, now(takeReport)), "POST": (.report, now(takeReport))]
        default: nil
        }
    }

    private func deviceHandlers(_ request: Request) -> Handlers? {
        let path = request.path
        return switch (path[1], path.count) {
        case ("devices", 2): ["GET": asks(.devices)]
        // Where phones were before there was a page.
        case ("devices", 3): ["GET": (.know, now(tellPhone)), "DELETE": (.care, now(unpair))]
        case ("devices", 4) where path[3] == "tokens":
            [
                "GET": asks(.device(request.device)), "PUT": (.report, now(takeReport)),
                "POST": (.report, now(takeReport)),
            ]
        case ("devices", 4): ["GET": asks(.device(request.device))]
        case ("devices", 5) where path[4] == "events":
            ["POST": asks(.event(request.device, name: ""), Self.event, as: Self.nothing(.accepted))]
        case ("devices", 5) where path[4] == "settings":
            ["PUT": asks(.chooseSettings(request.device), Self.choice)]
        case ("recordings", 4):
            ["GET": asks(.recording(request.device), as: Self.json(type: "application/x-ndjson"))]
        case ("cards", 2): ["GET": asks(.cards), "PUT": asks(.arrange([]), Self.arrangement)]
        case ("activities", 2): ["GET": (.look, now(tellActivities))]
        case ("activities", 4):
            [
                "GET": (.follow, now(tellActivity)),
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

    private func houseHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("status", 2): ["GET": asks(.status)]
        case ("stream", 2): ["GET": (.follow, openStream)]
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
        case ("schema", 2): ["GET": (.look, now(tellSchema))]
        case ("openapi.yaml", 2): ["GET": (.enter, now(tellDescription))]
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
