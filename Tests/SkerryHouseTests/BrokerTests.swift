import Foundation
import SkerryFiles
import SkerryGateway
import SkerryHouse
import Synchronization
import Testing

/// The broker that somebody chooses on the page.
@Suite struct BrokerTests {
    private static let certificates = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"

    /// A bridge whose broker is `pier`, what it looked at, and how often it began anew.
    private struct Pier {
        let house: House
        let file: BrokerFile
        let looked = Looked()
        let beginnings = Counter()

        init(
            _ folder: Folder,
            present: ChosenBroker = ChosenBroker(host: "pier", port: 1883),
            finding: SessionScout.Finding? = .isFree,
            isChosen: Bool = false,
            outrankedBy: String? = nil
        ) throws {
            let file = BrokerFile("\(folder.path)/skerry.db.broker")
            self.file = file
            let choice = BrokerChoice(
                present: present,
                file: file,
                isChosen: isChosen,
                outrankedBy: outrankedBy,
                look: { [looked] broker, then in
                    looked.add(broker)
                    if let finding { then(finding) }
                },
                beginAnew: { [beginnings] in beginnings.add() }
            )
            house = try House(prepare: { $0.broker = choice })
        }

        var settings: SettingsFile? { get throws { try file.read() } }
    }

    private let wish = GivenBroker(host: "quay", port: 8883, username: "ada", password: "a: 'b' #1")

