#if Push
import Crypto
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A request as the stand-in for Apple's push service received it.
public struct ReceivedPush: Sendable {
    /// The path, `/3/device/…` or that of a broadcast.
    public var path: String
    /// The headers by their names in lower case.
    public var headers: [String: String]
    /// The body, byte for byte.
    public var body: [UInt8]

    /// Makes a record of a request.
    public init(path: String, headers: [String: String], body: [UInt8]) {
        self.path = path
        self.headers = headers
        self.body = body
    }
}
#endif
