import Foundation
import SkerryEngine
import SkerryTesting
import Testing

/// Three computers with a replicated database and eight partitions, on mosquitto or on a cluster of NATS servers: processes are killed and
/// stopped, computers cut off, the database fails over. `scripts/crash --hosts` runs it; it takes minutes.
@Suite(
    "Hosts",
    .serialized,
    .enabled(if: CrashTests.setting("SKERRY_CRASH_HOSTS", else: 0) > 0, "scripts/crash --hosts runs it")
)
struct HostsTests {
    @Test("whatever fails, no message and no timer is lost, and no revision has two contents")
    func fleet() throws {
        try #require(Hosts.isAvailable, "it makes network namespaces, which takes root")
        let rounds = CrashTests.setting("SKERRY_CRASH_HOSTS", else: 0)
        var random = SimulatedRandom(seed: UInt64(CrashTests.setting("SKERRY_CRASH_SEED", else: 1)))
        let fleet = try Fleet()
        try fleet.awaitOwners(evenly: true, beside: &random)
        var complaints: [String] = []
        for round in 1...rounds {
            try fleet.publish(for: 1 + random.below(3), &random)
            // Of five rounds, one cuts a host off and one stops a process; in the middle the database fails over.
            switch round % 5 {
            case 1: complaints += try fleet.cut(random.below(Hosts.count), &random)
            case 2: complaints += try fleet.stop(random.below(Fleet.partitions), &random)
            case 3: try fleet.restartBroker(random.below(Hosts.count), &random)
            default: complaints += try fleet.kill(random.below(Fleet.partitions))
            }
            if round == rounds / 2 {
                try fleet.database.failOver()
                try fleet.publish(for: 10, &random)
            }
            try fleet.awaitOwners(beside: &random)
            print("round \(round) of \(rounds): \(fleet.log.messages.values.reduce(0, +)) messages")
        }
        try fleet.awaitOwners(evenly: true, beside: &random)
        let reader = try fleet.finish(&random)
        var figures = CrashFigures(fleet.log, reader)
        figures.kills = fleet.kills
        print(figures.text)
        for (what, waits) in fleet.waits.sorted(by: { $0.key < $1.key }) {
            print("\(what): \(waits.count) times, taken over after at most \(waits.max() ?? .zero)")
        }
        complaints += figures.complaints + reader.complaints
        #expect(complaints.isEmpty, "\(complaints.prefix(20).joined(separator: "\n"))")
    }
}

/// The gateways of three hosts, and those who publish to them and read from them.
private final class Fleet {
    static let partitions = 8
    static let devices = 2000

    /// A process of a gateway.
    struct Gateway {
        var host: Int
        var partition: Int
        var program: Program
    }

    let database: ReplicatedDatabase
    private(set) var log = CrashLog()
    /// For how long a partition had no owner, by what happened to it.
    private(set) var waits: [String: [Duration]] = [:]
    private(set) var kills = 0
    private let hosts: Hosts
    private let broker: FleetBroker
    private let environment: [String: String]
    private let folder: URL
    private var gateways: [Gateway] = []
    private let publisher: FleetPublisher

