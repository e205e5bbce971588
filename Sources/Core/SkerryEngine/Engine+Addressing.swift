import SkerryActivity
import SkerryDevice
import SkerryMachine
import SkerryValues

// Some sources ask each message for its devices: with `when`, `each` or a `device` that reads the payload. Such a message
// is one input at one time, and one macrostep for each device or element that it speaks of.

extension Engine {
    /// Delivers a message by routes of which at least one asks it for its devices.
    mutating func deliver(
        _ message: Message,
        asking routes: [TopicRouter.Route],
        _ effects: inout [Effect]
    ) {
        addressed.removeAll(keepingCapacity: true)
        var isTaken = false
        let elsewhere = counters.elsewhere
        for route in routes {
            if !route.asksMessage {
                deliver(message, by: route, &effects)
                isTaken = true
            } else if ask(message, route, sparing: routes, &effects) {
                isTaken = true
            }
        }
        let isElsewhere = counters.elsewhere > elsewhere
        // Once for a message, however many of its devices belong to other partitions, and not at all if one is here.
        counters.elsewhere = isElsewhere && !isTaken ? elsewhere + 1 : elsewhere
        if !isTaken, !isElsewhere {
            counters.ignored += 1
            noteIgnored(message, routes)
        }
    }

    /// Asks a message for its devices, and delivers it to each of them.
    ///
    /// - Returns: True unless it is no message of the source at all.
    private mutating func ask(
        _ message: Message,
        _ route: TopicRouter.Route,
        sparing routes: [TopicRouter.Route],
        _ effects: inout [Effect]
    ) -> Bool {
        // The topic alone says that no device is meant: the payload is not even read.
        if let candidates = route.candidates, candidates.isEmpty { return false }
        let reach = definitions[route.definition].sources[Int(route.source)].reach
        let selection = select(message, route)
        unaddressedFailures += selection.failedReadings
        counters.beyondLimit += selection.leftOut
        for misreading in selection.misreadings {
            accounts[route.definition].unread.add(misreading, of: definitions[route.definition], device: "")
        }
        if let refusal = selection.refusal {
            refuse(refusal, of: message, route, among: routes, &effects)
            return true
        }
        if selection.isOfAll { return deliverToAll(message, route, &effects) }
        var isTaken = false
        for (place, device) in selection.devices.enumerated() {
            if workspace.cost > definitions[route.definition].messageCost, isTaken {
                leaveOut(selection.devices.count - place, of: route, &effects)
                break
            }
            if let partition = limits.partition, !partition.owns(device.name) {
                counters.elsewhere += 1
                continue
            }
            // A will such as `offline` must not make a device, but may come before the message that does.
            if reach == .known, index(of: device.name, route.definition) == nil {
                keep(message, route, for: device)
                continue
            }
            isTaken = true
            guard
                let index = self.device(
                    named: device.name,
                    definition: route.definition,
                    sparing: routes,
                    &effects
                )
            else {
                counters.beyondLimit += 1
                continue
            }
            // The payload of the message has to be read again after those of others.
            if deliverKept(to: index, &effects) { _ = select(message, route) }
            deliverRead(message, route, item: device.item, to: index, &effects)
        }
        return isTaken
    }

    /// Leaves elements of a message out, because those before them took as much work as a message may, and tells it of the
    /// device that had its turn last.
    private mutating func leaveOut(_ count: Int, of route: TopicRouter.Route, _ effects: inout [Effect]) {
        assert(count > 0, "nothing was left out of a message, and people are told")
        counters.beyondLimit += UInt64(count)
        // Its turn may have been its last.
        guard let last = addressed.last.map(Int.init), last < devices.count else { return }
        let (kind, name) = (definition(of: last).kind, devices[last].device.name)
        effects.append(
            Effect(at: now, kind: kind, device: name, what: .fault(.messageTooCostly(leftOut: count)))
        )
    }

    /// Reads a message, and finds the devices that it belongs to.
    private mutating func select(_ message: Message, _ route: TopicRouter.Route) -> SourceSelection {
        definitions[route.definition].select(
            message.payload,
            source: Int(route.source),
            captures: route.captures,
            among: route.candidates,
            in: &workspace
        )
    }

    /// Notes a short text for a known device that no source takes for a message.
    private mutating func noteIgnored(_ message: Message, _ routes: [TopicRouter.Route]) {
        guard (1...UnreadAccount.wordBytes).contains(message.payload.count),
            let text = String(validating: message.payload, as: UTF8.self)
        else { return }
        for route in routes where definitions[route.definition].sources[Int(route.source)].selectsByText {
            guard let candidate = route.candidates?.first,
                index(of: candidate.name, route.definition) != nil
            else { continue }
            let topic = String(decoding: message.topic.prefix(UnreadAccount.wordBytes), as: UTF8.self)
            accounts[route.definition].unread.add(
                .ignored(text, topic: topic),
                of: definitions[route.definition],
                device: candidate.name
            )
        }
    }

