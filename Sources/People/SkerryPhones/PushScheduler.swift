public import SkerryActivity
public import SkerryValues

/// The phones of a household: decides what is pushed to them, when and how urgently, and records why something is not.
///
/// A value without a clock: every moment comes in with a call. Only the newest state of each activity counts, and
/// each push is rendered from it when it is decided. Decisions survive a restart if ``takeChanges()`` is made durable
/// before a push leaves.
public struct PushScheduler: Sendable {
    /// The budgets, and how patient the household is.
    public let settings: PushSchedulerSettings
    /// Who gets which activities; a phone that loses one is told its end.
    public internal(set) var audience: AudiencePolicy
    /// The hours in which nothing sounds.
    package var quiet: QuietHours { didSet { planAnew() } }
    /// The phones in the order of their pairing, and those that were removed and still show something.
    var phones: [Phone] = []
    /// The phones of the household in the order of their pairing.
    package var pairedPhones: [Phone] { phones.filter { $0.leftAt == nil } }
    /// The activities that are followed, by their ids.
    var activities: [FollowedActivity] = []
    /// The state of the push services.
    var services = PushServices()
    var lastPush: UInt64 = 0
    var changes = Changes()
    /// Decisions that concern channels, and so all phones.
    var decisions = DecisionRing()
    /// The gestures of users since that was last asked.
    var gestures: [PhoneGesture] = []

    /// The state of a push service.
    struct Service: Sendable {
        var pushes = Obstacle()
        /// The obstacle to making and removing channels.
        var channels = Obstacle()
        /// Hashes of the channels that existed before our first one; nil until they have been listed.
        var strangers: [UInt64]?
    }

    /// The parts that changed since the last ``PushScheduler/takeChanges()``.
    struct Changes: Sendable {
        var phones: [String] = []
        var activities: [String] = []
        var removed: [String] = []
        var areServicesTouched = false
    }

    /// Makes a scheduler without phones.
    public init(
        settings: PushSchedulerSettings = PushSchedulerSettings(),
        audience: AudiencePolicy = AudiencePolicy(),
        quiet: QuietHours = QuietHours()
    ) {
        self.settings = settings
        self.audience = audience
        self.quiet = quiet
    }

    /// Adds a phone; running activities are started on it as soon as it reports its tokens.
    ///
    /// - Parameters:
    ///   - id: Its id in addresses; a phone with the same id is replaced.
    ///   - name: Its name for people.
    ///   - person: The person that it belongs to, if that is said.
    ///   - credential: Its credential.
    ///   - now: When it was paired.
    public mutating func pair(
        _ id: String,
        name: String,
        person: String? = nil,
        credential: [UInt8],
        at now: Timestamp
    ) {
        if let place = phone(id) { forget(place) }
        var phone = Phone(id: id, name: name, credential: credential, pairedAt: now)
        phone.person = person
        phones.append(phone)
        for activity in activities.indices { follow(activity, on: phones.count - 1) }
        assert(self.phone(id) == phones.count - 1, "a phone was paired twice, or is not the last one")
        touch(phone: id)
    }

    /// Removes a phone from the household; its activities are ended, as far as they can be reached.
    ///
    /// - Returns: false when there is none of this id.
    package mutating func unpair(_ id: String, at now: Timestamp) -> Bool {
        guard let place = phone(id), phones[place].leftAt == nil else { return false }
        phones[place].leave(at: now)
        touch(phone: id)
        forgetWhoLeft(at: now)
        assert(phone(id).map { phones[$0].leftAt != nil } ?? true, "a phone is there that was removed")
        return true
    }

    /// Changes the person that a phone belongs to; nil for none.
    ///
    /// - Returns: false when there is no phone of this id.
    package mutating func assign(_ person: String?, to id: String, at now: Timestamp) -> Bool {
        guard let place = phone(id), phones[place].leftAt == nil else { return false }
        changeSight(at: now) { $0.phones[place].person = person }
        touch(phone: id)
        return true
    }

    /// Replaces the policy that says who gets which activities.
    package mutating func setAudience(_ audience: AudiencePolicy, at now: Timestamp) {
        changeSight(at: now) { $0.audience = audience }
    }

