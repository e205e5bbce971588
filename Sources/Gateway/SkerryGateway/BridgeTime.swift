package import SkerryValues
import Synchronization

/// The time of a bridge, for readers on other threads: a clock of their own would know neither what the bridge has found out
/// about the wall clock nor what it has not.
///
/// The bridge tells it through its `watch`.
package final class BridgeTime: Sendable {
    private let clock: Mutex<any GatewayClock>

    /// Makes the time of a bridge that has not begun, by the clock that it will have.
    package init(_ clock: some GatewayClock) { self.clock = Mutex(clock) }

    /// Records an event of the bridge.
    package func take(_ event: BridgeEvent) {
        guard case .clock(let clock, _) = event else { return }
        self.clock.withLock { $0 = clock }
    }

    package var now: Timestamp { clock.withLock { $0.now } }
}
