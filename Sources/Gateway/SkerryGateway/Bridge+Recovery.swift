public import Logging
import SkerryActivity
public import SkerryDevice
import SkerryEngine
import SkerryMachine
public import SkerryPhones
import SkerryValues

extension Bridge {
    /// Makes a bridge that is not connected yet, with the devices of the store.
    ///
    /// First the unsettled publications, then the devices, then the deadlines of the downtime, in order and each at
    /// its own time. The result is committed.
    ///
    /// - Parameters:
    ///   - definitions: The definitions of the devices.
    ///   - store: The store for everything that survives a restart.
    ///   - clock: The source of time; its present time makes the epoch of all revisions if the store is new.
    ///   - options: Its options.
    ///   - sinks: The queues of further sinks besides the broker, each with a name of its own.
    ///   - mailbox: The source of changed definitions while it runs.
    ///   - inquiries: Questions of other threads.
    ///   - surroundings: The process around the bridge; without it, requests that need it are refused.
    ///   - logger: The log.
    ///   - watch: Called for everything that those who watch may like to know, on the thread of the bus.
    ///   - wantsTimelines: Asked, on the thread of the bus, whether those who watch want timelines.
    ///   - decisions: Asked, on the thread of the bus, what was decided last about a device on phones, oldest first.
    /// - Returns: the bridge, and what was recovered; nil for that if the store is new.
    /// - Throws: ``StoreFault`` when the store can't be read.
    public static func recover(
        definitions: [Definition],
        store: Storage,
        clock: Clock,
        options: BridgeOptions,
        sinks: [SinkQueue] = [],
        mailbox: DefinitionMailbox = DefinitionMailbox(),
        inquiries: QuestionMailbox = QuestionMailbox(),
        surroundings: BridgeSurroundings? = nil,
        logger: Logger,
        watch: @escaping @Sendable (BridgeEvent) -> Void = { _ in },
        wantsTimelines: @escaping @Sendable () -> Bool = { false },
        decisions: @escaping @Sendable (_ kind: String, _ device: String) -> [PhoneDecision] = { _, _ in [] }
    ) throws(StoreFault) -> (bridge: Bridge, recovery: Recovery?) {
        var store = store
        var clock = clock
        let state = try store.load()
        if let past = state.progress?.past { clock.start(after: past) }
        let bridge = Bridge(
            state,
            definitions,
            store,
            clock,
            options,
            sinks,
            mailbox,
            inquiries,
            surroundings,
            logger,
            watch,
            wantsTimelines,
            decisions
        )
        bridge.tellClock()
        watch(.clock(clock, movedBy: .zero))
        return (bridge, bridge.restore(state, at: bridge.health.startedAt))
    }

