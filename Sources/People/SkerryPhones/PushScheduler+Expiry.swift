import SkerryActivity
import SkerryValues

extension PushScheduler {
    /// Removes the activities that iOS has ended by itself.
    mutating func expire(at now: Timestamp) {
        for phone in phones.indices {
            for phoneActivity in phones[phone].activities.indices {
                let known = phones[phone].activities[phoneActivity]
                guard known.lane.flight == nil else { continue }
                for instance in known.instances where instance.expires <= now {
                    phones[phone].activities[phoneActivity].remove(instance.number, .ended, at: now)
                    touch(phone: phones[phone].id)
                    let text = "iOS ends an activity after eight hours, and takes it away after twelve"
                    phones[phone].note(.over, text, of: known.activity, at: now)
                }
            }
        }
        for activity in activities.indices where activities[activity].isOver {
            activities[activity].channels.removeAll {
                $0.life == .refused || ($0.life == .wanted && !$0.isAsked)
            }
        }
        forgetWhoLeft(at: now)
    }
}
