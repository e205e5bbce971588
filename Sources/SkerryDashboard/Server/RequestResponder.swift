#if Dashboard
import Hummingbird
import NIOCore

/// The name of a field in a head.
typealias FieldName = HTTPFields.Element.Name

/// What belongs to a request beside itself: the connection.
struct RequestConnection: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Reads a request within its bounds and has it answered.
struct RequestResponder: HTTPResponder {
    let desk: RequestDesk
    let patience: TimeAmount

    func respond(to request: Request, context: RequestConnection) async throws -> Response {
        let channel = context.channel
        // Closes the connection of a request that does not end in time; also one whose rest nobody wants to read.
        let deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        var response: Response
        do throws(Problem) {
            let sender = Self.sender(of: request, channel.remoteAddress?.ipAddress, desk.options.proxies)
            try desk.admit(sender.address)
            let body = try await Self.body(of: request, limit: desk.options.bodyLimit)
            deadline.cancel()
            response = try desk.answer(APIRequest(request, from: sender, body: body))
        } catch {
            response = error.response
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Who sent a request: the peer, or whom a proxy that is believed asks for.
    static func sender(of request: Request, _ peer: String?, _ proxies: Set<String>) -> RequestSender {
        let peer = IPAddress.canonical(peer ?? "") ?? "unknown"
        var sender = RequestSender(address: peer, isForwarded: proxies.contains(peer))
        guard sender.isForwarded, let name = FieldName("X-Forwarded-For") else { return sender }
        // Each proxy adds for whom it asks at the end; what stands before the first stranger, the stranger may have written.
        let hops = request.headers[values: name].flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            guard let address = IPAddress.canonical(hop.filter { $0 != " " }) else { break }
            sender.address = address
            if !proxies.contains(address) { break }
        }
        return sender
    }

    private static func body(of request: Request, limit: Int) async throws(Problem) -> [UInt8] {
        let tooLarge = Problem(
            status: .contentTooLarge,
            code: "too-large",
            detail: "the body has more than \(limit) bytes; report fewer activities at once",
            headers: [.connection: "close"]
        )
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw tooLarge
        }
        do {
            return try await request.body.collect(upTo: limit).readableBytesView.map { $0 }
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw Problem(status: .badRequest, code: "cut-off", detail: "the body did not arrive as a whole")
        }
    }
}

/// Who sent a request.
struct RequestSender {
    var address: String
    /// Whether a proxy that is believed has passed it on.
    var isForwarded: Bool
}

/// A request that has arrived as a whole.
struct APIRequest {
    let method: HTTPRequest.Method
    /// The parts of the path between slashes, decoded.
    let path: [String]
    let query: [(name: String, value: String)]
    let headers: HTTPFields
    /// The host that was asked for, if it was told.
    let authority: String?
    let sender: RequestSender
    let body: [UInt8]

    /// Takes a request apart.
    ///
    /// - Throws: a problem when the path is none.
    init(_ request: Request, from sender: RequestSender, body: [UInt8]) throws(Problem) {
        self.sender = sender
        method = request.method
        headers = request.headers
        authority = request.head.authority
        self.body = body
        var path: [String] = []
        for part in request.uri.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = PercentCoding.decoded(part) else { throw .unknownAddress }
            path.append(part)
        }
        self.path = path
        query = PercentCoding.form(request.uri.query ?? "")
    }

    /// The value of a parameter in the address.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The token that tells who asks.
    var bearer: String? {
        guard let field = headers[.authorization], field.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(field.dropFirst(7).drop { $0 == " " })
    }
}
#endif
