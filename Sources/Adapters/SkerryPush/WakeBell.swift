import SkerryValues
import Synchronization

/// Ends the sleep of one task, from any thread.
final class WakeBell: Sendable {
    private struct State {
        var isRung = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the present sleep, or the next one as soon as it begins.
    func ring() {
        let sleeper = state.withLock { state in
            defer { state.sleeper = nil }
            state.isRung = state.sleeper == nil
            return state.sleeper
        }
        sleeper?.resume()
    }

    /// Sleeps until it rings, the task is cancelled or the time has passed; nil for no limit.
    func sleep(atMost limit: Interval?) async {
        let alarm = limit.map { limit in
            Task {
                try await Task.sleep(for: .microseconds(limit.microseconds))
                ring()
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    defer { state.isRung = false }
                    if !state.isRung { state.sleeper = continuation }
                    return state.isRung
                }
                if isRung { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
        alarm?.cancel()
    }
}
