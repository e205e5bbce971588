import SkerryValues

@testable import SkerryActivity
@testable import SkerryPhones

/// A household with a washer and an obedient push service, which a test moves through time.
struct PhoneBench {
    static let start = Timestamp(seconds: 1_790_000_000)
    static let type = "WasherAttributes"

    var scheduler: PushScheduler
    var now = PhoneBench.start
    var sent: [Push] = []

    init(settings: PushSchedulerSettings = PushSchedulerSettings()) {
        scheduler = PushScheduler(settings: settings)
    }

    /// Pairs a phone that has a push-to-start token for washers.
    mutating func pair(_ id: String = "anna", version: String? = "18.2") {
        scheduler.pair(id, name: id, credential: [1, 2, 3], at: now)
        report(id, startToken: .known("5a\(id.utf8.count)\(id == "anna" ? "00" : "11")"), version: version)
    }

    mutating func report(
        _ id: String = "anna",
        startToken: ReportedToken? = nil,
        version: String? = nil,
        environment: PushEnvironment? = .production,
        allowsActivities: Bool? = nil,
        allowsNotifications: Bool? = nil,
        notificationToken: ReportedToken? = nil,
        widgetToken: ReportedToken? = nil,
        widgetKinds: [String]? = nil,
        hides: [String]? = nil,
        hidBefore: [String] = [],
        opened: PhoneReport.Opened? = nil,
        activities: [PhoneReport.Activity] = [],
        shows: [PhoneReport.Shown] = [],
        confirmedAt: Timestamp? = nil
    ) {
        var report = PhoneReport(
            confirmedAt: confirmedAt ?? now,
            environment: environment,
            systemVersion: version,
            allowsActivities: allowsActivities,
            allowsNotifications: allowsNotifications,
            notificationToken: notificationToken,
            hides: hides,
            opened: opened,
            startTokens: startToken.map { [PhoneReport.StartToken(type: Self.type, token: $0)] } ?? [],
            activities: activities,
            shows: shows
        )
        report.hidBefore = hidBefore
        (report.widgetToken, report.widgetKinds) = (widgetToken, widgetKinds)
        _ = scheduler.report(report, of: id, at: now)
    }

    /// The phone tells the update token of an activity.
    mutating func token(
        _ token: String,
        of activity: String = "washer/w/1",
        instance: Int = 1,
        phone: String = "anna"
    ) {
        report(
            phone,
            activities: [PhoneReport.Activity(id: activity, instance: instance, token: .known(token))]
        )
    }

    /// The phone tells all washers that it shows.
    mutating func shows(
        _ instances: [Int],
        of activity: String = "washer/w/1",
        rev: Int64? = nil,
        phone: String = "anna"
    ) {
        let shown = instances.map { PhoneReport.Shown.Instance(id: activity, instance: $0, rev: rev) }
        report(phone, shows: [PhoneReport.Shown(type: Self.type, activities: shown)])
    }

    /// The service takes a push.
    mutating func accept(_ push: Push) {
        let answer: PushAnswer =
            switch push.route {
            case .createChannel: .channelCreated(id: "channel\(push.instance)")
            case .listChannels: .channels([])
            case .start, .app, .widgets, .token, .channel, .deleteChannel: .accepted
            }
        scheduler.answered(push, answer, at: now)
    }

