import SkerryGateway
import SkerryValues
import Synchronization

/// The time of a world, which the world controls, with machines whose wall clocks may be wrong.
final class SimulatedTime: Sendable {
    private struct Machine {
        /// The moment of the last boot, as the time since the beginning of the world.
        var bootedAt = Interval.zero
        var boots = 1
        /// The difference of the wall clock from the true time; positive when it is ahead.
        var error = Interval.zero
        /// True while the system reports the wall clock as synchronized.
        var isSynchronized = true
    }

    private struct Clocks {
        var passed = Interval.zero
        var machines = [Machine()]
        /// The machine whose bridge is active.
        var present = 0
        var delay = Interval.zero

        func sinceBoot(of machine: Int) -> Interval { passed - machines[machine].bootedAt }

        func wall(of machine: Int) -> Timestamp { origin + passed + machines[machine].error }
    }

    /// The true time at the first boot.
    static let origin = Timestamp(seconds: 1_772_355_600)

    private let clocks = Mutex(Clocks())

    /// The machine whose bridge is active, and which all of the following is about.
    var present: Int {
        get { clocks.withLock { $0.present } }
        set { clocks.withLock { $0.present = newValue } }
    }

    /// The time since boot.
    var sinceBoot: Interval { clocks.withLock { $0.sinceBoot(of: $0.present) } }

    /// The true time.
    var truth: Timestamp { Self.origin + clocks.withLock { $0.passed } }

    /// The difference of the wall clock from the true time; positive when it is ahead.
    var error: Interval {
        get { clocks.withLock { $0.machines[$0.present].error } }
        set { clocks.withLock { $0.machines[$0.present].error = newValue } }
    }

    /// True while the system reports the wall clock as synchronized.
    var isSynchronized: Bool {
        get { clocks.withLock { $0.machines[$0.present].isSynchronized } }
        set { clocks.withLock { $0.machines[$0.present].isSynchronized = newValue } }
    }

    /// The time that has passed meanwhile for a process that waits for an answer.
    var delay: Interval {
        get { clocks.withLock { $0.delay } }
        set { clocks.withLock { $0.delay = newValue } }
    }

    /// The time since boot of a machine.
    func sinceBoot(of machine: Int) -> Interval { clocks.withLock { $0.sinceBoot(of: machine) } }

    /// Adds a machine that was booted some time ago, and whose wall clock differs from the true time by `error`.
    func addMachine(bootedBefore age: Interval, error: Interval) {
        clocks.withLock { $0.machines.append(Machine(bootedAt: .zero - age, error: error)) }
    }

    /// The wall clock of a machine.
    func wall(of machine: Int) -> Timestamp { clocks.withLock { $0.wall(of: machine) } }

    /// Advances the time to a moment; a moment in the past changes nothing.
    func pass(until moment: Timestamp) {
        clocks.withLock { $0.passed = max($0.passed, moment - Self.origin) }
    }

    /// Sets the clocks of all machines right.
    func correct() {
        clocks.withLock { clocks in
            for machine in clocks.machines.indices { clocks.machines[machine].error = .zero }
        }
    }

    /// Boots the machine, so that the time since boot starts at zero.
    func boot() {
        clocks.withLock {
            $0.machines[$0.present].bootedAt = $0.passed
            $0.machines[$0.present].boots += 1
        }
    }

    /// The clock for a process that starts now.
    func makeClock() -> SystemClock {
        let machine = present
        let boots = clocks.withLock { $0.machines[machine].boots }
        return SystemClock(
            wallClock: { [self] in clocks.withLock { $0.wall(of: machine) } },
            sinceBoot: { [self] in clocks.withLock { $0.sinceBoot(of: machine) } },
            isSynchronized: { [self] in clocks.withLock { $0.machines[machine].isSynchronized } },
            bootID: "boot \(boots)" + (machine == 0 ? "" : " of machine \(machine)")
        )
    }
}
