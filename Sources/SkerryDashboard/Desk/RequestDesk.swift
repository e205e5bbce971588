import Logging
import SkerryGateway
import SkerryValues
import Synchronization

/// Answers requests: who asks, for what, and what there is to say.
final class RequestDesk: Sendable {
    let options: DashboardOptions
    let phones: any PhoneDirectory
    let board: ActivityBoard
    let now: @Sendable () -> Timestamp
    let logger: Logger
    /// The time that goes on whatever the wall clock does.
    let steadyClock = SystemClock()
    let pairings = Mutex(Pairings())
    /// The names that the settings give the bridge.
    let ownNames: Set<String>
    private let admin: [UInt8]
    private let meter: Mutex<RequestMeter>

    init(
        options: DashboardOptions,
        phones: any PhoneDirectory,
        board: ActivityBoard,
        admin: AdminSecret,
        now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.options = options
        ownNames = Self.names(options)
        self.phones = phones
        self.board = board
        self.now = now
        self.logger = logger
        self.admin = Secret.digest(admin.text)
        meter = Mutex(RequestMeter(perMinute: options.requestsPerMinute))
    }

    /// Counts a request of an address.
    ///
    /// - Throws: a problem when there are too many.
    func admit(_ address: String) throws(Problem) {
        let wait = meter.withLock { $0.refusal(of: address, at: steadyClock.now) }
        guard let wait else { return }
        let seconds = max(1, wait.roundedSeconds + 1)
        throw Problem(
            status: .tooManyRequests,
            code: "too-many-requests",
            detail: "more than \(options.requestsPerMinute) requests a minute; ask again in \(seconds) s",
            headers: ["Retry-After": "\(seconds)"]
        )
    }

    /// Answers a request.
    ///
    /// - Throws: a problem.
    func answer(_ request: Request) throws(Problem) -> Response {
        try requireOwnSite(request)
        let path = request.path
        switch (path.first, path.count) {
        case ("pair", 1): return try answerPage(request)
        case ("v1", 2...): break
        default: throw .unknownAddress
        }
        switch (path[1], path.count) {
        case ("pair", 2): return try answer(request, ["POST": pair])
        case ("pairings", 2): return try answer(request, ["POST": offerPairing])
        case ("pairings", 3): return try answer(request, ["GET": tellPairing])
        case ("devices", 2): return try answer(request, ["GET": tellPhones])
        case ("devices", 3): return try answer(request, ["GET": tellPhone, "DELETE": unpair])
        case ("devices", 4) where path[3] == "tokens":
            return try answer(request, ["PUT": takeReport, "POST": takeReport])
        case ("activities", 2): return try answer(request, ["GET": tellActivities])
        case ("activities", 4): return try answer(request, ["GET": tellActivity])
        case ("activities", 5) where path[4] == "timeline":
            return try answer(request, ["GET": tellTimeline])
        default: throw .unknownAddress
        }
    }

    typealias Handler = (Request) throws(Problem) -> Response

    /// Has a request answered by the handler of its method.
    func answer(
        _ request: Request,
        _ handlers: KeyValuePairs<String, Handler>
    ) throws(Problem) -> Response {
        let method = request.method == "HEAD" ? "GET" : request.method
        for handler in handlers where handler.key == method { return try handler.value(request) }
        throw .wrongMethod(allowed: handlers.map(\.key).joined(separator: ", "))
    }
}

/// Who asks.
enum Caller: Hashable {
    /// Someone who can read the secret of the bridge.
    case admin
    /// A phone that was paired.
    case phone(String)
}

extension RequestDesk {
    /// Whether a text is the secret of those who may pair phones.
    func isAdmin(_ secret: String) -> Bool { Secret.areEqual(Secret.digest(secret), admin) }

    /// Makes sure that an admin asks.
    func requireAdmin(_ request: Request) throws(Problem) {
        guard let token = request.bearer, isAdmin(token) else {
            throw .unauthorized(
                "this needs the admin token of the bridge: the file that http.admin-token-file names"
            )
        }
    }

    /// Makes sure that a certain phone asks, or an admin.
    func requirePhone(_ phone: String, _ request: Request) throws(Problem) -> Caller {
        let digest = request.bearer.map(Secret.digest) ?? []
        // Phones that there are not take as long as others.
        let credential = phones.credential(of: phone) ?? [UInt8](repeating: 0, count: 32)
        if Secret.areEqual(digest, credential) { return .phone(phone) }
        guard Secret.areEqual(digest, admin) else {
            throw .unauthorized(
                "this needs the token that the phone got when it was paired; pair it again if it was removed"
            )
        }
        return .admin
    }

    /// Makes sure that any paired phone asks, or an admin.
    func requireAnyone(_ request: Request) throws(Problem) {
        let digest = request.bearer.map(Secret.digest) ?? []
        var isKnown = Secret.areEqual(digest, admin)
        for phone in phones.phones() {
            if let credential = phones.credential(of: phone.id), Secret.areEqual(digest, credential) {
                isKnown = true
            }
        }
        guard isKnown else {
            throw .unauthorized("this needs the token of a paired phone, or the admin token")
        }
    }
}
