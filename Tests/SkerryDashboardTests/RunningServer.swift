import Dispatch
import Foundation
import Logging
import SkerryActivity
import SkerryDashboard
import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization
import Testing

/// A server on a free port of this machine, for the time of one test.
struct RunningServer {
    let address: HTTPAddress
    let admin: DashboardClient
    let log: EventLog

    /// Options of a server that waits even for a machine that is busy with other tests.
    static var options: DashboardOptions {
        var options = DashboardOptions(address: HTTPAddress(host: "127.0.0.1", port: 0))
        options.patience = .minutes(2)
        options.answerPatience = .minutes(2)
        options.streamPause = .zero
        return options
    }

    static let now = Timestamp(seconds: 1_790_000_000)

    /// A new secret of those who may pair phones.
    static func secret() throws -> AdminSecret {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { unlink(path) }
        return try AdminSecret(keptIn: path)
    }

    /// Runs a server while `body` asks it, then ends it gracefully.
    static func use(
        _ phones: any PhoneDirectory = NotedPhones(),
        browsers: BrowserDesk = BrowserDesk(),
        options: DashboardOptions = options,
        log: EventLog = EventLog { now },
        house: any HouseAnswers = NotedHouse(),
        secret: AdminSecret? = nil,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let secret = try secret ?? Self.secret()
        let (addresses, continuation) = AsyncStream.makeStream(of: HTTPAddress.self)
        let server = DashboardServer(
            options: options,
            of: ServedBridge(phones: phones, browsers: browsers, log: log, house: house),
            admin: secret,
            logger: quiet
        ) { continuation.yield($0) }
        try await use(server, addresses, continuation, log, secret, body)
    }

    /// Runs a front of partitions while `body` asks it, then ends it gracefully.
    static func useFront(
        of places: PartitionPlaces,
        secret: AdminSecret,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: HTTPAddress.self)
        let server = try DashboardServer(options: options, frontOf: places, admin: secret, logger: quiet) {
            continuation.yield($0)
        }
        try await use(server, addresses, continuation, EventLog { now }, secret, body)
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func use(
        _ server: DashboardServer,
        _ addresses: AsyncStream<HTTPAddress>,
        _ continuation: AsyncStream<HTTPAddress>.Continuation,
        _ log: EventLog,
        _ secret: AdminSecret,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await server.run()
            }
            for await address in addresses.prefix(1) {
                let client = DashboardClient(address: address, token: secret.text)
                try await body(RunningServer(address: address, admin: client, log: log))
            }
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    /// One who asks with a token; one without is anybody on this machine.
    func client(_ token: String? = nil) -> DashboardClient { DashboardClient(address: address, token: token) }

    /// One whose token is worth nothing.
    var stranger: DashboardClient { client("nonsense") }