    /// Takes the newest state of an activity in; an older one, and the end of one that was never shown, changes nothing.
    ///
    /// - Parameters:
    ///   - update: The newest revision.
    ///   - kind: The kind of the device.
    ///   - device: The name of the device.
    ///   - raised: The origin of the alert of the update, if that is not the revision itself.
    ///   - now: The time.
    public mutating func show(
        _ update: ActivityUpdate,
        kind: String,
        device: String,
        raised: AlertOrigin? = nil,
        at now: Timestamp
    ) {
        if let place = activity(update.id), activities[place].isUnknown {
            activities[place] = FollowedActivity(kind: kind, device: device, update: update)
            assert(isInOrder(at: place), "an activity that gets known has another id")
            _ = activities[place].take(update, raised: raised)
            follow(place)
            redrawWidgets(of: activities[place], isState: true, at: now)
            return touch(activity: update.id)
        }
        guard let place = activity(update.id) else {
            guard update.phase != .ended else { return }
            vanishEarlierRuns(kind: kind, device: device, at: now)
            assert(runs(kind: kind, device: device).isEmpty, "a device does two jobs at a time")
            var activity = FollowedActivity(kind: kind, device: device, update: update)
            _ = activity.take(update, raised: raised)
            add(activity)
            return redrawWidgets(of: activity, isState: true, at: now)
        }
        let known = activities[place].update
        // In another epoch, revisions are counted anew.
        guard update.epoch != known.epoch || update.rev > known.rev, known.phase != .ended else { return }
        if update.rev <= known.rev { renumber(place, before: update.rev) }
        let isForetold = activities[place].foretells(update)
        if !activities[place].take(update, raised: raised) {
            note(.equal, "revision \(update.rev) looks the same", of: update.id, at: now)
        } else if !isForetold {
            // What was foretold stands in the timelines of widgets already.
            redrawWidgets(of: activities[place], isState: update.isNewState, at: now)
        }
        // Attributes are fixed within an epoch, and with them who may see the run.
        if update.epoch != known.epoch { follow(place) }
        touch(activity: update.id)
        assert(activity(update.id) == place, "an activity moves while its news is taken in")
    }

    /// Ends an activity that gets no further updates; phones remove it at once.
    package mutating func vanish(_ activity: String, at now: Timestamp) {
        guard let place = self.activity(activity), !activities[place].isOver else { return }
        activities[place].vanish(at: now)
        assert(activities[place].isOver, "an activity that gets no further updates goes on")
        redrawWidgets(of: activities[place], isState: true, at: now)
        touch(activity: activity)
    }

    /// Moves all moments by a step of the wall clock, so that waits keep their lengths.
    package mutating func clockStepped(by length: Interval) {
        for index in phones.indices {
            phones[index].clockStepped(by: length)
            touch(phone: phones[index].id)
        }
        for index in activities.indices {
            activities[index].clockStepped(by: length)
            touch(activity: activities[index].id)
        }
        services.clockStepped(by: length)
        touchServices()
    }

    /// The last decisions about the activities of a device, or about all, oldest first.
    package func decisions(kind: String, device: String) -> [PhoneDecision] {
        let start = "\(kind)/\(device)/"
        let all =
            phones.flatMap { $0.decisions.decisions } + decisions.decisions
            + exclusions(kind: kind, device: device)
        return all.filter { $0.activity.utf8.starts(with: start.utf8) }.sorted { $0.at < $1.at }
    }

    /// The decisions that were made since this was last asked.
    public mutating func takeNews() -> [PhoneDecision] {
        var news = Array(decisions.takeNews())
        for index in phones.indices { news += phones[index].decisions.takeNews() }
        return news
    }

    /// The latest moment that is known to be past; nil for a new scheduler.
    package var latestPast: Timestamp? {
        let heard = phones.map { $0.heardAt }
        let sent = phones.flatMap { $0.activities }.compactMap { $0.lane.lastSentAt }
        return (heard + sent + activities.map { $0.update.at }).max()
    }

    /// The pushes of priority 10 and the starts of a phone within the last window, and those to its widgets within the last
    /// day, each with its limit.
    package func budgets(
        of phone: Phone,
        at now: Timestamp
    ) -> (immediate: (Int, Int), starts: (Int, Int), widgets: (Int, Int)) {
        let window = settings.budgetWindow
        return (
            (phone.immediate.used(in: window, at: now), phone.immediateLimit(settings)),
            (phone.starts.used(in: window, at: now), settings.startBudget),
            (phone.widgets.spent.used(in: PhoneWidgets.budgetWindow, at: now), settings.widgetBudget)
        )
    }
}

