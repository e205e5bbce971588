import COpenSSL
package import Logging
package import SkerryGateway
import SkerrySinks
import SkerryValues

/// The address of a service, and the secrets that its requests carry.
package struct SinkAccess: Sendable {
    /// The address, from `https://` or `http://` on, without a slash at its end if paths follow.
    package var address: String
    /// The token after `Bearer`; nil for none.
    package var token: String?
    /// The service account whose access tokens requests carry; nil for none.
    package var account: ServiceAccount?
    /// The key of signatures; nil for none.
    package var signingKey: [UInt8]?
    /// A PEM file of the authorities to trust; nil for those of the system.
    package var authorityFile: String?

    package init(
        address: String,
        token: String? = nil,
        account: ServiceAccount? = nil,
        signingKey: [UInt8]? = nil,
        authorityFile: String? = nil
    ) {
        self.address = address
        self.token = token
        self.account = account
        self.signingKey = signingKey
        self.authorityFile = authorityFile
    }

    /// Host and port of the address.
    package var host: String { WebRequest.host(of: address) }

    /// The request to send, with the secrets in it.
    ///
    /// - Parameters:
    ///   - request: The request of the scheduler.
    ///   - seconds: The time, which signatures cover so that a copied request is worth nothing later.
    /// - Returns: the whole request.
    func request(_ request: SinkRequest, at seconds: Int64) -> WebRequest {
        var headers = request.headers.map { WebRequest.Header($0.name, $0.value) }
        if let token { headers.append(WebRequest.Header("authorization", "Bearer \(token)")) }
        if let signingKey, let id = request.messageID {
            let signature = Self.signature(of: request.body, id: id, at: seconds, key: signingKey)
            headers += [
                WebRequest.Header("webhook-id", id), WebRequest.Header("webhook-timestamp", "\(seconds)"),
                WebRequest.Header("webhook-signature", signature),
            ]
        }
        return WebRequest(
            .post,
            address: address + request.path,
            headers: headers,
            body: request.body
        )
    }

    /// The signature of Standard Webhooks: HMAC-SHA256 over id, time and body.
    static func signature(of body: [UInt8], id: String, at seconds: Int64, key: [UInt8]) -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = HMAC(EVP_sha256(), key, Int32(key.count), content, content.count, &hash, nil)
        return "v1,\(Base64.text(of: hash))"
    }
}

/// Sends the requests of a sink's desk to its service, and decides nothing.
package struct SinkSender<Clock: GatewayClock & Sendable>: Sendable {
    private let desk: SinkDesk
    private let access: SinkAccess
    private let client: WebClient
    private let clock: Clock
    private let logger: Logger

    /// Makes a sender that is not running yet, with threads of its own.
    ///
    /// - Parameters:
    ///   - desk: Decides what is sent, and gets the results.
    ///   - access: Address and secrets of the service.
    ///   - clock: The clock of the gateway.
    ///   - logger: The log.
    /// - Throws: ``WebFault`` when the system gives no thread, or has no libcurl.
    package init(desk: SinkDesk, access: SinkAccess, clock: Clock, logger: Logger) throws(WebFault) {
        var options = WebClientOptions()
        options.authorityFile = access.authorityFile
        client = try WebClient(options, threads: "skerry-sink")
        self.desk = desk
        self.access = access
        self.clock = clock
        self.logger = logger
    }

    /// Sends until the task is cancelled; then gives up the requests in flight.
    package func run() async {
        let bell = WakeBell()
        let tokens = access.account.map { AccessTokens($0, client: client) }
        desk.onWork { bell.ring() }
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                switch desk.next() {
                case .request(let request):
                    // Every other request would wait for the same token, so it is asked for here.
                    let token = await tokens?.next(at: seconds)
                    group.addTask {
                        desk.answered(request, await send(request, token, tokens))
                        bell.ring()
                    }
                case .wait(let limit): await bell.sleep(atMost: limit)
                }
            }
        }
        await client.stop()
    }

    /// The time in Unix seconds.
    private var seconds: Int64 {
        var clock = clock
        _ = clock.look()
        return clock.now.flooredSeconds
    }

    private func send(
        _ request: SinkRequest,
        _ token: AccessTokens.Next?,
        _ tokens: AccessTokens?
    ) async -> SinkAnswer {
        var access = access
        switch token {
        case nil: break
        case .token(let text): access.token = text
        case .fault(let answer): return answer
        }
        do throws(WebFault) {
            let response = try await client.perform(access.request(request, at: seconds))
            logger.debug(.sinkAnswered, "\(desk.name), request \(request.id): \(response.status)")
            let answer = SinkAnswer(
                status: response.status,
                retryAfter: response.retryPause,
                body: response.body,
                from: desk.name
            )
            guard let tokens, let text = access.token else { return answer }
            let isRefusal = if case .unauthorized = answer { true } else { false }
            let mayHelp = tokens.answered(text, isRefusal: isRefusal)
            return mayHelp ? .busy(reason: answer.text, retryAfter: .zero) : answer
        } catch {
            logger.debug(.sinkAnswered, "\(desk.name), request \(request.id): \(error.message)")
            return error.kind == .request ? .refused(reason: error.message) : .noAnswer(reason: error.message)
        }
    }
}
