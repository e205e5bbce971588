import SkerryActivity
import SkerryValues

extension PushScheduler {
    /// Removes the activities that iOS has ended by itself.
    mutating func expire(at now: Timestamp) {
        for (phone, entry, instance) in expired(at: now) {
            phones[phone].activities[entry].remove(instance, .ended, at: now)
            touch(phone: phones[phone].id)
            let text = "iOS ends an activity after eight hours, and takes it away after twelve"
            phones[phone].note(.over, text, of: phones[phone].activities[entry].activity, at: now)
        }
        for place in placesWithChannels where activities[place].isOver {
            activities[place].channels.removeAll {
                $0.life == .refused || ($0.life == .wanted && !$0.isAsked)
            }
        }
        forgetWhoLeft(at: now)
    }

    /// The activities that have broadcast channels.
    var placesWithChannels: [Int] { activities.indices.filter { !activities[$0].channels.isEmpty } }

    /// The instances that no phone shows any more: the phone, the entry on it, and the number.
    private func expired(at now: Timestamp) -> [(phone: Int, entry: Int, instance: Int)] {
        var expired: [(phone: Int, entry: Int, instance: Int)] = []
        for phone in phones.indices {
            for entry in phones[phone].activities.indices {
                let instances = phones[phone].activities[entry].instances.filter { $0.expires <= now }
                if instances.isEmpty || phones[phone].activities[entry].lane.flight != nil { continue }
                expired += instances.map { (phone, entry, $0.number) }
            }
        }
        return expired
    }
}
