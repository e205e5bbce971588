import Foundation
import SkerryPush
import SkerryTesting
import Testing

/// `skerry doctor` as a process: each fault is made on purpose, and found by its check.
@Suite("The doctor", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct DoctorTests {
    /// A house in a folder of its own, in which nothing is wrong.
    private final class House {
        let folder: URL
        var environment: [String: String] = [:]
        var arguments: [String] = []
        var launcher: [String] = []

        init(port: Int) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-doctor-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            environment = [
                "SKERRY_MQTT_HOST": "127.0.0.1", "SKERRY_MQTT_PORT": "\(port)",
                "SKERRY_STORE_PATH": path("skerry.db"), "SKERRY_HTTP_ADMIN_TOKEN_FILE": path("admin-token"),
                "SKERRY_DEFINITIONS": path("washer.yaml"),
            ]
            let definition = try String(contentsOfFile: "devices/washer.yaml", encoding: .utf8)
            try write(definition, to: "washer.yaml")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        @discardableResult
        func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
            return path(name)
        }

        func set(_ variables: [String: String]) { environment.merge(variables) { $1 } }

        /// Runs the doctor, and returns its lines by the names of the checks, with its exit status.
        func ask(_ checks: String...) throws -> (lines: [String: String], status: Int32, all: String) {
            let words = checks.flatMap { ["--only", $0] } + ["--wait", "300"]
            let program = try Program(
                ["doctor"] + words + arguments,
                launcher: launcher,
                environment: environment
            )
            let status = try program.end()
            #expect(program.errorText.isEmpty, "\(program.errorText)")
            var lines: [String: String] = [:]
            for line in program.outputText.split(separator: "\n") {
                let name = line.dropFirst(2).prefix { $0 != " " }
                lines[String(name)] = "\(line.prefix(1)) \(line.dropFirst(2 + name.count).drop { $0 == " " })"
            }
            return (lines, status, program.outputText)
        }
    }

    private let broker: Broker

    init() throws { broker = try Broker() }

    /// Expects that a check finds a fault, and says what is wrong and what to do.
    private func expect(
        _ house: House,
        _ check: String,
        says texts: String...,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try house.ask(check)
        let line = try #require(found.lines[check], "\(found.all)", sourceLocation: location)
        #expect(line.hasPrefix("✗ "), "\(line)", sourceLocation: location)
        for text in texts { #expect(line.contains(text), "\(line)", sourceLocation: location) }
        #expect(found.status == 1, sourceLocation: location)
    }

    @Test("with a bridge, nothing is wrong, and each check has its line")
    func well() throws {
        let house = try House(port: broker.port)
        let port = try Broker.findFreePort()
        house.set(["SKERRY_HTTP_ADDRESS": "127.0.0.1:\(port)"])
        let bridge = try Program(["run"], environment: house.environment)
        try bridge.waitForPage()
        try bridge.wait(for: "its connection") { $0.errorText.contains("connected") }
        var found = try house.ask()
        // It may not have announced itself yet.
        while found.lines["bridge"]?.hasPrefix("✗") == true, bridge.isRunning { found = try house.ask() }
        #expect(found.status == 0, "\(found.all)")
        #expect(found.lines.count == 18, "\(found.all)")
        #expect(!found.all.contains("✗"), "\(found.all)")
        for name in ["definitions", "folder", "store", "broker", "login", "acl", "bridge", "unread", "http"] {
            #expect(found.lines[name]?.hasPrefix("✓ ") == true, "\(name): \(found.all)")
        }
        #expect(try house.ask("heard").lines["heard"]?.hasPrefix("! nothing was heard yet of ") == true)
        bridge.signal(SIGTERM)
        #expect(try bridge.end() == 0)
        try expect(house, "bridge", says: "no bridge runs", "start it")
        // The health check of containers is strict.
        #expect(try house.ask("http").lines["http"]?.hasPrefix("! no bridge listens") == true)
        house.arguments = ["--strict"]
        #expect(try house.ask("http").status == 1)
    }

    @Test("its JSON has the same")
    func json() throws {
        let house = try House(port: broker.port)
        let program = try Program(["doctor", "--json", "--only", "acl"], environment: house.environment)
        #expect(try program.end() == 0)
        struct Report: Decodable {
            struct Check: Decodable { var check, question, verdict, text: String }
            var version: String
            var well: Bool
            var checks: [Check]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(program.outputText.utf8))
        #expect(report.well)
        #expect(report.checks.map(\.check) == ["acl"])
        #expect(report.checks.first?.verdict == "well")
    }

    @Test("wrong usage is refused with the names of the checks")
    func usage() throws {
        let program = try Program(["doctor", "--only", "teeth"])
        #expect(try program.end() == 64)
        #expect(program.errorText.contains("there is no check 'teeth': settings, secrets"))
    }

    @Test("settings that can't be read, and nothing else is asked")
    func settings() throws {
        let house = try House(port: broker.port)
        house.arguments = ["-c", try house.write("mqtt:\n  port: many\n", to: "skerry.yaml")]
        house.environment["SKERRY_MQTT_PORT"] = nil
        let found = try house.ask()
        #expect(found.status == 1)
        #expect(
            found.lines["settings"]?.contains("skerry.yaml:2:9: mqtt.port: 'many'") == true,
            "\(found.all)"
        )
        #expect(found.lines["broker"] == "– the settings are wrong", "\(found.all)")
    }

    @Test("a broker that is not there, and a name that leads nowhere")
    func brokerIsAway() throws {
        let house = try House(port: try Broker.findFreePort())
        try expect(house, "broker", says: "connection refused: is a broker listening")
        let others = try house.ask("tls", "login", "acl", "bridge")
        #expect(others.status == 0)
        #expect(others.lines.values.allSatisfy { $0.hasPrefix("– ") }, "\(others.all)")
        house.set(["SKERRY_MQTT_HOST": "nowhere.invalid"])
        try expect(house, "broker", says: "unknown host nowhere.invalid")
    }

    @Test("a wrong password, and one that can't be read", .enabled(if: geteuid() == 0, "changes users"))
    func login() throws {
        var settings = Broker.Settings()
        let folder = try House(port: 1)
        let passwords = folder.path("passwords")
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
        tool.arguments = ["-c", "-b", passwords, "bridge", "right-horse"]
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        tool.waitUntilExit()
        settings.lines = ["allow_anonymous false", "password_file \(passwords)"]
        let broker = try Broker(settings)
        defer { broker.discard() }
        let house = try House(port: broker.port)
        house.set(["SKERRY_MQTT_USERNAME": "bridge", "SKERRY_MQTT_PASSWORD": "wrong-horse"])
        try expect(house, "login", says: "check name and password")
        let all = try house.ask()
        #expect(!all.all.contains("wrong-horse"))
        house.environment["SKERRY_MQTT_PASSWORD"] = nil
        house.set(["SKERRY_MQTT_PASSWORD_FILE": house.path("password")])
        try expect(house, "login", says: "cannot read \(house.path("password")): No such file")
        try expect(house, "secrets", says: "mqtt.password-file", "No such file")
        try house.write("right-horse\n", to: "password", mode: 0o644)
        try expect(house, "secrets", says: "everybody on this machine can read", "chmod o=")
        let well = try house.ask("login", "acl")
        #expect(well.lines["login"] == "✓ with name and password")
        #expect(well.lines["acl"]?.hasPrefix("✓") == true, "\(well.all)")
        house.launcher = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]
        try house.write("right-horse\n", to: "password", mode: 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: house.folder.path)
        try expect(house, "secrets", says: "can't be read by this user")
    }

    @Test("a broker without TLS where TLS is wanted, and a file of authorities that is missing")
    func tls() throws {
        let house = try House(port: broker.port)
        house.arguments = ["--tls"]
        try expect(house, "tls", says: "does 127.0.0.1:\(broker.port) speak TLS")
        house.arguments = ["--ca", house.path("missing.pem")]
        try expect(house, "tls", says: "missing.pem")
    }

    @Test("a broker that lets the bridge publish nothing, hear nothing, or whose answers go to nobody")
    func acl() throws {
        let house = try House(port: 1)
        for (rules, text) in [
            ("topic read #\n", "allow this user to read and write skerry/#"),
            ("topic write #\n", "did not come back: allow this user to read and write skerry/#"),
        ] {
            var settings = Broker.Settings()
            settings.lines = ["acl_file \(try house.write(rules, to: "rules", mode: 0o600))"]
            let broker = try Broker(settings)
            defer { broker.discard() }
            house.set(["SKERRY_MQTT_PORT": "\(broker.port)"])
            try expect(house, "acl", says: text)
        }
    }

    @Test("a definition with an error, one with a warning, and none")
    func definitions() throws {
        let house = try House(port: broker.port)
        let text = try String(contentsOfFile: "devices/washer.yaml", encoding: .utf8)
        try house.write(text.replacing("kind: washer", with: "kind: washer\nsauces: []"), to: "washer.yaml")
        try expect(house, "definitions", says: "1 error", "washer.yaml:", "skerry check")
        house.set(["SKERRY_DEFINITIONS": house.path("missing")])
        try expect(house, "definitions", says: "missing")
        try FileManager.default.createDirectory(
            atPath: house.path("empty"),
            withIntermediateDirectories: true
        )
        house.set(["SKERRY_DEFINITIONS": house.path("empty")])
        try expect(house, "definitions", says: "there is none", "'auto'")
    }

    @Test(
        "a store of garbage or of another user, and a folder that takes nothing",
        .enabled(if: geteuid() == 0, "changes users")
    )
    func store() throws {
        let house = try House(port: broker.port)
        try house.write(
            "this is no database, and it is longer than the head of one would have to be.\n",
            to: "skerry.db"
        )
        try expect(house, "store", says: "skerry.db")
        house.set(["SKERRY_STORE_PATH": house.path("washer.yaml") + "/skerry.db"])
        try expect(house, "folder", says: "is no folder")
        house.set(["SKERRY_STORE_PATH": house.path("skerry.db")])
        try FileManager.default.setAttributes(
            [.ownerAccountID: 65_534],
            ofItemAtPath: house.path("skerry.db")
        )
        try expect(house, "folder", says: "belongs to another user", "chown")
        try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: house.path("skerry.db"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: house.folder.path)
        house.launcher = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]
        try expect(house, "folder", says: "Permission denied", "store.path")
    }

    @Test("phones, names and a time zone that can't be read, and settings that do nothing")
    func beside() throws {
        let house = try House(port: broker.port)
        let bridge = try Program(["run"], environment: house.environment)
        try bridge.wait(for: "its connection") { $0.errorText.contains("connected") }
        bridge.signal(SIGTERM)
        #expect(try bridge.end() == 0)
        #expect(try house.ask("store").lines["store"]?.hasPrefix("✓") == true)
        let phones = URL(fileURLWithPath: house.path("skerry.db.phones"))
        let whole = try Data(contentsOf: phones)
        try Data(repeating: 0xA5, count: 8192).write(to: phones)
        try expect(house, "store", says: "skerry.db.phones")
        try whole.write(to: phones)
        try house.write("{garbage", to: "skerry.db.devices")
        try expect(house, "store", says: "skerry.db.devices:1")
        house.set(["TZ": "Mars/Phobos"])
        house.set(["SKERRY_MQTT_TLS_ENABLED": "false", "SKERRY_MQTT_TLS_CA": "/ca.pem"])
        let found = try house.ask("settings", "tls")
        #expect(found.lines["settings"]?.hasPrefix("! TZ is 'Mars/Phobos'") == true, "\(found.all)")
        #expect(found.lines["tls"]?.contains("so mqtt.tls.ca does nothing") == true, "\(found.all)")
        house.set(["SKERRY_PLACE_ZONE": "Europe/Berlin"])
        #expect(try house.ask("settings").lines["settings"]?.hasPrefix("✓") == true)
    }

    @Test("a port that speaks something else is no broker", arguments: ["status", "devices"])
    func noBroker(command: String) throws {
        let peer = ServicePeer { _, _ in ServicePeer.Answer(404) }
        Thread.detachNewThread { peer.serve() }
        defer { peer.stop() }
        let program = try Program([command, "-h", "127.0.0.1", "-p", "\(peer.port)", "--wait", "1"])
        #expect(try program.end() == 69)
        #expect(program.errorText.contains("in MQTT"), "\(program.errorText)")
    }

    @Test("a full disk keeps what was compiled before", .enabled(if: geteuid() == 0, "mounts a disk"))
    func fullDisk() throws {
        let house = try House(port: broker.port)
        let disk = house.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=64k none \(disk) && echo good >\(disk)/x.skd
            head -c 100000 /dev/zero >\(disk)/filler 2>/dev/null
            "$@"
            status=$?
            [ "$(cat \(disk)/x.skd)" = good ] && echo kept
            exit $status
            """
        let program = try Program(
            ["compile", "devices/washer.yaml", "-o", "\(disk)/x.skd"],
            launcher: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh"]
        )
        #expect(try program.end() != 0)
        #expect(program.outputText.hasSuffix("kept\n"), "\(program.outputText) \(program.errorText)")
    }

    @Test("a disk that is full, and one that may only be read", .enabled(if: geteuid() == 0, "mounts a disk"))
    func disk() throws {
        let house = try House(port: broker.port)
        let disk = house.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        house.set(["SKERRY_STORE_PATH": "\(disk)/skerry.db"])
        for (options, text) in [("size=64k", "the disk is full"), ("size=64m,ro", "Read-only")] {
            let script = "mount -t tmpfs -o \(options) none \(disk) && exec \"$@\""
            house.launcher = ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh"]
            try expect(house, "folder", says: text)
        }
        let script = "mount -t tmpfs -o size=64m none \(disk) && exec \"$@\""
        house.launcher = ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh"]
        let found = try house.ask("folder")
        #expect(found.lines["folder"]?.hasPrefix("! ") == true, "\(found.all)")
        #expect(found.status == 0)
        house.arguments = ["--strict"]
        #expect(try house.ask("folder").status == 1)
    }

    @Test("a port that another program has, and phones that can't be asked")
    func http() throws {
        let house = try House(port: broker.port)
        let peer = ServicePeer { _, _ in ServicePeer.Answer(404, body: "no") }
        Thread.detachNewThread { peer.serve() }
        defer { peer.stop() }
        house.set(["SKERRY_HTTP_ADDRESS": "127.0.0.1:\(peer.port)"])
        try expect(house, "http", says: "another program listens", "it answers 404", "http.address")
        let other = ServicePeer { _, request in
            request.line.hasPrefix("GET /healthz")
                ? ServicePeer.Answer(body: "ok\n") : ServicePeer.Answer(401)
        }
        Thread.detachNewThread { other.serve() }
        defer { other.stop() }
        house.set(["SKERRY_HTTP_ADDRESS": "127.0.0.1:\(other.port)"])
        try expect(house, "phones", says: "admin-token", "No such file")
        try house.write("0123456789abcdef0123456789abcdef\n", to: "admin-token")
        try expect(house, "phones", says: "refuses the admin token")
        house.set(["SKERRY_HTTP_ADDRESS": "192.0.2.1:7537"])
        try expect(house, "http", says: "192.0.2.1:7537")
        try house.write("short\n", to: "metrics-token")
        house.set(["SKERRY_HTTP_METRICS_TOKEN_FILE": house.path("metrics-token")])
        try expect(house, "http", says: "http.metrics-token-file", "metrics-token")
    }

    @Test("a key of Apple that is garbled, locked, missing or another one")
    func appleKey() throws {
        let house = try House(port: broker.port)
        house.set([
            "SKERRY_PUSH_APNS_KEY": house.path("AuthKey_ABC123DEFG.p8"),
            "SKERRY_PUSH_APNS_TEAM_ID": "DEF123GHIJ",
            "SKERRY_PUSH_APNS_BUNDLE_ID": "org.example.home",
        ])
        try expect(house, "apple-key", says: "push.apns.key", "there is no such file")
        let pem = ProviderKey().pem
        try house.write(
            String(pem.dropLast(80)) + "\n-----END PRIVATE KEY-----\n",
            to: "AuthKey_ABC123DEFG.p8"
        )
        try expect(house, "apple-key", says: "damaged", "developer.apple.com")
        try house.write("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", to: "AuthKey_ABC123DEFG.p8")
        try expect(house, "apple-key", says: "locked with a password")
        try house.write(pem, to: "AuthKey_ABC123DEFG.p8")
        var found = try house.ask("apple-key")
        #expect(
            found.lines["apple-key"] == "✓ org.example.home, team DEF123GHIJ, key ABC123DEFG",
            "\(found.all)"
        )
        house.set(["SKERRY_PUSH_APNS_KEY_ID": "XYZ123DEFG"])
        found = try house.ask("apple-key")
        #expect(
            found.lines["apple-key"]?.hasPrefix("! push.apns.key-id is XYZ123DEFG") == true,
            "\(found.all)"
        )
        house.set(["SKERRY_PUSH_APNS_TEAM_ID": "short"])
        try expect(house, "settings", says: "ten capital letters and digits")
    }

    @Test("a token that Home Assistant refuses, and a Home Assistant that is none")
    func homeAssistant() throws {
        let house = try House(port: broker.port)
        let peer = ServicePeer { _, request in
            let isRight = request.headers["authorization"] == "Bearer long-lived-token"
            return ServicePeer.Answer(request.line.hasPrefix("GET /api/ ") ? (isRight ? 200 : 401) : 404)
        }
        Thread.detachNewThread { peer.serve() }
        defer { peer.stop() }
        house.set([
            "SKERRY_SINKS_HOME_ASSISTANT_URL": "http://127.0.0.1:\(peer.port)",
            "SKERRY_SINKS_HOME_ASSISTANT_TARGETS": "mobile_app_pixel",
            "SKERRY_SINKS_HOME_ASSISTANT_TOKEN_FILE": try house.write("long-lived-token\n", to: "token"),
        ])
        let found = try house.ask("home-assistant")
        #expect(found.lines["home-assistant"] == "✓ 127.0.0.1:\(peer.port)", "\(found.all)")
        try house.write("expired-token\n", to: "token")
        try expect(house, "home-assistant", says: "refuses the token: make a new one")
        house.set(["SKERRY_SINKS_HOME_ASSISTANT_URL": "http://127.0.0.1:\(peer.port)/elsewhere"])
        try expect(house, "home-assistant", says: "answers 404")
        house.set(["SKERRY_SINKS_HOME_ASSISTANT_URL": "http://127.0.0.1:1"])
        try expect(house, "home-assistant", says: "sinks.home-assistant.url")
    }

    @Test("a secret of a further service that is none")
    func sinks() throws {
        let house = try House(port: broker.port)
        house.set([
            "SKERRY_SINKS_WEBHOOK_URL": "https://example.org/hook", "SKERRY_SINKS_WEBHOOK_SECRET": "hush",
        ])
        try expect(house, "sinks", says: "whsec_")
        let all = try house.ask()
        #expect(!all.all.contains("hush"))
    }
}
