public import SkerryActivity
public import SkerryValues

extension PushScheduler {
    /// Merges a report of a phone: values that it does not mention stay, and older values change nothing.
    ///
    /// A token that belonged to another phone moves to this one. With a push-to-start token move the activities of that
    /// phone, because it is the same phone, paired again.
    ///
    /// - Parameters:
    ///   - report: The report of the phone.
    ///   - id: The phone.
    ///   - now: The moment at which it arrived.
    /// - Returns: false when there is no such phone.
    public mutating func report(_ report: PhoneReport, of id: String, at now: Timestamp) -> Bool {
        guard let place = phone(id), phones[place].leftAt == nil else { return false }
        // First, because the same phone is recognised by tokens that the next line takes from it.
        adopt(report, place, at: now)
        for token in report.tokens { giveUp(token, exceptAt: place) }
        phones[place].heardAt = now
        phones[place].takeSettings(of: report)
        if let token = report.notificationToken { phones[place].mergeNotification(token, of: report) }
        phones[place].mergeWidgets(report)
        if let hides = report.hides { phones[place].hide(hides + report.hidBefore) }
        for token in report.startTokens {
            phones[place].merge(token, of: report)
        }
        let unknown = report.activities.filter { !merge($0, report, place, at: now) }
        if let first = unknown.first {
            let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
            phones[place].note(.over, "the phone reports it\(more), unknown here", of: first.id, at: now)
        }
        if let opened = report.opened { note(opened, place) }
        for shown in report.shows { merge(shown, place, confirmedAt: report.confirmedAt, at: now) }
        if let hides = report.hides, !report.hidBefore.isEmpty { phones[place].hide(hides) }
        assert(phone(id) == place, "the phones were moved while a report was taken in")
        touch(phone: id)
        forgetWhoLeft(at: now)
        return true
    }

    /// - Returns: false for an activity that is unknown here.
    private mutating func merge(
        _ said: PhoneReport.Activity,
        _ report: PhoneReport,
        _ place: Int,
        at now: Timestamp
    ) -> Bool {
        if activity(said.id) == nil { takeUnknown(said, at: now) }
        guard let activity = activity(said.id) else { return false }
        let phoneActivity = entry(of: said.id, on: place)
        let wasSilent = phones[place].activities[phoneActivity].isSilent
        let news = phones[place].mergeActivity(
            said,
            phoneActivity,
            environment: report.environment ?? phones[place].environment,
            confirmedAt: report.confirmedAt,
            at: now
        )
        if wasSilent, !phones[place].activities[phoneActivity].isSilent,
            let origin = activities[activity].alert?.origin, origin.at <= report.confirmedAt
        {
            // As with quiet hours: what was raised before their end does not sound after it.
            phones[place].activities[phoneActivity].lane.told(alert: origin.rev)
        }
        if case .muted? = news?.kind {
            note(.dismissed, activities[activity], on: phones[place], at: report.confirmedAt)
        }
        if !activities[activity].isOver, let news {
            phones[place].note(news.kind, news.text, of: said.id, at: now)
        }
        return true
    }

    /// Follows an activity that a phone shows and that is not known here, to end it.
    private mutating func takeUnknown(_ said: PhoneReport.Activity, at now: Timestamp) {
        guard case .known? = said.token, said.end == nil,
            activities.count(where: { $0.isUnknown }) < Self.unknownLimit,
            let unknown = FollowedActivity(unknown: said.id, at: now)
        else { return }
        add(unknown)
        assert(follows(said.id) && unknown.isOver, "what a phone shows and nobody knows can't be ended")
    }

    /// The number of activities known only from phones that are ended.
    private static let unknownLimit = 32

