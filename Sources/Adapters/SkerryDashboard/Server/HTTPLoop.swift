import CMicroHTTP
import Glibc
import SkerryGateway
import SkerryValues

/// The event loop of the HTTP API, with all its connections, on the thread that calls ``run()``.
///
/// libmicrohttpd has no thread here. It works, and calls back, only within calls of this class, so the loop needs no lock
/// and is not `Sendable`.
///
/// See docs/decisions/0038-libmicrohttpd.md.
final class HTTPLoop {
    let desk: RequestDesk
    let arrivals: ArrivalBox
    let streams: EventStreams
    /// The time that a step of a request may take.
    let patience: Duration
    /// The time that the house has for an answer.
    let answerPatience: Duration
    /// The time for which a reader of a stream may take nothing.
    let streamPatience: Duration
    private let options: DashboardOptions
    private let signal: WakeSignal
    /// The connections that wait for an answer, by its number.
    private var waiting: [UInt64: HTTPConnection] = [:]
    private var lastNumber: UInt64 = 0
    /// One for each listening socket.
    private var daemons: [OpaquePointer] = []
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// The number of open connections of each address.
    private var counts: [String: Int] = [:]
    /// True if libmicrohttpd called back during its last run.
    var hasMoved = false
    /// The number of runs in a row that libmicrohttpd asked for without calling back.
    private var vainRuns = 0

    /// The number of vain runs without a pause between them.
    ///
    /// Sending an answer takes a few. A chunk whose size line is too long makes libmicrohttpd ask for another run again and again,
    /// which would occupy the processor until the deadline of the connection.
    private static let vainRunLimit = 100

    /// POLLRDHUP, which C shows only to those who ask for extensions of GNU.
    private static let closed: Int16 = 0x2000

    /// The number of connections that may wait for an answer at the same time.
    private static let waitingLimit = 64

    /// Makes a loop that does not listen yet.
    ///
    /// The signal ends it, and wakes it when another thread has something for it.
    init(options: DashboardOptions, desk: RequestDesk, signal: WakeSignal) {
        self.desk = desk
        self.options = options
        self.signal = signal
        arrivals = ArrivalBox(signal)
        streams = EventStreams(
            log: desk.log,
            house: desk.house,
            accounts: desk.accounts,
            options: options,
            arrivals: arrivals
        )
        patience = .microseconds(options.patience.microseconds)
        answerPatience = .microseconds(options.answerPatience.microseconds)
        streamPatience = .microseconds(options.streamPatience.microseconds)
    }

    /// Takes over a listening socket, with TLS if there is a certificate.
    ///
    /// - Returns: false when libmicrohttpd does not start; the socket is the caller's then.
    func listen(on socket: Int32, _ secure: DashboardOptions.SecureAddress?) -> Bool {
        var setup = setup(for: socket)
        let daemon =
            if let secure {
                secure.certificate.withCString { certificate in
                    secure.key.withCString { key in
                        (setup.certificate, setup.key) = (certificate, key)
                        return skerry_mhd_start(&setup)
                    }
                }
            } else {
                skerry_mhd_start(&setup)
            }
        guard let daemon else { return false }
        daemons.append(daemon)
        return true
    }

    private func setup(for socket: Int32) -> skerry_mhd_setup {
        var setup = skerry_mhd_setup()
        setup.listening_socket = socket
        setup.connection_limit = UInt32(options.connections)
        setup.memory_per_connection = HTTPConnection.memoryLimit
        // The pointer stays valid: every callback comes from a call that a method of this object makes.
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
        return setup
    }

    /// Serves until the signal says stop, then finishes the requests under way, for as long as one request may take.
    func run() {
        var end: ContinuousClock.Instant?
        while true {
            hasMoved = false
            for arrival in arrivals.take() { take(arrival) }
            streams.advance(at: .now)
            for daemon in daemons { MHD_run(daemon) }
            if hasMoved { vainRuns = 0 }
            let now = ContinuousClock.now
            let hasReadAll = !hasMore
            for connection in connections.values {
                let isLate = connection.deadline.map { $0 <= now } ?? false
                if isLate {
                    connection.giveUp()
                } else if hasReadAll, connection.hasHungUp {
                    connection.cutOff()
                }
            }
            if end == nil, signal.isStopping {
                end = now + patience
                for daemon in daemons { Glibc.close(MHD_quiesce_daemon(daemon)) }
                for connection in connections.values { connection.end() }
            }
            if let end, connections.isEmpty || end <= now { break }
            // A closed connection makes room for one that waits, but libmicrohttpd accepts it only when it runs again.
            if !hasMoved { sleep(until: end) }
        }
    }

    /// Ends everything that is left, and gives the sockets back.
    func close() {
        for connection in connections.values { connection.release() }
        for daemon in daemons {
            MHD_run(daemon)
            MHD_stop_daemon(daemon)
        }
        daemons = []
    }

