import SkerryActivity
import SkerryValues

extension PushScheduler {
    /// Starts an activity on a phone.
    ///
    /// - Returns: the push; nil if the phone has no token for it, or its content is too large.
    mutating func start(
        _ activity: FollowedActivity,
        _ phone: Int,
        _ phoneActivity: Int,
        at now: Timestamp
    ) -> Push? {
        guard let slot = phones[phone].startToken(of: activity.attributesType), let token = slot.token else {
            return nil
        }
        let known = phones[phone].activities[phoneActivity]
        let number = known.lastInstance + 1
        let channel = openChannel(for: phones[phone], activity, slot.target)
        let alert = untoldAlert(of: activity, known.lane, on: phones[phone], at: now)
        var body = PushBody(event: .start, timestamp: known.lane.nextTimestamp(at: now))
        body.alert = alert?.0 ?? activity.startAlert
        body.isAudible = alert != nil
        body.staleAt = activity.staleDate(of: body.timestamp, at: now)
        body.input = channel.map { .channel($0) } ?? (phones[phone].takesInputToken ? .token : nil)
        let payload = body.render(activity, instance: number)
        let content = activity.contentState.count + activity.attributes(instance: number).count
        // The body has a limit at APNs, attributes and content together have one in ActivityKit.
        guard payload.count <= LiveActivityContract.limit, content <= LiveActivityContract.limit else {
            refuseSize(payload.count, activity, phone, phoneActivity, at: now)
            return nil
        }
        let instance = ActivityInstance(
            number,
            at: now,
            on: channel,
            startedBy: slot.mark,
            alertRev: alert?.1
        )
        phones[phone].begin(instance, of: phoneActivity, budgetWindow: settings.budgetWindow, at: now)
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
            activity,
            phone,
            phoneActivity,
            alertRev: alert?.1,
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
        activities[place].instances.append(instance)
        activities[place].lastInstance = instance.number
        starts.spend(in: budgetWindow, at: now)
    }
}
