import SkerryGateway
import Synchronization

/// A request that is still arriving: first its head, then its body.
struct IncomingRequest {
    private let desk: RequestDesk
    private let head: RequestHead
    /// Who sent it.
    let sender: RequestSender
    /// True if it asks for the prefix of the page without the slash at its end.
    private let lacksSlash: Bool
    private let bodyLimit: Int
    /// The place of a body that may have more than the usual size.
    private let place: LargeBodies.Place?
    private var body: [UInt8] = []
    /// The bytes of the body that arrived, including those beyond the limit.
    private var size = 0

    /// The number of bytes beyond the limit that are read, so that the client gets an answer; more end the connection.
    static let excessLimit = 65_536

    /// Begins a request with its head.
    ///
    /// - Throws: a problem that is answered at once, without reading the body.
    init(
        _ head: RequestHead,
        from peer: String,
        isSecure: Bool,
        to desk: RequestDesk
    ) throws(Problem) {
        try head.check()
        var head = head
        let base = desk.options.basePath
        // Relative links of the page would lead beside it.
        lacksSlash = !base.isEmpty && head.target == base
        let isBelowBase = head.remove(base: base)
        self.desk = desk
        self.head = head
        let isFront = try desk.isFront(head.headers)
        var proxies = isFront ? [peer] : desk.options.proxies
        // What the front passes on says itself from where it came.
        let isIngress = !isFront && peer == desk.options.ingress
        if isIngress { proxies.insert(peer) }
        var sender = RequestSender(
            head.headers,
            peer: peer,
            isSecure: isSecure,
            proxies: proxies,
            isFront: isFront
        )
        if isBelowBase { sender.base = base }
        sender.isIngress = isIngress
        self.sender = sender
        let request = try? Request(head, from: sender)
        // The files of the page are many and cost nothing, and a program on this machine could do worse.
        if !head.isOfPage, request.map(desk.caller) != .local { try desk.admit(sender.address) }
        if let request, request.mayBeLarge, Right.author.roles.contains(desk.likelyRole(request)) {
            guard let place = desk.largeBodies.takePlace() else {
                throw Problem(
                    status: .serviceUnavailable,
                    code: "busy",
                    detail: "too many large requests at the same time; ask again in a moment",
                    headers: ["Retry-After": "1", "Connection": "close"]
                )
            }
            self.place = place
            bodyLimit = desk.options.largeBodyLimit
        } else {
            place = nil
            bodyLimit = desk.options.bodyLimit
        }
        if let length = head.contentLength, length > bodyLimit { throw tooLarge }
    }

    /// Takes bytes of the body; false if there are too many to go on reading.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        if size <= bodyLimit { body += bytes }
        return size <= bodyLimit + Self.excessLimit
    }

    /// The reaction to the complete request.
    func reply() -> Reply {
        do throws(Problem) {
            if lacksSlash {
                return .response(
                    Response(status: .permanentRedirect, headers: ["Location": "\(sender.base)/"])
                )
            }
            guard size <= bodyLimit else { throw tooLarge }
            return try desk.reply(to: Request(head, from: sender, body: body))
        } catch {
            return .response(error.response)
        }
    }

    private var tooLarge: Problem {
        Problem(
            status: .contentTooLarge,
            code: "too-large",
            detail: "the body has more than \(bodyLimit) bytes; send less at once",
            headers: ["Connection": "close"]
        )
    }
}

extension RequestHead {
    /// True for the files of the page.
    fileprivate var isOfPage: Bool {
        ["GET", "HEAD"].contains(method) && (target == "/" || target.hasPrefix("/page/"))
    }
}

extension Request {
    /// True if the body may be a whole definition or recording.
    fileprivate var mayBeLarge: Bool {
        switch (method, path.dropFirst().first, path.count) {
        case ("POST", "check", 2), ("POST", "compile", 2), ("POST", "replay", 2), ("PUT", "definitions", 3):
            path[0] == "v1"
        default: false
        }
    }
}

/// Counts the bodies of more than the usual size, so that they can't fill the memory together.
final class LargeBodies: Sendable {
    /// The number that may arrive at the same time.
    private static let limit = 8

    private let count = Mutex(0)

    /// The place of one such body, free again when it is released.
    final class Place: Sendable {
        private let owner: LargeBodies

        fileprivate init(of owner: LargeBodies) { self.owner = owner }

        deinit {
            owner.count.withLock { count in
                count -= 1
                assert(count >= 0, "a place is given back twice")
            }
        }
    }

    /// A place for a body; nil when all are taken.
    func takePlace() -> Place? {
        let isFree = count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(of: self) : nil
    }
}
