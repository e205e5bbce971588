import Glibc
import Synchronization

/// A real mosquitto of its own: on a free loopback port, in a folder of its own, gone when the object goes.
///
/// All calls block until what they say is true: after ``start()`` the broker accepts connections.
public final class Broker: Sendable {
    /// The behaviour of the broker.
    public struct Settings: Sendable {
        /// Keeps sessions, queues and retained messages over ``Broker/stop()``; ``Broker/kill()`` loses them, as
        /// mosquitto writes them only now and then.
        package var isPersistent = false
        /// Unacknowledged messages to one client; nil for mosquitto's 20.
        ///
        /// MQTT 5 clients announce their own.
        package var inflightLimit: Int?
        /// Keeps QoS 0 messages, too, for a client that is away.
        package var queuesQoS0 = false
        /// Further lines for `mosquitto.conf`.
        public var lines: [String] = []

        /// Settings as they are by default.
        public init() {}
    }

    /// Why there is no broker.
    public struct Failure: Error, CustomStringConvertible {
        /// The failure, with the broker's log if there is one.
        public var description: String
    }

    private struct State {
        var process: pid_t?
    }

    /// The port on 127.0.0.1; the same over all restarts.
    public let port: Int
    /// The folder with configuration, log and store.
    public let directory: String
    private let executable: String
    private let state = Mutex(State())

    /// The process that runs; nil while there is none.
    public var process: Int32? { state.withLock { $0.process } }

    /// True if there is a mosquitto on this machine.
    public static var isAvailable: Bool { findExecutable() != nil }

    /// Starts a broker and returns once it accepts connections.
    public init(_ settings: Settings = Settings()) throws(Failure) {
        guard let executable = Self.findExecutable() else {
            throw Failure(description: "no mosquitto in PATH, /usr/sbin or /usr/local/sbin")
        }
        self.executable = executable
        directory = try Self.makeDirectory()
        port = try Self.findFreePort()
        try writeConfiguration(settings)
        try start()
    }

    deinit { discard() }

    /// Ends it at once and removes its folder; it can't be started again.
    package func discard() {
        kill()
        removeFolder(directory)
    }

    /// Starts it again, on the same port, and returns once it accepts connections; does nothing if it runs.
    public func start() throws(Failure) {
        let isRunning = state.withLock { $0.process != nil }
        guard !isRunning else { return }
        let process: pid_t
        do throws(SpawnFault) {
            process = try spawn(
                [executable, "-c", "\(directory)/mosquitto.conf"],
                to: "\(directory)/mosquitto.log"
            )
        } catch {
            throw Failure(description: error.description)
        }
        state.withLock { $0.process = process }
        // A dead process is noticed at once; the bound is for one that hangs.
        for _ in 0..<150_000 {
            if Self.accepts(port) { return }
            if hasExited() { throw Failure(description: "mosquitto ended at once: \(log)") }
            usleep(2000)
        }
        throw Failure(description: "mosquitto takes no connections on port \(port): \(log)")
    }

    /// Ends it in good order and returns once it is gone.
    public func stop() { end(SIGTERM) }

    /// Ends it as a power cut would (`kill -9`) and returns once it is gone.
    public func kill() { end(SIGKILL) }

    /// The broker's log so far.
    public var log: String {
        guard let file = fopen("\(directory)/mosquitto.log", "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func end(_ signal: Int32) {
        state.withLock { state in
            guard let process = state.process else { return }
            Glibc.kill(process, signal)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            state.process = nil
        }
    }

    private func hasExited() -> Bool {
        state.withLock { state in
            guard let process = state.process else { return true }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) == process else { return false }
            state.process = nil
            return true
        }
    }
}

// MARK: Making one

extension Broker {
    private static func findExecutable() -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return folders.map { "\($0)/mosquitto" }.first { access($0, X_OK) == 0 }
    }

    private static func makeDirectory() throws(Failure) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/skerry-broker-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(
                description: "no folder for the broker in \(base): \(String(cString: strerror(errno)))"
            )
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A port of the loopback address that no process listens on, and no other test is given.
    public static func findFreePort() throws(Failure) -> Int { try findFreePorts(1, distance: 0) }

    /// A port on which no process listens, nor on those that follow it at a distance; no other test is given them.
    ///
    /// They are below those that the system gives to clients, which come and go.
    ///
    /// - Parameters:
    ///   - count: the number of ports.
    ///   - distance: the distance from one to the next.
    /// - Returns: the first of them.
    /// - Throws: ``Failure`` when there are none.
    package static func findFreePorts(_ count: Int, distance: Int) throws(Failure) -> Int {
        for _ in 0..<100 {
            let first = Int.random(in: 10_000..<32_000 - count * distance)
            if (0..<count).allSatisfy({ reserve(first + $0 * distance) }) { return first }
        }
        throw Failure(description: "no free ports on 127.0.0.1")
    }

    /// Keeps a port from being found free by other tests as long as this process runs.
    ///
    /// Who sets `SO_REUSEADDR`, as servers do, may listen on it nevertheless.
    ///
    /// - Returns: false if it is taken.
    private static func reserve(_ port: Int) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withAddress(port: port, { bind(file, $0, size) == 0 }) else {
            close(file)
            return false
        }
        var one: Int32 = 1
        return setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    private static func accepts(_ port: Int) -> Bool {
        guard let file = connect(port: port) else { return false }
        close(file)
        return true
    }

    private func writeConfiguration(_ settings: Settings) throws(Failure) {
        var lines = [
            "listener \(port) 127.0.0.1",
            "set_tcp_nodelay true",
            "max_queued_messages 0",
            "persistence \(settings.isPersistent)",
            "persistence_location \(directory)/",
            "queue_qos0_messages \(settings.queuesQoS0)",
            "log_dest stdout",
        ]
        if !settings.lines.contains(where: { $0.hasPrefix("allow_anonymous") }) {
            lines.append("allow_anonymous true")
        }
        // Started by root it would become a user who may not write here.
        if geteuid() == 0 { lines.append("user root") }
        if let limit = settings.inflightLimit { lines.append("max_inflight_messages \(limit)") }
        lines += settings.lines
        guard let file = fopen("\(directory)/mosquitto.conf", "w") else {
            throw Failure(description: "cannot write to \(directory): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        for line in lines { fputs(line + "\n", file) }
    }
}

/// Runs a body with an address of IPv4.
///
/// - Returns: what the body says.
private func withAddress(
    _ host: String = "127.0.0.1",
    port: Int,
    _ body: (UnsafeMutablePointer<sockaddr>) -> Bool
) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

/// Connects to a port.
///
/// - Returns: the open socket, or nil if no process listens.
func connect(to host: String = "127.0.0.1", port: Int) -> Int32? {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return nil }
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withAddress(host, port: port, { Glibc.connect(file, $0, size) == 0 }) else {
        close(file)
        return nil
    }
    var one: Int32 = 1
    setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return file
}
