import CCurl
import Glibc
import SkerryGateway
public import SkerryValues
import Synchronization

/// The options of an HTTP client.
public struct WebClientOptions: Hashable, Sendable {
    /// The time limit for making a connection.
    package var connectLimit = Interval.seconds(15)
    /// The time limit for a whole request.
    public var requestLimit = Interval.seconds(30)
    /// The time without an answer after which another connection takes the waiting requests.
    public var patience = Interval.seconds(2)
    /// After how much silence an open connection is asked for a sign of life, an HTTP/2 PING.
    public var pingAfter = Interval.hours(1)
    /// A PEM file of the authorities to trust; nil for those of the system.
    public var authorityFile: String?

    /// The default options.
    public init() {}
}

/// An HTTP client by libcurl, on threads of its own.
///
/// Requests go one after the other by a sender: a thread and its connection. One sender does all the work until an answer
/// takes longer than usual: then the next sender takes the waiting requests, so that one request without an answer
/// delays no other. A connection stays open as long as the other end allows, and is not shared. Names are looked up
/// again for each connection.
public final class WebClient: Sendable {
    /// The number of bytes of a body that are kept; answers of services have a few dozen.
    public static let bodyLimit = 4096

    private let line: RequestLine

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - options: Time limits, and whom to trust.
    ///   - name: The name of the threads.
    /// - Throws: ``WebFault`` when the system gives no thread, or has no libcurl that speaks HTTP/2.
    public init(_ options: WebClientOptions = WebClientOptions(), threads name: String) throws(WebFault) {
        if let fault = CurlSession.libraryFault { throw fault }
        let line = RequestLine(patience: options.patience)
        self.line = line
        for sender in 0..<RequestLine.senderCount {
            let isStarted = runOnThread(named: name) {
                let session = CurlSession(options)
                while let job = line.next(
                    sender,
                    idleLimit: options.pingAfter,
                    whileIdle: { session.keepAlive() }
                ) {
                    job.finish(session.perform(job))
                }
                session.close()
                line.end(sender)
            }
            if isStarted { continue }
            for other in sender..<RequestLine.senderCount { line.end(other) }
            line.stop()
            throw WebFault(.unreachable, "the system refuses a thread for requests")
        }
    }

    deinit { line.stop() }

    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// When the task is cancelled, the request is given up within a second.
    ///
    /// - Throws: ``WebFault`` when there is no answer.
    public func perform(_ request: WebRequest) async throws(WebFault) -> WebResponse {
        guard request.isWellFormed else {
            throw WebFault(.request, "address and headers of a request must be plain ASCII")
        }
        let job = RequestJob(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                job.await(continuation)
                line.add(job)
            }
        } onCancel: {
            job.cancel()
        }
        return try result.get()
    }

    /// Gives up the requests in flight, closes the connections and returns once the threads have ended.
    public func stop() async {
        line.stop()
        await line.ended()
    }
}

/// A request in flight, and the continuation that waits for its answer.
final class RequestJob: Sendable {
    typealias Outcome = Result<WebResponse, WebFault>

    let request: WebRequest
    private let waiting = Mutex<CheckedContinuation<Outcome, Never>?>(nil)
    private let isGivenUp = Atomic<Bool>(false)

    init(_ request: WebRequest) {
        self.request = request
    }

    // Relaxed, because nothing else is read that it would have to be ordered with.
    var isCancelled: Bool { isGivenUp.load(ordering: .relaxed) }

    func cancel() { isGivenUp.store(true, ordering: .relaxed) }

    func await(_ continuation: CheckedContinuation<Outcome, Never>) {
        waiting.withLock { $0 = continuation }
    }

    func finish(_ outcome: Outcome) {
        // An answer and the end of the threads may both come, and only one of them may resume.
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        // Outside the lock, because who waits may go on at once.
        continuation?.resume(returning: outcome)
    }
}

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

extension WebFault {
    static let stopped = WebFault(.cancelled, "the client was stopped")
}
