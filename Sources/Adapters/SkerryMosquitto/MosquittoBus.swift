import Glibc
public import SkerryGateway
import SkerryValues
import Synchronization

/// The bus over libmosquitto: MQTT 5, a persistent session, acknowledgement after commit.
///
/// One thread does everything: it reads a batch, lets the handler commit, and only then writes. Only connecting,
/// which may block for minutes, has a thread of its own. A lost connection is made again without limit, with growing
/// pauses.
public final class MosquittoBus: Bus {
    private enum Life {
        case new
        case running([CheckedContinuation<Void, Never>])
        case ended
    }

    private let options: Mutex<MosquittoOptions>
    private let signal = WakeSignal()
    private let life = Mutex<Life>(.new)

    /// Makes a bus that is not started.
    public init(_ options: MosquittoOptions) {
        self.options = Mutex(options)
    }

    /// Gives the session another name, before the start.
    public func name(_ clientID: String) { options.withLock { $0.clientID = clientID } }

    /// Checks the options, starts the thread and hands the handler over to it.
    ///
    /// A bus is started once.
    ///
    /// - Throws: ``BusFault`` for settings that can never work.
    public func start<Handler: BusHandler>(_ handler: sending Handler) throws(BusFault) {
        let options = options.withLock { $0 }
        try Self.check(options)
        // Writing to a lost connection must be an error, not the end of the process.
        ignore(SIGPIPE)
        let loop = BusLoop(handler, try MosquittoClient(options), options, signal)
        let isFirst = life.withLock { life in
            guard case .new = life else { return false }
            life = .running([])
            return true
        }
        guard isFirst else { throw BusFault(.configuration, "the bus was started before") }
        let isStarted = runOnThread(named: "skerry-bus") { [self] in
            loop.run()
            end()
        }
        guard isStarted else {
            end()
            throw BusFault(.configuration, "the system refuses a thread for the bus")
        }
    }

    /// Asks for one call of the handler's `wake()` soon; see ``Bus/wake()``.
    package func wake() { signal.wake() }

    /// Asks the bus to end; see ``Bus/stop()``.
    public func stop() { signal.stop() }

    /// Returns once the thread has ended, at once if there never was one.
    public func finished() async {
        await withCheckedContinuation { continuation in
            let isOver = life.withLock { life in
                guard case .running(let waiting) = life else { return true }
                life = .running(waiting + [continuation])
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func end() {
        let waiting = life.withLock { life -> [CheckedContinuation<Void, Never>] in
            guard case .running(let waiting) = life else { return [] }
            life = .ended
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private static func check(_ options: MosquittoOptions) throws(BusFault) {
        func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(BusFault) {
            guard condition else { throw BusFault(.configuration, message()) }
        }
        try require(!options.host.isEmpty, "the host of the broker is empty")
        try require((1...65_535).contains(options.port), "port \(options.port) is not between 1 and 65535")
        try require(!options.clientID.isEmpty, "the client id is empty: a session needs a name that stays")
        let keepAlive = options.keepAlive.roundedSeconds
        try require(
            keepAlive == 0 || (5...65_535).contains(keepAlive),
            "a keep-alive of \(keepAlive) s is not possible: choose 5 to 65535, or 0 for none"
        )
        try require(options.batchLimit > 0 && options.batchByteLimit > 0, "a batch must hold something")
        try require(options.publicationWindow > 0, "the window for publications is empty")
    }
}

private func ignore(_ number: Int32) { _ = Glibc.signal(number, SIG_IGN) }
