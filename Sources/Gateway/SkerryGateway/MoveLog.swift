import SkerryDevice
import SkerryEngine
package import SkerryValues
import Synchronization

/// A change of a device's innermost states.
package struct StateMove: Hashable, Sendable {
    /// The moment.
    package var at: Timestamp
    /// The states before, by their names with commas between; empty for the start of the machine.
    package var from: String
    /// The states after.
    package var to: String
    /// The states that were entered and left again on the way.
    package var through: [String]
}

/// The last moves of each device since the start of the process, for readers on other threads than the bridge's.
///
/// The bridge fills it through its `watch`.
package final class MoveLog: Sendable {
    /// The number of moves that are kept of a device.
    package static let limit = 200
    /// The number of moves that are kept of all devices.
    static let limitOfAll = 20_000

    fileprivate struct State {
        var moves: [DeviceKey: [StateMove]] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Makes an empty log.
    package init() {}

    /// Records an event of the bridge.
    package func take(_ event: BridgeEvent) {
        if case .clock(_, let length) = event { return state.withLock { $0.move(by: length) } }
        guard case .effect(let effect) = event else { return }
        let device = DeviceKey(kind: effect.kind, name: effect.device)
        switch effect.what {
        case .moved(let from, let to, let through):
            let move = StateMove(at: effect.at, from: from, to: to, through: through)
            state.withLock { $0.add(move, of: device) }
        case .forgotten:
            state.withLock { state in
                state.count -= state.moves.removeValue(forKey: device)?.count ?? 0
                assert(state.count >= state.moves.count, "the kept moves are miscounted")
            }
        default: break
        }
    }

    /// The moves of a device, oldest first.
    package func moves(of device: DeviceKey) -> [StateMove] {
        state.withLock { ($0.moves[device] ?? []).suffix(Self.limit) }
    }
}

extension MoveLog.State {
    fileprivate mutating func add(_ move: StateMove, of device: DeviceKey) {
        moves[device, default: []].append(move)
        count += 1
        // Beyond a reserve, so that not every move shifts all others.
        if let kept = moves[device], kept.count > 2 * MoveLog.limit {
            count -= kept.count - MoveLog.limit
            moves[device] = kept.suffix(MoveLog.limit)
        }
        if count > MoveLog.limitOfAll { dropOldest() }
        assert(count <= MoveLog.limitOfAll, "more moves are kept than promised")
        assert(count >= moves.count, "the kept moves are miscounted")
    }

    /// Moves all moments, because the wall clock was set.
    fileprivate mutating func move(by length: Interval) {
        if length == .zero { return }
        moves = moves.mapValues { kept in
            kept.map { StateMove(at: $0.at + length, from: $0.from, to: $0.to, through: $0.through) }
        }
    }

    /// Drops the older half of all moves.
    private mutating func dropOldest() {
        let moments = moves.values.flatMap { $0.map(\.at) }.sorted()
        let border = moments[moments.count / 2]
        moves = moves.compactMapValues { kept in
            let rest = kept.filter { $0.at > border }
            return rest.isEmpty ? nil : rest
        }
        count = moves.values.reduce(0) { $0 + $1.count }
    }
}