    /// Takes in all that a phone shows of one type.
    private mutating func merge(
        _ shown: PhoneReport.Shown,
        _ place: Int,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) {
        for index in activities.indices {
            let activity = activities[index]
            guard activity.attributesType.hasSameCodePoints(as: shown.type) else { continue }
            let instances = shown.activities.filter { $0.id.hasSameCodePoints(as: activity.id) }
            guard
                let phoneActivity = instances.isEmpty
                    ? phones[place].place(of: activity.id) : entry(of: activity.id, on: place)
            else { continue }
            phones[place].merge(
                instances.map { $0.instance },
                phoneActivity,
                confirmedAt: confirmedAt,
                at: now
            )
            for instance in instances {
                guard let rev = instance.rev else { continue }
                let channel = phones[place].activities[phoneActivity].channel(ofInstance: instance.instance)
                if activities[index].showed(rev, by: channel) { touch(activity: activity.id) }
                let isBehind = phones[place].activities[phoneActivity].catchUp(
                    from: rev,
                    instance.instance,
                    confirmedAt
                )
                let isChannelBehind =
                    isBehind ? false : activities[index].catchUp(from: rev, channel, confirmedAt)
                guard isBehind || isChannelBehind else { continue }
                if isChannelBehind { touch(activity: activity.id) }
                let text = "the phone shows revision \(rev): a later one got lost and is sent again"
                phones[place].note(.outdated, text, of: activity.id, at: now)
            }
        }
    }

    /// Takes over the activities of another phone with the reported push-to-start token: it is this phone.
    private mutating func adopt(_ report: PhoneReport, _ place: Int, at now: Timestamp) {
        let tokens = report.startTokens.compactMap { token -> String? in
            if case .known(let known) = token.token { known } else { nil }
        }
        for other in phones.indices where other != place {
            let isSame = phones[other].startTokens.contains { slot in tokens.contains { slot.slot.has($0) } }
            guard isSame else { continue }
            phones[place].adopt(phones[other])
            for index in phones[other].activities.indices {
                phones[other].activities[index] = PhoneActivity(
                    activity: phones[other].activities[index].activity
                )
            }
            touch(phone: phones[other].id)
        }
    }

    /// Takes a token from all phones but one.
    private mutating func giveUp(_ token: String, exceptAt place: Int) {
        for index in phones.indices where index != place && phones[index].giveUp(token) {
            touch(phone: phones[index].id)
        }
    }
}

extension PhoneReport {
    fileprivate var tokens: [String] {
        let all =
            [notificationToken, widgetToken] + startTokens.map { $0.token } + activities.map { $0.token }
        return all.compactMap { if case .known(let token)? = $0 { token } else { nil } }
    }
}

extension Phone {
    fileprivate mutating func mergeNotification(_ token: ReportedToken, of report: PhoneReport) {
        _ = notificationToken.merge(
            token,
            environment: report.environment ?? environment,
            confirmedAt: report.confirmedAt
        )
    }

    fileprivate mutating func merge(_ reported: PhoneReport.StartToken, of report: PhoneReport) {
        if startToken(of: reported.type) == nil {
            guard makeRoom(for: report) else { return }
            startTokens.append(StartToken(type: reported.type, slot: TokenSlot()))
        }
        let environment = report.environment ?? environment
        let before = startToken(of: reported.type)?.mark
        var news = TokenSlot.News.outdated
        changeStartToken(of: reported.type) {
            news = $0.merge(reported.token, environment: environment, confirmedAt: report.confirmedAt)
        }
        guard case .another = news else { return }
        for index in activities.indices {
            let type = LiveActivityContract.attributesType(ofActivity: activities[index].activity)
            guard type.hasSameCodePoints(as: reported.type) else { continue }
            // Content that was refused may be accepted for another token.
            if activities[index].instances.isEmpty {
                activities[index].lane.resume()
                activities[index].lane.forgive()
            }
            // A phone that was restored has other tokens, and shows none of its former activities.
            if activities[index].isSilentlyOver, before != nil { activities[index].reopen() }
        }
    }

    /// Makes room for the token of another type: an app that was generated anew has other kinds than before.
    ///
    /// - Returns: whether there is room; there is none among the types of one report.
    private mutating func makeRoom(for report: PhoneReport) -> Bool {
        if startTokens.count < Self.typeLimit { return true }
        let others = startTokens.indices.filter { place in
            startTokens[place].slot.confirmedAt < report.confirmedAt
                && !report.startTokens.contains { $0.type.hasSameCodePoints(as: startTokens[place].type) }
        }
        let oldest = others.min { startTokens[$0].slot.confirmedAt < startTokens[$1].slot.confirmedAt }
        if let oldest { startTokens.remove(at: oldest) }
        return oldest != nil
    }