    /// Gives a message that was read to a device.
    private mutating func deliverRead(
        _ message: Message,
        _ route: TopicRouter.Route,
        item: Value,
        to index: Int,
        _ effects: inout [Effect]
    ) {
        turn(index, at: now, &effects) { turn in
            turn.receiveRead(
                isRetained: message.isRetained,
                source: Int(route.source),
                captures: route.captures,
                item: item
            )
        }
        touch(index)
        countMessage(message, of: Int(route.source), in: route.definition)
        // Several elements of one device stand next to each other; readers of the list leave out other repeats.
        if addressed.last != UInt32(index) { addressed.append(UInt32(index)) }
    }

    /// Gives a message that was read to all devices of its definition, oldest first, and keeps it for those to come.
    ///
    /// - Returns: True if there is such a device.
    private mutating func deliverToAll(
        _ message: Message,
        _ route: TopicRouter.Route,
        _ effects: inout [Effect]
    ) -> Bool {
        // Kept even if devices have taken it: those that come later need it, too.
        keep(message, route, for: nil)
        let places = devices.indices.filter { devices.span[$0].definition == route.definition }
        for (place, index) in places.enumerated() {
            if workspace.cost > limits.broadcastCost {
                leaveOut(places.count - place, of: route, &effects)
                break
            }
            deliverRead(message, route, item: .error(.unset), to: index, &effects)
        }
        return !places.isEmpty
    }

    /// Keeps a message for a device that is not known, or for all to come.
    private mutating func keep(
        _ message: Message,
        _ route: TopicRouter.Route,
        for device: AddressedDevice?
    ) {
        kept.keep(
            KeptMessages.Kept(
                definition: UInt16(route.definition),
                source: route.source,
                device: device?.name,
                topic: Array(message.topic),
                payload: Array(message.payload),
                captures: route.captures,
                item: device?.item ?? .error(.unset)
            )
        )
    }

    /// Gives a device of which nothing was heard the messages that were kept for it; they describe the past, as retained
    /// ones do.
    ///
    /// - Returns: True if there were any.
    @discardableResult
    mutating func deliverKept(to index: Int, _ effects: inout [Effect]) -> Bool {
        // A device that has started got them with its first message.
        guard !devices.span[index].device.machine.isStarted else { return false }
        let messages = kept.take(for: devices[index].device.name, devices[index].definition)
        for message in messages {
            turn(index, at: now, &effects) { turn in
                turn.receive(
                    message.payload[...],
                    isRetained: true,
                    source: Int(message.source),
                    captures: message.captures,
                    item: message.item
                )
            }
        }
        return !messages.isEmpty
    }

    /// Takes over the messages that were kept for the former definitions.
    ///
    /// What was for all has reached the devices that are there, each in its time: told again, it would undo
    /// what they have heard since. It goes to those to come only, and so do messages that all devices get by
    /// the new sources.
    ///
    /// - Parameters:
    ///   - former: The engine with the former definitions, by whose numbers they are kept.
    ///   - places: The places of the definitions here, by their former ones.
    ///   - effects: The effects, to which those of messages for known devices are added.
    mutating func takeKept(of former: Engine, _ places: [Int?], _ effects: inout [Effect]) {
        for var message in former.kept.all {
            guard let place = places[Int(message.definition)] else { continue }
            let definition = definitions[place]
            if definition === former.definitions[Int(message.definition)] {
                message.definition = UInt16(place)
                // Its numbers of sources still hold. The others are addressed again, by sources that may have changed.
                kept.keep(message)
                continue
            }
            let sent = Message(topic: message.topic[...], payload: message.payload[...], isRetained: true)
            for (number, source) in definition.sources.enumerated()
            where source.reach != .new && source.filter.matches(sent.topic) {
                let id = TopicTrie.SourceID(definition: UInt16(place), source: UInt16(number))
                let route = TopicRouter.Route(
                    asking: id,
                    among: definition.candidates(of: sent.topic, source: number),
                    captures: source.filter.capturedTexts(in: sent.topic).map { .string($0) }
                )
                if source.reach == .all || message.device == nil {
                    keep(sent, forDevicesToComeBy: route)
                } else {
                    _ = ask(sent, route, sparing: [], &effects)
                }
            }
        }
    }

    /// Keeps a message for the devices that it belongs to and that are not there yet.
    private mutating func keep(_ message: Message, forDevicesToComeBy route: TopicRouter.Route) {
        let selection = select(message, route)
        if selection.isOfAll { return keep(message, route, for: nil) }
        for device in selection.devices
        where index(of: device.name, route.definition) == nil && limits.partition?.owns(device.name) ?? true {
            keep(message, route, for: device)
        }
    }

