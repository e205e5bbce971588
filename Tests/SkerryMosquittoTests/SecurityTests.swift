import SkerryGateway
import SkerryMosquitto
import SkerryTesting
import SkerryValues
import Testing

/// TLS with authorities made for the test.
@Suite(
    .serialized,
    .enabled(if: Broker.isAvailable && Folder.hasTool("openssl"), "needs mosquitto and openssl")
)
struct SecurityTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.makeAuthority("ca")
        try folder.makeAuthority("other")
        try folder.makeCertificate("server", for: "localhost", by: "ca")
        try folder.makeCertificate("client", for: "skerry", by: "ca")
    }

    func broker(asksForCertificate: Bool = false) throws -> Broker {
        var settings = Broker.Settings()
        settings.lines = [
            "cafile \(folder.path)/ca.pem",
            "certfile \(folder.path)/server.pem",
            "keyfile \(folder.path)/server.key",
            "require_certificate \(asksForCertificate)",
        ]
        return try Broker(settings)
    }

    /// Connects, takes a message in and one out, and returns the ledger.
    func exchange(_ options: MosquittoOptions) async throws -> Ledger {
        let ledger = Ledger()
        ledger.edit { entries in
            entries.plan = SubscriptionPlan(filters: ["in"])
            entries.waiting = [Publication(topic: "out", payload: Array("out".utf8))]
        }
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try ledger.wait(for: "an answer or a fault") { !$0.faults.isEmpty || !$0.settled.isEmpty }
        bus.stop()
        await bus.finished()
        return ledger
    }

    func options(
        _ broker: Broker,
        _ tls: MosquittoOptions.TLS,
        host: String = "localhost"
    ) -> MosquittoOptions {
        var options = MosquittoOptions(host: host, port: broker.port, clientID: "skerry-test")
        options.tls = tls
        return options
    }

    @Test("a certificate of a known authority and the right name is taken")
    func trusted() async throws {
        let broker = try broker()
        let ledger = try await exchange(options(broker, .init(authorityFile: "\(folder.path)/ca.pem")))
        #expect(ledger.edit { $0.faults.isEmpty && $0.settled.count == 1 })
    }

    @Test("a certificate of an unknown authority is refused")
    func untrusted() async throws {
        let broker = try broker()
        let ledger = try await exchange(options(broker, .init(authorityFile: "\(folder.path)/other.pem")))
        let fault = try #require(ledger.edit { $0.faults.first })
        #expect(fault.kind == .security)
        #expect(fault.message.contains("is not signed by one of \(folder.path)/other.pem"))
    }

    @Test("a certificate for another host is taken only when asked to")
    func wrongName() async throws {
        let broker = try broker()
        var tls = MosquittoOptions.TLS(authorityFile: "\(folder.path)/ca.pem")
        let strict = try await exchange(options(broker, tls, host: "127.0.0.1"))
        #expect(strict.edit { $0.faults.first?.kind } == .security)
        tls.isInsecure = true
        let lax = try await exchange(options(broker, tls, host: "127.0.0.1"))
        #expect(lax.edit { $0.faults.isEmpty && $0.settled.count == 1 })
    }

    @Test("a broker that wants a certificate gets it, and its refusal is reported")
    func clientCertificate() async throws {
        let broker = try broker(asksForCertificate: true)
        var tls = MosquittoOptions.TLS(authorityFile: "\(folder.path)/ca.pem")
        let without = try await exchange(options(broker, tls))
        #expect(without.edit { $0.faults.first?.kind } == .security)
        tls.certificateFile = "\(folder.path)/client.pem"
        tls.keyFile = "\(folder.path)/client.key"
        let with = try await exchange(options(broker, tls))
        #expect(with.edit { $0.faults.isEmpty && $0.settled.count == 1 })
    }

    @Test("many messages come through the secure layer whole and in order")
    func manyMessages() async throws {
        let broker = try broker()
        let ledger = Ledger()
        ledger.edit { entries in
            entries.plan = SubscriptionPlan(filters: ["loop/#"])
            entries.waiting = (0..<500).map {
                Publication(topic: "other/\($0)", payload: Array("\($0)".utf8))
            }
        }
        let bus = MosquittoBus(options(broker, .init(authorityFile: "\(folder.path)/ca.pem")))
        var second = options(broker, .init(authorityFile: "\(folder.path)/ca.pem"))
        second.clientID = "skerry-test-2"
        second.batchLimit = 7
        let reader = Ledger()
        reader.edit { $0.plan = SubscriptionPlan(filters: ["other/#"]) }
        let readerBus = MosquittoBus(second)
        try readerBus.start(Probe(reader))
        try reader.wait(for: "subscription") { !$0.subscribed.isEmpty }
        try bus.start(Probe(ledger))
        try reader.wait(for: "all") { $0.messages.count == 500 }
        bus.stop()
        readerBus.stop()
        await bus.finished()
        await readerBus.finished()
        #expect(reader.texts == (0..<500).map(String.init))
    }

    @Test("a damaged certificate and the key of another one are reported with their files")
    func damagedFiles() async throws {
        let broker = try broker(asksForCertificate: true)
        try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "broken.pem")
        let broken = try await exchange(options(broker, .init(authorityFile: "\(folder.path)/broken.pem")))
        #expect(try #require(broken.edit { $0.faults.first }).message.contains("broken.pem is damaged"))
        var tls = MosquittoOptions.TLS(authorityFile: "\(folder.path)/ca.pem")
        tls.certificateFile = "\(folder.path)/client.pem"
        tls.keyFile = "\(folder.path)/server.key"
        let mixed = try await exchange(options(broker, tls))
        let message = try #require(mixed.edit { $0.faults.first }).message
        #expect(
            message.contains("server.key") && message.contains("not the key of \(folder.path)/client.pem")
        )
    }

    @Test("a plain client on a port with TLS is advised to use TLS, and not about a duplicate client id")
    func plainClient() async throws {
        let broker = try broker()
        let ledger = try await exchange(
            MosquittoOptions(host: "localhost", port: broker.port, clientID: "skerry-test")
        )
        let message = try #require(ledger.edit { $0.faults.first }).message
        #expect(message.contains("does it want TLS (--tls, or --ca"), "\(message)")
        #expect(!message.contains("client id"))
    }

    @Test("TLS to a broker without it is reported as such")
    func plainBroker() async throws {
        let broker = try Broker()
        var options = options(broker, .init(authorityFile: "\(folder.path)/ca.pem"))
        options.greetingLimit = .milliseconds(500)
        let ledger = try await exchange(options)
        #expect(ledger.edit { $0.faults.first?.kind } == .security)
    }
}
