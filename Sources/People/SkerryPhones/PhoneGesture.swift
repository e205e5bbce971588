import SkerryActivity
package import SkerryValues

/// A removal of a card by the user of a phone, or a tap on it, for programs that act on it.
package struct PhoneGesture: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The user removed the card.
        case dismissed
        /// The user opened the app by it.
        case opened

        /// The kind as it is published.
        package var name: String {
            switch self {
            case .dismissed: "dismissed"
            case .opened: "opened"
            }
        }
    }

    package var kind: Kind
    package var deviceKind: String
    /// The name of the device.
    package var device: String
    /// The id of the activity.
    package var activity: String
    /// The name of the phone.
    package var phone: String
    /// The person that it belongs to; nil for none.
    package var person: String?
    /// The moment that the phone tells.
    package var at: Timestamp
}

extension PushScheduler {
    /// Returns the gestures since this was last asked.
    package mutating func takeGestures() -> [PhoneGesture] {
        defer { gestures = [] }
        return gestures
    }

    /// Notes a gesture, unless the activity is a test, is unknown here, or is not for the person of the phone.
    mutating func note(
        _ kind: PhoneGesture.Kind,
        _ activity: FollowedActivity,
        on phone: Phone,
        at moment: Timestamp
    ) {
        guard activity.recipient == nil, !activity.isUnknown, maySee(activity, on: phone) else { return }
        gestures.append(
            PhoneGesture(
                kind: kind,
                deviceKind: activity.kind,
                device: activity.device,
                activity: activity.id,
                phone: phone.name,
                person: phone.person,
                at: moment
            )
        )
    }

    /// Notes that the user of a phone opened the app by the card of a device; a report that comes again does not.
    mutating func note(_ opened: PhoneReport.Opened, _ place: Int) {
        guard opened.at > phones[place].openedAt ?? .distantPast else { return }
        phones[place].openedAt = opened.at
        let runs = activities.filter { opened.device.hasSameCodePoints(as: "\($0.kind)/\($0.device)") }
        guard let newest = runs.max(by: { $0.update.startedAt < $1.update.startedAt }) else { return }
        note(.opened, newest, on: phones[place], at: opened.at)
    }
}
