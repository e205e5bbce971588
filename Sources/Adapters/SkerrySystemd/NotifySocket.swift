import Glibc
package import SkerryValues

/// The socket on which a service manager listens to its service, as `sd_notify(3)` of systemd describes it.
package final class NotifySocket: Sendable {
    /// The time that the service manager waits for ``Notice/alive`` before it ends the service; nil without a watchdog.
    package let watchdog: Interval?

    private let file: Int32
    private let address: [UInt8]

    /// The time that a notice may wait for a service manager that does not read.
    private static let patience = timeval(tv_sec: 1, tv_usec: 0)

    /// Finds the socket that `NOTIFY_SOCKET` names, and `WATCHDOG_USEC` if it is meant for this process.
    ///
    /// Returns nil if the process was not started as a service.
    ///
    /// - Parameter environment: The environment of the process.
    /// - Throws: ``NotifyFault`` for an invalid variable, and if the system refuses a socket.
    package init?(environment: [String: String]) throws(NotifyFault) {
        guard let name = environment["NOTIFY_SOCKET"], !name.isEmpty else { return nil }
        address = try Self.address(named: name)
        watchdog = try Self.watchdog(environment)
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw NotifyFault("no socket to the service manager", errno) }
        var patience = Self.patience
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Sends notices to the service manager, from any thread; waits at most a second.
    ///
    /// - Throws: ``NotifyFault`` if the service manager did not accept them.
    package func tell(_ notices: Notice...) throws(NotifyFault) {
        let text = notices.map(\.line).joined(separator: "\n")
        let sent = Array(text.utf8).withUnsafeBytes { text in
            address.withUnsafeBytes { address in
                sendto(
                    file,
                    text.baseAddress,
                    text.count,
                    Int32(MSG_NOSIGNAL),
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(address.count)
                )
            }
        }
        guard sent < 0 else { return }
        throw NotifyFault("the service manager refuses '\(notices[0].line)'", errno)
    }

    /// The bytes of a `sockaddr_un`; an abstract name has a zero for its `@`.
    private static func address(named name: String) throws(NotifyFault) -> [UInt8] {
        var path = Array(name.utf8)
        let isAbstract = path[0] == UInt8(ascii: "@")
        guard isAbstract || path[0] == UInt8(ascii: "/") else {
            throw NotifyFault(
                "NOTIFY_SOCKET: '\(name)' is neither a path that begins with / nor a name that begins with @"
            )
        }
        if isAbstract { path[0] = 0 } else { path.append(0) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        guard path.count > 1, start + path.count <= MemoryLayout<sockaddr_un>.size else {
            throw NotifyFault("NOTIFY_SOCKET: '\(name)' is too long or too short for the name of a socket")
        }
        return withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) } + path
    }

    private static func watchdog(_ environment: [String: String]) throws(NotifyFault) -> Interval? {
        guard let text = environment["WATCHDOG_USEC"] else { return nil }
        if let process = environment["WATCHDOG_PID"], process != "\(getpid())" { return nil }
        guard let count = Int64(text), count > 0 else {
            throw NotifyFault("WATCHDOG_USEC: '\(text)' is not a number of microseconds above 0")
        }
        return Interval(microseconds: count)
    }
}

/// A notice of a service to its service manager.
package enum Notice: Sendable, Equatable {
    /// It does its work from now on.
    case ready
    /// It is alive; sent at least once in each ``NotifySocket/watchdog``.
    case alive
    /// It is about to end.
    case stopping
    /// The status for `systemctl status`; characters that do not fit into one line are left out, and all beyond 500.
    case status(String)

    /// The assignment that `sd_notify(3)` has for it.
    var line: String {
        switch self {
        case .ready: return "READY=1"
        case .alive: return "WATCHDOG=1"
        case .stopping: return "STOPPING=1"
        case .status(let text):
            // A line break would begin another assignment, in words that a broker may have chosen.
            let printable = text.unicodeScalars.prefix(500).map { scalar -> Unicode.Scalar in
                scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar
            }
            return "STATUS=\(String(String.UnicodeScalarView(printable)))"
        }
    }
}

/// Why the service manager learns nothing.
package struct NotifyFault: Error, Sendable, Equatable {
    /// The fault: one line, no full stop.
    package var message: String

    init(_ message: String, _ code: Int32? = nil) {
        self.message = code.map { "\(message): \(String(cString: strerror($0)))" } ?? message
    }
}
