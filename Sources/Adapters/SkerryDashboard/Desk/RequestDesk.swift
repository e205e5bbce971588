import Logging
import SkerryGateway
import SkerryValues
import Synchronization

/// Answers requests: who asks, for what, and what there is to say.
final class RequestDesk: Sendable {
    let options: DashboardOptions
    let phones: any PhoneDirectory
    let browsers: BrowserDesk
    let log: EventLog
    let house: any HouseAnswers
    let logger: Logger
    /// The time that goes on whatever the wall clock does.
    let steadyClock = SystemClock()
    let pairings = Mutex(Pairings())
    let guests = Mutex(Guests())
    /// The bodies of more than the usual size that are arriving.
    let largeBodies = LargeBodies()
    /// The files of the page, by their names.
    let files: [String: PageFile]
    /// The description of the API.
    let description: PageFile
    /// The names that the settings give the bridge.
    let ownNames: Set<String>
    /// The digest of the admin token.
    let admin: [UInt8]
    /// The key of cookies, which is the admin token.
    let adminKey: String
    /// The digest of the token that opens the numbers alone; nil if there is none.
    let metricsKey: [UInt8]?
    /// Answers for all partitions; nil in a bridge.
    let front: FrontDesk?
    private let meter: Mutex<RequestMeter>

    init(
        options: DashboardOptions,
        phones: any PhoneDirectory,
        browsers: BrowserDesk,
        log: EventLog,
        house: any HouseAnswers,
        admin: AdminSecret,
        front: FrontDesk? = nil,
        logger: Logger
    ) {
        self.options = options
        ownNames = Self.names(options)
        self.phones = phones
        self.browsers = browsers
        self.log = log
        self.house = house
        self.logger = logger
        self.admin = Secret.digest(admin.text)
        adminKey = admin.text
        metricsKey = options.metricsToken.map { Secret.digest($0.text) }
        self.front = front
        let files = PageFiles.load()
        self.files = files.merging([PageFiles.list: PageFiles.list(of: files)]) { $1 }
        description = PageFiles.loadDescription()
        meter = Mutex(RequestMeter(perMinute: options.requestsPerMinute))
    }

    /// Those by whose right something is seen.
    var accounts: Accounts { Accounts(phones: phones, browsers: browsers) }

    /// The role of somebody whose request begins; a front knows browsers and phones only from what partition 0 told of them.
    func likelyRole(_ request: Request) -> Role { front?.roles.role(of: request) ?? caller(request).role }

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

    /// Reacts to a request of somebody who has the right to ask it.
    ///
    /// - Throws: a problem.
    func reply(to request: Request) throws(Problem) -> Reply {
        try requireOwnSite(request)
        if let front, let reply = try front.reply(to: request, asking: (try? route(of: request))?.question) {
            return reply
        }
        let route = try route(of: request)
        if readsMetrics(request) { return try route.handle(request) }
        if case .browser(let id, _) = try require(route.right, request) { browsers.see(id, at: phones.now) }
        return try route.handle(request)
    }

    /// A handler that has its answer at once.
    func now(_ answer: @escaping (Request) throws(Problem) -> Response) -> Route.Handler {
        { request throws(Problem) in .response(try answer(request)) }
    }
}
