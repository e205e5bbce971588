/// The numbers of a former epoch's revisions in one that begins with a number which phones have seen: before all of it.
///
/// Commits were lost, so the bridge counts on from an older revision. Its revision tells whether an alert was told, so
/// those before the last alert of the former epoch stay before it. See docs/decisions/0013-epochs.md.
struct Renumbering {
    /// The revision of the last alert of the former epoch; the highest number if there was none.
    let alert: Int64
    /// The first revision of the new epoch.
    let first: Int64

    /// Returns the number of a revision of the former epoch.
    func callAsFunction(_ rev: Int64) -> Int64 { rev < alert ? min(rev, first - 2) : first - 1 }
}

extension PushScheduler {
    /// Has all that phones were sent of an activity count as sent before a new epoch.
    mutating func renumber(_ activity: Int, before first: Int64) {
        let number = activities[activity].renumber(before: first)
        for phone in phones.indices {
            guard let place = phones[phone].place(of: activities[activity].id) else { continue }
            phones[phone].activities[place].renumber(number)
            touch(phone: phones[phone].id)
        }
    }
}

extension PhoneActivity {
    fileprivate mutating func renumber(_ number: Renumbering) {
        lane.renumber(number)
        for index in instances.indices {
            instances[index].shown.rev = number(instances[index].shown.rev)
            instances[index].alertRev = instances[index].alertRev.map { number($0) }
            instances[index].repeatedRev = number(instances[index].repeatedRev)
        }
    }
}

extension BroadcastChannel {
    mutating func renumber(_ number: Renumbering) {
        lane.renumber(number)
        shown.rev = number(shown.rev)
        repeatedRev = number(repeatedRev)
    }
}