    fileprivate mutating func mergeActivity(
        _ said: PhoneReport.Activity,
        _ phoneActivity: Int,
        environment: PushEnvironment?,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) -> (kind: PhoneDecision.Kind, text: String)? {
        let type = LiveActivityContract.attributesType(ofActivity: said.id)
        let startedBy = startToken(of: type)?.mark
        return activities[phoneActivity].merge(
            said,
            environment: environment,
            confirmedAt: confirmedAt,
            startedBy: startedBy,
            at: now
        )
    }

    /// Takes in which instances of an activity the phone shows; others it does not.
    fileprivate mutating func merge(
        _ numbers: [Int],
        _ phoneActivity: Int,
        confirmedAt: Timestamp,
        at now: Timestamp
    ) {
        let id = activities[phoneActivity].activity
        let startedBy = startToken(of: LiveActivityContract.attributesType(ofActivity: id))?.mark
        for number in numbers where !activities[phoneActivity].isMuted {
            activities[phoneActivity].appear(number, nil, confirmedAt, startedBy: startedBy, at: now)
            guard let place = activities[phoneActivity].place(ofInstance: number) else { continue }
            activities[phoneActivity].confirm(place)
        }
        if activities[phoneActivity].instances.isEmpty, activities[phoneActivity].isSilentlyOver,
            activities[phoneActivity].mayBeAnother
        {
            activities[phoneActivity].reopen()
        }
        for instance in activities[phoneActivity].instances where !numbers.contains(instance.number) {
            let flight = activities[phoneActivity].lane.flight
            let isOnItsWay = flight?.event == .start && flight?.instance == instance.number
            guard !isOnItsWay, let news = missing(instance, phoneActivity, confirmedAt, at: now) else {
                continue
            }
            note(.over, news, of: id, at: now)
        }
    }

    /// Draws the conclusion from an instance that the phone does not show.
    ///
    /// - Returns: the conclusion in words; nil if it is too early for one.
    private mutating func missing(
        _ instance: ActivityInstance,
        _ phoneActivity: Int,
        _ confirmedAt: Timestamp,
        at now: Timestamp
    ) -> String? {
        let id = activities[phoneActivity].activity
        let age = confirmedAt - instance.startedAt
        assert(activities[phoneActivity].place(ofInstance: instance.number) != nil, "a card is missed twice")
        // The app ends what its user hides.
        if hiding(id) != nil {
            activities[phoneActivity].remove(instance.number, .told, at: confirmedAt)
            return "the app has ended it: its user chose not to see it on this phone"
        }
        if !instance.isAccepted {
            // The start had no answer, and did not arrive.
            guard age > Self.deliveryTime else { return nil }
            activities[phoneActivity].undoStart(instance.number)
            return "the phone does not show the activity that was started: it is started again"
        }
        // Where the token was confirmed later, the list is the older of the two.
        guard age > Self.longDeliveryTime, instance.token.confirmedAt < confirmedAt else { return nil }
        if !instance.isSeen, instance.token.mark == nil, activities[phoneActivity].repeats < Self.repeatLimit
        {
            activities[phoneActivity].repeats += 1
            // Nobody heard the alert that went with it.
            if let rev = instance.alertRev { activities[phoneActivity].lane.missed(alertsAfter: rev - 1) }
            activities[phoneActivity].undoStart(instance.number)
            return "the phone never showed the activity that was started: it is started again"
        }
        let hadItsTime = confirmedAt >= instance.startedAt + PushSchedulerSettings.activeLimit - .minutes(1)
        let isAnother = isAnotherPhone(than: instance, ofActivity: id)
        // Only the renewal is there: the instance before it was removed while the app did not run.
        let isRenewed = activities[phoneActivity].instances.last.map { $0.number > instance.number } ?? false
        if isRenewed, instance.isSeen, !hadItsTime, !isAnother { activities[phoneActivity].isMuted = true }
        activities[phoneActivity].remove(
            instance.number,
            .silent,
            at: confirmedAt,
            endsRun: !hadItsTime && !isAnother
        )
        return "the phone does not show it any more"
    }

    /// The time that a push takes to reach the phone.
    static let deliveryTime = Interval.seconds(10)
    /// The time that a push accepted by APNs may take.
    private static let longDeliveryTime = Interval.minutes(1)
    /// The number of repetitions of a start that was accepted and never seen.
    private static let repeatLimit = 1

