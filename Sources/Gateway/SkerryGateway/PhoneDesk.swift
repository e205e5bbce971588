public import Logging
public import SkerryActivity
public import SkerryEngine
public import SkerryPhones
public import SkerryValues
import Synchronization

/// The desk of the phones: takes deliveries of the bridge and reports of phones, and decides what is sent.
///
/// Everything is stored before it counts: a delivery before it is settled, a report before it is answered, a push
/// before it leaves. Changes come one after the other, and each waits for its commit. Readers never wait: they see the
/// former state until the commit is through, so a slow disk can't delay the bus, which asks for decisions.
public final class PhoneDesk: Sendable {
    /// The next step of a sender.
    public enum Step: Sendable {
        /// Send this push, and report its result. Further pushes may follow before that.
        case push(Push)
        /// Nothing for this time, unless woken before; nil to wait until woken.
        case wait(Interval?)
    }

    private let store: any PhoneStore
    private let queue: SinkQueue
    private let partition: Partition?
    private let failures: FailureLog
    private let logger: Logger
    private let onLoss: @Sendable (StoreFault) -> Void
    /// The lock of those who change the scheduler, held during the commit, too; always taken before ``state``.
    private let changing = Mutex(())
    /// The scheduler in force; locked to read or replace it, never during a commit.
    private let state: Mutex<State>

    fileprivate struct State {
        var scheduler: PushScheduler
        var clock: DeskClock
        var wake: (@Sendable () -> Void)?
        /// A number that is another one after every change of what a phone may see.
        var audienceVersion: UInt64 = 0
        var tellAudience: (@Sendable () -> Void)?
        var tellGesture: (@Sendable (PhoneGesture) -> Void)?
        var tellClock: (@Sendable (Interval) -> Void)?
    }

    /// The pause after the store refused a commit.
    private static let storePause = Interval.seconds(1)

    /// Makes a desk with the phones of the store.
    ///
    /// - Parameters:
    ///   - settings: The budgets of phones.
    ///   - audience: Who gets which activities.
    ///   - quiet: The hours in which nothing sounds.
    ///   - store: The store of phones.
    ///   - queue: The queue of the bridge's deliveries.
    ///   - partition: The share of the devices; nil for all. A phone reports cards of other partitions, too.
    ///   - clock: The clock of the gateway.
    ///   - logger: Where it tells people what it decides.
    ///   - onLoss: Called with the fault when only another process can go on with the store.
    /// - Throws: ``StoreFault`` when the store can't be read.
    public init(
        settings: PushSchedulerSettings = PushSchedulerSettings(),
        audience: AudiencePolicy = AudiencePolicy(),
        quiet: QuietHours = QuietHours(),
        store: some PhoneStore,
        queue: SinkQueue,
        partition: Partition? = nil,
        clock: some GatewayClock,
        logger: Logger,
        onLoss: @escaping @Sendable (StoreFault) -> Void = { _ in }
    ) throws(StoreFault) {
        var clock = clock
        // Browsers are in the same table, and get no pushes.
        let restored = PushScheduler.restored(
            from: try store.load().filter { !$0.isOfBrowser },
            settings: settings,
            audience: audience,
            quiet: quiet
        )
        for (id, fault) in restored.refused {
            logger.warning(
                .phoneUnreadable,
                "\(id): its image can't be read, \(fault.message); it is left out"
            )
        }
        // A clock that is behind what was stored is wrong, and phones drop what is dated wrongly.
        if let past = restored.scheduler.latestPast { clock.start(after: PastMoment(at: past)) }
        self.store = store
        self.queue = queue
        self.partition = partition
        failures = FailureLog(store, logger: logger)
        self.logger = logger
        self.onLoss = onLoss
        state = Mutex(State(scheduler: restored.scheduler, clock: DeskClock(clock)))
    }

    /// Calls back, from any thread, when there may be something to send: a delivery, a report, a new phone.
    package func onWork(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        queue.onWork(wake)
    }

    /// Replaces the policy that says who gets which activities, and the hours in which nothing sounds.
    package func setAudience(_ audience: AudiencePolicy, quiet: QuietHours) {
        let isNew = changing.withLock { _ in
            state.withLock { state in
                state.scheduler.quiet = quiet
                guard state.scheduler.audience != audience else { return false }
                state.scheduler.setAudience(audience, at: state.clock.now)
                return true
            }
        }
        guard isNew else { return }
        audienceChanged()
        state.withLock { $0.wake }?()
    }

    /// Has a bridge publish what users do with cards, each gesture at most once.
    ///
    /// - Parameters:
    ///   - sink: The topics of the bridge.
    ///   - mailbox: Where the bridge finds the messages; those that it has no room for are dropped.
    ///   - wake: Has the bridge look into it.
    package func publishGestures(
        by sink: MQTTSink,
        through mailbox: QuestionMailbox,
        wake: @escaping @Sendable () -> Void
    ) {
        let tell = { @Sendable (gesture: PhoneGesture) in
            let message = sink.publication(of: gesture)
            if mailbox.put({ $0?.announce(message) }) { wake() }
        }
        state.withLock { $0.tellGesture = tell }
    }

