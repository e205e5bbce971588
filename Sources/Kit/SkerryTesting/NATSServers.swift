import Glibc
import Synchronization

/// NATS servers that are a broker together: one, or a JetStream cluster of three, gone when the object goes.
///
/// Messages wait in their streams, on as many servers as there are.
public final class NATSServers: Sendable {
    /// Why there are none.
    public struct Failure: Error, CustomStringConvertible {
        /// The failure, with the log of a server if there is one.
        public var description: String
    }

    /// A place for a server.
    public struct Place: Sendable {
        /// Its address of IPv4.
        public var address: String
        /// The words of a command that starts another one there, such as `ip netns exec`.
        package var launcher: [String]

        /// Names a place; by default this machine.
        public init(address: String = "127.0.0.1", launcher: [String] = []) {
            self.address = address
            self.launcher = launcher
        }
    }

    /// The ports on which they speak MQTT 3.1.1.
    public let ports: [Int]
    private let places: [Place]
    private let directory: String
    private let processes: Mutex<[pid_t?]>

    /// True if there is a NATS server on this machine.
    public static var isAvailable: Bool { executable != nil }

    private static var executable: String? {
        ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { "\($0)/nats-server" }
            .first { access($0, X_OK) == 0 }
    }

    /// Starts them, and returns once each takes sessions.
    ///
    /// - Parameters:
    ///   - places: The place of each server.
    ///   - mappings: Their subject mappings, as `skerry cluster --nats` prints them.
    /// - Throws: ``Failure`` if one can't be started or takes no sessions.
    public init(_ places: [Place] = [Place()], mappings: String) throws(Failure) {
        self.places = places
        var template = Array("/tmp/skerry-nats-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "no folder for NATS servers in /tmp")
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        ports = try Self.freePorts(places.count)
        processes = Mutex(Array(repeating: nil, count: places.count))
        try configure(mappings)
        for number in places.indices { try start(number) }
        for number in places.indices { try awaitSessions(number) }
    }

    deinit {
        for number in ports.indices { kill(number) }
        removeFolder(directory)
    }

    /// Starts a server that does not run.
    public func start(_ number: Int) throws(Failure) {
        guard let executable = Self.executable else { throw Failure(description: "there is no nats-server") }
        do throws(SpawnFault) {
            let words = places[number].launcher + [executable, "-c", "\(path(number)).conf"]
            let process = try spawn(words, to: "\(path(number)).log")
            processes.withLock { $0[number] = process }
        } catch {
            throw Failure(description: error.description)
        }
    }

    /// Kills a server, and returns once it is gone.
    public func kill(_ number: Int) {
        processes.withLock { processes in
            guard let process = processes[number] else { return }
            Glibc.kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            processes[number] = nil
        }
    }

    private func path(_ number: Int) -> String { "\(directory)/n\(number)" }

    private static func freePorts(_ count: Int) throws(Failure) -> [Int] {
        var ports: [Int] = []
        do throws(Broker.Failure) {
            for _ in 0..<count { ports.append(try Broker.findFreePort()) }
        } catch {
            throw Failure(description: error.description)
        }
        return ports
    }

    private func configure(_ mappings: String) throws(Failure) {
        let others = try Self.freePorts(2 * ports.count)
        let routes = zip(places, others).map { "nats://\($0.address):\($1)" }.joined(separator: ", ")
        for (number, port) in ports.enumerated() {
            let address = places[number].address
            var lines = [
                "server_name: n\(number)", "listen: \"\(address):\(others[ports.count + number])\"",
                "jetstream { store_dir: \"\(path(number))\" }",
                "mqtt { host: \(address), port: \(port), ack_wait: \"2s\", max_ack_pending: 1, stream_replicas: \(ports.count) }",
            ]
            if ports.count > 1 {
                lines.append(
                    "cluster { name: c, listen: \"\(address):\(others[number])\", routes: [\(routes)] }"
                )
            }
            guard let file = fopen("\(path(number)).conf", "w") else {
                throw Failure(
                    description: "cannot write to \(directory): \(String(cString: strerror(errno)))"
                )
            }
            for line in lines + [mappings] { fputs(line + "\n", file) }
            fclose(file)
        }
    }

    /// Waits for the streams of sessions, which takes a leader.
    private func awaitSessions(_ number: Int) throws(Failure) {
        for _ in 0..<300 {
            let client = try? BrokerClient(host: places[number].address, port: ports[number], version: .v311)
            if let client, (try? client.subscribe("skerry-test")) != nil { return }
            usleep(100_000)
        }
        throw Failure(description: "a NATS server takes no sessions: see \(path(number)).log")
    }
}
