import CMicroHTTP
import Glibc
import SkerryGateway
import SkerryValues

/// The connections of the HTTP API, all on the thread that calls ``run(until:)``.
///
/// libmicrohttpd has no thread here: it works, and calls back, only within calls of this class. So no lock is needed, and
/// nothing of it is `Sendable`.
final class HTTPLoop {
    private let desk: RequestDesk
    private let options: DashboardOptions
    private let patience: Duration
    private var daemon: OpaquePointer?
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// How many connections each address has open.
    private var counts: [String: Int] = [:]
    /// Whether libmicrohttpd told of something when it ran last.
    private var hasMoved = false
    /// How often it wanted to run again, and told of nothing.
    private var vainTurns = 0

    /// How many vain turns follow each other at once.
    ///
    /// Sending an answer takes some. But libmicrohttpd would go round without end while a chunk's size does not end.
    private static let vainTurnLimit = 100

    /// Starts on a socket that listens, and closes it at the end; nil when libmicrohttpd can't be started.
    init?(_ socket: Int32, options: DashboardOptions, desk: RequestDesk) {
        self.desk = desk
        self.options = options
        patience = .microseconds(options.patience.microseconds)
        var setup = skerry_mhd_setup()
        setup.listening_socket = socket
        setup.connection_limit = UInt32(options.connections)
        setup.memory_per_connection = HTTPConnection.memoryLimit
        // Callbacks come while a method of this class runs, which keeps it alive.
        setup.context = Unmanaged.passUnretained(self).toOpaque()
        setup.accept = { context, place, _ in HTTPLoop.of(context).admits(place) ? .YES : .NO }
        setup.connection = { context, connection, own, event in
            guard let connection, let own else { return }
            if event == .CONNECTION_NOTIFY_STARTED {
                own.pointee = HTTPLoop.of(context).opened(connection)
            } else {
                HTTPLoop.of(context).closed(own.pointee)
            }
        }
        setup.target = { context, target, connection in
            let connection = HTTPLoop.of(context).moved(connection)
            connection?.begin(target.map { String(cString: $0) } ?? "")
            return nil
        }
        setup.request = { context, connection, _, method, _, bytes, count, _ in
            guard let connection = HTTPLoop.of(context).moved(connection), let method, let count else {
                return .NO
            }
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
            count.pointee = 0
            return connection.take(String(cString: method), bytes) ? .YES : .NO
        }
        setup.completed = { context, connection, _, _ in HTTPLoop.of(context).moved(connection)?.finish() }
        guard let daemon = skerry_mhd_start(&setup) else { return nil }
        self.daemon = daemon
    }

    /// Serves until the signal says stop; then what was asked is still answered, for as long as a request may take.
    func run(until signal: WakeSignal) {
        var end: ContinuousClock.Instant?
        while true {
            hasMoved = false
            MHD_run(daemon)
            if hasMoved { vainTurns = 0 }
            let now = ContinuousClock.now
            let hasReadAll = !hasMore
            for connection in connections.values {
                let isLate = connection.deadline.map { $0 <= now } ?? false
                if isLate || hasReadAll && connection.hasHungUp { connection.cutOff() }
            }
            if end == nil, signal.isStopping {
                end = now + patience
                close(MHD_quiesce_daemon(daemon))
                for connection in connections.values { connection.end() }
            }
            if let end, connections.isEmpty || end <= now { break }
            // What has moved may make room for more: a connection that waits is taken only when libmicrohttpd runs again.
            if !hasMoved { sleep(until: end, signal) }
        }
        MHD_stop_daemon(daemon)
        daemon = nil
    }

    /// Whether libmicrohttpd wants to run again at once.
    private var hasMore: Bool {
        var pause: UInt64 = 0
        return MHD_get_timeout(daemon, &pause) == .YES && pause == 0
    }

    /// Sleeps until something happens, a deadline comes, or the signal is given.
    private func sleep(until end: ContinuousClock.Instant?, _ signal: WakeSignal) {
        var pause: Int32 = -1
        if hasMore {
            vainTurns += 1
            pause = vainTurns < Self.vainTurnLimit ? 0 : 5
        } else if let next = (connections.values.compactMap(\.deadline) + [end].compactMap(\.self)).min() {
            let rest = max(.zero, next - .now) / .milliseconds(1)
            pause = Int32(clamping: Int64(rest.rounded(.up)))
        }
        var files = [skerry_mhd_epoll_file(daemon), signal.file].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&files, nfds_t(files.count), pause)
        signal.drain()
    }
}

// What libmicrohttpd calls.
extension HTTPLoop {
    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPLoop {
        guard let context else { preconditionFailure("libmicrohttpd lost the context that it was given") }
        return Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
    }

    /// The connection that something is told of.
    private func moved(_ handle: OpaquePointer?) -> HTTPConnection? {
        hasMoved = true
        guard let handle, let own = skerry_mhd_context(handle) else { return nil }
        return Unmanaged<HTTPConnection>.fromOpaque(own).takeUnretainedValue()
    }

    /// Whether a connection from an address may be opened.
    private func admits(_ place: UnsafePointer<sockaddr>?) -> Bool {
        let peer = Self.name(of: place)
        return counts[peer, default: 0] < options.connectionsPerAddress || options.proxies.contains(peer)
    }

    /// Counts a connection, and returns what libmicrohttpd keeps for it.
    private func opened(_ handle: OpaquePointer) -> UnsafeMutableRawPointer {
        let peer = Self.name(of: skerry_mhd_peer(handle))
        let connection = HTTPConnection(handle, peer: peer, patience: patience, desk: desk)
        connections[ObjectIdentifier(connection)] = connection
        hasMoved = true
        counts[peer, default: 0] += 1
        return Unmanaged.passUnretained(connection).toOpaque()
    }

    /// Forgets a connection that is closed after this.
    private func closed(_ own: UnsafeMutableRawPointer?) {
        guard let own else { return }
        let connection = Unmanaged<HTTPConnection>.fromOpaque(own).takeUnretainedValue()
        connections[ObjectIdentifier(connection)] = nil
        hasMoved = true
        let rest = counts[connection.peer, default: 0] - 1
        counts[connection.peer] = rest > 0 ? rest : nil
    }

    private static func name(of place: UnsafePointer<sockaddr>?) -> String {
        place.flatMap { IPAddress.canonical($0) } ?? "unknown"
    }
}
