import SkerryActivity
import SkerryValues

// Activities that are not for the person of a phone, or that its user hides there, and phones that were removed.
extension PushScheduler {
    /// Returns whether a phone may see an activity.
    ///
    /// One that only a phone has reported is not judged: its attributes are not known yet, and it gets no content. A test
    /// is for its phone alone.
    func maySee(_ activity: FollowedActivity, on phone: Phone) -> Bool {
        maySee(activity, person: phone.person, id: phone.id, isPaired: phone.leftAt == nil)
    }

    /// The same for a phone of which only the needed is at hand.
    func maySee(_ activity: FollowedActivity, person: String?, id: String, isPaired: Bool) -> Bool {
        guard isPaired else { return false }
        if activity.isUnknown { return true }
        if let recipient = activity.recipient { return recipient.hasSameCodePoints(as: id) }
        return audience.allows(
            person,
            kind: activity.kind,
            device: activity.device,
            attributes: activity.update.attributes
        )
    }

    /// Returns whether an activity has no place on a phone: it may not see it, or its user chose so.
    ///
    /// What is hidden can still be read in the app.
    func isWithheld(_ activity: FollowedActivity, from phone: Phone) -> Bool {
        !maySee(activity, on: phone) || hiding(activity, on: phone) != nil
    }

    /// The choice by which an activity is hidden on a phone; a test is never hidden.
    private func hiding(_ activity: FollowedActivity, on phone: Phone) -> String? {
        activity.recipient == nil ? phone.hiding(activity.id) : nil
    }

    /// The step for an activity that has no place on a phone: it is ended there, without its content.
    func withheld(_ phoneActivity: PhoneActivity, of phone: Phone, _ activity: FollowedActivity) -> Step {
        if !phoneActivity.instances.isEmpty { return ending(phoneActivity) }
        if activity.isOver || activity.recipient != nil { return .rest }
        if maySee(activity, on: phone), let choice = hiding(activity, on: phone) {
            let text = "its user chose not to see \(choice) on this phone"
            return .hold(Step.Hold(kind: .hidden, text: text), until: .distantFuture)
        }
        return .hold(Step.Hold(kind: .notAudience, text: phone.exclusion), until: .distantFuture)
    }

    /// Why phones that may not see the runs of a device get nothing of them: nothing is planned for these, so nothing is
    /// noted either.
    func exclusions(kind: String, device: String) -> [PhoneDecision] {
        activities.filter { activity in
            !activity.isOver && activity.recipient == nil && activity.kind.hasSameCodePoints(as: kind)
                && activity.device.hasSameCodePoints(as: device)
        }.flatMap { activity in
            pairedPhones.filter { $0.place(of: activity.id) == nil }.map { phone in
                PhoneDecision(
                    at: max(activity.update.startedAt, phone.pairedAt),
                    phone: phone.name,
                    phoneID: phone.id,
                    activity: activity.id,
                    kind: .notAudience,
                    text: phone.exclusion,
                    until: nil
                )
            }
        }
    }

    /// Returns whether a phone that may not see the activity listens to a channel of it.
    ///
    /// One phone alone can't be taken from a channel. So the channel is ended for all, without content, and the activity
    /// starts again on another one for those who may see it. What is only hidden is ended by the app.
    func isOverheard(_ channel: BroadcastChannel, of activity: FollowedActivity) -> Bool {
        placesListening(to: channel, of: activity.id).contains { !maySee(activity, on: phones[$0]) }
    }
}

extension Phone {
    /// Why it gets nothing of an activity that it may not see.
    fileprivate var exclusion: String { person.map { "not for \($0)" } ?? "not for a phone without a person" }
}