    /// Takes over the state of the same phone from its former pairing.
    fileprivate mutating func adopt(_ other: Phone) {
        for phoneActivity in other.activities where phoneActivity.hasHistory {
            let known = self.place(of: phoneActivity.activity)
            if let known, activities[known].hasHistory { continue }
            var phoneActivity = phoneActivity
            if let flight = phoneActivity.lane.flight {
                if let instance = phoneActivity.place(ofInstance: flight.instance) {
                    phoneActivity.instances[instance].shown.key = nil
                }
                // Its answer will be looked for on the former pairing, and find nothing.
                phoneActivity.lane.landed(.unknown)
            }
            assert(phoneActivity.lane.flight == nil, "a push is waited for at two pairings")
            if let known { activities[known] = phoneActivity } else { activities.append(phoneActivity) }
        }
        immediate = other.immediate
        starts = other.starts
        widgets.adopt(other.widgets)
    }

    /// Gives a token up that is another phone's.
    ///
    /// - Returns: whether it was here.
    fileprivate mutating func giveUp(_ token: String) -> Bool {
        var wasHere = notificationToken.has(token) || widgets.token.has(token)
        if notificationToken.has(token) { notificationToken.giveUp() }
        if widgets.token.has(token) { widgets.token.giveUp() }
        for index in startTokens.indices where startTokens[index].slot.has(token) {
            startTokens[index].slot.giveUp()
            wasHere = true
        }
        for index in activities.indices {
            for instance in activities[index].instances.indices
            where activities[index].instances[instance].token.has(token) {
                activities[index].instances[instance].token.giveUp()
                wasHere = true
            }
        }
        return wasHere
    }
}

extension PhoneActivity {
    /// Merges the report of one activity.
    ///
    /// - Returns: a text worth recording.
    fileprivate mutating func merge(
        _ said: PhoneReport.Activity,
        environment: PushEnvironment?,
        confirmedAt: Timestamp,
        startedBy: UInt64?,
        at now: Timestamp
    ) -> (kind: PhoneDecision.Kind, text: String)? {
        if let isSilent = said.isSilent { setSilent(isSilent, confirmedAt) }
        if let token = said.token {
            if said.end == nil, case .known(let known) = token, !isMuted {
                appear(said.instance, known, confirmedAt, startedBy: startedBy, at: now)
            }
            merge(token, said.instance, environment, confirmedAt)
        }
        guard let end = said.end, let place = place(ofInstance: said.instance) else { return nil }
        // An activity that we end ourselves was not swiped away by the user.
        let isOurs = lane.flight?.event == .end && lane.flight?.instance == said.instance
        let isNewest = place == instances.count - 1
        let hadItsTime = now >= instances[place].startedAt + PushSchedulerSettings.activeLimit - .minutes(1)
        switch end {
        case .dismissed where isNewest && !isOurs:
            for instance in instances { remove(instance.number, .told, at: confirmedAt) }
            assert(instances.isEmpty, "a card stays that its user removed")
            isMuted = true
            return (.muted, "its user removed it: nothing more is sent in this run")
        case .ended where isNewest && !isOurs && !hadItsTime:
            remove(said.instance, .told, at: confirmedAt, endsRun: true)
            return (.over, "the phone reports that it has ended")
        case .dismissed, .ended:
            remove(said.instance, .told, at: confirmedAt)
            return nil
        }
    }

    private mutating func merge(
        _ token: ReportedToken,
        _ instance: Int,
        _ environment: PushEnvironment?,
        _ confirmedAt: Timestamp
    ) {
        guard let place = place(ofInstance: instance) else { return }
        if case .known(let known) = token, isOver(known) { return }
        let news = instances[place].token.merge(token, environment: environment, confirmedAt: confirmedAt)
        guard case .known = token, news != .outdated else { return }
        confirm(place)
        if news == .another { lane.resume() }
    }

    /// Returns whether APNs reported that a token has expired.
    private func isOver(_ token: String) -> Bool {
        gone.contains { $0.cause == .silent && $0.mark == TokenSlot.mark(of: token) }
    }

