import CCurl
import Glibc
import SkerryValues
import Synchronization

/// The requests that wait for a sender.
final class RequestLine: Sendable {
    /// The largest number of requests in flight: so many may stay without an answer before others wait for them.
    static let senderCount = 16

    private struct State {
        var jobs: [(job: RequestJob, addedAt: Interval)] = []
        var senders = [Sender](repeating: Sender(), count: RequestLine.senderCount)
        var isStopping = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        var hasEnded: Bool { senders.allSatisfy { $0.hasEnded } }
    }

    private struct Sender {
        var job: RequestJob?
        var beganAt = Interval.zero
        var hasEnded = false
    }

    /// The next step of a sender.
    private enum Next {
        case job(RequestJob)
        case sleep(Interval)
        case end
    }

    private let patience: Interval
    private let state = Mutex(State())
    /// For each sender a file that is readable when there is something to do.
    private let files: [Int32]

    init(patience: Interval) {
        self.patience = patience
        files = (0..<Self.senderCount).map { _ in eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        precondition(
            files.allSatisfy { $0 >= 0 },
            "no file for waking up: the process has too many files open"
        )
    }

    deinit { for file in files { _ = close(file) } }

    func add(_ job: RequestJob) {
        let isTaken = state.withLock { state in
            guard !state.isStopping else { return false }
            state.jobs.append((job, Self.now))
            return true
        }
        if isTaken { ring() } else { job.finish(.failure(.stopped)) }
    }

    /// The next request for a sender, in the order in which they came.
    ///
    /// - Parameters:
    ///   - sender: The number of the sender.
    ///   - idleLimit: The time to wait before `whileIdle` is called, and before each further call.
    ///   - whileIdle: Called when no request came for that time.
    /// - Returns: the request; nil if the thread should end.
    func next(_ sender: Int, idleLimit: Interval, whileIdle: () -> Void) -> RequestJob? {
        while true {
            switch step(sender, idleLimit) {
            case .end: return nil
            case .job(let job):
                // The others look how long this one takes.
                ring()
                return job
            case .sleep(let length):
                if !sleep(sender, length), length == idleLimit { whileIdle() }
            }
        }
    }

    private func step(_ sender: Int, _ idleLimit: Interval) -> Next {
        state.withLock { state in
            // It asks for the next one, so it is done with the last one.
            state.senders[sender].job = nil
            if state.isStopping { return .end }
            guard let first = state.jobs.first else { return .sleep(idleLimit) }
            let now = Self.now
            // A sender before this one that is free, or will be soon, takes it.
            let due =
                state.senders[..<sender].map { before in
                    (before.job == nil ? first.addedAt : before.beganAt) + patience
                }.max() ?? now
            guard due <= now else { return .sleep(min(due - now, idleLimit)) }
            state.jobs.removeFirst()
            state.senders[sender].job = first.job
            state.senders[sender].beganAt = now
            return .job(first.job)
        }
    }

    /// The time since the start of the system.
    private static var now: Interval {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int64(time.tv_sec)) + Interval(microseconds: Int64(time.tv_nsec / 1000))
    }

    /// Asks the threads to end; they give up their requests.
    func stop() {
        let jobs = state.withLock { state in
            state.isStopping = true
            return state.senders.compactMap { $0.job }
        }
        // libcurl asks for that once a second.
        for job in jobs { job.cancel() }
        ring()
    }

    /// Records that the thread of a sender has ended.
    func end(_ sender: Int) {
        let (jobs, waiting) = state.withLock { state -> ([RequestJob], [CheckedContinuation<Void, Never>]) in
            state.isStopping = true
            state.senders[sender].hasEnded = true
            guard state.hasEnded else { return ([], []) }
            defer { (state.jobs, state.waiting) = ([], []) }
            return (state.jobs.map { $0.job }, state.waiting)
        }
        for job in jobs { job.finish(.failure(.stopped)) }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once the threads have ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    private func ring() {
        for file in files {
            var one: UInt64 = 1
            _ = write(file, &one, 8)
        }
    }

    /// - Returns: false if the bell did not ring.
    private func sleep(_ sender: Int, _ limit: Interval) -> Bool {
        var entry = pollfd(fd: files[sender], events: Int16(POLLIN), revents: 0)
        let length = (limit.microseconds + 999) / 1000
        guard poll(&entry, 1, Int32(clamping: length)) != 0 else { return false }
        var count: UInt64 = 0
        _ = read(files[sender], &count, 8)
        return true
    }
}
