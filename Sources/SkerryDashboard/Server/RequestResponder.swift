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
            let address = Self.address(of: request, peer: channel.remoteAddress?.ipAddress)
            try desk.admit(address)
            let body = try await Self.body(of: request, limit: desk.options.bodyLimit)
            deadline.cancel()
            response = try desk.answer(APIRequest(request, body: body))
        } catch {
            response = error.response
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// The address that a request comes from; a proxy on this machine tells for whom it asks.
    static func address(of request: Request, peer: String?) -> String {
        let peer = peer ?? "unknown"
        guard HTTPAddress(host: peer, port: 0).isLocal, let name = FieldName("X-Forwarded-For"),
            let last = request.headers[values: name].last?.split(separator: ",").last
        else { return peer }
        return String(last.drop { $0 == " " }.prefix(64))
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

/// A request that has arrived as a whole.
struct APIRequest {
    let method: HTTPRequest.Method
    /// The parts of the path between slashes, decoded.
    let path: [String]
    let query: [(name: String, value: String)]
    let headers: HTTPFields
    /// The host that was asked for, if it was told.
    let authority: String?
    let body: [UInt8]

    /// Takes a request apart.
    ///
    /// - Throws: a problem when the path is none.
    init(_ request: Request, body: [UInt8]) throws(Problem) {
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
