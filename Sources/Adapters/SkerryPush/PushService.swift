public import Logging
public import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization

/// Sends the pushes of the phone desk to Apple's push service.
///
/// It decides nothing about phones, and only manages the connection and the provider token.
public struct PushService<Clock: GatewayClock & Sendable>: Sendable {
    private let desk: PhoneDesk
    private let apps: [PushApp]
    private let clock: Clock
    private let clockIsKnown: @Sendable () -> Bool
    private let logger: Logger

    /// Makes a service that is not running yet.
    ///
    /// - Parameters:
    ///   - desk: Decides what is sent, and gets the results.
    ///   - apps: The usual app, then further ones.
    ///   - clock: The clock of the gateway.
    ///   - clockIsKnown: Whether the gateway knows the time; nothing is sent while it does not.
    ///   - logger: The log.
    public init(
        desk: PhoneDesk,
        apps: [PushApp],
        clock: Clock,
        clockIsKnown: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        self.desk = desk
        self.apps = apps
        self.clock = clock
        self.clockIsKnown = clockIsKnown
        self.logger = logger
    }

    /// Sends until the task is cancelled; then gives up the pushes in flight.
    public func run() async {
        for app in apps {
            let hosts = Set([app.sender.production.push, app.sender.development.push]).sorted()
            logger.info(
                .pushesBegin,
                "pushes for \(app.sender.bundleID) go to \(hosts.joined(separator: ", ")), signed with key \(app.identity.keyID)"
            )
        }
        let bell = WakeBell()
        desk.onWork { bell.ring() }
        let ways = ways()
        await sendAll(bell, ways)
        for app in apps { await app.transport.stop() }
    }

    /// The way of each app to Apple; that of the usual one has an empty name.
    ///
    /// Apple counts the tokens of a key and not of an app, so apps with the same key share one.
    private func ways() -> [String: Way<Clock>] {
        var ways: [String: Way<Clock>] = [:]
        for (number, app) in apps.enumerated() {
            let same = ways.values.first { $0.app.identity.isSame(as: app.identity) }
            let tokens =
                same?.tokens
                ?? SharedTokens(DatedTokens(ProviderTokens(app.identity, path: app.tokenPath), clock))
            ways[number == 0 ? "" : app.sender.bundleID] = Way(app: app, tokens: tokens)
        }
        return ways
    }

    /// Sends pushes in parallel, so that one without an answer delays no other phone.
    private func sendAll(_ bell: WakeBell, _ ways: [String: Way<Clock>]) async {
        let desk = desk
        let flights = Flights()
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard flights.count < Self.limit else {
                    await bell.sleep(atMost: nil)
                    continue
                }
                switch desk.next() {
                case .push(let push):
                    flights.add(1)
                    group.addTask {
                        desk.answered(push, await send(push, ways[push.app]))
                        flights.add(-1)
                        bell.ring()
                    }
                case .wait(let limit): await bell.sleep(atMost: limit)
                }
            }
        }
    }

    /// The largest number of pushes in flight; waiting ones are rendered later.
    private static var limit: Int { RequestLine.senderCount }

    private func send(_ push: Push, _ way: Way<Clock>?) async -> PushAnswer {
        // The desk holds what no key is for.
        guard let way else { return .senderFault(reason: "no key for \(push.app)") }
        let (next, fault) = way.tokens.withLock { tokens in
            let next = tokens.next(clockIsKnown: clockIsKnown())
            if case .token = next { tokens.took() }
            return (next, tokens.takeFault())
        }
        if let fault {
            logger.warning(.providerTokenNotStored, "the provider token can't be stored: \(fault)")
        }
        let token: String
        switch next {
        case .token(let text): token = text
        case .wait(let pause, let reason):
            let app = push.app.isEmpty ? "" : " for \(push.app)"
            logger.warning(.pushesPaused, "no pushes\(app) for \(pause.roundedSeconds) s: \(reason)")
            return .providerToken(reason: reason, retryAfter: pause)
        }
        let answer: PushAnswer
        do throws(WebFault) {
            let request = APNSRequest(push, from: way.app.sender, token: token)
            let response = try await way.app.transport.perform(request)
            answer = response.answer
            logger.debug(.pushAnswered, "push \(push.id), \(push.messageID): \(response.words)")
        } catch {
            answer = PushAnswer(error)
            logger.debug(.pushAnswered, "push \(push.id), \(push.messageID): \(error.message)")
        }
        if case .notSent = answer { way.tokens.withLock { $0.didNotLeave(token) } }
        // A refusal of the channel service does not concern pushes.
        guard case .providerToken(let reason, _) = answer, !push.route.isForManager else { return answer }
        let pause = way.tokens.withLock {
            $0.refused(token, reason: reason, clockIsKnown: clockIsKnown())
        }
        return .providerToken(reason: reason, retryAfter: pause)
    }
}