extension PushScheduler {
    // Here and wherever all phones or activities are gone through: by index, and by the fields that are needed. A copy of a
    // phone retains a dozen values, which for a thousand phones costs more than the push itself.
    func phone(_ id: String) -> Int? { phones.indices.first { phones[$0].id.hasSameCodePoints(as: id) } }

    /// Returns whether an activity is followed, also after its end.
    package func follows(_ id: String) -> Bool { activity(id) != nil }

    func activity(_ id: String) -> Int? {
        let place = insertionPlace(of: id)
        return place < activities.count && activities[place].id.hasSameCodePoints(as: id) ? place : nil
    }

    mutating func add(_ activity: FollowedActivity) {
        let place = insertionPlace(of: activity.id)
        assert(self.activity(activity.id) == nil, "an activity is followed twice")
        activities.insert(activity, at: place)
        assert(isInOrder(at: place), "an activity is out of order, and will not be found")
        follow(place)
        touch(activity: activity.id)
    }

    /// Gives an activity an entry on each phone that may see it, and takes it from others that have nothing to remember of it.
    mutating func follow(_ activity: Int) {
        for phone in phones.indices { follow(activity, on: phone) }
    }

    private mutating func follow(_ activity: Int, on phone: Int) {
        let id = activities[activity].id
        let isSeen = maySee(
            activities[activity],
            person: phones[phone].person,
            id: phones[phone].id,
            isPaired: phones[phone].leftAt == nil
        )
        switch phones[phone].activities.place(of: id) {
        case nil where isSeen:
            phones[phone].activities.append(PhoneActivity(activity: id))
            phones[phone].plan = Plan()
        case let place? where !isSeen && !phones[phone].activities[place].isWorthKeeping:
            phones[phone].activities.remove(at: place)
            phones[phone].plan = Plan()
        default: break
        }
    }

    /// The entry of an activity on a phone; makes one where the phone shows what it may not see.
    mutating func entry(of activity: String, on phone: Int) -> Int {
        if let place = phones[phone].place(of: activity) { return place }
        phones[phone].activities.append(PhoneActivity(activity: activity))
        assert(phones[phone].activities.count <= activities.count, "a phone has what nobody follows")
        return phones[phone].activities.count - 1
    }

    /// Forgets activities that have ended everywhere; not at once, because a phone may report that it still shows one.
    mutating func forgetWhatIsOver(at now: Timestamp) {
        for place in placesOver(at: now) {
            let id = activities[place].id
            assert(activities[place].channels.isEmpty, "a channel is forgotten before it is given back")
            assert(activities[place].isOver, "an activity is forgotten before its end")
            activities.remove(at: place)
            assert(activity(id) == nil, "an activity that was forgotten is still there")
            // Or it would be stored again after it was removed.
            changes.activities.removeAll { $0.hasSameCodePoints(as: id) }
            changes.removed.append(Self.activityImage(id))
            for index in phones.indices {
                guard let phoneActivity = phones[index].place(of: id) else { continue }
                let wasKept = phones[index].activities.remove(at: phoneActivity).isWorthKeeping
                if wasKept { touch(phone: phones[index].id) }
            }
        }
    }

    /// The activities that can be forgotten, the last one first.
    private func placesOver(at now: Timestamp) -> [Int] {
        activities.indices.reversed().filter { place in
            guard activities[place].update.phase == .ended,
                activities[place].update.at + ActivityDismissal.longest <= now,
                activities[place].channels.isEmpty
            else { return false }
            let id = activities[place].id
            return !phones.contains { phone in
                phone.place(of: id).map { phone.activities[$0].isBusy } ?? false
            }
        }
    }

    /// Forgets phones that were removed, once nothing can be ended on them any more.
    mutating func forgetWhoLeft(at now: Timestamp) {
        // From the end, because a removal moves all behind it.
        for place in phones.indices.reversed() {
            guard let leftAt = phones[place].leftAt else { continue }
            let isDone = !phones[place].activities.contains { $0.isReachable }
            if isDone || leftAt + PushSchedulerSettings.shownLimit <= now { forget(place) }
        }
    }

    private mutating func forget(_ place: Int) {
        let id = phones[place].id
        planChannelsAnew(of: place)
        phones.remove(at: place)
        assert(phone(id) == nil, "a phone that was forgotten is still there")
        changes.phones.removeAll { $0.hasSameCodePoints(as: id) }
        changes.removed.append(Self.phoneImage(id))
    }

