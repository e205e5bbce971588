import Glibc
import SkerryGateway
import Synchronization

/// A thread for work that may take seconds, one job after the other; it is there only while there are jobs.
final class Workbench: Sendable {
    typealias Job = @Sendable () -> Void

    /// The number of jobs that may wait.
    static let capacity = 16
    /// The nice value of its thread: devices go a little before people who look.
    // With 10, people got no answer on a busy machine.
    private static let niceness: Int32 = 2

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Adds a job.
    ///
    /// - Returns: false if too many jobs wait, or the system refuses a thread.
    func put(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard state.jobs.count < Self.capacity else { return false }
            // Within the lock, so that no job is taken for a thread that the system then refuses.
            if !state.isRunning { state.isRunning = start() }
            if state.isRunning { state.jobs.append(job) }
            return state.isRunning
        }
    }

    private func start() -> Bool {
        runOnThread(named: "skerry-house") { [self] in
            // On Linux the nice value is one of the thread, not of the process.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            while let job = next() { job() }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            if state.jobs.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}

/// The processor time of the calling thread, in microseconds.
func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
