import Glibc
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL
import SkerryPush
import SkerryPushTesting

/// One request on a connection to the stand-in, and its answer.
final class PushStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private static let bodyLimit = 64 * 1024

    private let desk: PushDesk
    private let parent: any Channel
    private var head = HPACKHeaders()
    private var body: [UInt8] = []

    init(_ desk: PushDesk, of parent: any Channel) {
        self.desk = desk
        self.parent = parent
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            if head.isEmpty { head = headers.headers }
            if headers.endStream { answer(context) }
        case .data(let data):
            if case .byteBuffer(let buffer) = data.data {
                body += buffer.readableBytesView.prefix(Self.bodyLimit - body.count)
            }
            if data.endStream { answer(context) }
        default: break
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let push = ReceivedPush(
            method: head.first(name: ":method") ?? "",
            path: head.first(name: ":path") ?? "",
            headers: head.lazy.filter { !$0.name.hasPrefix(":") }.map {
                APNSRequest.Header($0.name, $0.value)
            },
            body: body
        )
        switch desk.take(push) {
        case .silence: break
        case .close: parent.close(promise: nil)
        case .reset: reset()
        case .refuse: context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
        case .goAway(let reason, let isTaken):
            let text = ByteBuffer(string: "{\"reason\":\"\(reason)\"}")
            let frame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(
                    lastStreamID: isTaken ? .maxID : .rootStream,
                    errorCode: .noError,
                    opaqueData: text
                )
            )
            parent.writeAndFlush(frame).whenComplete { [parent] _ in parent.close(promise: nil) }
        case .answer(let response): write(response, context)
        }
    }

    /// Ends the connection below TLS, so that no word of the end is sent before.
    private func reset() {
        let limit = linger(l_onoff: 1, l_linger: 0)
        _ = (parent as? any SocketOptionProvider)?.setSoLinger(limit).flatMap { [parent] in
            parent.pipeline.context(handlerType: NIOSSLServerHandler.self).map { $0.close(promise: nil) }
        }
    }

    private func write(_ response: APNSResponse, _ context: ChannelHandlerContext) {
        var head = HPACKHeaders([(":status", "\(response.status)")])
        let headers = [
            ("apns-channel-id", response.channelID), ("apns-id", response.apnsID),
            ("retry-after", response.retryAfter.map { "\($0)" }),
        ]
        for case (let name, let value?) in headers { head.add(name: name, value: value) }
        let isEmpty = response.body.isEmpty
        context.write(wrapOutboundOut(.headers(.init(headers: head, endStream: isEmpty))), promise: nil)
        if !isEmpty {
            let data = HTTP2Frame.FramePayload.Data(
                data: .byteBuffer(ByteBuffer(bytes: response.body)),
                endStream: true
            )
            context.write(wrapOutboundOut(.data(data)), promise: nil)
        }
        context.flush()
    }
}

/// A counter for the PINGs of a connection.
final class PingListener: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let desk: PushDesk

    init(_ desk: PushDesk) {
        self.desk = desk
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(_, ack: false) = unwrapInboundIn(data).payload { desk.pinged() }
        context.fireChannelRead(data)
    }
}
