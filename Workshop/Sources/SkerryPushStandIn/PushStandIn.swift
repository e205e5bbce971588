import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import SkerryGateway
package import SkerryPushTesting
package import SkerryValues
import Synchronization

/// A stand-in for Apple's push service: HTTP/2 over TLS on a free port of 127.0.0.1.
///
/// It serves a ``SimulatedPushService`` over a real connection, records all requests, and gives prepared replies.
/// Pushes and broadcast channels share the port.
package final class PushStandIn: Sendable {
    /// The reason why the stand-in can't start.
    package struct Failure: Error, CustomStringConvertible {
        /// The reason in words.
        package var description: String
    }

    /// Host and port, for clients.
    package let address: String
    /// A PEM file with the certificate to trust.
    package let authorityFile: String
    private let service: SimulatedPushService
    private let desk: PushDesk
    private let group: MultiThreadedEventLoopGroup

    /// Starts the stand-in, which accepts connections from then on.
    ///
    /// - Parameters:
    ///   - judge: The rules for requests.
    ///   - now: The time by which provider tokens are checked.
    ///   - deliver: A function called with every push that passed all checks; it may refuse the push.
    /// - Throws: ``Failure`` when no port is free or a file can't be written.
    package init(
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

    /// The requests received, in order.
    package var received: [ReceivedPush] { desk.received }

    /// The number of connections made.
    package var connectionCount: Int { desk.connectionCount }

    /// The number of HTTP/2 PINGs received.
    package var pingCount: Int { desk.pingCount }

    /// The ids of the existing broadcast channels.
    package var channels: [String] { service.channels }

    /// Prepares replies for the next requests, one for each, whatever they contain.
    package func answer(_ replies: PushReply...) { desk.answer(replies) }

    /// Makes a token invalid from a moment on, so that pushes to it get 410.
    package func end(_ token: String, at moment: Timestamp) { service.end(token, at: moment) }

    /// Returns once this many requests were received in total.
    package func received(_ count: Int) async { await desk.received(count) }

    /// Returns once this many PINGs were received in total.
    package func pinged(_ count: Int) async { await desk.pinged(count) }

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
