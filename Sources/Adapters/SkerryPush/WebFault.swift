/// Why a request got no answer.
public struct WebFault: Error, Hashable, Sendable {
    /// The kind of fault.
    public enum Kind: Hashable, Sendable {
        /// The request can't be made: a host, path or header has characters that none may have.
        case request
        /// No connection: an unknown host, a refusal, a network that is down.
        case unreachable
        /// The connection is not secure as it must be.
        case security
        /// The connection ended before the answer.
        case connectionLost
        /// The other end does not speak HTTP/2.
        case notHTTP2
        /// No answer in time.
        case timeout
        /// The task that asked was cancelled, or the client was stopped.
        case cancelled
    }

    /// The kind of fault.
    public var kind: Kind
    /// The fault and a remedy, one line.
    public var message: String
    /// True if the request may have arrived, so that its result is unknown.
    public var mayHaveArrived: Bool

    /// Makes a fault.
    public init(_ kind: Kind, _ message: String, mayHaveArrived: Bool = false) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}