    init() throws {
        hosts = try Hosts()
        database = try ReplicatedDatabase()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-fleet-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in CrashLog.definitions {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        environment = Self.environment(folder, database)
        var mappings: String?
        if Self.isOnNATS {
            let program = try Program(["cluster", "--nats"], environment: environment)
            guard try program.end() == 0 else { throw Program.Failure(description: program.errorText) }
            mappings = program.outputText
        }
        broker = try FleetBroker(mappings: mappings)
        publisher = FleetPublisher(broker)
        let reader = try broker.connect("reader")
        try reader.subscribe("skerry/+/+/activity/#")
        try reader.disconnect()
        for host in 0..<Hosts.count {
            for partition in 0..<Self.partitions { try start(partition, on: host) }
        }
        try awaitSubscriptions()
    }

    /// Returns once each partition has taken a message, so that it gets all further ones.
    private func awaitSubscriptions() throws {
        let client = try broker.connect()
        try client.subscribe("skerry/alarm/+/activity")
        let names = (0..<Self.partitions).map { partition in
            (0...).lazy.map { "first\($0)" }.first {
                Partition.number(of: $0, among: Self.partitions) == partition
            } ?? ""
        }
        var waiting = Set(names)
        // Retained, so that it comes with the subscription.
        for name in names {
            try client.publish("crash/alarm/\(name)", #"{"sort":"timer"}"#, isRetained: true)
        }
        try client.wait(for: "an activity of each partition") { messages in
            if let device = messages.last?.topic.split(separator: "/")[2] { waiting.remove(String(device)) }
            return waiting.isEmpty
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let isOnNATS = CrashTests.setting("SKERRY_CRASH_NATS", else: 0) > 0

    private static func environment(_ folder: URL, _ database: ReplicatedDatabase) -> [String: String] {
        var environment = [
            "SKERRY_PARTITIONS": "\(partitions)", "SKERRY_DEFINITIONS": folder.path,
            "SKERRY_STORE_PATH": database.address, "SKERRY_STORE_LEASE": "3",
            "SKERRY_HTTP_ADDRESS": "127.0.0.1:7537",
            "SKERRY_HTTP_ADMIN_TOKEN_FILE": folder.appendingPathComponent("token").path,
        ]
        if isOnNATS {
            environment["SKERRY_PARTITION_PREFIX"] = "p"
            environment["SKERRY_MQTT_VERSION"] = "3.1.1"
        }
        return environment
    }

    private func start(_ partition: Int, on host: Int) throws {
        let path = folder.appendingPathComponent("p\(partition)-h\(host).log").path
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let address = broker.address(of: host)
        let program = try Program(
            [
                "run", "-h", address.host, "-p", "\(address.port)", "--log-format", "text",
                "--partition", "\(partition)",
            ],
            launcher: Hosts.launcher(host),
            environment: environment,
            errorFile: file
        )
        gateways.append(Gateway(host: host, partition: partition, program: program))
    }

    // MARK: Owners

    /// The process that has the lease of each partition, by its number.
    private func owners() throws -> [Int: Int32] {
        let program = try Program(["cluster", "--json"], environment: environment)
        _ = try program.end()
        var owners: [Int: Int32] = [:]
        for line in program.outputText.split(separator: "\n") {
            guard let holder = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let partition = holder["partition"] as? Int, let owner = holder["owner"] as? String
            else { continue }
            owners[partition] = owner.split(whereSeparator: { !$0.isNumber }).last.flatMap { Int32($0) }
        }
        return owners
    }

    /// Publishes until each partition has an owner that runs, and starts again what has ended; `evenly` also waits until no host
    /// has two more of them than another.
    func awaitOwners(evenly: Bool = false, beside random: inout SimulatedRandom) throws {
        while true {
            for gateway in gateways where !gateway.program.isRunning {
                try start(gateway.partition, on: gateway.host)
            }
            gateways.removeAll { !$0.program.isRunning }
            let owners = Set(try owners().values)
            let active = gateways.filter { owners.contains($0.program.number) }
            let loads = (0..<Hosts.count).map { host in active.count { $0.host == host } }.sorted()
            if active.count == Self.partitions, !evenly || loads[Hosts.count - 1] <= loads[0] + 1 { return }
            try publish(for: 1, &random)
        }
    }

    private func owner(of partition: Int) throws -> Gateway? {
        let number = try owners()[partition]
        return gateways.first { $0.program.number == number }
    }

    /// Waits until other processes have these partitions.
    ///
    /// - Returns: a complaint if it took longer than the lease and three seconds.
    private func awaitHandover(
        of partitions: [Int: Int32],
        _ what: String
    ) throws -> [String] {
        let start = ContinuousClock.now
        // No messages meanwhile: a publisher has to find a server that is left, which may take longer.
        var owners = try owners()
        while partitions.contains(where: { owners[$0.key] ?? $0.value == $0.value }) {
            owners = try self.owners()
        }
        let wait = ContinuousClock.now - start
        waits[what, default: []].append(wait)
        return wait > .seconds(6) ? ["\(what): taken over after \(wait)"] : []
    }

    // MARK: Misfortunes

    /// Kills the owner of a partition.
    func kill(_ partition: Int) throws -> [String] {
        guard let owner = try owner(of: partition) else { return [] }
        owner.program.signal(SIGKILL)
        kills += 1
        return try awaitHandover(of: [partition: owner.program.number], "killed")
    }

    /// Stops the owner of a partition for longer than its lease; it must not go on as if nothing had been.
    func stop(_ partition: Int, _ random: inout SimulatedRandom) throws -> [String] {
        guard let owner = try owner(of: partition) else { return [] }
        owner.program.signal(SIGSTOP)
        let complaints = try awaitHandover(of: [partition: owner.program.number], "stopped")
        try publish(for: random.below(4), &random)
        owner.program.signal(SIGCONT)
        let status = try owner.program.end()
        return complaints + (status == 75 ? [] : ["stopped: status \(status)"])
    }

    /// Cuts a host off from all others for 40 seconds.
    func cut(_ host: Int, _ random: inout SimulatedRandom) throws -> [String] {
        let numbers = Set(gateways.filter { $0.host == host }.map(\.program.number))
        let owned = try owners().filter { numbers.contains($0.value) }
        try hosts.connect(host, false)
        let complaints = try awaitHandover(of: owned, "cut off")
        try publish(for: 36, &random)
        try hosts.connect(host, true)
        return complaints
    }

    /// Takes a server of the broker away for a moment.
    func restartBroker(_ host: Int, _ random: inout SimulatedRandom) throws {
        kills += 1
        try broker.restart(host) { try publish(for: 1 + random.below(8), &random) }
        try publish(for: 3, &random)
    }

    // MARK: Messages

    /// Publishes messages of some devices for so many seconds.
    func publish(for seconds: Double, _ random: inout SimulatedRandom) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            let mode = ["slow", "fast", "slow", "fast", "rest"][random.below(5)]
            try publish("m\(random.below(Self.devices))", mode)
            if random.chance(1, of: 20) { try arm() }
        } while ContinuousClock.now < end
    }

    func publish(for seconds: Int, _ random: inout SimulatedRandom) throws {
        try publish(for: Double(seconds), &random)
    }

    private func publish(_ meter: String, _ mode: String) throws {
        let number = log.messages[meter, default: 0] + 1
        try publisher.publish("crash/meter/\(meter)", #"{"n":\#(number),"mode":"\#(mode)"}"#)
        log.messages[meter] = number
        log.modes[meter] = mode
    }

    private func arm() throws {
        let name = "a\(log.alarms.count)"
        let sort = log.alarms.count.isMultiple(of: 2) ? "timer" : "state"
        try publisher.publish("crash/alarm/\(name)", #"{"sort":"\#(sort)"}"#)
        log.alarms.insert(name)
    }

    /// Sends a last message of each device, and reads all that gateways have published.
    func finish(_ random: inout SimulatedRandom) throws -> CrashReader {
        for meter in log.messages.keys.sorted() { try publish(meter, "fast") }
        for _ in 0..<4 * Self.partitions { try arm() }
        let newest = try broker.connect()
        try newest.subscribe("skerry/+/+/activity")
        var devices = Set(log.messages.keys.map { "skerry/meter/\($0)/activity" })
        devices.formUnion(log.alarms.map { "skerry/alarm/\($0)/activity" })
        let missed = try read(by: newest, until: devices)
        let client = try broker.connect("reader")
        let last = (0..<4 * Self.partitions).map { "skerry/alarm/a\(log.alarms.count - 1 - $0)/activity" }
        try read(by: client, until: Set(last + last.map { "\($0)/diff" }))
        let asked = try Dictionary(uniqueKeysWithValues: missed.map { ($0, try ask($0)) })
        print("devices whose last publication the broker had lost: \(missed.sorted())")
        for gateway in gateways { gateway.program.signal(SIGTERM) }
        for gateway in gateways { _ = try gateway.program.end() }
        var reader = CrashReader(partitions: Self.partitions)
        for message in client.messages { try reader.take(message) }
        let missing = devices.count { reader.newest[String($0.dropLast("/activity".count))] == nil }
        print("devices of which the broker's session had lost all messages: \(missing)")
        for message in newest.messages { try reader.take(message) }
        for (topic, payload) in asked { try reader.take(topic, payload) }
        reader.finish()
        return reader
    }

    /// Reads until the last message of each device has come on its topic.
    ///
    /// - Returns: the topics on which it has not come.
    @discardableResult
    private func read(by client: BrokerClient, until topics: Set<String>) throws -> Set<String> {
        var (open, count) = (topics, 0)
        do throws(BrokerClient.Failure) {
            try client.wait(for: "the last of each device") { messages in
                while count < messages.count {
                    let message = messages[count]
                    count += 1
                    if isLast(message.text, of: message.topic) { open.remove(message.topic) }
                }
                return open.isEmpty
            }
        } catch {
            print("\(error.description.prefix(200))")
        }
        return open
    }

    /// Returns whether a message is what a device has come to after all messages.
    private func isLast(_ text: String, of topic: String) -> Bool {
        let count = log.messages[String(topic.split(separator: "/")[2])]
        return text.contains(count.map { "\"seen\":\($0)" } ?? #""rings":1"#)
    }

    /// Returns the activity of a topic that the gateway of its device has; nothing if it has none.
    private func ask(_ topic: String) throws -> [UInt8] {
        let levels = topic.split(separator: "/").map { String($0) }
        let partition = Partition.number(of: levels[2], among: Self.partitions)
        guard let owner = try owner(of: partition) else { return [] }
        let address = "http://127.0.0.1:\(7537 + 10 * partition)/v1/activities/\(levels[1])/\(levels[2])"
        let answer = try Hosts.run(
            Hosts.launcher(owner.host) + ["/usr/bin/curl", "-s", "--retry", "3", address]
        )
        return isLast(String(decoding: answer, as: UTF8.self), of: topic) ? answer : []
    }
}
