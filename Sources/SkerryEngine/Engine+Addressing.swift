import SkerryDevice

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
        for route in routes {
            if !route.asksMessage {
                deliver(message, by: route, &effects)
                isTaken = true
            } else if ask(message, route, sparing: routes, &effects) {
                isTaken = true
            }
        }
        if !isTaken { counters.ignored += 1 }
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
        if let candidates = route.candidates, candidates.isEmpty { return false }
        let definition = definitions[route.definition]
        let selection = definition.select(
            message.payload,
            source: Int(route.source),
            captures: route.captures,
            among: route.candidates,
            in: &workspace
        )
        unaddressedFailures += selection.failedReadings
        counters.beyondLimit += selection.leftOut
        for failure in selection.failures { accounts[route.definition].failures.add(failure) }
        if let refusal = selection.refusal {
            refuse(refusal, of: message, route, &effects)
            return true
        }
        for device in selection.devices {
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
            turn(index, at: now, &effects) { turn in
                turn.receiveRead(
                    isRetained: message.isRetained,
                    source: Int(route.source),
                    captures: route.captures,
                    item: device.item
                )
            }
            touch(index)
            if !addressed.contains(UInt32(index)) { addressed.append(UInt32(index)) }
        }
        return !selection.devices.isEmpty
    }

    /// Tells that a payload can't be read, if the topic names a device that is known; otherwise it is only counted.
    private mutating func refuse(
        _ refusal: PayloadRefusal,
        of message: Message,
        _ route: TopicRouter.Route,
        _ effects: inout [Effect]
    ) {
        guard let candidate = route.candidates?.first,
            let index = index(of: candidate.name, route.definition)
        else {
            counters.refused += 1
            return
        }
        turn(index, at: now, &effects) { $0.refuse(refusal) }
        touch(index)
    }
}