/// An app on phones: the way of its pushes to Apple, and the key that signs them.
public struct PushApp: Sendable {
    /// The way to Apple's service; it is stopped together with the service of pushes.
    public var transport: any PushTransport
    /// The bundle id, and the hosts.
    public var sender: APNSSender
    /// The signing key.
    public var identity: ProviderIdentity
    /// The file that keeps the provider token over a restart; nil for none.
    public var tokenPath: String?

    /// Makes an app; with the key of another one it has the provider token of that one, and no file of its own.
    public init(
        transport: any PushTransport,
        sender: APNSSender,
        identity: ProviderIdentity,
        tokenPath: String?
    ) {
        self.transport = transport
        self.sender = sender
        self.identity = identity
        self.tokenPath = tokenPath
    }
}

/// The way of an app to Apple, with its provider token.
private struct Way<Clock: GatewayClock & Sendable>: Sendable {
    var app: PushApp
    var tokens: SharedTokens<Clock>
}

/// The number of pushes in flight.
private final class Flights: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) { number.add(change, ordering: .relaxed) }
}

/// The provider tokens of a key, for all pushes that are under way.
private final class SharedTokens<Clock: GatewayClock & Sendable>: Sendable {
    private let tokens: Mutex<DatedTokens<Clock>>

    init(_ tokens: sending DatedTokens<Clock>) {
        self.tokens = Mutex(tokens)
    }

    func withLock<Result: Sendable>(_ body: (inout DatedTokens<Clock>) -> Result) -> Result {
        tokens.withLock { body(&$0) }
    }
}

/// The provider tokens with a clock.
private struct DatedTokens<Clock: GatewayClock & Sendable> {
    private var tokens: ProviderTokens
    /// Follows the wall clock, which may be set.
    private var wall: Clock
    /// A copy of the clock that never looks at the wall clock, and so never steps.
    private let steady: Clock
    private let steadyStart: Timestamp
    private var toldFault: String?

    init(_ tokens: ProviderTokens, _ clock: Clock) {
        self.tokens = tokens
        wall = clock
        steady = clock
        steadyStart = clock.now
    }

    private var passed: Interval { steady.now - steadyStart }

    mutating func next(clockIsKnown: Bool) -> ProviderTokens.Next {
        _ = wall.look()
        return tokens.next(at: wall.now, sinceStart: passed, clockIsKnown: clockIsKnown)
    }

    /// Notes that Apple does not take a token.
    ///
    /// - Returns: how long to wait before the next push.
    mutating func refused(_ token: String, reason: String, clockIsKnown: Bool) -> Interval {
        tokens.refused(token, reason: reason, sinceStart: passed)
        return switch next(clockIsKnown: clockIsKnown) {
        // Another token may help at once; other mistakes need a person.
        case .token(let other): other == token ? ProviderTokenRecord.shortestLife : .zero
        case .wait(let pause, _): pause
        }
    }

    /// Notes that a request goes out with the present token.
    mutating func took() { tokens.took() }

    /// Notes that a request with a token certainly did not reach Apple.
    mutating func didNotLeave(_ token: String) { tokens.didNotLeave(token) }

    /// Why the present token is not kept, once.
    mutating func takeFault() -> String? {
        defer { toldFault = tokens.fileFault }
        return tokens.fileFault == toldFault ? nil : tokens.fileFault
    }
}
