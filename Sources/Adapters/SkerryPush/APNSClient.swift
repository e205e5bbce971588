/// A client of Apple's push service: HTTP/2 over TLS 1.2 or later.
///
/// Requests that are cancelled are given up within a second.
public final class APNSClient: PushTransport {
    private let client: WebClient

    /// Starts the threads.
    ///
    /// - Throws: ``WebFault`` when the system gives no thread, or has no libcurl that speaks HTTP/2.
    public init(_ options: WebClientOptions = WebClientOptions()) throws(WebFault) {
        client = try WebClient(options, threads: "skerry-push")
    }

    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// - Throws: ``WebFault`` when there is no answer.
    public func perform(_ request: APNSRequest) async throws(WebFault) -> APNSResponse {
        guard request.isWellFormed else {
            throw WebFault(.request, "host, path and headers of a request must be plain ASCII")
        }
        return APNSResponse(try await client.perform(request.web))
    }

    /// Gives up the requests in flight, closes the connections and returns once the threads have ended.
    public func stop() async { await client.stop() }
}

/// The way of requests to Apple's push service, and of its answers back.
public protocol PushTransport: Sendable {
    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// - Throws: ``WebFault`` when there is no answer.
    func perform(_ request: APNSRequest) async throws(WebFault) -> APNSResponse

    /// Gives up the requests that are under way, and returns once nothing is sent any more.
    func stop() async
}
