package import SkerryValues
import Synchronization

/// A part of a run in which its state stayed the same.
package struct RunStage: Hashable, Sendable {
    /// The number of stages that a history gives of one run, the first ones.
    package static let limit = 200

    /// The id of the activity.
    package var activity: String
    /// The names of the innermost states.
    package var state: String
    /// The title of the state as it was when the stage began, if it has one.
    package var title: String?
    /// The moment at which it began; it lasted until the next one began, or the run ended.
    package var from: Timestamp

    package init(activity: String, state: String, title: String?, from: Timestamp) {
        self.activity = activity
        self.state = state
        self.title = title
        self.from = from
    }
}

/// The port to the runs that have ended, and to the stages of all; called from any thread but the bus's.
package protocol RunHistory: Sendable {
    /// The runs that ended last, newest first.
    ///
    /// - Parameters:
    ///   - kind: The kind of the devices; nil for all.
    ///   - device: The name of the device; nil for all.
    ///   - before: The id of a run: only those that ended before it are returned, and none if it is not kept.
    ///   - limit: The largest number of runs.
    /// - Returns: the runs.
    /// - Throws: ``StoreFault`` if they can't be read.
    func runs(
        kind: String?,
        device: String?,
        before: String?,
        limit: Int
    ) throws(StoreFault) -> [EndedActivity]

    /// The stages of runs by the ids of their activities, each in its order.
    ///
    /// - Throws: ``StoreFault`` if they can't be read.
    func stages(of activities: [String]) throws(StoreFault) -> [ExactText: [RunStage]]
}

/// The runs of this process, for a store that keeps nothing.
public final class MemoryRunHistory: RunHistory {
    /// The number of runs that are kept.
    package static let limit = 500
    /// The number of stages that are kept, of all runs.
    static let stageLimit = 10_000

    private struct State {
        var ended: [EndedActivity] = []
        var stages: [RunStage] = []
    }

    private let state = Mutex(State())

    /// Makes an empty history.
    package init() {}

    /// Adds what a commit has of runs.
    func add(_ changes: StoreChanges) {
        if changes.ended.isEmpty, changes.stages.isEmpty { return }
        state.withLock { state in
            state.ended += changes.ended
            state.stages += changes.stages
            // Beyond a reserve, so that not every run moves all others.
            if state.ended.count > 2 * Self.limit { state.ended = state.ended.suffix(Self.limit) }
            if state.stages.count > 2 * Self.stageLimit {
                state.stages = state.stages.suffix(Self.stageLimit)
            }
            assert(state.ended.count <= 2 * Self.limit, "more runs are kept than promised")
            assert(state.stages.count <= 2 * Self.stageLimit, "more stages are kept than promised")
        }
    }

    /// The runs that ended last, newest first.
    package func runs(kind: String?, device: String?, before: String?, limit: Int) -> [EndedActivity] {
        let found = state.withLock { state in
            let end = before.map { id in state.ended.firstIndex { $0.id.hasSameCodePoints(as: id) } ?? 0 }
            return state.ended[..<(end ?? state.ended.count)].filter { run in
                (kind.map(run.kind.hasSameCodePoints) ?? true)
                    && (device.map(run.device.hasSameCodePoints) ?? true)
            }
        }
        return found.suffix(min(limit, Self.limit)).reversed()
    }

    /// The stages of runs by the ids of their activities, each in its order.
    package func stages(of activities: [String]) -> [ExactText: [RunStage]] {
        let wanted = Set(activities.map { ExactText($0) })
        let found = state.withLock { $0.stages.filter { wanted.contains(ExactText($0.activity)) } }
        return Dictionary(grouping: found) { ExactText($0.activity) }
    }
}
