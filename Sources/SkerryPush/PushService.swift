public import Logging
import SkerryActivity
public import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization

/// Sends the pushes of the phone desk to Apple's push service.
///
/// It decides nothing about phones, and only manages the connection and the provider token.
public struct PushService<Clock: GatewayClock & Sendable>: Sendable {
    private let desk: PhoneDesk
    private let transport: any PushTransport
    private let sender: APNSSender
    private let identity: ProviderIdentity
    private let tokenPath: String?
    private let clock: Clock
    private let clockIsKnown: @Sendable () -> Bool
    private let logger: Logger

    /// Makes a service that is not running yet.
    ///
    /// - Parameters:
    ///   - desk: Decides what is sent, and gets the results.
    ///   - transport: The way to Apple's service; it is stopped together with this service.
    ///   - sender: The app, and the hosts.
    ///   - identity: The signing key.
    ///   - tokenPath: The file that keeps the provider token over a restart; nil for none.
    ///   - clock: The clock of the gateway.
    ///   - clockIsKnown: Whether the gateway knows the time; nothing is sent while it does not.
    ///   - logger: The log.
    public init(
        desk: PhoneDesk,
        transport: any PushTransport,
        sender: APNSSender,
        identity: ProviderIdentity,
        tokenPath: String?,
        clock: Clock,
        clockIsKnown: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        self.desk = desk
        self.transport = transport
        self.sender = sender
        self.identity = identity
        self.tokenPath = tokenPath
        self.clock = clock
        self.clockIsKnown = clockIsKnown
        self.logger = logger
    }

    /// Sends until the task is cancelled; then gives up the pushes in flight.
    public func run() async {
        let hosts = Set([sender.production.push, sender.development.push]).sorted().joined(separator: ", ")
        logger.info("pushes for \(sender.bundleID) go to \(hosts), signed with key \(identity.keyID)")
        let bell = WakeBell()
        desk.onWork { bell.ring() }
        await sendAll(bell, SharedTokens(DatedTokens(ProviderTokens(identity, path: tokenPath), clock)))
        await transport.stop()
    }

    /// Sends pushes in parallel, so that one without an answer delays no other phone.
    private func sendAll(_ bell: WakeBell, _ tokens: SharedTokens<Clock>) async {
        let desk = desk
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard tokens.users < Self.limit else {
                    await bell.sleep(atMost: nil)
                    continue
                }
                switch desk.next() {
                case .push(let push):
                    tokens.use(1)
                    group.addTask {
                        desk.answered(push, await send(push, tokens))
                        tokens.use(-1)
                        bell.ring()
                    }
                case .wait(let limit): await bell.sleep(atMost: limit)
                }
            }
        }
    }

    /// The largest number of pushes in flight; waiting ones are rendered later.
    private static var limit: Int { RequestLine.senderCount }

    private func send(_ push: Push, _ tokens: SharedTokens<Clock>) async -> PushAnswer {
        let (next, fault) = tokens.withLock { tokens in
            (tokens.next(clockIsKnown: clockIsKnown()), tokens.takeFault())
        }
        if let fault { logger.warning("the provider token can't be stored: \(fault)") }
        let token: String
        switch next {
        case .token(let text): token = text
        case .wait(let pause, let reason):
            logger.warning("no pushes for \(pause.roundedSeconds) s: \(reason)")
            return .providerToken(reason: reason, retryAfter: pause)
        }
        let answer: PushAnswer
        do throws(WebFault) {
            let response = try await transport.perform(APNSRequest(push, from: sender, token: token))
            answer = response.answer
            logger.debug("push \(push.id), \(push.messageID): \(response.words)")
        } catch {
            answer = PushAnswer(error)
            logger.debug("push \(push.id), \(push.messageID): \(error.message)")
        }
        // A refusal of the channel service does not concern pushes.
        guard case .providerToken(let reason, _) = answer, !push.route.isForManager else { return answer }
        let pause = tokens.withLock {
            $0.refused(token, reason: reason, clockIsKnown: clockIsKnown())
        }
        return .providerToken(reason: reason, retryAfter: pause)
    }
}

/// The provider tokens, for all pushes that are under way.
private final class SharedTokens<Clock: GatewayClock & Sendable>: Sendable {
    private let tokens: Mutex<DatedTokens<Clock>>
    private let count = Atomic(0)

    init(_ tokens: sending DatedTokens<Clock>) {
        self.tokens = Mutex(tokens)
    }

    /// The number of pushes in flight.
    var users: Int { count.load(ordering: .relaxed) }

    func use(_ change: Int) { count.add(change, ordering: .relaxed) }

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

    /// Why the present token is not kept, once.
    mutating func takeFault() -> String? {
        defer { toldFault = tokens.fileFault }
        return tokens.fileFault == toldFault ? nil : tokens.fileFault
    }
}
