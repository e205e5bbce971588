import Logging
import SkerryDashboard
import SkerryGateway
import SkerryMosquitto
import SkerryValues
import Synchronization

/// Finds out what a gateway lacks that waits for the lease of a shared store: one that can't reach the broker, read its files or
/// take its address would keep the lease from another that can.
final class Readiness {
    /// The time for which an answer holds: brokers log each connection, and one that is back is found soon.
    private static let (validity, validityOfLack) = (Duration.seconds(15), Duration.seconds(5))

    private let settings: Settings
    /// The page that may have the address already.
    private let page: StandbyPage
    private var answer: (lack: String?, until: ContinuousClock.Instant)?

    init(_ settings: Settings, besides page: StandbyPage) {
        self.settings = settings
        self.page = page
    }

    /// Returns what is missing; nil if nothing is.
    func lack() async -> String? {
        if let answer, .now < answer.until { return answer.lack }
        var lack = lackOfFiles()
        if lack == nil { lack = await lackOfBroker() }
        answer = (lack, .now + (lack == nil ? Self.validity : Self.validityOfLack))
        return lack
    }

    /// The fault of a file or an address without which the process would end once it has the lease.
    private func lackOfFiles() -> String? {
        // What else is wrong with a file is told when it is read for good.
        let silent = Logger(label: "skerry") { _ in SwiftLogNoOpLogHandler() }
        do {
            _ = try settings.http.readingOptions()
            if settings.http.isDemanded, let options = settings.http.options {
                _ = try PhoneServices.secret(settings.http, silent)
                if !page.hasAddress { try options.demandAddresses() }
            }
            try settings.push?.demandKeys(silent)
            for sink in settings.sinks { _ = try sink.access() }
            return nil
        } catch let fault as ServiceFault {
            return fault.message
        } catch let fault as DashboardServer.BindFault {
            return fault.message
        } catch {
            return "\(error)"
        }
    }

    /// The reason why the broker lets this gateway not in, with its name and password.
    private func lackOfBroker() async -> String? {
        let bus = settings.mqtt.surveyBus
        let answer = Found(String?.none)
        do throws(BusFault) {
            try bus.start(
                BrokerCaller {
                    answer.put($0)
                    bus.stop()
                }
            )
        } catch {
            return error.message
        }
        await bus.finished()
        return answer.finding
    }
}

/// Connects to the broker once, and tells what came of it.
private final class BrokerCaller: BusHandler {
    private static let patience = Duration.seconds(3)

    private let end = ContinuousClock.now + patience
    private let finish: @Sendable (String?) -> Void

    init(_ finish: @escaping @Sendable (String?) -> Void) { self.finish = finish }

    func connected(_ session: BusSession) { finish(nil) }

    func disconnected(_ fault: BusFault) { finish(fault.message) }

    func subscriptionPlan() -> SubscriptionPlan { SubscriptionPlan(filters: []) }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {}

    func handle(_ batch: MessageBatch) -> BatchOutcome { .committed }

    var sleepLimit: Interval? {
        let (seconds, attoseconds) = (end - .now).components
        return .seconds(seconds) + Interval(microseconds: attoseconds / 1_000_000_000_000 + 1)
    }

    func wake() { if .now >= end { finish("the broker does not answer") } }
}

/// Knows how long the bridge has been without a broker.
final class BrokerWatch: Sendable {
    private let lostAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Begins, without a connection.
    func begin() { lostAt.withLock { $0 = .now } }

    /// Takes note of an event of the bridge.
    func take(_ event: BridgeEvent) {
        switch event {
        case .connected: lostAt.withLock { $0 = nil }
        case .disconnected: lostAt.withLock { $0 = $0 ?? .now }
        default: break
        }
    }

    /// Returns whether there has been no broker for longer than a time.
    func isAway(for length: Interval) -> Bool {
        lostAt.withLock { $0.map { .now - $0 > .microseconds(length.microseconds) } } ?? false
    }
}
