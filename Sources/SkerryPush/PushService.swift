#if Push
import FoundationEssentials
public import Logging
public import ServiceLifecycle
import SkerryActivity
public import SkerryGateway
import SkerryValues

/// Sends what the desk of the phones decides to Apple's push service, one push after the other.
///
/// It decides nothing about phones. What it knows is how to get a push through: the connection and the provider token.
public struct PushService<Clock: GatewayClock & Sendable>: Service {
    private let desk: PhoneDesk
    private let client: APNSClient
    private let sender: APNSSender
    private let identity: ProviderIdentity
    private let tokenPath: String?
    private let clock: Clock
    private let clockIsKnown: @Sendable () -> Bool
    private let logger: Logger

    /// Makes a service that is not running yet.
    ///
    /// - Parameters:
    ///   - desk: Says what is to be sent, and hears what came of it.
    ///   - client: The way to the service; it is stopped with this one.
    ///   - sender: The app, and the hosts.
    ///   - identity: Who signs.
    ///   - tokenPath: The file that keeps the provider token over a restart; nil for none.
    ///   - clock: The clock of the gateway.
    ///   - clockIsKnown: Whether the gateway knows the time; nothing is sent while it does not.
    ///   - logger: Where it tells people what happens.
    public init(
        desk: PhoneDesk,
        client: APNSClient,
        sender: APNSSender,
        identity: ProviderIdentity,
        tokenPath: String?,
        clock: Clock,
        clockIsKnown: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        self.desk = desk
        self.client = client
        self.sender = sender
        self.identity = identity
        self.tokenPath = tokenPath
        self.clock = clock
        self.clockIsKnown = clockIsKnown
        self.logger = logger
    }

    /// Sends until the task is cancelled or asked to end; then gives up what is under way.
    public func run() async {
        let hosts = Set([sender.production.push, sender.development.push]).sorted().joined(separator: ", ")
        logger.info("pushes for \(sender.bundleID) go to \(hosts), signed with key \(identity.keyID)")
        await cancelWhenGracefulShutdown {
            let bell = WakeBell()
            desk.onWork { bell.ring() }
            var tokens = DatedTokens(ProviderTokens(identity, path: tokenPath), clock)
            while !Task.isCancelled {
                switch desk.next() {
                case .push(let push): desk.answered(push, await send(push, &tokens))
                case .wait(let limit): await bell.sleep(atMost: limit)
                }
            }
        }
        await client.stop()
    }

    private func send(_ push: Push, _ tokens: inout DatedTokens<Clock>) async -> PushAnswer {
        let token: String
        switch tokens.next(clockIsKnown: clockIsKnown()) {
        case .token(let text): token = text
        case .wait(let pause, let reason):
            logger.warning("no pushes for \(pause.roundedSeconds) s: \(reason)")
            return .providerToken(reason: reason, retryAfter: pause)
        }
        if let fault = tokens.takeFault() { logger.warning("the provider token can't be kept: \(fault)") }
        let id = UUID().uuidString.lowercased()
        let request = APNSRequest(push, from: sender, token: token, apnsID: id)
        let answer: PushAnswer
        do throws(APNSFault) {
            let response = try await client.perform(request)
            answer = response.answer
            logger.debug("push \(push.id), \(id): \(response.status) \(response.reason ?? "")")
        } catch {
            answer = PushAnswer(error)
            logger.debug("push \(push.id), \(id): \(error.message)")
        }
        guard case .providerToken(let reason, _) = answer else { return answer }
        return .providerToken(
            reason: reason,
            retryAfter: tokens.refused(token, reason: reason, clockIsKnown: clockIsKnown())
        )
    }
}

/// The provider tokens with a clock.
private struct DatedTokens<Clock: GatewayClock & Sendable> {
    private var tokens: ProviderTokens
    /// Follows the wall clock, which may be set.
    private var wall: Clock
    /// Goes on as it began: nobody asks it to look at the wall clock.
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
        // Another token may help at once; what else may be wrong takes somebody who sets it right.
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
#endif