    /// Tells readers that phones may see something else.
    private func audienceChanged() {
        let tell = state.withLock { state in
            state.audienceVersion += 1
            return state.tellAudience
        }
        tell?()
    }

    /// Has a function called, from any thread, with each step of the clock by which the phones are looked after.
    package func onClockMove(_ tell: @escaping @Sendable (Interval) -> Void) {
        state.withLock { $0.tellClock = tell }
    }

    /// Follows the wall clock when the bridge does: without pushes nobody asks for the next step, which looks at it, too.
    package func watch(_ event: BridgeEvent) {
        guard case .clock(let clock, _) = event else { return }
        changing.withLock { _ in
            _ = look()
            queue.setClock(isKnown: clock.state == .known)
            _ = look()
        }
    }

    /// Returns the next step; a push is stored before it is returned.
    public func next() -> Step {
        changing.withLock { _ in
            let (before, isKnown) = look()
            let now = before.clock.now
            let deliveries = queue.take(at: now)
            // A copy: if the store refuses it, nothing has happened.
            var next = before.scheduler
            for delivery in deliveries {
                next.show(
                    delivery.update,
                    kind: delivery.kind,
                    device: delivery.device,
                    raised: AlertOrigin(rev: delivery.alertRev, at: delivery.alertedAt),
                    at: now
                )
            }
            let push = next.nextPush(at: now, clockIsKnown: isKnown)
            let ids = deliveries.map { $0.id }
            do throws(StoreFault) {
                try keep(&next)
            } catch {
                queue.putBack(ids)
                logger.warning(.pushNotStored, "no push, because the store refused it: \(error.message)")
                return .wait(Self.storePause)
            }
            // Only after the commit: a process that ends in between
            // gets the deliveries again and finds nothing new in them.
            queue.settle(ids)
            replace(with: next)
            if let push { return .push(push) }
            guard isKnown, let due = next.nextDeadline(at: now) else { return .wait(nil) }
            return .wait(max(.zero, before.clock.timeLeft(until: due)))
        }
    }

    /// Records the result of a push.
    public func answered(_ push: Push, _ answer: PushAnswer) {
        changing.withLock { _ in
            let before = look().state
            var next = before.scheduler
            next.answered(push, answer, chance: Pause.chance(of: push.payload), at: before.clock.now)
            // `keep` takes the changes out of `next`; if the store
            // refuses, they have to be in there for the next attempt.
            let unkept = next
            do throws(StoreFault) {
                try keep(&next)
                replace(with: next)
            } catch {
                // It is stored with the next step; until then a restart would ask again.
                logger.warning(.pushNotStored, "the result of a push is not stored yet: \(error.message)")
                replace(with: unkept)
            }
        }
    }

    /// The last decisions about the activities of a device, oldest first.
    public func decisions(kind: String, device: String) -> [PhoneDecision] {
        state.withLock { $0.scheduler }.decisions(kind: kind, device: device)
    }

    /// Changes the scheduler, or nothing when the store refuses.
    private func change<Result: Sendable>(
        _ body: @Sendable (inout PushScheduler) -> Result
    ) throws(StoreFault) -> Result {
        let result = try changing.withLock { _ throws(StoreFault) in
            var next = state.withLock { $0.scheduler }
            let result = body(&next)
            try keep(&next)
            replace(with: next)
            return result
        }
        state.withLock { $0.wake }?()
        return result
    }

    /// Follows the wall clock, and returns the state after it; for those who hold ``changing``: a commit of others that is
    /// under way would undo the step.
    private func look() -> (state: State, isKnown: Bool) {
        let (state, isKnown, move) = state.withLock { state in
            let look = state.lookAtClock(queue)
            return (state, look.isKnown, look.move)
        }
        if let move { state.tellClock?(move) }
        return (state, isKnown)
    }

    /// Stores the changes.
    private func keep(_ scheduler: inout PushScheduler) throws(StoreFault) {
        let changes = scheduler.takeChanges()
        if changes.images.isEmpty, changes.removed.isEmpty { return }
        do throws(StoreFault) {
            try store.commit(changes.images, removed: changes.removed)
        } catch {
            if error.endsProcess { onLoss(error) }
            throw error
        }
    }

    /// Puts a scheduler into force, and logs its decisions.
    private func replace(with scheduler: PushScheduler) {
        var scheduler = scheduler
        let news = scheduler.takeNews()
        let gestures = scheduler.takeGestures()
        let tell = state.withLock { [scheduler] state in
            state.scheduler = scheduler
            return state.tellGesture
        }
        // Outside the lock, because it wakes the bridge, which may ask this desk.
        if let tell { gestures.forEach(tell) }
        failures.note(news, of: "phones")
        for decision in news {
            let phone = decision.phone.isEmpty ? "all phones" : decision.phone
            logger.info(
                .pushDecision,
                "\(decision.activity), \(phone): \(decision.kind.name): \(decision.text)"
            )
        }
    }
}

