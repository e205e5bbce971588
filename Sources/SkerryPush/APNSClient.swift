#if Push
import CCurl
import Glibc
import SkerryGateway
public import SkerryValues
import Synchronization

/// How a client talks to Apple's push service.
public struct APNSClientOptions: Hashable, Sendable {
    /// How long making a connection may take.
    public var connectLimit = Interval.seconds(15)
    /// How long a whole request may take.
    public var requestLimit = Interval.seconds(30)
    /// After how much silence an open connection is asked for a sign of life, an HTTP/2 PING.
    public var pingAfter = Interval.hours(1)
    /// A PEM file of the authorities to trust; nil for those of the system.
    public var authorityFile: String?

    /// The default options.
    public init() {}
}

/// A client of Apple's push service: HTTP/2 over TLS 1.2 or later, by libcurl on one thread of its own.
///
/// Requests go one after the other. A connection stays open for as long as the other end likes, and is not shared
/// with anybody. Names are looked up anew for each connection.
public final class APNSClient: Sendable {
    /// How many bytes of a body are kept; answers of the service have a few dozen.
    public static let bodyLimit = 4096

    private let line = RequestLine()

    /// Starts the thread.
    ///
    /// - Throws: ``APNSFault`` when the system gives no thread or libcurl can't speak HTTP/2.
    public init(_ options: APNSClientOptions = APNSClientOptions()) throws(APNSFault) {
        guard CurlSession.isUsable else {
            throw APNSFault(.notHTTP2, "this libcurl speaks no HTTP/2 or no TLS: install one with both")
        }
        let line = self.line
        let isStarted = runOnThread(named: "skerry-push") {
            let session = CurlSession(options)
            while let job = line.next(idleLimit: options.pingAfter, whileIdle: { session.keepAlive() }) {
                job.finish(session.perform(job))
            }
            session.close()
            line.end()
        }
        guard isStarted else {
            line.end()
            throw APNSFault(.unreachable, "the system gives no thread for pushes")
        }
    }

    deinit { line.stop() }

    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// When the task is cancelled, the request is given up within a second.
    ///
    /// - Throws: ``APNSFault`` when there is no answer.
    public func perform(_ request: APNSRequest) async throws(APNSFault) -> APNSResponse {
        guard request.isWellFormed else {
            throw APNSFault(.request, "host, path and headers of a request must be plain ASCII")
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

    /// Gives up what is under way, closes the connections and returns once the thread has ended.
    public func stop() async {
        line.stop()
        await line.ended()
    }
}

/// A request on its way, and whoever waits for its answer.
final class RequestJob: Sendable {
    typealias Outcome = Result<APNSResponse, APNSFault>

    let request: APNSRequest
    private let waiting = Mutex<CheckedContinuation<Outcome, Never>?>(nil)
    private let isGivenUp = Atomic<Bool>(false)

    init(_ request: APNSRequest) {
        self.request = request
    }

    var isCancelled: Bool { isGivenUp.load(ordering: .relaxed) }

    func cancel() { isGivenUp.store(true, ordering: .relaxed) }

    func await(_ continuation: CheckedContinuation<Outcome, Never>) {
        waiting.withLock { $0 = continuation }
    }

    func finish(_ outcome: Outcome) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: outcome)
    }
}

/// The requests that wait for the thread.
final class RequestLine: Sendable {
    private struct State {
        var jobs: [RequestJob] = []
        var current: RequestJob?
        var isStopping = false
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Readable when there is something to do.
    private let file: Int32

    init() {
        file = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(file >= 0, "no file for waking up: the process has too many files open")
    }

    deinit { _ = close(file) }

    func add(_ job: RequestJob) {
        let isTaken = state.withLock { state in
            guard !state.isStopping else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { ring() } else { job.finish(.failure(.stopped)) }
    }

    /// The next request, in the order in which they came.
    ///
    /// - Parameters:
    ///   - idleLimit: How long to wait before `whileIdle` is called, and after it again.
    ///   - whileIdle: What to do when nothing came for so long.
    /// - Returns: the request; nil when the thread should end.
    func next(idleLimit: Interval, whileIdle: () -> Void) -> RequestJob? {
        while true {
            let (job, isStopping) = state.withLock { state in
                state.current = state.isStopping || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
                return (state.current, state.isStopping)
            }
            if isStopping { return nil }
            if let job { return job }
            if !sleep(idleLimit) { whileIdle() }
        }
    }

    /// Asks the thread to end; it gives up what it is doing.
    func stop() {
        let current = state.withLock { state in
            state.isStopping = true
            return state.current
        }
        current?.cancel()
        ring()
    }

    /// Tells that the thread has ended.
    func end() {
        let (jobs, waiting) = state.withLock { state in
            defer { (state.jobs, state.waiting) = ([], []) }
            state.isStopping = true
            state.hasEnded = true
            return (state.jobs, state.waiting)
        }
        for job in jobs { job.finish(.failure(.stopped)) }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once the thread has ended.
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
        var one: UInt64 = 1
        _ = write(file, &one, 8)
    }

    /// - Returns: false if nobody rang.
    private func sleep(_ limit: Interval) -> Bool {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(clamping: limit.microseconds / 1000)) != 0 else { return false }
        var count: UInt64 = 0
        _ = read(file, &count, 8)
        return true
    }
}

extension APNSFault {
    static let stopped = APNSFault(.cancelled, "the client was stopped")
}
#endif
