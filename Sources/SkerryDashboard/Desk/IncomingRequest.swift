/// A request that is still arriving: first its head, then its body.
struct IncomingRequest {
    private let desk: RequestDesk
    private let head: RequestHead
    private let sender: RequestSender
    private var body: [UInt8] = []
    /// The bytes of the body that arrived, including those beyond the limit.
    private var size = 0

    /// The number of bytes beyond the limit that are read, so that the client gets an answer; more end the connection.
    static let excessLimit = 65_536

    /// Begins a request with its head.
    ///
    /// - Throws: a problem that is answered at once, without reading the body.
    init(_ head: RequestHead, from peer: String, to desk: RequestDesk) throws(Problem) {
        try head.check()
        self.desk = desk
        self.head = head
        sender = RequestSender(head.headers, peer: peer, proxies: desk.options.proxies)
        try desk.admit(sender.address)
        if let length = head.contentLength, length > desk.options.bodyLimit { throw tooLarge }
    }

    /// Takes bytes of the body; false if there are too many to go on reading.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        if size <= desk.options.bodyLimit { body += bytes }
        return size <= desk.options.bodyLimit + Self.excessLimit
    }

    /// The answer to the complete request.
    func response() -> Response {
        do throws(Problem) {
            guard size <= desk.options.bodyLimit else { throw tooLarge }
            return try desk.answer(Request(head, from: sender, body: body))
        } catch {
            return error.response
        }
    }

    private var tooLarge: Problem {
        Problem(
            status: .contentTooLarge,
            code: "too-large",
            detail: "the body has more than \(desk.options.bodyLimit) bytes; report fewer activities at once",
            headers: ["Connection": "close"]
        )
    }
}
