public import SkerryActivity
import SkerryDevice
import SkerryEngine
import Synchronization

/// The last revision and the timeline of every activity, for readers on other threads than the bridge's.
///
/// The bridge fills it through its `watch`; without readers there is no board and no cost.
///
/// See docs/decisions/0036-http-api.md.
public final class ActivityBoard: Sendable {
    private struct State {
        var activities: [DeviceKey: ActivityUpdate] = [:]
        var timelines: [DeviceKey: ActivityTimeline] = [:]
    }

    private let state = Mutex(State())

    /// Makes an empty board.
    public init() {}

    /// Records an event of the bridge.
    public func take(_ event: BridgeEvent) {
        switch event {
        case .effect(let effect):
            let place = DeviceKey(kind: effect.kind, name: effect.device)
            switch effect.what {
            case .update(let update): state.withLock { $0.activities[place] = update }
            case .foretold(let timeline): state.withLock { $0.timelines[place] = timeline }
            case .dismissed(let id):
                state.withLock { if $0.activities[place]?.id == id { $0.activities[place] = nil } }
            case .moved, .availability, .forgotten, .refused, .fault: break
            }
        case .resumed(let kind, let device, let update):
            state.withLock { $0.activities[DeviceKey(kind: kind, name: device)] = update }
        case .foretold(let kind, let device, let timeline):
            state.withLock { $0.timelines[DeviceKey(kind: kind, name: device)] = timeline }
        case .connected, .subscribed, .disconnected, .isRefused, .newEpoch, .storeIsLost: break
        }
    }

    /// The last revision of the activity of a device; nil when it has none that is not dismissed.
    public func activity(kind: String, device: String) -> ActivityUpdate? {
        state.withLock { $0.activities[DeviceKey(kind: kind, name: device)] }
    }

    /// The timeline of a device; nil without a forecast.
    public func timeline(kind: String, device: String) -> ActivityTimeline? {
        state.withLock { $0.timelines[DeviceKey(kind: kind, name: device)] }
    }

    /// The last revisions of activities in the order of their ids, at most `limit` after an id.
    public func activities(after id: String? = nil, limit: Int) -> [ActivityUpdate] {
        let all = state.withLock { Array($0.activities.values) }
        let sorted = all.filter { update in id.map { $0 < update.id } ?? true }.sorted { $0.id < $1.id }
        return Array(sorted.prefix(limit))
    }
}
