/// The way of requests to Apple's push service, and of its answers back.
public protocol PushTransport: Sendable {
    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// - Throws: ``WebFault`` when there is no answer.
    func perform(_ request: APNSRequest) async throws(WebFault) -> APNSResponse

    /// Gives up the requests that are under way, and returns once nothing is sent any more.
    func stop() async
}