    /// The bridge tells a revision.
    mutating func show(
        _ state: String,
        rev: Int64,
        epoch: Int64 = 1,
        device: String = "w",
        run: Int = 1,
        end: Timestamp? = nil,
        phase: ActivityPhase = .active,
        isNewState: Bool = true,
        relevance: Double = 50,
        silence: Timestamp? = nil,
        dismissAt: Timestamp? = nil,
        alert: ActivityAlert? = nil,
        link: String? = nil,
        content: ValueMap = ValueMap()
    ) {
        var content = content
        if let end {
            content.set(
                "cycle",
                to: .map(
                    ValueMap(uniqueEntries: [
                        ValueMap.Entry(key: .string("start"), value: .int(now.flooredSeconds)),
                        ValueMap.Entry(key: .string("end"), value: .int(end.flooredSeconds)),
                    ])
                )
            )
        }
        var update = ActivityUpdate(
            kind: rev == 1 ? .started : phase == .ended ? .ended : .changed,
            id: "washer/\(device)/\(run)",
            rev: rev,
            epoch: epoch,
            at: now,
            startedAt: now,
            phase: phase,
            state: state,
            attributes: ValueMap(),
            content: content,
            patch: nil,
            isNewState: isNewState,
            relevance: relevance,
            staleness: silence.map { .silence(until: $0) } ?? end.map { .countdown(end: $0) } ?? .never,
            link: link,
            dismissAt: dismissAt,
            alert: nil
        )
        update.alert = alert
        scheduler.show(update, kind: "washer", device: device, at: now)
    }

    /// Everything that can go now, all of it answered in the same way.
    @discardableResult
    mutating func deliver(_ answer: PushAnswer = .accepted) -> [Push] {
        var pushes: [Push] = []
        while let push = scheduler.nextPush(at: now, clockIsKnown: true) {
            pushes.append(push)
            if answer == .accepted { accept(push) } else { scheduler.answered(push, answer, at: now) }
            precondition(pushes.count < 100, "it never ends")
        }
        sent += pushes
        return pushes
    }

    /// Lets time pass, and everything go that becomes due.
    @discardableResult
    mutating func pass(_ length: Interval) -> [Push] {
        let end = now + length
        var pushes: [Push] = []
        var steps = 0
        while let due = scheduler.nextDeadline(at: now), due <= end {
            now = max(due, now)
            pushes += deliver()
            steps += 1
            precondition(steps < 1000, "it never ends")
        }
        now = end
        return pushes + deliver()
    }

    /// Over a restart: what was made durable, and nothing else.
    mutating func restart() {
        for phone in scheduler.phones { scheduler.touch(phone: phone.id) }
        for activity in scheduler.activities { scheduler.touch(activity: activity.id) }
        let (kept, _) = scheduler.takeChanges()
        let (restored, refused) = PushScheduler.restored(
            from: kept,
            settings: scheduler.settings,
            audience: scheduler.audience
        )
        precondition(refused.isEmpty, "every image can be read")
        scheduler = restored
    }

    func decisions(_ device: String = "w") -> [PhoneDecision.Kind] {
        scheduler.decisions(kind: "washer", device: device).map { $0.kind }
    }
}

extension Phone {
    /// Its image as version 6 wrote it.
    var imageBefore7: [UInt8] {
        var (whole, added) = (ImageWriter(capacity: 64), ImageWriter(capacity: 64))
        write(to: &whole)
        writeNotifications(to: &added)
        return whole.bytes.dropLast(added.bytes.count)
    }

    /// Its image as version 8 wrote it.
    var imageBefore9: [UInt8] {
        var (whole, added) = (ImageWriter(capacity: 64), ImageWriter(capacity: 64))
        write(to: &whole)
        writeWidgets(to: &added)
        return whole.bytes.dropLast(added.bytes.count)
    }
}

extension Push {
    /// The members of `aps`.
    var aps: ValueMap {
        guard case .map(let body)? = try? JSONReader.value(of: payload.span),
            case .map(let aps)? = body["aps"]
        else { return ValueMap() }
        return aps
    }

    /// The state in the content-state.
    var state: String? {
        guard case .map(let content)? = aps["content-state"], case .string(let state)? = content["state"]
        else {
            return nil
        }
        return state
    }

    func number(_ key: String) -> Int64? {
        if case .int(let number)? = aps[key] { number } else { nil }
    }

    /// What it is in short, such as `start 10` or `update 5 paused`.
    var gist: String {
        "\(event?.name ?? "channel") \(priority.rawValue) \(state ?? "-")"
    }
}
