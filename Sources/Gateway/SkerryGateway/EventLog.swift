package import SkerryActivity
import SkerryDevice
import SkerryEngine
package import SkerryValues
import Synchronization

/// The one place that knows what readers of a bridge should hold: the last revision of every activity, its timeline while
/// there are readers, and the last events, for readers on other threads than the bridge's.
///
/// The bridge fills it through its `watch`; without readers there is no log and no cost. Every event has a position,
/// counted from 1. Somebody who holds the state of a position and takes the entries after it holds the present state.
///
/// See docs/decisions/0036-http-api.md.
package final class EventLog: Sendable {
    /// The number of entries that are kept.
    package static let entryLimit = 1024

    fileprivate struct State {
        var activities: [DeviceKey: ActivityUpdate] = [:]
        var timelines: [DeviceKey: ActivityTimeline] = [:]
        var broker: BrokerPresence
        /// The titles of the states that devices have just entered.
        var titles: [DeviceKey: String] = [:]
        /// The last entries; once it is full, a ring that begins behind the newest.
        var entries: [LoggedEvent] = []
        var position: UInt64 = 0
        var wake: (@Sendable () -> Void)?
        /// True if the function was called, and the entries have not been read since.
        var isAwake = false
    }

    private let state: Mutex<State>
    private let rate: Int64
    private let now: @Sendable () -> Timestamp

    /// Makes an empty log.
    ///
    /// - Parameters:
    ///   - rate: The speed of that time relative to the real one.
    ///   - now: The time of the bridge: that of events that have none of their own, and of snapshots.
    package init(rate: Int64 = 1, now: @escaping @Sendable () -> Timestamp) {
        self.rate = rate
        self.now = now
        state = Mutex(State(broker: BrokerPresence(isConnected: false, since: now())))
    }

    /// Records an event of the bridge.
    package func take(_ event: BridgeEvent) {
        let wake = state.withLock { state in
            let former = state.position
            state.take(event, now)
            guard state.position > former, !state.isAwake else { return nil as (@Sendable () -> Void)? }
            state.isAwake = state.wake != nil
            return state.wake
        }
        // Outside the lock, because who is woken reads.
        wake?()
    }

    /// Has a function called, on the thread of the bridge, when there are new entries, and then not again before
    /// ``entries(after:)`` has read them; nil for none.
    package func onEvents(_ wake: (@Sendable () -> Void)?) {
        state.withLock { ($0.wake, $0.isAwake) = (wake, false) }
    }

    /// True if somebody reads, and wants timelines with what else happens.
    package var hasReaders: Bool { state.withLock { $0.wake != nil } }

    /// The position of the newest entry; zero before the first.
    package var position: UInt64 { state.withLock { $0.position } }

    /// The entries after a position; after a gap if not all of them are kept any more.
    package func entries(after position: UInt64) -> [LoggedEvent] {
        state.withLock { state in
            state.isAwake = false
            return state.entries(after: position)
        }
    }

    /// Everything that a reader should hold, as one moment's state.
    package func snapshot(for viewer: Viewer = .unrestricted) -> LogSnapshot {
        state.withLock { state in
            LogSnapshot(
                position: state.position,
                at: now(),
                rate: rate,
                activities: state.activities.filter { viewer.sees($0.value, of: $0.key) }.values
                    .sorted { $0.id < $1.id },
                timelines: state.timelines.filter { place, timeline in
                    viewer.sees(
                        kind: place.kind,
                        device: place.name,
                        attributes: state.attributes(of: timeline.id, place)
                    )
                }.values.sorted { $0.id < $1.id },
                broker: state.broker
            )
        }
    }

    /// The last revision of the activity of a device; nil when it has none that is not dismissed.
    package func activity(
        kind: String,
        device: String,
        for viewer: Viewer = .unrestricted
    ) -> ActivityUpdate? {
        let place = DeviceKey(kind: kind, name: device)
        let activity = state.withLock { $0.activities[place] }
        return activity.flatMap { viewer.sees($0, of: place) ? $0 : nil }
    }

    /// The last revisions of activities that a viewer sees, in the order of their ids, at most `limit` after an id.
    package func activities(
        after id: String? = nil,
        limit: Int,
        for viewer: Viewer
    ) -> [ActivityUpdate] {
        // A copy, so that the bridge need not wait while they are judged and sorted.
        let all = state.withLock { $0.activities }
        let seen = all.filter { device, update in
            (id.map { $0 < update.id } ?? true) && viewer.sees(update, of: device)
        }
        let sorted = seen.values.sorted { $0.id < $1.id }
        return Array(sorted.prefix(limit))
    }
}

extension EventLog.State {
    fileprivate mutating func take(_ event: BridgeEvent, _ now: () -> Timestamp) {
        switch event {
        case .effect(let effect): take(effect)
        case .resumed(let kind, let device, let update):
            let place = DeviceKey(kind: kind, name: device)
            activities[place] = update
            add(.resumed(update), of: place, update.attributes)
        case .foretold(let kind, let device, let timeline):
            let place = DeviceKey(kind: kind, name: device)
            foretell(timeline, of: place)
        case .entered(let kind, let device, let title):
            titles[DeviceKey(kind: kind, name: device)] = title
        case .redefined: add(.redefined, of: nil)
        case .connected: take(BrokerPresence(isConnected: true, since: now()))
        case .disconnected: take(BrokerPresence(isConnected: false, since: now()))
        case .clock(_, let length): broker.since = broker.since + length
        case .subscribed, .compared, .isRefused, .newEpoch, .storeIsLost: break
        }
    }