    /// Pairs a phone: its id and its token.
    func pair(
        _ name: String = "Ada's iPhone",
        person: String? = nil
    ) async throws -> (id: String, token: String) {
        let wish = person.map { #"{"person":"\#($0)"}"# } ?? "{}"
        let offer = try await admin.asked("POST", "/v1/pairings", body: Array(wish.utf8)).json
        let code = try #require(offer["code"].text)
        let answer = try await client().asked(
            "POST",
            "/v1/pair",
            body: Array(#"{"code":"\#(code)","name":"\#(name)"}"#.utf8)
        )
        try #require(answer.status == 201)
        return (try #require(answer.json["phone"].text), try #require(answer.json["token"].text))
    }
}

extension RunningServer {
    /// Asks with fields of one's choice.
    func ask(
        _ method: String,
        _ path: String,
        _ fields: [String],
        body: String = ""
    ) async throws -> (status: String, answer: String) {
        let connection = try RawConnection(address)
        let own = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(address)"]
        var head = ["\(method) \(path) HTTP/1.1", "Connection: close"] + own + fields
        if !body.isEmpty { head += ["Content-Type: application/json"] }
        head.append("Content-Length: \(body.utf8.count)")
        connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let answer = await connection.rest()
        return (String(answer.dropFirst(9).prefix(3)), answer)
    }

    /// Makes a code for a browser; the members of the wish are its role, and its name and person if it has them.
    func browserCode(_ wish: String) async throws -> String {
        let offer = try await admin.asked("POST", "/v1/pairings", body: Array(wish.utf8)).json
        return try #require(offer["code"].text)
    }

    /// Signs a browser in from elsewhere, and returns its cookie as it is sent.
    func signIn(_ wish: String) async throws -> String {
        let code = try await browserCode(wish)
        let answer = try await ask(
            "POST",
            "/v1/session",
            ["X-Real-IP: 10.0.0.1"],
            body: #"{"code":"\#(code)"}"#
        )
        try #require(answer.status == "204")
        return try Self.cookie(answer.answer)
    }

    /// The cookie that an answer sets, as it is sent back.
    static func cookie(_ answer: String) throws -> String {
        let match = try #require(answer.firstMatch(of: /Set-Cookie: ([^;]+);/))
        return "Cookie: \(match.output.1)"
    }
}

/// Phones that only note what they are told.
final class NotedPhones: PhoneDirectory {
    struct State {
        var phones: [PhoneSummary] = []
        var credentials: [String: [UInt8]] = [:]
        var reports: [PhoneReport] = []
        var bundleIDs: [String] = []
        var fault: StoreFault?
        var audience = AudiencePolicy()
        var audienceVersion: UInt64 = 0
        var wake: (@Sendable () -> Void)?
        var now = RunningServer.now
    }

    func viewer(of phone: String) -> Viewer? {
        state.withLock { state in
            state.phones.first { $0.id == phone }.map {
                .phone($0.id, person: $0.person, state.audience)
            }
        }
    }

    func viewer(ofBrowser id: String, person: String?) -> Viewer {
        .phone(id, person: person, state.withLock { $0.audience })
    }

    var bundleIDs: [String] { state.withLock { $0.bundleIDs } }

    var now: Timestamp { state.withLock { $0.now } }

    var audienceVersion: UInt64 { state.withLock { $0.audienceVersion } }

    func onAudienceChange(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Replaces the policy, as a change of the settings does.
    func set(_ audience: AudiencePolicy) {
        state.withLock { state in
            state.audience = audience
            state.audienceVersion += 1
        }
        state.withLock { $0.wake }?()
    }

    let state = Mutex(State())

    func phones() -> [PhoneSummary] { state.withLock { $0.phones } }

    func credential(of phone: String) -> [UInt8]? { state.withLock { $0.credentials[phone] } }

    func pair(_ phone: NewPhone, at now: Timestamp) throws(StoreFault) {
        try state.withLock { state throws(StoreFault) in
            if let fault = state.fault { throw fault }
            var summary = PhoneSummary(id: phone.id, name: phone.name, pairedAt: now)
            summary.person = phone.person
            state.phones.append(summary)
            state.credentials[phone.id] = phone.credential
        }
    }

    func report(_ report: PhoneReport, of phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
        try state.withLock { state throws(StoreFault) in
            if let fault = state.fault { throw fault }
            state.reports.append(report)
            return state.credentials[phone] != nil
        }
    }

    func assign(_ person: String?, to phone: String) throws(StoreFault) -> Bool {
        try state.withLock { state throws(StoreFault) in
            if let fault = state.fault { throw fault }
            guard let place = state.phones.firstIndex(where: { $0.id == phone }) else { return false }
            state.phones[place].person = person
            state.audienceVersion += 1
            return true
        }
    }

    /// Tests are the house's: it decides what is shown.
    func test(_ contracts: [LiveActivityContract], on phone: String) -> PhoneTest { .unknownPhone }

    func unpair(_ phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
        try state.withLock { state throws(StoreFault) in
            if let fault = state.fault { throw fault }
            state.phones.removeAll { $0.id == phone }
            state.audienceVersion += 1
            return state.credentials.removeValue(forKey: phone) != nil
        }
    }
}

/// Does what blocks a thread on one that the server does not need.
private func apart<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}

extension DashboardClient {
    /// Asks without keeping a thread from the server, which is in the same process.
    func asked(_ method: String, _ path: String, body: [UInt8] = []) async throws -> Answer {
        var client = self
        client.patience = 300
        let outcome = await apart { [client] in
            Result { () throws(Fault) in try client.ask(method, path, body: body) }
        }
        return try outcome.get()
    }
}

extension DashboardClient.Answer {
    /// The body as JSON; null when it is none.
    var json: Value { (try? JSONReader.value(of: body.span)) ?? .null }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// What kind of problem the answer is.
    var problem: String? {
        fields["content-type"] == "application/problem+json" ? json["code"].text : nil
    }
}

extension Value {
    subscript(key: String) -> Value {
        if case .map(let map) = self { map[key] ?? .null } else { .null }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var elements: [Value] {
        if case .list(let elements) = self { elements } else { [] }
    }
}

/// A connection that says what it likes.
final class RawConnection: Sendable {
    private let socket: Int32

    /// Connects to an address, from one of this machine.
    init(_ address: HTTPAddress, from source: String = "127.0.0.1", buffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var buffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(address.port).bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = inet_addr(source)
        let isBound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let status = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(socket) }

    /// Sends bytes; false when the other side takes none any more.
    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Says that nothing more is sent.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// The next bytes; none at the end.
    func some() async -> [UInt8] {
        await apart { [socket] in
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &piece, piece.count, 0)
            return Array(piece.prefix(max(0, count)))
        }
    }

    /// Everything until the other side closes; the bound is for a broken server only.
    func rest() async -> String {
        await apart { [socket] in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(socket, &piece, piece.count, 0)
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += piece[..<count]
            }
        }
    }

    /// Sends the same again and again, each time after a moment of waiting for the other side to close, until it does.
    func trickle(_ text: String) async {
        await apart { [self] in
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            while send(text) { _ = poll(&entry, 1, 100) }
        }
    }

    /// Sends the same again and again until the other side takes no more.
    func flood(_ text: String) async {
        await apart { [self] in while send(text) {} }
    }
}
