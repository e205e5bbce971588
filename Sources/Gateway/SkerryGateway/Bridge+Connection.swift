import Logging
import SkerryEngine
import SkerryValues

// The calls of the bus about its connection: what to subscribe to, and what came of it.

extension Bridge {
    /// The filters of all definitions, of commands and questions, and of the read-back.
    public func subscriptionPlan() -> SubscriptionPlan {
        var filters = filters + [sink.commandFilter] + sink.questionFilters + inbound.cutFilters
        if let homeAssistant { filters.append(homeAssistant.statusTopic) }
        // A bridge that may still have to end takes nothing in.
        let mayBeRefused = readBack.stage == .meeting && !isAdmitted
        var plan = SubscriptionPlan(
            filters: mayBeRefused ? [] : filters,
            obsolete: connection.obsolete(beside: filters),
            // A store that is new or lost commits lacks values that the session's filters brought before.
            wantsRetained: readBack.isDue
        )
        switch readBack.stage {
        case .apart: break
        case .meeting: plan.own = sink.meetingFilters + otherFilters
        case .comparing:
            plan.own = sink.retainedFilters + announcementFilters + [sink.echoTopic]
            plan.watched = sink.bridgeFilters
        case .watching:
            plan.watched = sink.bridgeFilters
            // Those of all partitions would come to each.
            if options.engine.partition == nil { plan.watched += sink.retainedFilters }
        }
        return plan
    }

    /// Reports filters that the broker refused.
    public func subscribed(_ outcomes: [SubscriptionOutcome]) {
        let plan = subscriptionPlan()
        let answers = outcomes.filter { plan.own.contains($0.filter) }
        let others = outcomes.filter { plan.filters.contains($0.filter) }
        for outcome in others where outcome.granted == nil {
            journal.note(
                .subscriptionRefused,
                "the broker refused the subscription to \(outcome.filter): \(outcome.reason)",
                kind: "subscription to \(outcome.filter) refused",
                at: clock.now
            )
        }
        if answers.contains(where: { $0.granted != nil }) {
            readBack.asked(at: clock.now)
        } else if !answers.isEmpty {
            // Every filter was refused, so no echo will come: the step ends now.
            readBack.postpone(until: clock.now)
        }
        if !others.isEmpty { watcher.tell(.subscribed) }
    }

    /// Begins the read-back; nothing is published before it shows whether another bridge is online.
    public func connected(_ session: BusSession) {
        connection.open(at: clock.now)
        isHeldBack = true
        journal.health.connects += 1
        journal.logger.info(.connected, "connected\(session.isResumed ? ", the session goes on" : "")")
        inbound.handled.begin(session)
        // The broker may have restored older ones.
        lists = [:]
        readBack.begin(session, expecting: retained.keys)
        watcher.tell(.connected)
    }

    /// Reports why there is no connection.
    public func disconnected(_ fault: BusFault) {
        connection.close(fault.message, at: clock.now)
        if fault.kind == .takenOver {
            isThrownOff = true
            journal.health.takenOver += 1
        }
        readBack.stop()
        journal.note(.disconnected, fault.message, at: clock.now)
        watcher.tell(.disconnected(fault))
    }

    /// The last publication, `offline`; nil if the bridge never announced itself.
    public func farewell() -> Publication? {
        // Its `offline` would stand for the bridge that is really online.
        guard isAdmitted, !isRefused else { return nil }
        var publication = sink.state(isOnline: false)
        publication.id = ledger.nextID()
        return publication
    }

    /// The filters of what bridges with this prefix retain about themselves, whatever devices they have.
    private var otherFilters: [String] {
        options.engine.partition == nil ? [] : ["\(sink.prefix)/+/state", "\(sink.prefix)/+/info"]
    }

    func reportHealth(at now: Timestamp) {
        alarms[.health] = now + options.healthInterval
        announce(healthReport(at: now))
    }

    /// The publication of `bridge/health`.
    func healthReport(at now: Timestamp) -> Publication {
        journal.health.report(
            engine: engine,
            number: ledger.progress.told,
            waiting: ledger.waiting,
            dropped: ledger.droppedCount,
            sinks: ledger.sinks,
            at: now,
            topic: sink.healthTopic
        )
    }
}
