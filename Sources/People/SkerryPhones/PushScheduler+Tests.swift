public import SkerryActivity
public import SkerryValues

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
        return .begun(activity: update.id, end: now + ActivityUpdate.testLength)
    }

    /// Ends the tests that have lasted long enough.
    mutating func endTests(at now: Timestamp) {
        for id in endedTests(at: now) { vanish(id, at: now) }
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
