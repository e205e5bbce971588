import Glibc
import Synchronization

/// A real PostgreSQL of its own: on a unix socket in a folder of its own, gone when the object goes.
///
/// Databases are made by ``makeDatabase()``. Nothing is flushed to the disk, because only processes end here, not machines.
package final class PostgresServer: Sendable {
    /// Why there is no server.
    package struct Failure: Error, CustomStringConvertible {
        /// The failure, with what the program wrote.
        package var description: String
    }

    /// The folder with the socket, the log and the data.
    package let directory: String
    private let programs: String
    private let process = Mutex<pid_t?>(nil)
    private let count = Mutex(0)

    /// True if there is a PostgreSQL on this machine.
    package static var isAvailable: Bool { findPrograms() != nil }

    /// Makes a server and returns once it accepts connections.
    package init() throws(Failure) {
        guard let programs = Self.findPrograms() else {
            throw Failure(description: "no PostgreSQL in /usr/lib/postgresql or PATH")
        }
        self.programs = programs
        // Short, because the name of a socket has at most 107 bytes.
        var template = Array("/tmp/skerry-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "no folder for PostgreSQL in /tmp")
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(directory, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        try run([
            "initdb", "-D", "\(directory)/data", "-A", "trust", "-U", "skerry", "-N", "-E", "UTF8",
            "--locale=C",
        ])
        try start()
    }

    deinit { discard() }

    /// Ends it and removes its folder.
    package func discard() {
        kill()
        _ = try? run(["rm", "-rf", directory])
    }

    /// Starts it again and returns once it accepts connections.
    package func start() throws(Failure) {
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(directory)", "fsync=off", "max_connections=200",
            "shared_buffers=16MB", "log_min_messages=fatal",
        ]
        let words = ["postgres", "-D", "\(directory)/data"] + settings.flatMap { ["-c", $0] }
        let started = try spawn(words)
        process.withLock { $0 = started }
        for _ in 0..<3000 {
            if (try? run(["pg_isready", "-q", "-h", directory])) != nil { return }
            usleep(10_000)
        }
        throw Failure(description: "PostgreSQL takes no connections: \(log)")
    }

    /// Ends it with all its connections, as a crash of the machine would, and returns once it is gone.
    package func kill() {
        process.withLock { process in
            guard let running = process else { return }
            Glibc.kill(running, SIGQUIT)
            var status: Int32 = 0
            while waitpid(running, &status, 0) < 0, errno == EINTR {}
            process = nil
        }
    }

    /// Makes an empty database.
    ///
    /// - Returns: its URI.
    package func makeDatabase() throws(Failure) -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try run(["createdb", "-h", directory, "-U", "skerry", "t\(number)"])
        return "postgresql://skerry@/t\(number)?host=\(directory)"
    }

    /// Executes SQL.
    ///
    /// - Returns: the rows, columns apart by `|`.
    @discardableResult
    package func execute(_ sql: String, in database: String) throws(Failure) -> String {
        try run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", sql])
    }

    private var log: String { Self.text(of: "\(directory)/log") }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func findPrograms() -> String? {
        (10...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first {
            access("\($0)/initdb", X_OK) == 0
        }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its output, without the last line break.
    @discardableResult
    private func run(_ words: [String]) throws(Failure) -> String {
        let output = "\(directory)/output-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(output) }
        let started = try spawn(words, output: output)
        var status: Int32 = 0
        while waitpid(started, &status, 0) < 0, errno == EINTR {}
        var text = Self.text(of: output)
        if text.hasSuffix("\n") { text.removeLast() }
        guard status == 0 else { throw Failure(description: "\(words.joined(separator: " ")): \(text)") }
        return text
    }

    /// Starts a program as a user who is not root, which PostgreSQL refuses.
    private func spawn(_ words: [String], output: String? = nil) throws(Failure) -> pid_t {
        let program = words[0].contains("/") || words[0] == "rm" ? words[0] : "\(programs)/\(words[0])"
        let prefix =
            geteuid() == 0 && words[0] != "rm"
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let all = prefix + [program] + words.dropFirst()
        do throws(SpawnFault) {
            return try SkerryTesting.spawn(all, to: output ?? "\(directory)/log")
        } catch {
            throw Failure(description: error.description)
        }
    }
}
