import SkerryGateway

// Which address does what, by method. `docs/openapi.yaml` describes all of them.
extension RequestDesk {
    typealias Handlers = KeyValuePairs<String, Handler>

    /// The handlers of an address.
    ///
    /// - Throws: a problem when there is nothing there.
    func handlers(of request: Request) throws(Problem) -> Handlers {
        let path = request.path
        switch (path[0], path.count) {
        case ("", 1): return ["GET": now(tellPage)]
        case ("page", 2): return ["GET": now(tellFile)]
        case ("pair", 1): return ["GET": now(askForToken), "POST": now(showCode)]
        case ("healthz", 1): return ["GET": now(tellAlive)]
        case ("readyz", 1): return ["GET": tellReady]
        case ("metrics", 1): return ["GET": tellMetrics]
        case ("v1", 2...): break
        default: throw .unknownAddress
        }
        let found = pairingHandlers(path) ?? deviceHandlers(path) ?? houseHandlers(path)
        guard let found else { throw .unknownAddress }
        return found
    }

    private func pairingHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("session", 2):
            ["GET": now(tellSession), "POST": now(beginSession), "DELETE": now(endSession)]
        case ("guests", 2): ["POST": now(inviteGuest)]
        case ("pair", 2): ["POST": now(pair)]
        case ("pairings", 2): ["POST": now(offerPairing)]
        case ("pairings", 3): ["GET": now(tellPairing)]
        case ("phones", 2): ["GET": now(tellPhones)]
        case ("phones", 3): ["GET": now(tellPhone), "PUT": now(introduce), "DELETE": now(unpair)]
        case ("phones", 4) where path[3] == "person": ["PUT": now(assign)]
        case ("phones", 4) where path[3] == "test": ["POST": test]
        case ("phones", 4) where path[3] == "tokens": ["PUT": now(takeReport), "POST": now(takeReport)]
        default: nil
        }
    }

    private func deviceHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("devices", 2): ["GET": ask(.devices)]
        // Where phones were before there was a page.
        case ("devices", 3): ["GET": now(tellPhone), "DELETE": now(unpair)]
        case ("devices", 4) where path[3] == "tokens":
            ["GET": explain, "PUT": now(takeReport), "POST": now(takeReport)]
        case ("devices", 4): ["GET": explain]
        case ("devices", 5) where path[4] == "events": ["POST": sendEvent]
        case ("devices", 5) where path[4] == "settings": ["PUT": chooseSettings]
        case ("activities", 2): ["GET": now(tellActivities)]
        case ("activities", 4): ["GET": now(tellActivity), "PUT": putActivity]
        case ("activities", 5) where path[4] == "timeline": ["GET": tellTimeline]
        default: nil
        }
    }

    private func houseHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("status", 2): ["GET": ask(.status)]
        case ("stream", 2): ["GET": openStream]
        case ("definitions", 2): ["GET": ask(.definitions)]
        case ("definitions", 3): ["GET": tellDefinition, "PUT": saveDefinition, "DELETE": removeDefinition]
        case ("runs", 2): ["GET": tellRuns]
        case ("errors", 2): ["GET": tellErrors]
        case ("schema", 2): ["GET": now(tellSchema)]
        case ("openapi.yaml", 2): ["GET": now(tellDescription)]
        case ("recordings", 4): ["GET": tellRecording]
        case ("unread-topics", 2): ["GET": ask(.unreadTopics)]
        case ("found", 2): ["GET": ask(.found)]
        case ("found", 3): ["GET": tellShelvedDefinition]
        case ("found", 4): ["PUT": decide]
        case ("proposals", 2): ["POST": propose]
        case ("check", 2): ["POST": check]
        case ("compile", 2): ["POST": compile]
        case ("replay", 2): ["POST": replay]
        default: nil
        }
    }
}
