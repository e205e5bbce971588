import Foundation
import SkerryTesting
import Testing

/// The programs that the start script needs.
private enum AppTools {
    static var areThere: Bool {
        ["/usr/bin/curl", "/usr/bin/jq"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// The app for Home Assistant: its start script with a stand-in for the Supervisor, and what its files say of its options.
@Suite(
    "The app for Home Assistant",
    .serialized,
    .enabled(if: Broker.isAvailable && AppTools.areThere, "needs mosquitto, curl and jq")
)
struct AppTests {
    private static let folder = Files.package.appendingPathComponent("packaging/home-assistant/skerry")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// The keys of a mapping in YAML, as far as these files use it: of one group, two spaces in.
    private static func keys(of group: String, in text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "\(group):") else { return [] }
        return lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.compactMap { line in
            line.wholeMatch(of: #/  ([a-z_]+):.*/#).map { String($0.1) }
        }
    }

    @Test("each option has a form, a name in each language, and a place in the start script")
    func options() throws {
        let config = try Self.text("config.yaml")
        let schema = Set(Self.keys(of: "schema", in: config))
        #expect(schema.count > 8)
        #expect(Set(Self.keys(of: "options", in: config)).isSubset(of: schema))
        for language in ["en", "de"] {
            let names = Self.keys(of: "configuration", in: try Self.text("translations/\(language).yaml"))
            #expect(Set(names) == schema, "\(language)")
        }
        // A share of Home Assistant forgets that it is a program.
        #expect(try Self.text("Dockerfile").contains("RUN chmod 755 /run.sh"))
        let script = try Self.text("run.sh")
        let read = script.matches(of: /\((?:option|listed) ([a-z_]+)/).map { String($0.1) }
        #expect(Set(read) == schema)
        for line in ["ingress: true", "ingress_stream: true", "panel_admin: true", "services: [mqtt:want]"] {
            #expect(config.contains("\n\(line)\n"), "\(line)")
        }
    }

    @Test("its folder has the package of the folder in which the script is called, or is not made")
    func madeFolder() throws {
        let script = Files.package.appendingPathComponent("scripts/home-assistant-app").path
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.folderCommands, script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "skerry_0.2.0~rc1_all.deb\nversion: \"0.2.0-rc1-5\"\nrefused\nnothing is left\n")
    }

    private static let folderCommands = #"""
        set -eu
        folder=$(mktemp -d)
        trap 'rm -r "$folder"' EXIT
        cd "$folder"
        mkdir -p skerry/DEBIAN
        printf '%s\n' 'Package: skerry' 'Version: 0.2.0~rc1+5' 'Architecture: all' 'Maintainer: Ada <a@example.org>' \
            'Description: none' >skerry/DEBIAN/control
        dpkg-deb --build skerry 'skerry_0.2.0~rc1_all.deb' >&2
        "$0" app 'skerry_0.2.0~rc1_all.deb' >&2
        (cd app && ls *.deb && grep ^version: config.yaml)
        "$0" other nothing.deb >&2 || echo refused
        test -e other || echo nothing is left
        """#

    /// A machine with a broker that wants a password, and a Supervisor that knows it.
    private final class Scene {
        let folder: URL
        let broker: Broker
        let peer: ServicePeer
        let port: Int

        init(knowsBroker: Bool = true) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-app-\(UUID())")
            for name in ["data", "config", "secrets"] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(name),
                    withIntermediateDirectories: true
                )
            }
            let passwords = folder.appendingPathComponent("passwords").path
            let tool = Process()
            tool.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
            tool.arguments = ["-c", "-b", passwords, "addons", "pass \"word\""]
            tool.standardError = FileHandle.nullDevice
            try tool.run()
            tool.waitUntilExit()
            var settings = Broker.Settings()
            settings.lines = ["allow_anonymous false", "password_file \(passwords)"]
            broker = try Broker(settings)
            port = try Broker.findFreePort()
            let number = broker.port
            peer = ServicePeer { _, request in
                guard request.headers["authorization"] == "Bearer supervisor-token-of-the-app" else {
                    return ServicePeer.Answer(401, lines: ["Connection: close"])
                }
                guard request.line.hasPrefix("GET /services/mqtt "), knowsBroker else {
                    return ServicePeer.Answer(400, lines: ["Connection: close"], body: #"{"result":"error"}"#)
                }
                let data =
                    #"{"host":"127.0.0.1","port":\#(number),"ssl":false,"protocol":"3.1.1","username":"addons","password":"pass \"word\"","addon":"core_mosquitto"}"#
                return ServicePeer.Answer(
                    lines: ["Content-Type: application/json"],
                    body: #"{"result":"ok","data":\#(data)}"#
                )
            }
            let peer = peer
            Thread.detachNewThread { peer.serve() }
        }

        deinit {
            peer.stop()
            broker.discard()
            try? FileManager.default.removeItem(at: folder)
        }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        /// Starts the app with options.
        func start(_ options: String, _ arguments: String...) throws -> Program {
            try Data(options.utf8).write(to: folder.appendingPathComponent("data/options.json"))
            let script = AppTests.folder.appendingPathComponent("run.sh").path
            let beginning = "unset SKERRY_STORE_PATH SKERRY_HTTP_ADDRESS; export SKERRY=$1; shift"
            return try Program(
                arguments,
                launcher: ["/bin/bash", "-c", "\(beginning); exec \"$0\" \"$@\"", script],
                environment: [
                    "SUPERVISOR": "http://127.0.0.1:\(peer.port)",
                    "SUPERVISOR_TOKEN": "supervisor-token-of-the-app",
                    "DATA": path("data"), "CONFIG": path("config"), "SECRETS": path("secrets"),
                    "ADDRESS": "127.0.0.1:\(port)", "INGRESS": "127.0.0.1",
                ]
            )
        }

        /// What curl gets from the page, as the Supervisor passes it on.
        func ask(_ path: String) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = [
                "--silent", "--max-time", "10", "--header", "X-Ingress-Path: /api/hassio_ingress/abc",
                "--header",
                "Host: ha.example.org", "http://127.0.0.1:\(port)\(path)",
            ]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }
    }

    @Test(
        "with the broker that the Supervisor names, options become settings, and the log has a code for administrators"
    )
    func start() throws {
        let scene = try Scene()
        try FileManager.default.copyItem(atPath: "devices/washer.yaml", toPath: scene.path("config/own.yaml"))
        try Data("prefix: tiny\n".utf8).write(to: URL(fileURLWithPath: scene.path("config/skerry.yaml")))
        let program = try scene.start(
            #"{"definitions":["own.yaml"],"discovery":true,"phones":["mobile_app_pixel"],"edit":true,"log_level":"info","language":"de"}"#
        )
        try program.wait(for: "its connection") { $0.errorText.contains("connected") }
        try program.waitForPage()
        let first = program.errorText.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.contains("settings in \(scene.path("config/skerry.yaml"))"), "\(first)")
        #expect(first.contains("1 definition in \(scene.path("config/own.yaml"))"), "\(first)")
        #expect(first.contains("store in \(scene.path("data"))/skerry.db"), "\(first)")
        #expect(program.errorText.contains("activities go to home-assistant"), "\(program.errorText)")
        let session = try scene.ask("/v1/session")
        #expect(session.contains(#""role":"local""#), "\(session)")
        try program.wait(for: "the code") { $0.outputText.contains("sign-in/") }
        let status = try scene.ask("/v1/status")
        #expect(status.contains(#""prefix":"tiny""#), "\(status)")
        for (name, text) in [
            ("mqtt-password", "pass \"word\""), ("supervisor-token", "supervisor-token-of-the-app"),
        ] {
            let path = scene.path("secrets/\(name)")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            #expect(mode == 0o600)
        }
        #expect(
            !program.errorText.contains("pass \"word\"") && !program.errorText.contains("supervisor-token-of")
        )
        let environment = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: "/proc/\(program.number)/environ")),
            as: UTF8.self
        )
        #expect(!environment.contains("supervisor-token-of-the-app"), "the token is in a file alone")
        // The same settings for another command.
        let doctor = try scene.start(
            #"{"definitions":["own.yaml"],"discovery":true,"phones":[],"edit":true,"log_level":"info"}"#,
            "doctor",
            "--only",
            "login",
            "--only",
            "bridge",
            "--only",
            "http"
        )
        #expect(try doctor.end() == 0, "\(doctor.outputText)\(doctor.errorText)")
        #expect(doctor.outputText.contains("✓ login   with name and password"), "\(doctor.outputText)")
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
    }

    @Test("another broker in the options outranks the one of the Supervisor, which is not asked")
    func ownBroker() throws {
        let scene = try Scene(knowsBroker: false)
        let program = try scene.start(
            #"{"definitions":[],"discovery":false,"phones":[],"edit":false,"log_level":"info","mqtt_host":"127.0.0.1","mqtt_port":\#(scene.broker.port),"mqtt_username":"addons","mqtt_password":"pass \"word\""}"#
        )
        try program.wait(for: "its connection") { $0.errorText.contains("connected") }
        #expect(scene.peer.requests.isEmpty)
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
        #expect(!program.errorText.contains("no code to sign in with"), "what has ended shows no code")
    }

    @Test("without any broker it says what to do")
    func noBroker() throws {
        let scene = try Scene(knowsBroker: false)
        let program = try scene.start(
            #"{"definitions":["auto"],"discovery":true,"phones":[],"edit":true,"log_level":"info"}"#
        )
        #expect(try program.end() == 69)
        #expect(program.errorText.contains("install the app Mosquitto broker"), "\(program.errorText)")
    }
}
