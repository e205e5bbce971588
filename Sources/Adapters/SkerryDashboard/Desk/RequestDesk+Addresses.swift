import SkerryGateway

// Which address does what, by method, and the right that it takes. `docs/openapi.yaml` describes all of them.
extension RequestDesk {
    typealias Handlers = KeyValuePairs<String, (right: Right, handle: Handler)>

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
        case ("metrics", 1): return ["GET": (.look, tellMetrics)]
        case ("v1", 2...): break
        default: throw .unknownAddress
        }
        let found =
            sessionHandlers(path) ?? pairingHandlers(path) ?? deviceHandlers(path) ?? houseHandlers(path)
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
        case ("phones", 4) where path[3] == "test": ["POST": (.care, test)]
        case ("phones", 4) where path[3] == "tokens":
            ["PUT": (.report, now(takeReport)), "POST": (.report, now(takeReport))]
        default: nil
        }
    }

    private func deviceHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("devices", 2): ["GET": (.look, ask(.devices))]
        // Where phones were before there was a page.
        case ("devices", 3): ["GET": (.know, now(tellPhone)), "DELETE": (.care, now(unpair))]
        case ("devices", 4) where path[3] == "tokens":
            [
                "GET": (.look, explain), "PUT": (.report, now(takeReport)),
                "POST": (.report, now(takeReport)),
            ]
        case ("devices", 4): ["GET": (.look, explain)]
        case ("devices", 5) where path[4] == "events": ["POST": (.act, sendEvent)]
        case ("devices", 5) where path[4] == "settings": ["PUT": (.rename, chooseSettings)]
        case ("cards", 2): ["GET": (.look, ask(.cards)), "PUT": (.administer, arrange)]
        case ("activities", 2): ["GET": (.look, now(tellActivities))]
        case ("activities", 4): ["GET": (.follow, now(tellActivity)), "PUT": (.administer, putActivity)]
        case ("activities", 5) where path[4] == "timeline": ["GET": (.follow, tellTimeline)]
        default: nil
        }
    }

    private func houseHandlers(_ path: [String]) -> Handlers? {
        switch (path[1], path.count) {
        case ("status", 2): ["GET": (.look, ask(.status))]
        case ("stream", 2): ["GET": (.follow, openStream)]
        case ("definitions", 2): ["GET": (.look, ask(.definitions))]
        case ("definitions", 3):
            [
                "GET": (.follow, tellDefinition), "PUT": (.administer, saveDefinition),
                "DELETE": (.administer, removeDefinition),
            ]
        case ("runs", 2): ["GET": (.look, tellRuns)]
        case ("errors", 2): ["GET": (.oversee, tellErrors)]
        case ("schema", 2): ["GET": (.look, now(tellSchema))]
        case ("openapi.yaml", 2): ["GET": (.enter, now(tellDescription))]
        case ("recordings", 4): ["GET": (.look, tellRecording)]
        case ("unread-topics", 2): ["GET": (.author, ask(.unreadTopics))]
        case ("found", 2): ["GET": (.author, ask(.found))]
        case ("found", 3): ["GET": (.author, tellShelvedDefinition)]
        case ("found", 4): ["PUT": (.administer, decide)]
        case ("proposals", 2): ["POST": (.author, propose)]
        case ("check", 2): ["POST": (.author, check)]
        case ("compile", 2): ["POST": (.author, compile)]
        // A text of one's own takes more, see `replay`.
        case ("replay", 2): ["POST": (.look, replay)]
        default: nil
        }
    }
}