    /// Returns whether a message is one of all devices of a definition: another filter may take the topic, such as
    /// `hub/LWT`, for one of a device.
    private func isOfAll(_ definition: Int, among routes: [TopicRouter.Route]) -> Bool {
        routes.contains {
            $0.asksMessage && $0.definition == definition
                && definitions[definition].sources[Int($0.source)].reach == .all
        }
    }

    /// Tells that a payload can't be read, if the topic names a device that is known; otherwise it is only counted.
    private mutating func refuse(
        _ refusal: PayloadRefusal,
        of message: Message,
        _ route: TopicRouter.Route,
        among routes: [TopicRouter.Route],
        _ effects: inout [Effect]
    ) {
        guard let candidate = route.candidates?.first,
            let index = index(of: candidate.name, route.definition)
        else {
            // No device is made for it: a payload that can't be read proves nothing about a device.
            if !isOfAll(route.definition, among: routes) { counters.refused += 1 }
            return
        }
        turn(index, at: now, &effects) { $0.refuse(refusal, of: Int(route.source)) }
        touch(index)
    }
}

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

/// A revision of an activity on its way to the definitions that read it.
struct Relay: Sendable {
    /// The snapshot, on a topic of the engine.
    var message: Message
    /// The number of relays that led to it.
    var depth: Int
}

// A definition may read the activities of another kind: each revision is a message on `$skerry/<kind>/<device>`, handled in
// the same input, at the same time, once the device that has the activity has had its turn.

extension Engine {
    /// Returns for each definition whether another one reads its activities.
    static func areRead(_ definitions: [Definition]) -> [Bool] {
        let kinds = kindsRead(by: definitions)
        return definitions.map { definition in kinds.contains { $0.hasSameCodePoints(as: definition.kind) } }
    }

    private static func kindsRead(by definitions: [Definition]) -> [String] {
        definitions.flatMap { $0.sources.compactMap { $0.filter.activityKind } }
    }

    /// The kinds whose activities definitions read.
    public var kindsRead: [String] { Self.kindsRead(by: definitions) }

    /// Makes the message by which definitions read an activity.
    public static func activityMessage(
        _ snapshot: ArraySlice<UInt8>,
        ofKind kind: String,
        _ name: String,
        isRetained: Bool
    ) -> Message {
        let topic = "\(TopicFilter.engineLevel)/\(kind)/\(name)"
        return Message(topic: ArraySlice(topic.utf8), payload: snapshot, isRetained: isRetained)
    }

    /// Puts the snapshot of an activity on its way, if another definition reads it.
    mutating func relay(_ snapshot: @autoclosure () -> [UInt8], of index: Int, isRetained: Bool = false) {
        guard areRead[Int(devices.span[index].definition)] else { return }
        // Kinds that read each other in a circle are refused by the check of definitions; this ends them here.
        guard relayDepth < definitions.count else { return }
        let (kind, name) = (definition(of: index).kind, devices[index].device.name)
        relay(snapshot(), ofKind: kind, name, isRetained: isRetained)
    }

    /// Puts an effect on its way that did not come of a turn: the end of a run whose device is gone or was created again.
    mutating func relay(_ effect: Effect) {
        guard case .update(let update) = effect.what,
            Self.kindsRead(by: definitions).contains(where: { $0.hasSameCodePoints(as: effect.kind) })
        else { return }
        relay(update.snapshotJSON(), ofKind: effect.kind, effect.device, isRetained: false)
    }

    private mutating func relay(
        _ snapshot: [UInt8],
        ofKind kind: String,
        _ name: String,
        isRetained: Bool
    ) {
        let message = Self.activityMessage(snapshot[...], ofKind: kind, name, isRetained: isRetained)
        relays.append(Relay(message: message, depth: relayDepth + 1))
    }

    /// Delivers the activities that are on their way, and those that change by it.
    mutating func deliverRelays(_ effects: inout [Effect]) {
        while !relays.isEmpty {
            // By rounds: what these cause comes after all of them, one level deeper.
            let arrived = relays
            relays.removeAll()
            for relay in arrived {
                if workspace.cost > limits.broadcastCost { break }
                relayDepth = relay.depth
                route(relay.message, &effects)
            }
        }
        assert(relayDepth <= definitions.count, "activities are read in a circle")
        relayDepth = 0
    }

    /// Gives all present activities to the definitions that read them, as the broker gives retained messages: they set
    /// signals and are no events.
    mutating func relayRetained(_ effects: inout [Effect]) {
        for index in devices.indices {
            guard let activity = devices[index].device.activity else { continue }
            relay(activity.snapshotJSON(), of: index, isRetained: true)
        }
        deliverRelays(&effects)
    }
}
