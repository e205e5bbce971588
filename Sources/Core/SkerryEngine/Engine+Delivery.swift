import SkerryDevice

// The first message of a topic finds or makes its devices; the router remembers them for the following ones.

extension Engine {
    /// Delivers a message by the routes of its topic.
    mutating func deliver(_ message: Message, _ effects: inout [Effect]) {
        counters.messages += 1
        if workspace.recordsReadings { readings.removeAll(keepingCapacity: true) }
        route(message, &effects)
    }

    /// Gives a message to the devices that its topic leads to.
    mutating func route(_ message: Message, _ effects: inout [Effect]) {
        guard let topic = router.find(message.topic) else {
            deliverFirst(message, &effects)
            return
        }
        let routes = router.routes(of: topic)
        var asks = false
        for position in routes {
            let route = router.route(at: position)
            if route.asksMessage {
                asks = true
            } else if !isCurrent(route) {
                deliverFirst(message, &effects)
                return
            }
        }
        // A topic without any source is remembered as well, so that it is searched for only once.
        if routes.isEmpty {
            if router.isElsewhere(topic) { counters.elsewhere += 1 } else { counters.unrouted += 1 }
        }
        // Copied, because asking may make room for a device and empty the cache.
        if asks {
            deliver(message, asking: routes.map { router.route(at: $0) }, &effects)
        } else {
            for position in routes { deliver(message, by: router.route(at: position), &effects) }
        }
    }

    /// Returns whether each device that a topic names is there; where the payload names them, any of the definition.
    public func hasDevices(of topic: ArraySlice<UInt8>) -> Bool {
        router.matches(topic).allSatisfy { match in
            let definition = Int(match.source.definition)
            if !match.asksMessage, let name = match.candidates?.first?.name {
                return index(of: name, definition) != nil
            }
            return devices.contains { $0.definition == definition }
        }
    }

    /// Returns whether the device of a route is the one that it was found for.
    func isCurrent(_ route: TopicRouter.Route) -> Bool {
        assert(Int(route.device) < devices.count, "a route leads beyond the devices")
        return devices.span[Int(route.device)].generation == route.generation
    }

    /// The first message of a topic, or the first since one of its devices is gone, finds or makes its devices.
    private mutating func deliverFirst(_ message: Message, _ effects: inout [Effect]) {
        var routes: [TopicRouter.Route] = []
        var isComplete = true
        var isElsewhere = false
        for match in router.matches(message.topic) {
            guard let match = own(match) else {
                isElsewhere = true
                continue
            }
            // A topic that belongs to no device becomes such a route as well, with no candidates: it is asked in vain.
            guard !match.asksMessage, let name = match.candidates?.first?.name else {
                routes.append(
                    TopicRouter.Route(
                        asking: match.source,
                        among: match.candidates,
                        captures: match.captures
                    )
                )
                continue
            }
            let definition = Int(match.source.definition)
            guard let index = device(named: name, definition: definition, sparing: routes, &effects)
            else {
                // Not remembered: there may be room for the device when the next message comes.
                counters.beyondLimit += 1
                isComplete = false
                continue
            }
            // Before the message itself, which is newer.
            deliverKept(to: index, &effects)
            routes.append(
                TopicRouter.Route(
                    device: UInt32(index),
                    source: match.source.source,
                    generation: devices[index].generation,
                    captures: match.captures
                )
            )
        }
        if routes.isEmpty, isComplete, isElsewhere {
            counters.elsewhere += 1
            if router.find(message.topic) == nil { router.rememberElsewhere(message.topic) }
            return
        }
        if routes.isEmpty, isComplete { counters.unrouted += 1 }
        if isComplete {
            // Looked up now: a device that took the place of another may have emptied the cache.
            if let topic = router.find(message.topic) {
                router.replace(topic, routes)
            } else {
                router.remember(message.topic, routes)
            }
        }
        if routes.contains(where: { $0.asksMessage }) {
            deliver(message, asking: routes, &effects)
        } else {
            for route in routes { deliver(message, by: route, &effects) }
        }
    }

    /// Leaves the devices of this partition in a match; nil if all are those of others.
    private func own(_ match: TopicRouter.Match) -> TopicRouter.Match? {
        guard let partition = limits.partition, let candidates = match.candidates, !candidates.isEmpty else {
            return match
        }
        let own = candidates.filter { partition.owns($0.name) }
        if own.isEmpty { return nil }
        var match = match
        match.candidates = own
        return match
    }

    /// Gives a message to the device of a route.
    mutating func deliver(
        _ message: Message,
        by route: TopicRouter.Route,
        _ effects: inout [Effect]
    ) {
        assert(isCurrent(route), "a message reaches the device in the place of its own")
        let index = Int(route.device)
        turn(index, at: now, &effects) { turn in
            turn.receive(
                message.payload,
                isRetained: message.isRetained,
                source: Int(route.source),
                captures: route.captures
            )
        }
        touch(index)
        countMessage(message, of: Int(route.source), in: Int(devices.span[index].definition))
    }

    /// Counts a message of a source, after the turn of its device.
    mutating func countMessage(_ message: Message, of source: Int, in definition: Int) {
        accounts[definition].unread.countMessage(of: source, message.payload, in: definitions[definition])
    }
}
