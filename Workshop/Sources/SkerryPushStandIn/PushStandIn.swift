import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
public import SkerryGateway
public import SkerryPushTesting
public import SkerryValues
import Synchronization

/// A stand-in for Apple's push service: HTTP/2 over TLS on a free port of 127.0.0.1.
///
/// A ``SimulatedPushService`` behind a real connection, which answers what it is told to and remembers what it received.
/// Pushes and broadcast channels share the port.
public final class PushStandIn: Sendable {
    /// Why there is no stand-in.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public var description: String
    }

    /// Host and port, for clients.
    public let address: String
    /// A PEM file with the certificate to trust.
    public let authorityFile: String
    private let service: SimulatedPushService
    private let desk: PushDesk
    private let group: MultiThreadedEventLoopGroup

    /// Starts and returns once it accepts connections.
    ///
    /// - Parameters:
    ///   - judge: The rules.
    ///   - now: The time by which provider tokens are judged.
    ///   - deliver: Called for every push that passed all checks; may refuse it.
    /// - Throws: ``Failure`` when there is no port or no file to be had.
    public init(
        _ judge: PushJudge,
        now: @escaping @Sendable () -> Timestamp = { SystemClock().now },
        deliver: @escaping @Sendable (ReceivedPush) -> PushRefusal? = { _ in nil }
    ) throws(Failure) {
        let service = SimulatedPushService(judge, now: now, deliver: deliver)
        let desk = PushDesk(service)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let certificate = try PushCertificate(now: SystemClock().now)
            let listener = try Self.listen(group, try Self.security(certificate), desk).wait()
            address = "localhost:\(listener.localAddress?.port ?? 0)"
            authorityFile = try Self.file(with: certificate.pem)
        } catch {
            group.shutdownGracefully { _ in }
            throw Failure(description: "no stand-in for Apple's push service: \(error)")
        }
        self.service = service
        self.desk = desk
        self.group = group
    }

    deinit {
        unlink(authorityFile)
        group.shutdownGracefully { _ in }
    }

    /// What came, in order.
    public var received: [ReceivedPush] { desk.received }

    /// How many connections were made.
    public var connectionCount: Int { desk.connectionCount }

    /// How many HTTP/2 PINGs came.
    public var pingCount: Int { desk.pingCount }

    /// The ids of the broadcast channels that are there.
    public var channels: [String] { service.channels }

    /// Answers the next requests so, one after the other, whatever they are.
    public func answer(_ replies: PushReply...) { desk.answer(replies) }

    /// A token is over since a moment: 410.
    public func end(_ token: String, at moment: Timestamp) { service.end(token, at: moment) }

    /// Returns once so many requests have come in all.
    public func received(_ count: Int) async { await desk.received(count) }

    /// Returns once so many PINGs have come in all.
    public func pinged(_ count: Int) async { await desk.pinged(count) }

    private static func security(_ certificate: PushCertificate) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(certificate.keyPEM.utf8), format: .pem)
            )
        )
        configuration.applicationProtocols = ["h2"]
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }

    private static func listen(
        _ group: MultiThreadedEventLoopGroup,
        _ security: NIOSSLContext,
        _ desk: PushDesk
    ) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    desk.connected()
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: security))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server,
                        connectionConfiguration: .init(),
                        streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let handler = PushStream(desk, of: channel)
                            try stream.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                    try pipeline.addHandler(PingListener(desk))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
    }

    private static func file(with text: String) throws -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/skerry-push-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else {
            throw Failure(description: "no file in \(base): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var text = text
        _ = text.withUTF8 { write(file, $0.baseAddress, $0.count) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
