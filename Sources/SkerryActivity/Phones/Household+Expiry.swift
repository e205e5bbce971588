import SkerryValues

extension Household {
    /// Removes the activities that iOS has ended by itself.
    mutating func expire(at now: Timestamp) {
        for phone in phones.indices {
            for showing in phones[phone].showings.indices {
                let known = phones[phone].showings[showing]
                guard known.line.flight == nil else { continue }
                for card in known.cards where card.expires <= now {
                    phones[phone].showings[showing].remove(card.instance, .ended, at: now)
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
