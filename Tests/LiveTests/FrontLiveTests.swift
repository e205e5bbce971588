import Foundation
import SkerryDashboard
import SkerryEngine
import SkerryPush
import SkerryTesting
import Testing

/// Two partitions, each with its store, and the front before them, as processes of their own.
@Suite(
    "The front of all partitions, live",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct FrontLiveTests {
    /// A house of two partitions.
    private final class Scene {
        let broker: Broker
        let folder: URL
        let front: DashboardClient
        let environment: [String: String]
        private(set) var gateways: [Program] = []
        let server: Program

        init() throws {
            broker = try Broker()
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-front-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try Broker.findFreePorts(3, distance: PartitionPlaces.portStep)
            // A washing machine that waits for an event from outside, too.
            let definition = try String(contentsOfFile: "devices/washer.yaml", encoding: .utf8)
            try Data(
                definition.replacing(
                    "&told { device.told",
                    with: "&told { noted: { actions: { assign: { spoke: context.spoke } } }, device.told"
                ).utf8
            ).write(to: folder.appendingPathComponent("washer.yaml"))
            let token = folder.appendingPathComponent("admin-token").path
            let key = folder.appendingPathComponent("key.p8")
            try Data(ProviderKey().pem.utf8).write(to: key)
            environment = [
                "SKERRY_PARTITIONS": "2", "SKERRY_MQTT_HOST": "127.0.0.1",
                "SKERRY_MQTT_PORT": "\(broker.port)",
                "SKERRY_STORE_PATH": folder.appendingPathComponent("skerry.db").path,
                "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(port + 10)", "SKERRY_HTTP_ADMIN_TOKEN_FILE": token,
                "SKERRY_PUSH_APNS_KEY": key.path, "SKERRY_PUSH_APNS_KEY_ID": "ABC123DEFG",
                "SKERRY_PUSH_APNS_TEAM_ID": "DEF123GHIJ", "SKERRY_PUSH_APNS_BUNDLE_ID": "org.example.home",
                // Nothing listens there: the decision to send is what counts.
                "SKERRY_PUSH_APNS_HOST": "127.0.0.1:1",
            ]
            server = try Program(["cluster", "serve"], environment: environment)
            try server.waitForPage()
            let secret = try AdminSecret(readFrom: token)
            front = DashboardClient(address: HTTPAddress(host: "127.0.0.1", port: port), token: secret.text)
            for number in 0..<2 { gateways.append(try start(number)) }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func start(_ number: Int) throws -> Program {
            let program = try Program(
                [
                    "run", "--partition", "\(number)", "--definitions",
                    folder.appendingPathComponent("washer.yaml").path,
                ],
                environment: environment
            )
            try program.waitForPage()
            return program
        }

        /// Kills a partition, and starts it again after `body`.
        func lose(_ number: Int, _ body: () throws -> Void) throws {
            gateways[number].signal(SIGKILL)
            #expect(try gateways[number].end() == -SIGKILL)
            try body()
            gateways[number] = try start(number)
        }

        /// Asks until an answer is as it should be; the bound is for a broken program only.
        func ask(
            _ path: String,
            until isMet: (DashboardClient.Answer) -> Bool
        ) throws -> DashboardClient.Answer {
            let end = ContinuousClock.now + .seconds(300)
            while true {
                let answer = try front.ask("GET", path)
                if isMet(answer) || end < .now { return answer }
                try server.listen(for: 50)
            }
        }
    }

    private static func text(_ answer: DashboardClient.Answer) -> String {
        String(decoding: answer.body, as: UTF8.self)
    }

    @Test("a list, a device, an event and a phone of all partitions, also after one was lost")
    func whole() throws {
        let scene = try Scene()
        let names = (0..<2).map { number in
            (0..<9).lazy.map { "laundry\($0)" }.first { Partition.number(of: $0, among: 2) == number } ?? ""
        }
        let offer = try scene.front.ask("POST", "/v1/pairings")
        let code = try #require(Self.text(offer).firstMatch(of: /"code":"(\w+)"/)?.output.1)
        let pair = Array(#"{"code":"\#(code)","name":"Ada"}"#.utf8)
        let paired = Self.text(try scene.front.ask("POST", "/v1/pair", body: pair))
        let token = String(try #require(paired.firstMatch(of: /"token":"(\w+)"/)?.output.1))
        let id = try #require(paired.firstMatch(of: /"phone":"(\w+)"/)?.output.1)
        let phone = DashboardClient(address: scene.front.address, token: token)
        let report = #"{"confirmedAt":1790000000,"pushToStart":{"WasherAttributes":"0123456789abcdef"}}"#
        let answer = try phone.ask("PUT", "/v1/phones/\(id)/tokens", body: Array(report.utf8))
        #expect(answer.status == 200, "\(Self.text(answer))")

        let device = try BrokerClient(port: scene.broker.port)
        for name in names {
            let state = #"{"OperationState":"Run","RemainingProgramTime":3600}"#
            try device.publish("homeconnect/\(name)/state", state, isRetained: true)
        }
        let list = try scene.ask("/v1/activities") { answer in
            names.allSatisfy { Self.text(answer).contains("washer/\($0)/") }
        }
        #expect(list.status == 200 && list.fields["skerry-missing"] == nil, "\(Self.text(list))")
        for name in names {
            // Each partition sends the pushes of its own devices.
            let explained = try scene.ask("/v1/devices/washer/\(name)") {
                Self.text($0).contains(#""phone":"Ada""#)
            }
            #expect(Self.text(explained).contains(#""phone":"Ada""#), "\(Self.text(explained))")
            // What the definition waits for is taken, and nothing else.
            for (event, status) in [("noted", 202), ("nothing", 400)] {
                let body = Array(#"{"event":"\#(event)"}"#.utf8)
                let sent = try scene.front.ask("POST", "/v1/devices/washer/\(name)/events", body: body)
                #expect(sent.status == status, "\(Self.text(sent))")
            }
        }
        try scene.lose(1) {
            let list = try scene.ask("/v1/devices") { $0.fields["skerry-missing"] == "1" }
            #expect(Self.text(list).contains(names[0]) && !Self.text(list).contains(names[1]))
        }
        let again = try scene.ask("/v1/devices") { Self.text($0).contains(names[1]) }
        #expect(again.fields["skerry-missing"] == nil && Self.text(again).contains(names[0]))
        #expect(Self.text(try phone.ask("GET", "/v1/phones/\(id)")).contains("WasherAttributes"))
        // The commands for phones ask the front, too.
        let removal = try Program(["phones", "remove", "Ada"], environment: scene.environment)
        #expect(try removal.end() == 0, "\(removal.errorText)")
        for number in 0..<2 {
            var address = scene.front.address
            address.port += 10 * (number + 1)
            let partition = DashboardClient(address: address, token: scene.front.token)
            #expect(Self.text(try partition.ask("GET", "/v1/phones")).contains(#""phones":[]"#), "\(number)")
        }
        for program in scene.gateways + [scene.server] {
            program.signal(SIGTERM)
            #expect(try program.end() == 0, "\(program.errorText)")
        }
    }

    @Test(
        "settings without partitions or without room for their ports are refused with 64",
        arguments: [
            ([:], "the settings name no partitions"),
            (["SKERRY_PARTITIONS": "2", "SKERRY_HTTP_ADDRESS": "none"], "there is no page of partitions"),
            (["SKERRY_PARTITIONS": "2", "SKERRY_HTTP_ADDRESS": "127.0.0.1:10"], "name a port"),
            (
                ["SKERRY_PARTITIONS": "2", "SKERRY_HTTP_PARTITION_HOSTS": "a.example:80"],
                "'a.example:80' is neither a host name"
            ),
        ] as [([String: String], String)]
    )
    func refused(environment: [String: String], reason: String) throws {
        let program = try Program(["cluster", "serve"], environment: environment)
        #expect(try program.end() == 64)
        #expect(program.errorText.contains(reason), "\(program.errorText)")
    }
}
