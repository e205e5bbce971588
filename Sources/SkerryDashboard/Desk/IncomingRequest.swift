/// A request while it arrives: its head first, then the bytes of its body, then its end.
struct IncomingRequest {
    private let desk: RequestDesk
    private let head: RequestHead
    private let sender: RequestSender
    private var body: [UInt8] = []
    /// How many bytes of the body have come.
    private var size = 0

    /// How many bytes of a body beyond the limit are read, so that its sender is told; then the connection is cut.
    static let excessLimit = 65_536

    /// Takes a head in.
    ///
    /// - Throws: the problem to answer at once, without reading the body.
    init(_ head: RequestHead, from peer: String, to desk: RequestDesk) throws(Problem) {
        try head.check()
        self.desk = desk
        self.head = head
        sender = RequestSender(head.headers, peer: peer, proxies: desk.options.proxies)
        try desk.admit(sender.address)
        if let length = head.contentLength, length > desk.options.bodyLimit { throw tooLarge }
    }

    /// Takes bytes of the body; false when so many have come that no more are read.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        if size <= desk.options.bodyLimit { body += bytes }
        return size <= desk.options.bodyLimit + Self.excessLimit
    }

    /// The answer, once all has come.
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