    /// Notes that a phone has changed: it is planned again, with the channels it may listen to, and stored.
    mutating func touch(phone id: String) {
        assert(phone(id) != nil, "a phone changes that is not there")
        if let place = phone(id) {
            phones[place].plan = Plan()
            planChannelsAnew(of: place)
        }
        if !changes.phones.contains(where: { $0.hasSameCodePoints(as: id) }) { changes.phones.append(id) }
        assert(changes.phones.count <= phones.count, "a phone has changed that was forgotten, or twice")
    }

    /// Notes that an activity has changed: it is planned again on all phones that have it, and stored.
    mutating func touch(activity id: String) {
        assert(activity(id) != nil, "an activity changes that is not there")
        if let place = activity(id) { planAnew(place) }
        if !changes.activities.contains(where: { $0.hasSameCodePoints(as: id) }) {
            changes.activities.append(id)
        }
    }

    /// Notes that the state of the push services has changed, on which everything depends.
    mutating func touchServices() {
        changes.areServicesTouched = true
        planAnew()
    }

    /// Has everything planned again, after a change on which all of it may depend.
    mutating func planAnew() {
        for index in phones.indices { phones[index].plan = Plan() }
        for index in activities.indices { activities[index].channelPlan = Plan() }
    }

    /// Has the channels planned again that a phone may listen to, and all who may be started on them: a phone that may see
    /// no more of a run, or has a newer instance of it, ends its channel for all.
    private mutating func planChannelsAnew(of phone: Int) {
        for entry in phones[phone].activities {
            // What is to be planned anew already is so on all phones, too.
            guard let place = activity(entry.activity), !activities[place].channels.isEmpty,
                activities[place].channelPlan.due > .distantPast
            else { continue }
            planAnew(place)
        }
    }

    /// Has an activity planned again on all phones and channels.
    private mutating func planAnew(_ place: Int) {
        activities[place].channelPlan = Plan()
        for index in phones.indices where phones[index].activities.place(of: activities[place].id) != nil {
            phones[index].plan = Plan()
        }
    }

    /// Notes a decision for all phones.
    mutating func note(
        _ kind: PhoneDecision.Kind,
        _ text: String,
        of activity: String,
        until: Timestamp? = nil,
        at now: Timestamp
    ) {
        let decision = PhoneDecision(
            at: now,
            phone: "",
            activity: activity,
            kind: kind,
            text: text,
            until: until
        )
        decisions.note(decision)
    }

    /// Ends the earlier runs of a device: a device does one job at a time.
    private mutating func vanishEarlierRuns(kind: String, device: String, at now: Timestamp) {
        for id in runs(kind: kind, device: device) { vanish(id, at: now) }
    }

    /// The ids of the runs of a device that have not ended.
    private func runs(kind: String, device: String) -> [String] {
        activities.indices.filter { place in
            !activities[place].isOver && activities[place].device.hasSameCodePoints(as: device)
                && activities[place].kind.hasSameCodePoints(as: kind)
        }.map { activities[$0].id }
    }

    /// True if an activity stands between its neighbours by its id, as a search for it expects.
    private func isInOrder(at place: Int) -> Bool {
        let id = activities[place].id
        let isBehind = place == 0 || activities[place - 1].id.precedesByCodePoints(id)
        return isBehind
            && (place + 1 == activities.count || id.precedesByCodePoints(activities[place + 1].id))
    }

    /// The index of an activity, or the index at which to insert it.
    private func insertionPlace(of id: String) -> Int {
        activities.partitioningIndex { !$0.id.precedesByCodePoints(id) }
    }
}

extension Phone {
    /// Takes note that it is no phone of the household any more: nothing begins on it, and its tokens to start are forgotten.
    fileprivate mutating func leave(at now: Timestamp) {
        assert(leftAt == nil, "a phone is removed twice")
        leftAt = now
        startTokens = []
        notificationToken = TokenSlot()
        widgets = PhoneWidgets()
        credential = []
        assert(notifiableSince == nil && startableTypes.isEmpty, "a phone is reached that was removed")
    }

    /// Notes a decision.
    mutating func note(
        _ kind: PhoneDecision.Kind,
        _ text: String,
        of activity: String,
        until: Timestamp? = nil,
        at now: Timestamp
    ) {
        decisions.note(
            PhoneDecision(
                at: now,
                phone: name,
                phoneID: id,
                activity: activity,
                kind: kind,
                text: text,
                until: until
            )
        )
    }
}

