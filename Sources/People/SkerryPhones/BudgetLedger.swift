package import SkerryValues

/// The moments of spending, in a window that slides with the time.
///
/// See docs/decisions/0034-push-budgets.md.
package struct BudgetLedger: Sendable {
    /// The moments, in order.
    package private(set) var spent: [Timestamp] = []

    /// The highest limit that a budget can have; more moments than this are not remembered.
    package static let highestLimit = 1000

    /// The number spent within the window before `now`.
    package func used(in window: Interval, at now: Timestamp) -> Int {
        spent.count - spent.partitioningIndex { $0 + window > now }
    }

    /// The moment from which there is room for one more; `now` or earlier if there is already.
    package func room(_ limit: Int, in window: Interval, at now: Timestamp) -> Timestamp {
        let used = used(in: window, at: now)
        // A budget of nothing never has room.
        guard used >= limit, limit > 0 else { return limit > 0 ? now : .distantFuture }
        // At least `limit` are within the window. The one that has to leave it is the oldest of the last `limit`.
        return spent[spent.count - limit] + window
    }

    /// Records a spending, and forgets those before the window.
    package mutating func spend(in window: Interval, at now: Timestamp) {
        spent.removeFirst(spent.partitioningIndex { $0 + window > now })
        if spent.count >= Self.highestLimit { spent.removeFirst() }
        spent.append(now)
        assert(spent.count <= Self.highestLimit, "more is remembered than any budget counts")
    }

    /// Takes back the last entry, which never reached the phone.
    package mutating func takeBack() { _ = spent.popLast() }

    /// Moves the entries, because the wall clock was set.
    package mutating func clockStepped(by length: Interval) {
        for index in spent.indices { spent[index] = spent[index] + length }
    }

    func write(to writer: inout ImageWriter) { writer.list(spent) { $0.moment($1) } }

    /// Makes a ledger without entries.
    package init() {}

    init(from reader: inout ImageReader) throws(ImageFault) {
        spent = try reader.list { reader throws(ImageFault) in try reader.moment() }
        // A clock that was set back between two pushes must not cost a phone its pairing.
        spent.sort()
    }
}
