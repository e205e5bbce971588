public import SkerryActivity
import SkerryMachine
package import SkerryValues

/// The state of an activity on its way to one sink.
///
/// It has the whole state, so a newer one replaces it as long as the sink has not settled it. An unsettled alert is
/// passed on to the newer one, and then belongs to an earlier revision.
public struct Delivery: Sendable {
    /// Its id in its ``SinkQueue``; later ones have higher numbers.
    public var id: UInt64
    /// The name of the sink.
    public var sink: String
    /// The kind of the device.
    public var kind: String
    /// The name of the device.
    public var device: String
    /// The newest revision, without a patch: a sink need not have seen the one before.
    ///
    /// Its kind is `started` if the start of the run was not settled when it was made.
    public var update: ActivityUpdate
    /// The revision that the alert of ``update`` belongs to; negative once every recipient has the update.
    public var alertRev: Int64
    /// The moment at which the alert of ``update`` was raised.
    package var alertedAt: Timestamp
    /// True if the store has it.
    var isStored: Bool

    /// Makes a delivery of an update.
    public init(id: UInt64, sink: String, kind: String, device: String, update: ActivityUpdate) {
        self.id = id
        self.sink = sink
        self.kind = kind
        self.device = device
        self.update = update
        self.update.patch = nil
        alertRev = update.rev
        alertedAt = update.at
        isStored = true
    }

    /// True if every recipient has the update, and it waits only for its dismissal.
    var hasArrived: Bool { alertRev < 0 }

    /// Records that every recipient has the update.
    mutating func arrive() {
        assert(!hasArrived, "a state arrives twice")
        update.alert = nil
        alertRev = -1
    }

    /// Returns the news in it for a sink that has an earlier revision of this activity.
    ///
    /// - Parameters:
    ///   - rev: The last revision of the sink; 0 for none.
    ///   - epoch: The epoch of that revision.
    /// - Returns: the update, without an alert that the sink already has; nil if the sink has all of it.
    public func news(after rev: Int64, epoch: Int64) -> ActivityUpdate? {
        guard update.epoch == epoch else { return update }
        guard update.rev > rev else { return nil }
        var news = update
        if alertRev <= rev { news.alert = nil }
        return news
    }

    /// Moves when its run began and when its alert was raised, because the wall clock was set.
    mutating func move(by shift: ClockShift) {
        update.startedAt = shift.moved(update.startedAt)
        alertedAt = shift.moved(alertedAt)
    }

    /// Takes over from an unsettled delivery of the same activity that the sink may not know the run yet, and the alert.
    mutating func takeOver(_ earlier: Delivery) {
        assert(
            earlier.update.id.hasSameCodePoints(as: update.id),
            "a delivery takes over from another activity"
        )
        assert(earlier.id <= id, "a delivery takes over from a later one")
        assert(earlier.sink == sink, "a delivery takes over from that of another sink")
        if earlier.update.kind == .started, update.phase != .ended { update.kind = .started }
        // `alertRev` counts in the epoch of its revision, and means nothing in another.
        guard earlier.update.epoch == update.epoch else { return }
        if earlier.update.isNewState { update.isNewState = true }
        guard update.alert == nil, let alert = earlier.update.alert else { return }
        update.alert = alert
        alertRev = earlier.alertRev
        alertedAt = earlier.alertedAt
    }
}