extension PhoneActivity {
    /// True if something is on the phone, or on its way to it.
    fileprivate var isBusy: Bool { !instances.isEmpty || lane.flight != nil }
}

extension PushScheduler {
    /// Starts an activity on a phone.
    ///
    /// - Returns: the push; nil if the phone has no token for it, or its content is too large.
    mutating func start(_ card: Card, at now: Timestamp) -> Push? {
        let (activity, phone) = (activities[card.activity], card.phone)
        guard let slot = phones[phone].startToken(of: activity.attributesType), let token = slot.token else {
            return nil
        }
        let known = self[card]
        let number = known.lastInstance + 1
        let channel = openChannel(for: phones[phone], activity, slot.target)
        let untold = untoldAlert(of: activity, known.lane, on: phones[phone], at: now)
        var body = PushBody(event: .start, timestamp: known.lane.nextTimestamp(at: now))
        body.alert = untold?.alert ?? activity.startAlert
        body.isAudible = untold != nil
        body.staleAt = activity.staleDate(of: body.timestamp, at: now)
        body.input = channel.map { .channel($0) } ?? (phones[phone].takesInputToken ? .token : nil)
        let payload = body.render(activity, instance: number)
        let content = activity.contentState.count + activity.attributes(instance: number).count
        // The body has a limit at APNs, attributes and content together have one in ActivityKit.
        guard payload.count <= LiveActivityContract.limit, content <= LiveActivityContract.limit else {
            refuseSize(payload.count, card, at: now)
            return nil
        }
        let instance = ActivityInstance(
            number,
            at: now,
            on: channel,
            startedBy: slot.mark,
            alertRev: untold?.origin.rev
        )
        phones[phone].begin(instance, of: card.entry, budgetWindow: settings.budgetWindow, at: now)
        let priority = spendStart(of: activity, phone, at: now)
        if let channel { startedOn(channel, candidateOf: activity.id, body.timestamp, at: now) }
        noteOldToken(slot, activity, phone, at: now)
        return launch(
            Push(
                id: nextID(),
                phone: phones[phone].id,
                activity: activity.id,
                instance: number,
                route: .start(token: token),
                environment: slot.target,
                event: .start,
                priority: priority,
                expiration: activity.startExpiration(at: now),
                collapseID: collapseID(activity.id, number),
                timestamp: body.timestamp,
                payload: payload
            ),
            card,
            PushLane.Told(alertRev: untold?.origin.rev),
            at: now
        )
    }

    /// Chooses the priority of a start and charges the budget; in quiet hours it has priority 5.
    private mutating func spendStart(
        of activity: FollowedActivity,
        _ phone: Int,
        at now: Timestamp
    ) -> Push.Priority {
        let listener = phones[phone].listener(of: activity.id)
        guard let reason = quietReason(activity, for: [listener], at: now) else {
            // Without asking for room: news leaves a reserve for starts, which have a budget of their own as well.
            phones[phone].immediate.spend(in: settings.budgetWindow, at: now)
            return .immediate
        }
        phones[phone].note(.held, reason, of: activity.id, at: now)
        return .considerate
    }

    private mutating func noteOldToken(
        _ slot: TokenSlot,
        _ activity: FollowedActivity,
        _ phone: Int,
        at now: Timestamp
    ) {
        guard now - slot.confirmedAt > settings.tokenAge else { return }
        let days = (now - slot.confirmedAt).roundedSeconds / 86_400
        let text =
            "the push-to-start token was confirmed \(days) days ago: open the app, because APNs accepts dead ones, too"
        phones[phone].note(.tokenOld, text, of: activity.id, at: now)
    }
}

extension Phone {
    /// Records that an instance of an activity is being started, before the push leaves.
    ///
    /// See docs/decisions/0032-starting-activities.md.
    fileprivate mutating func begin(
        _ instance: ActivityInstance,
        of place: Int,
        budgetWindow: Interval,
        at now: Timestamp
    ) {
        assert(activities[place].instances.count < 2, "a phone is to show a third activity of a run")
        assert(instance.number == activities[place].lastInstance + 1, "the number of an activity is left out")
        assert(activities[place].lane.flight == nil, "a start overtakes another push")
        activities[place].instances.append(instance)
        activities[place].lastInstance = instance.number
        starts.spend(in: budgetWindow, at: now)
    }
}
