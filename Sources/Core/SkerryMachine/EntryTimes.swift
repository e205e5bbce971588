import SkerryValues

/// The times at which the active states of a machine were entered, by their places among the active states.
///
/// If all states were entered at one time, as in a machine that rests where it started, that time is stored once.
struct EntryTimes: Hashable, Sendable {
    private var shared = Timestamp.distantPast
    /// The time of each state; empty while all share one time.
    private var each: [Timestamp] = []

    subscript(place: Int) -> Timestamp { each.isEmpty ? shared : each[place] }

    /// Makes room for a state at a place among `count` others.
    mutating func insert(_ time: Timestamp, at place: Int, among count: Int) {
        assert(place <= count && (each.isEmpty || each.count == count), "a state has no entry time")
        if count == 0 {
            shared = time
            each = []
        } else if !each.isEmpty {
            each.insert(time, at: place)
        } else if time != shared {
            each = [Timestamp](repeating: shared, count: count + 1)
            each[place] = time
        }
        assert(each.isEmpty || each.count == count + 1, "there is not one entry time for each state")
        assert(self[place] == time, "a state has the entry time of another")
    }

    /// Removes the place of a state that is left.
    mutating func remove(at place: Int) {
        if each.isEmpty { return }
        assert(place < each.count && each.count > 1, "a state has no entry time")
        let other = each[place == 0 ? 1 : 0]
        if each.indices.allSatisfy({ $0 == place || each[$0] == other }) {
            shared = other
            each = []
        } else {
            each.remove(at: place)
            assert(each.count > 1, "a time that is alone is stored as if it differed from others")
        }
    }

    mutating func move(by shift: ClockShift) {
        shared = shift.moved(shared)
        for index in each.indices { each[index] = shift.moved(each[index]) }
    }
}
