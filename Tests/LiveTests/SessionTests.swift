@preconcurrency import Dispatch
import Foundation
import SkerryTesting
import Synchronization
import Testing

/// What NATS itself loses: plain clients in place of gateways, on the same three hosts, with the same misfortunes.
///
/// `scripts/crash --sessions` runs it. It fails if a message is lost; then no gateway can do better.
@Suite(
    "Sessions of NATS",
    .enabled(if: CrashTests.setting("SKERRY_CRASH_SESSIONS", else: 0) > 0, "scripts/crash --sessions runs it")
)
struct SessionTests {
    private static let sessions = 8

    @Test(
        "a session gets each message that was acknowledged to its publisher, whichever server its client connects to"
    )
    func plain() throws {
        try #require(Hosts.isAvailable, "it makes network namespaces, which takes root")
        let rounds = CrashTests.setting("SKERRY_CRASH_SESSIONS", else: 0)
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))
        let hosts = try Hosts()
        let broker = try FleetBroker(mappings: "")
        var sessions = (0..<Self.sessions).map { PlainSession($0, on: $0 % Hosts.count, broker) }
        for session in sessions { session.awaitSubscription() }
        let publisher = FleetPublisher(broker)
        func publish(for seconds: Int) throws {
            let end = ContinuousClock.now + .seconds(seconds)
            repeat {
                let number = publisher.count
                try publisher.publish("crash/s\(number % Self.sessions)/\(number)", "x")
            } while ContinuousClock.now < end
        }
        for round in 1...rounds {
            try publish(for: 1 + random.below(3))
            let host = random.below(Hosts.count)
            switch round % 5 {
            case 1:
                try hosts.connect(host, false)
                for number in sessions.indices where sessions[number].host == host {
                    sessions[number] = sessions[number].moved(to: (host + 1 + random.below(2)) % Hosts.count)
                }
                try publish(for: 36)
                try hosts.connect(host, true)
            case 3: try broker.restart(host) { try publish(for: 1 + random.below(8)) }
            default:
                let number = random.below(Self.sessions)
                sessions[number] = sessions[number].moved(to: host)
            }
            print("round \(round) of \(rounds): \(publisher.count) messages")
        }
        try publish(for: 5)
        let got = sessions.reduce(0) { $0 + $1.awaitEnd() }
        print("acknowledged to the publisher \(publisher.count), lost \(publisher.count - got)")
        #expect(got == publisher.count)
    }
}

/// A client of MQTT with a session that the broker keeps, on a thread of its own.
private final class PlainSession: Sendable {
    let host: Int
    private let number: Int
    private let broker: FleetBroker
    private let topics: Mutex<Set<String>>
    /// The messages of the present connection, some of which may have come before.
    private let arrivals = Mutex(0)
    private let isSubscribed = Mutex(false)
    private let isOver = Mutex(false)
    private let thread = DispatchGroup()

    init(_ number: Int, on host: Int, _ broker: FleetBroker, topics: Set<String> = []) {
        (self.number, self.host, self.broker) = (number, host, broker)
        self.topics = Mutex(topics)
        DispatchQueue(label: "session \(number)").async(group: thread) { [self] in
            while !isOver.withLock({ $0 }) { try? read() }
        }
    }

    /// Reads until the connection is lost.
    private func read() throws {
        let client = try broker.connect("plain-p\(number)", to: host, patience: 500)
        defer { topics.withLock { $0.formUnion(client.messages.map(\.topic)) } }
        try client.subscribe("crash/s\(number)/+")
        isSubscribed.withLock { $0 = true }
        while !isOver.withLock({ $0 }) {
            do throws(BrokerClient.Failure) {
                try client.wait(for: "an end") { messages in
                    arrivals.withLock { $0 = messages.count }
                    return false
                }
            } catch {
                guard error.description.hasPrefix("waited in vain") else { throw error }
            }
        }
    }

    func awaitSubscription() { while !isSubscribed.withLock({ $0 }) {} }

    /// The session at another server, while this one's connection may be lost without its server knowing.
    func moved(to host: Int) -> PlainSession {
        PlainSession(number, on: host, broker, topics: end())
    }

    /// Ends the client without a word to the server.
    private func end() -> Set<String> {
        isOver.withLock { $0 = true }
        thread.wait()
        return topics.withLock { $0 }
    }

    /// The number of messages, once half a minute has brought none.
    func awaitEnd() -> Int {
        var former = -1
        while former != arrivals.withLock({ $0 }) {
            former = arrivals.withLock { $0 }
            _ = thread.wait(timeout: .now() + 30)
        }
        return end().count
    }
}