    /// Restores the state of the store.
    ///
    /// - Returns: what was recovered; nil if the store is new.
    private func restore(_ state: StoredState, at now: Timestamp) -> Recovery? {
        for publication in state.publications {
            stored.insert(publication.id)
            lastID = max(lastID, publication.id)
            queue(publication)
        }
        restoreDeliveries(state.deliveries)
        guard let progress = state.progress else { return nil }
        let downtime = Downtime(start: progress.aliveAt, end: now)
        let layouts = Dictionary(state.layouts.map { ($0.id, $0) }) { first, _ in first }
        let isCareful = beginRecovery(state, at: now)
        var restoration = EngineRestoration(of: engine, after: downtime)
        // 0012: the runs of the device that is left out are unknown,
        // so new ones must be named later than any of them.
        if state.recovery.culprit != nil { restoration.loseRuns(upTo: downtime.start.flooredSeconds) }
        var restored = 0
        for image in state.devices {
            let device = DeviceKey(kind: image.kind, name: image.name)
            if device == state.recovery.culprit { continue }
            if isCareful { noteTurn(of: device) }
            if let layout = layouts[image.layout] {
                if restore(image, layout, at: now, &restoration) { restored += 1 }
            } else {
                giveUp(image, "the layout of its image is missing", at: now, &restoration)
            }
        }
        // A crash from here on is not the fault of the last device.
        if isCareful { noteTurn(of: nil) }
        if state.mayHaveForgotten {
            // Before the deadlines of the downtime: a reader needs
            // the restored snapshots for the differences that follow.
            rememberRetained(of: restoration.engine)
            logger.notice(
                .commitsLost,
                "the last commits may be missing: everything is published again, in a new epoch"
            )
            for publication in retained.values.sorted(by: { $0.topic < $1.topic }) { enqueue(publication) }
        }
        let late: [Effect]
        (engine, late) = restoration.finish(
            since: progress.origin(in: clock.boot),
            before: isCareful ? { self.noteTurn(of: DeviceKey(kind: $0, name: $1)) } : nil
        )
        if isCareful { noteTurn(of: nil) }
        tell(late)
        rememberRetained(of: engine)
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            watch(.resumed(kind: kind, device: device.name, update))
        }
        let recovery = Recovery(devices: restored, downtime: downtime.length, late: late.count)
        logger.info(.recovered, "\(recovery)")
        showsActivities = !sinks.isEmpty
        _ = commit()
        // Only now: a crash during the commit is one of this recovery, too.
        note(RecoveryMark())
        return recovery
    }

    /// Restores a device in the engine.
    ///
    /// - Returns: whether it was restored.
    private func restore(
        _ image: DeviceImage,
        _ layout: DefinitionLayout,
        at now: Timestamp,
        _ restoration: inout EngineRestoration
    ) -> Bool {
        var effects: [Effect] = []
        defer { tell(effects) }
        switch restoration.restore(image, layout: layout, effects: &effects) {
        case .restored: return true
        case .orphaned(let toldAvailability):
            forget(image, toldAvailability: toldAvailability)
            mention(
                .deviceOrphaned,
                "\(image.kind)/\(image.name): its definition no longer exists; its activity ends",
                kind: "devices whose definition no longer exists",
                at: now
            )
        case .beyondLimit(let toldAvailability):
            forget(image, toldAvailability: toldAvailability)
            note(
                .deviceLost,
                "\(image.kind)/\(image.name): there are too many devices; its activity ends",
                kind: "devices beyond the limit",
                at: now
            )
        case .refused(let fault):
            giveUp(image, "its image can't be read, \(fault.message)", at: now, &restoration)
        }
        return false
    }

    /// Reports a device that can't be restored; its retained messages will be found and deleted.
    private func giveUp(
        _ image: DeviceImage,
        _ reason: String,
        at now: Timestamp,
        _ restoration: inout EngineRestoration
    ) {
        readBack.isDue = true
        restoration.loseRuns(upTo: changes.progress.aliveAt.flooredSeconds)
        let isDefined = engine.definitions.contains { $0.kind.hasSameCodePoints(as: image.kind) }
        if !isDefined { forget(image, toldAvailability: true) }
        let outcome =
            isDefined ? "it starts again with its next message" : "its definition no longer exists either"
        note(
            .deviceLost,
            "\(image.kind)/\(image.name): \(reason); \(outcome)",
            kind: "devices that can't be restored",
            at: now
        )
    }

    /// Collects the retained messages of devices, for a broker that has lost them.
    func rememberRetained(of engine: Engine) {
        engine.forEachDevice { kind, device in
            for publication in sink.retained(of: device, kind: kind)
            where retained[ExactText(publication.topic)] == nil {
                retained[ExactText(publication.topic)] = publication
            }
        }
        rememberAnnouncements(of: engine)
        engine.forEachTimeline { kind, device, timeline in
            let publication = sink.timeline(timeline, of: device, kind: kind)
            if retained[ExactText(publication.topic)] == nil {
                retained[ExactText(publication.topic)] = publication
            }
        }
    }
}
