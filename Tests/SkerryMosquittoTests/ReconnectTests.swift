import Glibc
import SkerryGateway
import SkerryMosquitto
import SkerryTesting
import SkerryValues
import Testing

/// What the bus does when the broker is gone, is another one, or says no.
@Suite(.serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct ReconnectTests {
    func options(_ broker: Broker) -> MosquittoOptions {
        var options = MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: "skerry-test")
        options.firstRetry = .milliseconds(50)
        options.longestRetry = .milliseconds(400)
        return options
    }

    /// The first fault of a bus with these options.
    func firstFault(_ options: MosquittoOptions, _ ledger: Ledger = Ledger()) async throws -> BusFault {
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        let entries = try ledger.wait(for: "a fault") { !$0.faults.isEmpty }
        bus.stop()
        await bus.finished()
        return try #require(entries.faults.first)
    }

    @Test("a broker killed in the middle: the bus reconnects, and sends nothing twice that was acknowledged")
    func killedBroker() async throws {
        let broker = try Broker()
        let ledger = Ledger()
        ledger.edit { entries in
            entries.plan = SubscriptionPlan(filters: ["in/#"])
            // Retained, each on a topic of its own: what a broker without memory holds is what it was sent.
            entries.waiting = (0..<3000).map {
                Publication(
                    id: UInt64($0),
                    topic: "out/\($0)",
                    payload: Array("\($0)".utf8),
                    isRetained: true
                )
            }
        }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the first thousand") { $0.settled.count >= 1000 }
        broker.kill()
        let before = Set(try ledger.wait(for: "the loss") { !$0.faults.isEmpty }.settled.map(\.id))
        try broker.start()
        let entries = try ledger.wait(for: "the rest") { $0.settled.count >= 3000 }
        let watcher = try BrokerClient(port: broker.port)
        try watcher.subscribe("out/#")
        try watcher.wait(forCount: 3000 - before.count)
        try watcher.publish("out/end", "end")
        try watcher.wait(for: "the end") { $0.last?.text == "end" }
        let after = watcher.messages.dropLast().compactMap { UInt64($0.text) }
        try watcher.publish("in/a", "still here")
        try ledger.wait(for: "a message after the return") { $0.messages.last?.text == "still here" }
        bus.stop()
        await bus.finished()
        #expect(before.isDisjoint(with: after))
        #expect(Set(after).union(before) == Set(0..<3000))
        #expect(entries.settled.map(\.id).sorted() == (0..<3000).map(UInt64.init))
        #expect(entries.sessions.map(\.isResumed) == [false, false])
        #expect(entries.faults.allSatisfy { $0.kind == .connectionLost || $0.kind == .unreachable })
    }

    @Test("a broker that comes back from its store still has the session")
    func restartedBroker() async throws {
        var settings = Broker.Settings()
        settings.isPersistent = true
        let broker = try Broker(settings)
        let ledger = Ledger()
        ledger.edit { $0.plan = SubscriptionPlan(filters: ["in"]) }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        try ledger.wait(for: "subscription") { !$0.subscribed.isEmpty }
        broker.stop()
        try broker.start()
        let client = try BrokerClient(port: broker.port)
        try client.publish("in", "kept for us")
        try ledger.wait(for: "the message") { $0.messages.map(\.text) == ["kept for us"] }
        bus.stop()
        await bus.finished()
        #expect(ledger.edit { $0.sessions.map(\.isResumed) } == [false, true])
    }

    @Test("deadlines come in time without any broker, and pauses grow")
    func withoutBroker() async throws {
        let broker = try Broker()
        broker.kill()
        let ledger = Ledger()
        let probe = Probe(ledger)
        probe.period = .milliseconds(1)
        let bus = MosquittoBus(options(broker))
        try bus.start(probe)
        let entries = try ledger.wait(for: "attempts and wakes") { $0.faults.count >= 5 && $0.wakes > 5 }
        bus.stop()
        await bus.finished()
        #expect(
            entries.faults.first?.message
                == "connection refused: is a broker listening on 127.0.0.1:\(broker.port)?"
        )
        let pauses = entries.faults.prefix(4).compactMap { $0.retryIn?.microseconds }
        for (pause, whole) in zip(pauses, [50_000, 100_000, 200_000, 400_000] as [Int64]) {
            #expect((whole / 2...whole).contains(pause))
        }
    }

    @Test("a host name that does not exist is named")
    func unknownHost() async throws {
        let fault = try await firstFault(
            MosquittoOptions(host: "no-such-host.invalid", port: 1883, clientID: "skerry-test")
        )
        #expect(fault.kind == .unknownHost)
        #expect(fault.message == "unknown host no-such-host.invalid: is the name right, and does DNS work?")
    }

    @Test("a wrong password is reported as such; the right one may come from a file")
    func password() async throws {
        let folder = try Folder()
        try folder.run("mosquitto_passwd -c -b passwords skerry secret")
        try folder.write("secret\n", to: "secret.txt")
        var settings = Broker.Settings()
        settings.lines = ["allow_anonymous false", "password_file \(folder.path)/passwords"]
        let broker = try Broker(settings)
        var options = options(broker)
        let nameless = try await firstFault(options)
        #expect(nameless.kind == .notAuthorized)
        #expect(nameless.message.hasSuffix("it wants a user name and a password"))
        options.username = .text("skerry")
        options.password = .text("wrong")
        let wrong = try await firstFault(options)
        #expect(
            wrong.message
                == "the broker at 127.0.0.1:\(broker.port) refused the connection: Not authorized; "
                + "check name and password"
        )
        options.password = .file("\(folder.path)/secret.txt")
        let ledger = Ledger()
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the connection") { !$0.sessions.isEmpty }
        bus.stop()
        await bus.finished()
        #expect(ledger.edit { $0.faults.isEmpty })
    }

    @Test("a password from a pipe is read once, to its end, and serves every connection")
    func piped() async throws {
        let folder = try Folder()
        try folder.run("mosquitto_passwd -c -b passwords skerry secret && mkfifo pipe")
        var settings = Broker.Settings()
        settings.lines = ["allow_anonymous false", "password_file \(folder.path)/passwords"]
        let broker = try Broker(settings)
        var options = options(broker)
        options.username = .text("skerry")
        options.password = .file("\(folder.path)/pipe")
        // In two pieces: the first has no line end.
        try folder.run("{ (printf sec; sleep 0.1; echo ret) >pipe & } >/dev/null 2>&1")
        let ledger = Ledger()
        let bus = MosquittoBus(options)
        try bus.start(Probe(ledger))
        try ledger.wait(for: "the connection") { $0.sessions.count == 1 }
        broker.kill()
        try broker.start()
        try ledger.wait(for: "the second connection") { $0.sessions.count == 2 }
        bus.stop()
        await bus.finished()
    }

    @Test(
        "a filter that the broker refuses is reported with its reason",
        .enabled(if: Folder.hasAccessPlugin)
    )
    func refusedFilter() async throws {
        let folder = try Folder()
        try folder.run("ln -s \(Folder.accessPlugins) plugin.so")
        try folder.write(
            """
            {"defaultACLAccess": {"subscribe": false, "publishClientReceive": true}, "anonymousGroup": "all",
             "groups": [{"groupname": "all", "roles": [{"rolename": "reader"}]}],
             "roles": [{"rolename": "reader",
                        "acls": [{"acltype": "subscribePattern", "topic": "in/#", "allow": true}]}]}
            """,
            to: "access.json"
        )
        var settings = Broker.Settings()
        settings.lines = [
            "plugin \(folder.path)/plugin.so", "plugin_opt_config_file \(folder.path)/access.json",
        ]
        let broker = try Broker(settings)
        let ledger = Ledger()
        ledger.edit { $0.plan = SubscriptionPlan(filters: ["in/a", "secret/#"]) }
        let bus = MosquittoBus(options(broker))
        try bus.start(Probe(ledger))
        let outcomes = try ledger.wait(for: "the answers") { $0.subscribed.count == 2 }.subscribed
        bus.stop()
        await bus.finished()
        #expect(outcomes.map(\.filter) == ["in/a", "secret/#"])
        #expect(outcomes.map(\.granted) == [.atLeastOnce, nil])
        #expect(outcomes.map(\.reason) == ["", "Not authorized"])
    }

    @Test("a listener that is not a broker is given up; the bus sleeps until then")
    func silentListener() async throws {
        let listener = try SilentListener()
        var options = MosquittoOptions(host: "127.0.0.1", port: listener.port, clientID: "skerry-test")
        // Longer than the second after which it looks whether a broker that has answered still does.
        options.greetingLimit = .milliseconds(1_100)
        let ledger = Ledger()
        let fault = try await firstFault(options, ledger)
        #expect(ledger.edit { $0.turns } < 100)
        #expect(
            fault.message == "127.0.0.1:\(listener.port) accepted the connection, but does not answer in MQTT"
        )
    }

    @Test("settings that can never work are refused at the start")
    func settings() throws {
        func refusal(_ change: (inout MosquittoOptions) -> Void) -> String {
            var options = MosquittoOptions(clientID: "skerry-test")
            change(&options)
            let bus = MosquittoBus(options)
            let fault = #expect(throws: BusFault.self) { try bus.start(Probe(Ledger())) }
            #expect(fault?.kind == .configuration)
            return fault?.message ?? ""
        }
        #expect(refusal { $0.port = 0 } == "port 0 is not between 1 and 65535")
        #expect(refusal { $0.host = "" } == "the host of the broker is empty")
        #expect(refusal { $0.clientID = "" } == "the client id is empty: a session needs a name that stays")
        #expect(
            refusal { $0.keepAlive = .seconds(3) }
                == "a keep-alive of 3 s is not possible: choose 5 to 65535, or 0 for none"
        )
        #expect(
            refusal { $0.tls = .init(authorityFile: "/nowhere/ca.pem") }
                == "cannot read /nowhere/ca.pem: No such file or directory"
        )
        let folder = try Folder()
        try folder.write("nothing of the kind\n", to: "ca.pem")
        try folder.write("0\u{1}", to: "ca.der")
        #expect(
            refusal { $0.tls = .init(authorityFile: "\(folder.path)/ca.pem") }
                == "there is no certificate in \(folder.path)/ca.pem: it must be PEM and have a line "
                + "'-----BEGIN CERTIFICATE-----'"
        )
        #expect(
            refusal { $0.tls = .init(authorityFile: "\(folder.path)/ca.der") }
                .contains("it looks like DER: openssl x509 -inform der")
        )
        #expect(
            refusal { $0.tls = .init(authorityFile: folder.path) }
                == "cannot read \(folder.path): Is a directory"
        )
        #expect(
            refusal { $0.tls = .init(certificateFile: "c") }
                == "a client certificate needs both its file and the file of its key"
        )
        #expect(
            refusal { $0.password = .file("/nowhere/pw") }
                == "cannot read /nowhere/pw: No such file or directory"
        )
    }
}
