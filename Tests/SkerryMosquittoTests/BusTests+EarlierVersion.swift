import SkerryGateway
import SkerryMosquitto
import SkerryTesting
import Testing

// Brokers without MQTT 5.
extension BusTests {
    @Test(
        "with MQTT 3.1.1 a session goes on, too; retained messages come again, and its own publications do not"
    )
    func earlierVersion() async throws {
        let broker = try Broker()
        let client = try BrokerClient(port: broker.port)
        try client.publish("in/a", "kept", isRetained: true)
        let ledger = subscribing("in/#")
        ledger.edit { $0.plan.watched = ["own/#"] }
        var options = options(broker)
        options.version = .v311
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the replay") { $0.messages.count == 1 }
        ledger.edit {
            $0.waiting = [
                Publication(id: 1, topic: "own/a", payload: Array("mine".utf8), contentType: "text/plain")
            ]
        }
        bus.wake()
        try ledger.wait(for: "its publication") { $0.settled.count == 1 }
        bus.stop()
        await bus.finished()
        try client.publish("in/b", "meanwhile")
        let second = MosquittoBus(options)
        try second.start(Probe(ledger))
        try ledger.wait(for: "both") { $0.messages.count == 3 }
        second.stop()
        await second.finished()
        let entries = ledger.edit { $0 }
        #expect(entries.messages.map(\.text) == ["kept", "meanwhile", "kept"])
        #expect(entries.messages.map(\.isRetained) == [true, false, true])
        #expect(entries.sessions == [false, true].map { BusSession(isResumed: $0, repeatsRetained: true) })
        #expect(entries.settled.map(\.outcome) == [.acknowledged])
    }
}
