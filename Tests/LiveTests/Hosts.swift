import Foundation
import SkerryTesting

/// Three computers on one network, made of network namespaces, gone when the object goes; needs root.
///
/// This machine is on the network, too, with the database, the publisher and the reader.
final class Hosts {
    static let count = 3
    /// The address of this machine on their network.
    static let here = "10.77.0.1"

    /// True if namespaces can be made here.
    static var isAvailable: Bool {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: ip) else { return false }
        defer { _ = try? run([ip, "netns", "del", "skerry-try"]) }
        return (try? run([ip, "netns", "add", "skerry-try"])) != nil
    }

    private static let ip = "/usr/sbin/ip"

    init() throws {
        Self.remove()
        try Self.run([Self.ip, "link", "add", "skerry-net", "type", "bridge"])
        try Self.run([Self.ip, "address", "add", "\(Self.here)/24", "dev", "skerry-net"])
        try Self.run([Self.ip, "link", "set", "skerry-net", "up"])
        for host in 0..<Self.count {
            try Self.run([Self.ip, "netns", "add", Self.name(host)])
            try Self.run([
                Self.ip, "link", "add", Self.cable(host), "type", "veth", "peer", "name", "eth0", "netns",
                Self.name(host),
            ])
            try Self.run([Self.ip, "link", "set", Self.cable(host), "master", "skerry-net", "up"])
            for words in [
                ["address", "add", "\(Self.address(host))/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                ["link", "set", "lo", "up"],
            ] { try Self.run(Self.launcher(host) + [Self.ip] + words) }
        }
    }

    deinit { Self.remove() }

    /// Cuts a host off from all others, or connects it again.
    func connect(_ host: Int, _ isConnected: Bool) throws {
        try Self.run([Self.ip, "link", "set", Self.cable(host), isConnected ? "up" : "down"])
    }

    static func address(_ host: Int) -> String { "10.77.0.\(11 + host)" }

    /// The words of a command that starts a program there.
    static func launcher(_ host: Int) -> [String] {
        [ip, "netns", "exec", name(host)] + launcher(named: name(host))
    }

    /// The words of a command that starts a program on this machine as if that had another name.
    static func launcher(named name: String) -> [String] {
        ["/usr/bin/unshare", "--uts", "/bin/sh", "-c", #"hostname "$0" && exec "$@""#, name]
    }

    /// The name that a host has for itself and here.
    static func name(_ host: Int) -> String { "skerry-h\(host)" }

    private static func cable(_ host: Int) -> String { "skerry-v\(host)" }

    private static func remove() {
        for host in 0..<count {
            // With a process left in it, a namespace outlives its name.
            _ = try? run(["/bin/sh", "-c", "\(ip) netns pids \(name(host)) | xargs -r kill -9"])
            _ = try? run([ip, "link", "del", cable(host)])
            _ = try? run([ip, "netns", "del", name(host)])
        }
        _ = try? run([ip, "link", "del", "skerry-net"])
    }

    /// Runs a command to its end.
    ///
    /// - Returns: its output.
    /// - Throws: what it complained of, if it failed.
    @discardableResult
    static func run(_ words: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Neither writes as much as a pipe takes.
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Program.Failure(description: "\(words.joined(separator: " ")): \(text)")
        }
        return bytes
    }
}

/// PostgreSQL on this machine with a synchronous standby, gone when the object goes; needs root.
final class ReplicatedDatabase {
    /// The URI for gateways: the one of both that takes writes.
    let address: String
    private let folder: String
    private let ports: [Int]
    private var servers: [Process] = []
    private static let programs = (10...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }

    init() throws {
        ports = [try Broker.findFreePort(), try Broker.findFreePort()]
        folder = "/tmp/skerry-pg-\(UUID().uuidString.prefix(8))"
        let hosts = ports.map { "\(Hosts.here):\($0)" }.joined(separator: ",")
        address = "postgresql://skerry@\(hosts)/skerry?target_session_attrs=read-write&connect_timeout=2"
        try Hosts.run(["/usr/bin/install", "-d", "-o", "postgres", folder])
        try run("initdb", ["-D", "\(folder)/0", "-A", "trust", "-U", "skerry", "-N", "-E", "UTF8"])
        try Data("local all all trust\nhost all all all trust\nhost replication all all trust\n".utf8)
            .write(to: URL(fileURLWithPath: "\(folder)/0/pg_hba.conf"))
        try start(0, ["synchronous_standby_names="])
        try run("createdb", at(0) + ["skerry"])
        try run("pg_basebackup", at(0) + ["-D", "\(folder)/1", "-R", "-X", "stream", "-c", "fast"])
        try start(1, ["synchronous_standby_names="])
        let names = "ALTER SYSTEM SET synchronous_standby_names = '*'"
        try run("psql", at(0) + ["-q", "-d", "skerry", "-c", names, "-c", "SELECT pg_reload_conf()"])
    }

    deinit {
        for server in servers where server.isRunning { kill(server.processIdentifier, SIGQUIT) }
        for server in servers { server.waitUntilExit() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Ends the primary as a crash would, and makes the standby the primary.
    func failOver() throws {
        kill(servers[0].processIdentifier, SIGQUIT)
        servers[0].waitUntilExit()
        try run("pg_ctl", ["promote", "-D", "\(folder)/1"])
    }

    private func at(_ number: Int) -> [String] {
        ["-h", Hosts.here, "-p", "\(ports[number])", "-U", "skerry"]
    }

    private func start(_ number: Int, _ settings: [String]) throws {
        let all =
            settings + [
                "listen_addresses=\(Hosts.here)", "port=\(ports[number])", "max_connections=200",
                "unix_socket_directories=\(folder)", "fsync=off", "log_min_messages=fatal",
            ]
        let server = Process()
        let words = try words("postgres", ["-D", "\(folder)/\(number)"] + all.flatMap { ["-c", $0] })
        server.executableURL = URL(fileURLWithPath: words[0])
        server.arguments = Array(words.dropFirst())
        try server.run()
        servers.append(server)
        while (try? run("pg_isready", ["-q"] + at(number).dropLast(2))) == nil, server.isRunning {}
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        try Hosts.run(try words(program, arguments))
    }

    private func words(_ program: String, _ arguments: [String]) throws -> [String] {
        guard let programs = Self.programs else { throw Program.Failure(description: "no PostgreSQL") }
        return [
            "/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
            "\(programs)/\(program)",
        ] + arguments
    }
}
