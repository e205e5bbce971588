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
        let ports = BridgePorts(
            sinks: sinks,
            definitions: mailbox,
            questions: inquiries,
            surroundings: surroundings,
            logger: logger,
            watcher: BridgeWatcher(tell: watch, wantsTimelines: wantsTimelines, decisions: decisions)
        )
        let bridge = Bridge(
            after: state,
            definitions: definitions,
            store: store,
            clock: clock,
            options: options,
            ports: ports
        )
        bridge.tellClock()
        watch(.clock(clock, movedBy: .zero))
        return (bridge, bridge.restore(state, at: bridge.journal.health.startedAt))
    }

    /// Restores the state of the store.
    ///
    /// - Returns: what was recovered; nil if the store is new.
    private func restore(_ state: StoredState, at now: Timestamp) -> Recovery? {
        noteDropped(ledger.restore(state, at: clock.now))
        guard let progress = state.progress else { return nil }
        let downtime = Downtime(start: progress.aliveAt, end: now)
        let layouts = Dictionary(state.layouts.map { ($0.id, $0) }) { first, _ in first }
        var turns = beginRecovery(state, at: now)
        var restoration = EngineRestoration(of: engine, after: downtime)
        // 0012: the runs of the device that is left out are unknown,
        // so new ones must be named later than any of them.
        if state.recovery.culprit != nil { restoration.loseRuns(upTo: downtime.start.flooredSeconds) }
        var restored = 0
        for image in state.devices {
            let device = DeviceKey(kind: image.kind, name: image.name)
            if device == state.recovery.culprit { continue }
            if turns.isCareful { begin(device, in: &turns) }
            if let layout = layouts[image.layout] {
                if restore(image, layout, at: now, &restoration) { restored += 1 }
            } else {
                giveUp(image, "the layout of its image is missing", at: now, &restoration)
            }
        }
        // A crash from here on is not the fault of the last device.
        if turns.isCareful { begin(nil, in: &turns) }
        if state.mayHaveForgotten {
            // Before the deadlines of the downtime: a reader needs
            // the restored snapshots for the differences that follow.
            readBack.expect(
                restoration.engine,
                announcements: announcer.announcements(of: restoration.engine)
            )
            journal.logger.notice(
                .commitsLost,
                "the last commits may be missing: everything is published again, in a new epoch"
            )
            for publication in readBack.expected { enqueue(publication) }
        }
        let late: [Effect]
        (engine, late) = restoration.finish(
            since: progress.origin(in: clock.boot),
            before: turns.isCareful ? { self.begin(DeviceKey(kind: $0, name: $1), in: &turns) } : nil
        )
        if turns.isCareful { begin(nil, in: &turns) }
        tell(late)
        readBack.expect(engine, announcements: announcer.announcements(of: engine))
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            watcher.tell(.resumed(kind: kind, device: device.name, update))
        }
        let recovery = Recovery(devices: restored, downtime: downtime.length, late: late.count)
        journal.logger.info(.recovered, "\(recovery)")
        ledger.showActivitiesSoon()
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
            journal.mention(
                .deviceOrphaned,
                "\(image.kind)/\(image.name): its definition no longer exists; its activity ends",
                kind: "devices whose definition no longer exists",
                at: now
            )
        case .beyondLimit(let toldAvailability):
            forget(image, toldAvailability: toldAvailability)
            journal.note(
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
        readBack.seekStrays()
        restoration.loseRuns(upTo: ledger.progress.aliveAt.flooredSeconds)
        let isDefined = engine.definitions.contains { $0.kind.hasSameCodePoints(as: image.kind) }
        if !isDefined { forget(image, toldAvailability: true) }
        let outcome =
            isDefined ? "it starts again with its next message" : "its definition no longer exists either"
        journal.note(
            .deviceLost,
            "\(image.kind)/\(image.name): \(reason); \(outcome)",
            kind: "devices that can't be restored",
            at: now
        )
    }

    /// Records that the recovery begins, and sets aside the device at which the last processes ended.
    ///
    /// - Returns: the turns of the devices.
    private func beginRecovery(_ state: StoredState, at now: Timestamp) -> RecoveryTurns {
        for device in state.setAside {
            journal.logger.warning(
                .deviceSetAside,
                "\(device.device) has been set aside since \(device.at.flooredSeconds)"
            )
        }
        journal.health.setAside = state.setAside.map { "\($0.device)" }
        if let device = state.recovery.culprit { setAside(device, at: now) }
        let turns = RecoveryTurns(after: state.recovery)
        note(turns.mark)
        if turns.isCareful {
            journal.logger.warning(
                .recoveryRepeated,
                "the last start ended while devices were being restored: this time they are restored one by one"
            )
        }
        return turns
    }

    private func setAside(_ device: DeviceKey, at now: Timestamp) {
        journal.note(
            .deviceSetAside,
            "\(device) has ended several processes while it was being restored: it is set aside, and starts again with its next message",
            at: now
        )
        if !journal.health.setAside.contains("\(device)") { journal.health.setAside.append("\(device)") }
        do throws(StoreFault) {
            try store.setAside(SetAsideDevice(device: device, at: now))
        } catch {
            journal.note(.commitRefused, "the store can't set \(device) aside: \(error.message)", at: now)
        }
    }

    /// Names a device to the store before its turn, or nil behind the last one.
    private func begin(_ device: DeviceKey?, in turns: inout RecoveryTurns) {
        turns.begin(device)
        note(turns.mark)
    }

    /// Stores the progress of the recovery.
    private func note(_ mark: RecoveryMark) {
        do throws(StoreFault) {
            try store.note(mark)
        } catch {
            journal.note(
                .commitRefused,
                "the store did not note the progress of the recovery: \(error.message)",
                at: clock.now
            )
        }
    }
}
