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

extension WebFault {
    static let stopped = WebFault(.cancelled, "the client was stopped")
}