    /// True if libmicrohttpd has input or output that it can work on at once.
    private var hasMore: Bool {
        daemons.contains { daemon in
            var pause: UInt64 = 0
            return MHD_get_timeout(daemon, &pause) == .YES && pause == 0
        }
    }

    /// Sleeps until a socket is ready, a deadline comes or the signal wakes the thread.
    private func sleep(until end: ContinuousClock.Instant?) {
        var pause: Int32 = -1
        if hasMore {
            vainRuns += 1
            pause = vainRuns < Self.vainRunLimit ? 0 : 5
        } else if let next =
            (connections.values.compactMap(\.deadline) + [end, streams.due].compactMap(\.self)).min()
        {
            let rest = max(.zero, next - .now) / .milliseconds(1)
            pause = Int32(clamping: Int64(rest.rounded(.up)))
        }
        var files = (daemons.map(skerry_mhd_epoll_file) + [signal.file]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // Of a suspended connection nobody else notices that the other side has closed it.
        let readers = connections.values.filter(\.waitsForNews)
        files += readers.map { pollfd(fd: $0.socket, events: Self.closed, revents: 0) }
        poll(&files, nfds_t(files.count), pause)
        for (file, reader) in zip(files.suffix(readers.count), readers) where file.revents != 0 {
            reader.hangUp()
        }
        signal.drain()
    }
}

// Connections that wait for other threads.
extension HTTPLoop {
    private func take(_ arrival: Arrival) {
        switch arrival {
        case .answer(let number, let response):
            if let connection = waiting[number] {
                connection.answer(response)
            } else {
                response.stream?.end()
            }
        case .news(let connection): connections[connection]?.goOn()
        case .house(let snapshot, let devices, let sight):
            streams.take(snapshot, devices: devices, for: sight)
        case .explanation(let device, let answer, let sight):
            streams.take(answer, of: device, for: sight)
        }
    }

    /// Has a connection wait for an answer.
    ///
    /// - Returns: the number of the answer; nil if too many wait.
    func wait(_ connection: HTTPConnection) -> UInt64? {
        guard waiting.count < Self.waitingLimit else { return nil }
        lastNumber += 1
        waiting[lastNumber] = connection
        return lastNumber
    }

    /// Returns whether an address may have one more stream of the front.
    func admitsStream(of address: String) -> Bool {
        let addresses = connections.values.compactMap { $0.output == nil ? nil : $0.client }
        return addresses.count < options.streams
            && addresses.count { $0 == address } < options.streamsPerAddress
    }

    /// Forgets that a connection waits.
    func forget(_ number: UInt64) { waiting[number] = nil }

    /// Counts a connection no longer among those of its address; readers of the stream are counted apart.
    func uncount(_ connection: HTTPConnection) {
        guard connection.isCounted else { return }
        connection.isCounted = false
        let rest = counts[connection.peer, default: 0] - 1
        assert(rest >= 0, "a connection was not counted for its address")
        counts[connection.peer] = rest > 0 ? rest : nil
    }
}

// The callbacks of libmicrohttpd.
extension HTTPLoop {
    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPLoop {
        guard let context else { preconditionFailure("libmicrohttpd lost the context that it was given") }
        return Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
    }

    /// The connection that a callback is about.
    private func moved(_ handle: OpaquePointer?) -> HTTPConnection? {
        hasMoved = true
        guard let handle, let own = skerry_mhd_context(handle) else { return nil }
        return Unmanaged<HTTPConnection>.fromOpaque(own).takeUnretainedValue()
    }

    /// Decides about a new connection by its address.
    private func admits(_ place: UnsafePointer<sockaddr>?) -> Bool {
        let peer = Self.name(of: place)
        return counts[peer, default: 0] < options.connectionsPerAddress || options.proxies.contains(peer)
    }

    /// Adds a connection, and returns the context that libmicrohttpd keeps for it.
    private func opened(_ handle: OpaquePointer) -> UnsafeMutableRawPointer {
        let peer = Self.name(of: skerry_mhd_peer(handle))
        let connection = HTTPConnection(handle, peer: peer, of: self)
        connections[ObjectIdentifier(connection)] = connection
        hasMoved = true
        counts[peer, default: 0] += 1
        return Unmanaged.passUnretained(connection).toOpaque()
    }

    /// Removes a connection, whose socket libmicrohttpd closes after this.
    private func closed(_ own: UnsafeMutableRawPointer?) {
        guard let own else { return }
        let connection = Unmanaged<HTTPConnection>.fromOpaque(own).takeUnretainedValue()
        connections[ObjectIdentifier(connection)] = nil
        hasMoved = true
        uncount(connection)
    }

    private static func name(of place: UnsafePointer<sockaddr>?) -> String {
        place.flatMap { IPAddress.canonical($0) } ?? "unknown"
    }
}