extension PhoneDesk.State {
    /// Follows the wall clock.
    ///
    /// - Returns: whether the time is known, and the step of the clock; nil without one.
    fileprivate mutating func lookAtClock(_ queue: SinkQueue) -> (isKnown: Bool, move: Interval?) {
        let look = clock.look(queue)
        if let step = look.step { scheduler.clockStepped(by: step) }
        return (look.isKnown, look.move)
    }
}

extension PhoneDesk: PhoneDirectory {
    /// All phones, in the order of their pairing.
    public func phones() -> [PhoneSummary] {
        let state = state.withLock { $0 }
        let now = state.clock.now
        return state.scheduler.pairedPhones.map { PhoneSummary($0, state.scheduler.budgets(of: $0, at: now)) }
    }

    /// The credential of a phone; nil if there is no such phone.
    public func credential(of phone: String) -> [UInt8]? {
        state.withLock { $0.scheduler }.pairedPhones.first { $0.id == phone }?.credential
    }

    /// The right of a phone to see, as it is now; nil when there is no such phone.
    package func viewer(of phone: String) -> Viewer? {
        let scheduler = state.withLock { $0.scheduler }
        return scheduler.pairedPhones.first { $0.id == phone }.map {
            .phone($0.id, person: $0.person, scheduler.audience)
        }
    }

    /// The right to see of a browser, as it is now.
    package func viewer(ofBrowser id: String, person: String?) -> Viewer {
        .phone(id, person: person, state.withLock { $0.scheduler }.audience)
    }

    /// A number that is another one after every change of what a phone may see.
    package var audienceVersion: UInt64 { state.withLock { $0.audienceVersion } }

    /// Has a function called, from any thread, after each such change.
    package func onAudienceChange(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.tellAudience = wake }
    }

    /// The time by which the phones are looked after.
    public var now: Timestamp { state.withLock { $0.clock.now } }

    /// Adds a phone.
    public func pair(_ phone: NewPhone, at now: Timestamp) throws(StoreFault) {
        try change { scheduler in
            scheduler.pair(
                phone.id,
                name: phone.name,
                person: phone.person,
                credential: phone.credential,
                at: now
            )
        }
    }

    /// The bundle ids of the apps that the bridge has keys for; empty when phones may have any app.
    package var bundleIDs: [String] { state.withLock { $0.scheduler.settings.bundleIDs } }

    /// Takes a report of a phone in.
    public func report(
        _ report: PhoneReport,
        of phone: String,
        at now: Timestamp
    ) throws(StoreFault) -> Bool {
        try change { scheduler in
            var report = report
            if let partition {
                // A card of another partition is not unknown, so it must not be ended here.
                report.activities.removeAll { !partition.has($0.id) && !scheduler.follows($0.id) }
                if let opened = report.opened, !partition.has(opened.device) { report.opened = nil }
            }
            return scheduler.report(report, of: phone, at: now)
        }
    }

    /// Changes the person that a phone belongs to; nil for none.
    package func assign(_ person: String?, to phone: String) throws(StoreFault) -> Bool {
        let now = now
        let isThere = try change { scheduler in scheduler.assign(person, to: phone, at: now) }
        audienceChanged()
        return isThere
    }

    /// Begins a test activity on a phone.
    public func test(_ contracts: [LiveActivityContract], on phone: String) throws(StoreFault) -> PhoneTest {
        let now = now
        return try change { scheduler in scheduler.test(contracts, on: phone, at: now) }
    }

    /// Forgets a phone.
    package func unpair(_ phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
        let wasThere = try change { scheduler in scheduler.unpair(phone, at: now) }
        audienceChanged()
        return wasThere
    }
}

extension PhoneSummary {
    fileprivate init(
        _ phone: Phone,
        _ budgets: (immediate: (Int, Int), starts: (Int, Int), widgets: (Int, Int))
    ) {
        self.init(id: phone.id, name: phone.name, pairedAt: phone.pairedAt)
        person = phone.person
        heardAt = phone.heardAt
        bundleID = phone.bundleID
        environment = phone.environment
        systemVersion = phone.systemVersion
        allowsFrequentUpdates = phone.allowsFrequentUpdates
        allowsActivities = phone.allowsActivities
        hides = phone.hides
        notifiableSince = phone.notifiableSince
        if let (kinds, since) = phone.drawableWidgets { widgets = Widgets(kinds: kinds, confirmedAt: since) }
        counts = phone.counts
        startTokens = phone.startableTypes.map { StartToken(type: $0.type, confirmedAt: $0.confirmedAt) }
        activities = phone.shownActivities
        self.budgets = [
            Budget(name: "pushes at once", used: budgets.immediate.0, limit: budgets.immediate.1),
            Budget(name: "starts", used: budgets.starts.0, limit: budgets.starts.1),
        ]
        if widgets != nil {
            self.budgets.append(Budget(name: "widgets", used: budgets.widgets.0, limit: budgets.widgets.1))
        }
    }
}

extension Partition {
    /// Returns whether it has the device of an activity's id or of `kind/device`.
    fileprivate func has(_ place: String) -> Bool {
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && owns(String(parts[1]))
    }
}
