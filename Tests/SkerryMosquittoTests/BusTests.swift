import SkerryGateway
import SkerryMosquitto
import SkerryTesting
import SkerryValues
import Testing

/// The bus against a real broker.
@Suite(.serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct BusTests {
    func options(_ broker: Broker, _ clientID: String = "skerry-test") -> MosquittoOptions {
        var options = MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: clientID)
        options.firstRetry = .milliseconds(50)
        return options
    }

    func subscribing(_ filters: String...) -> Ledger {
        let ledger = Ledger()
        ledger.edit { $0.plan = SubscriptionPlan(filters: filters) }
        return ledger
    }

    func awaitSubscription(_ ledger: Ledger) throws {
        try ledger.wait(for: "subscription") { !$0.subscribed.isEmpty }
    }

    @Test("messages arrive whole, in order, with their QoS")
    func order() async throws {
        let broker = try Broker()
        let ledger = subscribing("in/#")
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try awaitSubscription(ledger)
        let client = try BrokerClient(port: broker.port)
        for number in 0..<2000 {
            try client.publish("in/\(number % 7)", "\(number)", quality: UInt8(number % 2), isWaiting: false)
        }
        try client.flush()
        let entries = try ledger.wait(for: "all") { $0.messages.count >= 2000 }
        bus.stop()
        await bus.finished()
        // A broker may let QoS 0 overtake QoS 1, which waits for our acknowledgements.
        for quality in 0...1 {
            let part = entries.messages.filter { $0.quality.rawValue == UInt8(quality) }
            let numbers = (0..<2000).filter { $0 % 2 == quality }
            #expect(part.map(\.text) == numbers.map(String.init))
            #expect(part.map(\.topic) == numbers.map { "in/\($0 % 7)" })
        }
        #expect(entries.messages.map(\.arrival) == entries.messages.map(\.arrival).sorted())
        #expect(ledger.edit { $0.messages.count } == 2000)
    }

    @Test("retained messages have the retain flag, live ones never, and a resumed session gets none again")
    func retained() async throws {
        let broker = try Broker()
        let client = try BrokerClient(port: broker.port)
        try client.publish("in/a", "kept", isRetained: true)
        let ledger = subscribing("in/#")
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the replay") { $0.messages.count == 1 }
        try client.publish("in/a", "live", isRetained: true)
        try ledger.wait(for: "the live one") { $0.messages.count == 2 }
        bus.stop()
        await bus.finished()
        try client.publish("in/b", "meanwhile")
        let second = MosquittoBus(options(broker))
        try second.start(Probe(ledger))
        try ledger.wait(for: "what came meanwhile") { $0.messages.count == 3 && $0.subscribed.count == 2 }
        second.stop()
        await second.finished()
        let entries = ledger.edit { $0 }
        #expect(entries.messages.map(\.text) == ["kept", "live", "meanwhile"])
        #expect(entries.messages.map(\.isRetained) == [true, false, false])
        #expect(entries.sessions.map(\.isResumed) == [false, true])
    }

    @Test("no acknowledgement leaves before the commit")
    func acknowledgeAfterCommit() async throws {
        let broker = try Broker()
        let ledger = subscribing("in/#")
        let probe = Probe(ledger)
        let port = broker.port
        var isFirst = true
        probe.onBatch = { batch in
            guard isFirst else { return .committed }
            isFirst = false
            // Before the commit another client takes the session over, as our successor would after a crash.
            // The broker sends it what is not acknowledged, marked as sent before.
            do {
                let other = try BrokerClient(port: port, clientID: "skerry-test", sessionSeconds: 3600)
                other.acknowledges = false
                try other.wait(forCount: batch.count)
                ledger.edit { $0.wakes = other.messages.count(where: \.isDuplicate) }
            } catch {
                Issue.record(error)
            }
            return .committed
        }
        let bus = MosquittoBus(options(broker))
        try bus.start(probe)
        try awaitSubscription(ledger)
        let client = try BrokerClient(port: broker.port)
        try client.publish("in/a", "1")
        try ledger.wait(for: "the message, twice") { $0.messages.count == 2 }
        bus.stop()
        await bus.finished()
        #expect(ledger.texts == ["1", "1"])
        #expect(ledger.edit { $0.wakes } == 1, "the other client got it as a duplicate")
    }

    @Test("a batch that is not committed is repeated, and the Will marks the gap")
    func notCommitted() async throws {
        let broker = try Broker()
        let ledger = subscribing("in/#")
        let probe = Probe(ledger)
        var refusals = 2
        probe.onBatch = { _ in
            refusals -= 1
            return refusals >= 0 ? .notCommitted : .committed
        }
        probe.greeting = Publication(topic: "state", payload: Array("online".utf8), isRetained: true)
        var options = options(broker)
        options.will = Publication(topic: "state", payload: Array("offline".utf8), isRetained: true)
        let watcher = try BrokerClient(port: broker.port)
        try watcher.subscribe("state", keepsRetainFlag: true)
        let bus = MosquittoBus(options)
        try bus.start(probe)
        try awaitSubscription(ledger)
        let client = try BrokerClient(port: broker.port)
        for number in 1...3 { try client.publish("in/a", "\(number)", isWaiting: false) }
        try client.flush()
        try ledger.wait(for: "the messages at last") { $0.messages.count >= 3 }
        bus.stop()
        await bus.finished()
        #expect(ledger.texts == ["1", "2", "3"])
        #expect(ledger.edit { $0.faults.map(\.kind) } == [.notCommitted, .notCommitted])
        try watcher.wait(forCount: 5)
        // The second refusal may come before the second "online" has left; then it leaves with the third.
        #expect(
            watcher.messages.map(\.text).sorted() == ["offline", "offline", "online", "online", "online"]
        )
        #expect(watcher.messages.prefix(2).map(\.text) == ["online", "offline"])
        #expect(watcher.messages.last?.text == "online")
        #expect(watcher.messages.allSatisfy { $0.isRetained })
    }

    @Test("publications go out in order, within the window, and each is settled once")
    func publishing() async throws {
        let broker = try Broker()
        let ledger = subscribing()
        ledger.edit { entries in
            entries.waiting = (0..<500).map { number in
                Publication(
                    id: UInt64(number),
                    topic: "out/\(number)",
                    payload: Array("\(number)".utf8),
                    quality: number % 5 == 0 ? .atMostOnce : .atLeastOnce,
                    contentType: "application/merge-patch+json",
                    expiry: .seconds(60)
                )
            }
        }
        let watcher = try BrokerClient(port: broker.port)
        try watcher.subscribe("out/#")
        var options = options(broker)
        options.publicationWindow = 20
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try watcher.wait(forCount: 500)
        let entries = try ledger.wait(for: "all settled") { $0.settled.count >= 500 }
        bus.stop()
        await bus.finished()
        // A broker may let QoS 0 overtake QoS 1, which waits for the reader's acknowledgements.
        for quality in 0...1 {
            let texts = watcher.messages.filter { $0.quality == quality }.map(\.text)
            #expect(texts == (0..<500).filter { ($0 % 5 == 0 ? 0 : 1) == quality }.map(String.init))
        }
        #expect(watcher.messages.allSatisfy { $0.contentType == "application/merge-patch+json" })
        #expect(entries.settled.map(\.id).sorted() == (0..<500).map(UInt64.init))
        #expect(entries.settled.allSatisfy { $0.outcome == .acknowledged })
        #expect((2...20).contains(entries.mostUnderWay))
    }

    @Test("a publication that can never be sent is refused, and the others are sent")
    func refusedPublication() async throws {
        let broker = try Broker(
            {
                var settings = Broker.Settings()
                settings.lines = ["max_packet_size 1000"]
                return settings
            }()
        )
        let ledger = subscribing()
        ledger.edit { entries in
            entries.waiting = [
                Publication(id: 1, topic: "out/#", payload: []),
                Publication(id: 2, topic: "out", payload: [UInt8](repeating: 0, count: 2000)),
                Publication(id: 3, topic: "out", payload: []),
            ]
        }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        let entries = try ledger.wait(for: "all settled") { $0.settled.count == 3 }
        bus.stop()
        await bus.finished()
        #expect(entries.settled.map(\.id) == [1, 2, 3])
        let outcomes = entries.settled.map { settled in
            if case .refused = settled.outcome { "refused" } else { "acknowledged" }
        }
        #expect(outcomes == ["refused", "refused", "acknowledged"])
    }

    @Test("a publication that the broker forbids is refused with its topic and the reason")
    func forbiddenPublication() async throws {
        let folder = try Folder()
        try folder.write("topic readwrite out/#\n", to: "acl")
        var settings = Broker.Settings()
        settings.lines = ["acl_file \(folder.path)/acl"]
        let broker = try Broker(settings)
        let ledger = subscribing()
        ledger.edit { entries in
            entries.waiting = [
                Publication(id: 1, topic: "secret", payload: []),
                Publication(id: 2, topic: "out/a", payload: []),
            ]
        }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        let entries = try ledger.wait(for: "both answers") { $0.settled.count == 2 }
        bus.stop()
        await bus.finished()
        #expect(entries.settled.map(\.id) == [1, 2])
        #expect(
            entries.settled.map(\.outcome) == [.refused(reason: "secret: Not authorized"), .acknowledged]
        )
    }

    @Test("payloads over the limit are left out and counted; packets over the limit do not even come")
    func oversized() async throws {
        let broker = try Broker()
        let ledger = subscribing("in")
        var options = options(broker)
        options.payloadLimit = 500
        options.maximumPacketSize = 1000
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try awaitSubscription(ledger)
        let client = try BrokerClient(port: broker.port)
        for length in [5000, 501, 500] { try client.publish("in", String(repeating: "x", count: length)) }
        let entries = try ledger.wait(for: "the small one") { !$0.messages.isEmpty }
        bus.stop()
        await bus.finished()
        #expect(entries.messages.map(\.text.count) == [500])
        #expect(entries.oversized == 1)
        #expect(entries.faults.isEmpty)
    }

    @Test("stopping delivers waiting publications and the farewell, without the Will")
    func stopping() async throws {
        let broker = try Broker()
        let ledger = subscribing("in/#")
        let probe = Probe(ledger)
        probe.lastWords = Publication(
            id: 99,
            topic: "state",
            payload: Array("offline".utf8),
            isRetained: true
        )
        var options = options(broker)
        options.will = Publication(topic: "state", payload: Array("died".utf8), isRetained: true)
        let watcher = try BrokerClient(port: broker.port)
        try watcher.subscribe("state")
        try watcher.subscribe("out")
        let bus = MosquittoBus(options)
        try bus.start(probe)
        try awaitSubscription(ledger)
        ledger.edit { entries in
            entries.waiting = (0..<300).map {
                Publication(id: UInt64($0), topic: "out", payload: Array("\($0)".utf8))
            }
        }
        bus.stop()
        await bus.finished()
        try watcher.publish("state", "after")
        try watcher.wait(for: "the last message") { $0.last?.text == "after" }
        #expect(watcher.messages.map(\.text) == (0..<300).map(String.init) + ["offline", "after"])
        #expect(ledger.edit { $0.settled.map(\.id) } == (0..<300).map(UInt64.init) + [99])
    }

    @Test("a new plan is subscribed to, an old filter left, a bad one reported")
    func newPlan() async throws {
        let broker = try Broker()
        let ledger = subscribing("in/a", "in/#/b")
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try ledger.wait(for: "both answers") { $0.subscribed.count == 2 }
        let client = try BrokerClient(port: broker.port)
        try client.publish("in/a", "1")
        try ledger.wait(for: "the first") { $0.messages.count == 1 }
        ledger.edit { $0.plan = SubscriptionPlan(filters: ["in/b"]) }
        bus.wake()
        try ledger.wait(for: "the new filter") { $0.subscribed.count == 3 }
        try client.publish("in/a", "2")
        try client.publish("in/b", "3")
        try ledger.wait(for: "the last") { $0.messages.last?.text == "3" }
        bus.stop()
        await bus.finished()
        #expect(ledger.texts == ["1", "3"])
        let outcomes = ledger.edit { $0.subscribed }
        #expect(
            outcomes == [
                SubscriptionOutcome(filter: "in/#/b", granted: nil, reason: "not a valid topic filter"),
                SubscriptionOutcome(filter: "in/a", granted: .atLeastOnce),
                SubscriptionOutcome(filter: "in/b", granted: .atLeastOnce),
            ]
        )
    }

    @Test(
        "retained messages come again when the plan wants them, our own included, until a filter is left"
    )
    func retainedOnDemand() async throws {
        let broker = try Broker()
        let client = try BrokerClient(port: broker.port)
        try client.publish("in/a", "kept", isRetained: true)
        let ledger = subscribing("in/+")
        ledger.edit {
            $0.waiting = [Publication(topic: "out/a/shown", payload: Array("ours".utf8), isRetained: true)]
        }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the replay, and ours") { $0.messages.count == 1 && $0.settled.count == 1 }
        ledger.edit {
            $0.plan = SubscriptionPlan(filters: ["in/+"], own: ["out/+/shown"], wantsRetained: true)
        }
        bus.wake()
        let entries = try ledger.wait(for: "both") { $0.messages.count == 3 }
        #expect(entries.messages.dropFirst().map(\.text).sorted() == ["kept", "ours"])
        #expect(entries.messages.allSatisfy { $0.isRetained })
        ledger.edit { $0.plan = SubscriptionPlan(filters: ["in/+"], obsolete: ["out/+/shown"]) }
        bus.wake()
        ledger.edit { $0.waiting = [Publication(topic: "out/a/shown", payload: Array("ours, new".utf8))] }
        bus.wake()
        try ledger.wait(for: "the last word") { $0.settled.count == 2 }
        try client.publish("in/b", "end")
        try ledger.wait(for: "the end") { $0.messages.last?.text == "end" }
        bus.stop()
        await bus.finished()
        #expect(ledger.texts.count == 4)
    }

    @Test("own publications do not come back")
    func ownMessages() async throws {
        let broker = try Broker()
        let ledger = subscribing("both/#")
        ledger.edit { $0.waiting = [Publication(topic: "both/a", payload: Array("ours".utf8))] }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try awaitSubscription(ledger)
        ledger.edit { $0.waiting.append(Publication(topic: "both/a", payload: Array("ours, too".utf8))) }
        bus.wake()
        try ledger.wait(for: "both acknowledged") { $0.settled.count == 2 }
        let client = try BrokerClient(port: broker.port)
        try client.publish("both/a", "theirs")
        try ledger.wait(for: "theirs") { $0.messages.last?.text == "theirs" }
        bus.stop()
        await bus.finished()
        #expect(ledger.texts == ["theirs"])
    }

    @Test("a burst is taken in full batches, and other threads can wake the handler")
    func batches() async throws {
        let broker = try Broker()
        let ledger = subscribing("in")
        var options = options(broker)
        options.batchLimit = 16
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try awaitSubscription(ledger)
        let client = try BrokerClient(port: broker.port)
        for number in 0..<500 { try client.publish("in", "\(number)", quality: 0) }
        try ledger.wait(for: "all") { $0.messages.count == 500 }
        bus.wake()
        try ledger.wait(for: "a wake") { $0.wakes > 0 }
        bus.stop()
        await bus.finished()
        #expect(ledger.edit { $0.batchSizes.max() ?? 0 } <= 16)
        #expect(ledger.texts == (0..<500).map(String.init))
    }
}