    /// Takes note that the phone shows an instance.
    fileprivate mutating func confirm(_ place: Int) {
        instances[place].isAccepted = true
        instances[place].isSeen = true
        if let rev = instances[place].alertRev { lane.told(alert: rev) }
        instances[place].alertRev = nil
    }

    /// Makes room for an instance that the phone shows and that is not known here.
    ///
    /// It was started by the app, or is still there after it was thought to be over: an end that APNs accepts may get lost.
    fileprivate mutating func appear(
        _ instance: Int,
        _ token: String?,
        _ confirmedAt: Timestamp,
        startedBy: UInt64?,
        at now: Timestamp
    ) {
        guard place(ofInstance: instance) == nil, instance > 0, instance <= lastInstance + Self.unknownLimit,
            instances.count < 2
        else { return }
        if let end = gone.last(where: { $0.number == instance }) {
            guard end.isContradicted(by: token, confirmedAt: confirmedAt) else { return }
            reopen()
        } else if instance <= lastInstance {
            let last = max(overAt ?? .distantPast, (lane.lastSentAt ?? .distantPast) + .minutes(1))
            guard confirmedAt > last else { return }
            reopen()
        } else if let overAt {
            // The app has begun a card of its own since, unless the report was long under way.
            guard confirmedAt > overAt else { return }
            reopen()
        }
        lastInstance = max(lastInstance, instance)
        var instance = ActivityInstance(number: instance, startedAt: now)
        instance.startedBy = startedBy
        instances.append(instance)
        instances.sort { $0.number < $1.number }
        assert(instances.count <= 2, "an image with these instances can't be read back")
        assert(instances.allSatisfy { $0.number <= lastInstance }, "a later start gets the same number")
    }

    /// The number of instances that a phone may be ahead of us.
    private static let unknownLimit = 16
}

/// The outcome of a request for a test activity.
public enum PhoneTest: Hashable, Sendable {
    /// It is sent, and ends at a moment.
    case begun(activity: String, end: Timestamp)
    /// There is no such phone.
    case unknownPhone
    /// Live Activities are switched off for the app.
    case disabled
    /// The app has reported no token to start an activity of the kinds asked for.
    case noToken
    /// A test on this phone has not ended yet.
    case running
}

// A test activity is followed as any other, but by one phone alone, and ends by itself.
extension PushScheduler {
    /// Begins a test activity on a phone, whichever person it belongs to.
    ///
    /// - Parameters:
    ///   - contracts: The kinds that will do; the first that the phone can start is shown.
    ///   - phone: The id of the phone.
    ///   - now: The time.
    /// - Returns: what becomes of it.
    public mutating func test(
        _ contracts: [LiveActivityContract],
        on phone: String,
        at now: Timestamp
    ) -> PhoneTest {
        guard let place = self.phone(phone), phones[place].leftAt == nil else { return .unknownPhone }
        if phones[place].allowsActivities == false { return .disabled }
        let contract = contracts.first { phones[place].startToken(of: $0.attributesType)?.token != nil }
        guard let contract else { return .noToken }
        let isRunning = activities.contains { activity in
            !activity.isOver && activity.recipient?.hasSameCodePoints(as: phone) ?? false
        }
        let update = ActivityUpdate(testOf: contract, at: now)
        if isRunning || activity(update.id) != nil { return .running }
        add(
            FollowedActivity(
                kind: contract.kind,
                device: ActivityUpdate.testDevice,
                update: update,
                recipient: phone
            )
        )
        assert(phones[place].place(of: update.id) != nil, "a test is not planned on its phone")
        return .begun(activity: update.id, end: now + ActivityUpdate.testLength)
    }

    /// Ends the tests that have lasted long enough.
    mutating func endTests(at now: Timestamp) {
        for id in endedTests(at: now) {
            vanish(id, at: now)
            assert(activity(id).map { activities[$0].testEnd == nil } ?? true, "a test goes on after its end")
        }
    }

    private func endedTests(at now: Timestamp) -> [String] {
        activities.indices.filter { activities[$0].testEnd.map { $0 <= now } ?? false }.map {
            activities[$0].id
        }
    }
}

extension FollowedActivity {
    /// The moment at which a test ends; nil for anything else, and for one that has ended.
    var testEnd: Timestamp? {
        recipient == nil || isOver ? nil : update.startedAt + ActivityUpdate.testLength
    }
}