    @Test func `what lets the bridge in is kept for its eyes, and the bridge begins anew`() async throws {
        let folder = try Folder()
        let pier = try Pier(folder)
        #expect(
            try await pier.house.json(.broker).text
                == #"{"host":"pier","port":1883,"hasPassword":false,"tls":"none","isChosen":false}"#
        )
        let told = try await pier.house.json(.chooseBroker(wish))
        #expect(
            told.text
                == #"{"host":"quay","port":8883,"username":"ada","hasPassword":true,"tls":"none","isChosen":true}"#
        )
        // After the answer, which the bridge still owes.
        while pier.beginnings.value == 0 { await Task.yield() }
        let mode = try FileManager.default.attributesOfItem(atPath: pier.file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let reader = SettingsReader(
            options: [:],
            environment: SettingsEnvironment([:]),
            file: SettingsFile(
                "mqtt: { host: pier, username: ben, password: x, tls: { ca: a.pem, insecure: true } }"
            )
        ).replacing(BrokerFile.keys, with: try #require(try pier.settings))
        let values = BrokerFile.keys.map { reader.text($0) }
        #expect(values == ["quay", "8883", "false", nil, "ada", "a: 'b' #1", nil, nil])
        // The rest of this process's life belongs to what was kept.
        #expect(await pier.house.problem(.chooseBroker(wish)) == "broker-being-tried")
    }

    @Test(arguments: [
        (BusFault.Kind.unknownHost, "broker-unknown"), (.unreachable, "broker-unreachable"),
        (.security, "broker-insecure"), (.notAuthorized, "broker-login"), (.refused, "broker-refused"),
        (.connectionLost, "broker-lost"), (.configuration, "broker-settings"),
    ])
    func `what does not let it in is told and not kept`(kind: BusFault.Kind, code: String) async throws {
        let folder = try Folder()
        let pier = try Pier(folder, finding: .noBroker(BusFault(kind, "no")))
        var wish = wish
        wish.security = .authority(Self.certificates)
        for _ in 0..<2 { #expect(await pier.house.problem(.chooseBroker(wish)) == code) }
        #expect(try pier.settings == nil && pier.beginnings.value == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `the place of another bridge is not taken`() async throws {
        let pier = try Pier(try Folder(), finding: .isTaken("another bridge is online"))
        #expect(await pier.house.problem(.chooseBroker(wish)) == "broker-taken")
        #expect(try pier.settings == nil)
    }

    @Test func `a password in use goes to the place that it is for, and to no other`() async throws {
        let authority = ChosenBroker.Security.authority(file: "/etc/ca.pem")
        let cases: [(given: GivenBroker, isKept: Bool)] = [
            (GivenBroker(host: "pier", port: 8883, username: "ada", security: .authority(nil)), true),
            (GivenBroker(host: "pier", port: 8883, username: "ben", security: .authority(nil)), true),
            (GivenBroker(host: "quay", port: 8883, username: "ada", security: .authority(nil)), false),
            (GivenBroker(host: "pier", port: 1883, username: "ada", security: .authority(nil)), false),
            (GivenBroker(host: "pier", port: 8883, username: "ada", security: .system), false),
            (GivenBroker(host: "pier", port: 8883, username: "ada", security: .none), false),
            (
                GivenBroker(
                    host: "pier",
                    port: 8883,
                    username: "ada",
                    security: .authority(Self.certificates)
                ), false
            ),
        ]
        for (given, isKept) in cases {
            let present = ChosenBroker(
                host: "pier",
                port: 8883,
                username: "ada",
                password: .file("/etc/password"),
                security: authority
            )
            let folder = try Folder()
            let pier = try Pier(folder, present: present)
            let code = await pier.house.problem(.chooseBroker(given))
            #expect(code == (isKept ? nil : "password-needed"), "\(given)")
            #expect(pier.looked.value.map(\.password) == (isKept ? [.file("/etc/password")] : []))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files == (isKept ? ["skerry.db.broker"] : []))
        }
    }

    @Test func `it can be undone`() async throws {
        let folder = try Folder()
        let file = BrokerFile("\(folder.path)/skerry.db.broker")
        let authority = try file.keepAuthority(Self.certificates)
        let present = ChosenBroker(host: "quay", port: 8883, security: .authority(file: authority))
        try file.write(present)
        let pier = try Pier(folder, present: present, isChosen: true)
        #expect(await pier.house.problem(.giveUpBroker) == nil)
        // After the answer, which the bridge still owes.
        while pier.beginnings.value == 0 { await Task.yield() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let other = try Pier(folder)
        #expect(await other.house.problem(.giveUpBroker) == "broker-not-chosen")
    }

    @Test(
        "nothing is chosen where something outranks it, where there is no place, or while one is tried"
    )
    func refusals() async throws {
        let folder = try Folder()
        let outranked = try Pier(folder, outrankedBy: "SKERRY_MQTT_HOST")
        #expect(await outranked.house.problem(.chooseBroker(wish)) == "broker-outranked")
        let fixed = try await outranked.house.json(.broker)["fixed"].text
        #expect(fixed.contains("SKERRY_MQTT_HOST"))
        #expect(await (try House()).problem(.broker) == "no-place-for-broker")
        let waiting = try Pier(folder, finding: nil)
        waiting.house.desk.ask(.chooseBroker(wish), for: .unrestricted) { _ in }
        while waiting.looked.value.isEmpty { await Task.yield() }
        #expect(await waiting.house.problem(.chooseBroker(wish)) == "broker-being-tried")
    }

    @Test(arguments: ["mqtt: { host: quay }\nhttp: { edit: true }", "mqtt: { hots: quay }", "mqtt: ["])
    func `a file with anything else is refused`(text: String) throws {
        let folder = try Folder()
        let file = BrokerFile(try folder.write(text, to: "skerry.db.broker"))
        #expect(throws: FileError.self) { try file.read() }
    }

    @Test func `a file that is not there or empty names no broker`() throws {
        let folder = try Folder()
        #expect(try BrokerFile("\(folder.path)/none").read() == nil)
        for text in ["", "# nothing\n"] {
            #expect(try BrokerFile(try folder.write(text, to: "skerry.db.broker")).read() == nil)
        }
    }
}

/// Brokers that threads have looked at.
private final class Looked: Sendable {
    private let brokers = Mutex<[ChosenBroker]>([])

    func add(_ broker: ChosenBroker) { brokers.withLock { $0.append(broker) } }

    var value: [ChosenBroker] { brokers.withLock { $0 } }
}