    private mutating func take(_ effect: Effect) {
        let place = DeviceKey(kind: effect.kind, name: effect.device)
        switch effect.what {
        case .update(let update):
            // A run has begun before the last one was dismissed.
            if let former = activities[place], !former.id.hasSameCodePoints(as: update.id) {
                add(.dismissed(id: former.id), of: place, former.attributes, unless: update.attributes)
            }
            activities[place] = update
            if update.alert != nil { add(.alerted(update), of: place, update.attributes) }
            add(.revised(update), of: place, update.attributes)
        case .dismissed(let id):
            // Before the activity goes, because they decide who may see that it does.
            let attributes = attributes(of: id, place)
            timelines[place] = nil
            if attributes != nil { activities[place] = nil }
            add(.dismissed(id: id), of: place, attributes)
        case .moved(let from, let to, let through):
            let title = titles.removeValue(forKey: place)
            let move = StateMove(at: effect.at, from: from, to: to, through: through)
            add(.moved(move, title: title), of: place, presentAttributes(place))
        case .availability(let isAvailable):
            add(.availability(isAvailable), of: place, presentAttributes(place))
        case .forgotten: add(.forgotten, of: place)
        // Timelines come as events of their own.
        case .publication, .foretold, .refused, .fault: break
        }
    }

    private mutating func take(_ presence: BrokerPresence) {
        // Each attempt to connect that fails is told, too.
        if presence.isConnected == broker.isConnected { return }
        broker = presence
        add(.broker(presence), of: nil)
    }

    private mutating func foretell(_ timeline: ActivityTimeline?, of place: DeviceKey) {
        if timelines[place]?.json() == timeline?.json() { return }
        let id = timeline?.id ?? timelines[place]?.id
        timelines[place] = timeline
        add(.foretold(timeline), of: place, id.flatMap { attributes(of: $0, place) })
    }

    /// The attributes of the run that goes on; nil between runs.
    private func presentAttributes(_ place: DeviceKey) -> ValueMap? {
        activities[place].flatMap { $0.phase == .ended ? nil : $0.attributes }
    }

    /// The attributes of an activity of a device; nil if the device has another one, or none.
    fileprivate func attributes(of id: String, _ place: DeviceKey) -> ValueMap? {
        activities[place].flatMap { $0.id.hasSameCodePoints(as: id) ? $0.attributes : nil }
    }

    private mutating func add(
        _ news: LoggedEvent.News,
        of device: DeviceKey?,
        _ attributes: ValueMap? = nil,
        unless successor: ValueMap? = nil
    ) {
        position += 1
        let entry = LoggedEvent(
            position: position,
            device: device,
            attributes: attributes,
            successor: successor,
            news: news
        )
        if entries.count < EventLog.entryLimit {
            entries.append(entry)
        } else {
            // Positions count from 1 and entries from 0, here and in `entries(after:)`.
            let place = Int((position - 1) % UInt64(EventLog.entryLimit))
            assert(
                entries[place].position + UInt64(EventLog.entryLimit) == position,
                "an entry is not the oldest"
            )
            entries[place] = entry
        }
        assert(position >= UInt64(entries.count), "there are more entries than positions")
    }

    fileprivate func entries(after last: UInt64) -> [LoggedEvent] {
        let first = max(last, position - UInt64(entries.count))
        let found = (min(first, position)..<position).map { entries[Int($0 % UInt64(EventLog.entryLimit))] }
        assert(found.first.map { $0.position == first + 1 } ?? true, "an entry between two reads is left out")
        assert(found.last.map { $0.position == position } ?? true, "the newest entry is left out")
        return found
    }
}

/// An event that readers of a bridge should know.
package struct LoggedEvent: Sendable {
    /// The content of an event.
    package enum News: Sendable {
        /// The revision that comes next has an alert.
        case alerted(ActivityUpdate)
        /// There is a new revision of the activity.
        case revised(ActivityUpdate)
        /// The activity was restored, or goes on in a new epoch.
        case resumed(ActivityUpdate)
        /// The ended activity with this id goes away.
        case dismissed(id: String)
        /// There is another timeline; nil when nothing is foretold any more.
        case foretold(ActivityTimeline?)
        /// The machine went from one state to another, which has this title.
        case moved(StateMove, title: String?)
        /// The device can be reached, or no longer.
        case availability(Bool)
        /// The device was removed.
        case forgotten
        /// The connection to the broker was made, or lost.
        case broker(BrokerPresence)
        /// The definitions were read again.
        case redefined
    }

    /// Its position in the log.
    package let position: UInt64
    /// Its device; nil for the bridge itself.
    package let device: DeviceKey?
    /// The attributes of the run that it is about; nil for what is about the device and no single run.
    package let attributes: ValueMap?
    /// The attributes of the run that took the place of this one: who sees that run needs no word that this one went.
    package let successor: ValueMap?
    /// Its content.
    package let news: News
}

/// The connection to the broker as readers know it.
package struct BrokerPresence: Hashable, Sendable {
    /// True while there is a connection.
    package var isConnected: Bool
    /// The moment of the last change.
    package var since: Timestamp
}

/// Everything that readers should hold at one position of the log.
package struct LogSnapshot: Sendable {
    package let position: UInt64
    /// The moment at which it was taken.
    package let at: Timestamp
    /// The speed of the bridge's time relative to the real one; 1 except in a demonstration.
    package let rate: Int64
    /// The activities, in the order of their ids.
    package let activities: [ActivityUpdate]
    /// The timelines, in the order of their ids.
    package let timelines: [ActivityTimeline]
    /// The connection to the broker.
    package let broker: BrokerPresence
}
