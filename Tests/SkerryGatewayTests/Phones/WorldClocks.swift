import Logging
import SkerryValues
import Synchronization

@testable import SkerryGateway

/// The true time, and the wall clock of the gateway, which may be wrong.
final class WorldClocks: Sendable {
    static let quiet = Logger(label: "phones", factory: { _ in SwiftLogNoOpLogHandler() })

    private let start: Timestamp
    private let state = Mutex((passed: Interval.zero, error: Interval.zero))

    init(_ start: Timestamp) {
        self.start = start
    }

    var truth: Timestamp { start + state.withLock { $0.passed } }
    var wall: Timestamp { truth + error }

    var error: Interval {
        get { state.withLock { $0.error } }
        set { state.withLock { $0.error = newValue } }
    }

    func pass(until moment: Timestamp) {
        state.withLock { $0.passed = max($0.passed, moment - start) }
    }

    func makeClock() -> SystemClock {
        SystemClock(
            wallClock: { [self] in wall },
            sinceBoot: { [self] in truth - start },
            isSynchronized: { [self] in error == .zero }
        )
    }
}
