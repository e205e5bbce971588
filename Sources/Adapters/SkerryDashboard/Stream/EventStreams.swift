import SkerryActivity
import SkerryGateway
import SkerryValues

/// All readers of the stream, on the thread of the server.
///
/// Each event is written once, and once more if a reader understands gzip. A reader that is too far behind gets a
/// snapshot in place of the events, so that a slow one costs no more than a fast one. So does a reader that may see
/// something else than before, and the stream of a phone or a browser that was removed ends.
final class EventStreams {
    /// The bytes that a reader may be behind.
    private static let lagLimit = 262_144
    /// The number of devices that are explained at the same time.
    private static let watchLimit = 32

    private let log: EventLog
    private let house: any HouseAnswers
    private let accounts: Accounts
    private let arrivals: ArrivalBox
    private let options: DashboardOptions
    private let heartbeat: Duration
    private let watchPause: Duration
    private let pause: Duration
    private let process = String(UInt64.random(in: 0 ... .max), radix: 36)
    private var ring = StreamRing()
    private var readers: [ObjectIdentifier: StreamReader] = [:]
    private var counts: [String: Int] = [:]
    private var watches: [Watched: DeviceWatch] = [:]
    /// The rights of the phones and browsers that have readers, as of a version.
    private var viewers: [String: Viewer] = [:]
    private var audienceVersion: UInt64
    /// The position at the last change of what they see: none goes on with events from before; nil for none.
    private var lastChange: UInt64?
    private var nextHeartbeat: ContinuousClock.Instant?
    /// The moment at which what has happened is sent; nil if nothing has.
    private var nextSending: ContinuousClock.Instant?
    /// The earliest moment of the sending after the last one.
    private var restEnd: ContinuousClock.Instant?
    /// The moment of the last call that told one.
    private var now = ContinuousClock.now
    /// The moments at which snapshots were asked for that are under way, by the account for which they are.
    private var asked: [String?: ContinuousClock.Instant] = [:]

    /// A device that readers watch by the right of a phone or a browser, or of those who see everything.
    private struct Watched: Hashable {
        var device: DeviceKey
        var account: String?
    }

    init(
        log: EventLog,
        house: any HouseAnswers,
        accounts: Accounts,
        options: DashboardOptions,
        arrivals: ArrivalBox
    ) {
        self.log = log
        self.house = house
        self.accounts = accounts
        audienceVersion = accounts.version
        self.options = options
        self.arrivals = arrivals
        heartbeat = .microseconds(options.heartbeat.microseconds)
        watchPause = .microseconds(options.watchPause.microseconds)
        pause = .microseconds(options.streamPause.microseconds)
        accounts.onChange { [arrivals] in arrivals.ring() }
    }

    /// Makes sure that there is room for one more reader.
    func check(_ wish: StreamWish) throws(Problem) {
        let limit = wish.isLocal ? options.streams : min(options.streams, options.streamsPerAddress)
        guard readers.count < options.streams, counts[wish.address, default: 0] < limit else {
            throw Self.busy("too many streams are open")
        }
        guard let watched = watched(by: wish), watches[watched] == nil, watches.count >= Self.watchLimit
        else { return }
        throw Self.busy("too many devices are being watched")
    }

    /// The problem of a stream too many.
    static func busy(_ detail: String) -> Problem {
        Problem(
            status: .serviceUnavailable,
            code: "busy",
            detail: "\(detail); close one, or try again later",
            headers: ["Retry-After": "10"]
        )
    }

    func add(_ reader: StreamReader, at now: ContinuousClock.Instant) {
        self.now = now
        if readers.isEmpty {
            // Without readers, no event has to wake the loop.
            log.onEvents { [arrivals] in arrivals.ring() }
            nextHeartbeat = now + heartbeat
        }
        assert(readers[ObjectIdentifier(reader)] == nil, "a reader is added twice")
        readers[ObjectIdentifier(reader)] = reader
        counts[reader.wish.address, default: 0] += 1
        assert(counts.values.reduce(0, +) == readers.count, "a reader does not count for its address")
        if let watched = watched(by: reader.wish) {
            watches[watched, default: DeviceWatch(due: now)].readers += 1
        }
        synchronize()
        // So that `reconsider` takes a new reader's right for no change.
        if let account = reader.wish.account { reader.viewer = accounts.viewer(of: account) ?? reader.viewer }
        reconsider()
        if let account = reader.wish.account {
            viewers[account] = accounts.viewer(of: account)
            guard let viewer = viewers[account] else { return reader.end() }
            reader.viewer = viewer
        }
        guard let last = reader.wish.last, last.process == process, ring.lag(after: last.position) != nil,
            reader.wish.account == nil || lastChange.map({ last.position > $0 }) ?? true
        else { return }
        reader.position = last.position
    }

    func remove(_ reader: StreamReader) {
        guard readers.removeValue(forKey: ObjectIdentifier(reader)) != nil else { return }
        let address = reader.wish.address
        let rest = counts[address, default: 0] - 1
        // Addresses without a reader are forgotten, or those of all visitors would stay.
        counts[address] = rest > 0 ? rest : nil
        assert(counts.values.reduce(0, +) == readers.count, "a reader that has gone counts for its address")
        if let watched = watched(by: reader.wish), var watch = watches[watched] {
            assert(watch.readers > 0, "a device is left that nobody watches")
            watch.readers -= 1
            watches[watched] = watch.readers > 0 ? watch : nil
        }
        if readers.isEmpty {
            log.onEvents(nil)
            (nextHeartbeat, nextSending) = (nil, nil)
            assert(watches.isEmpty, "a device is watched by nobody")
        }
    }

    /// The moment of the next sending, heartbeat or explanation; nil without readers.
    var due: ContinuousClock.Instant? {
        (watches.values.map(\.due) + [nextSending, nextHeartbeat].compactMap(\.self)).min()
    }

    /// Sends what has happened and what is due.
    func advance(at now: ContinuousClock.Instant) {
        self.now = now
        if readers.isEmpty { return }
        gather()
        reconsider()
        if let due = nextHeartbeat, due <= now {
            nextHeartbeat = now + heartbeat
            endExpired()
            for reader in readers.values { reader.owesHeartbeat = true }
        }
        for (watched, watch) in watches where watch.due <= now {
            watches[watched]?.due = now + watchPause
            guard let viewer = viewer(of: watched.account) else { continue }
            house.ask(.device(watched.device), for: viewer) { [arrivals] answer in
                arrivals.put(.explanation(of: watched.device, answer, for: Sight(watched.account, viewer)))
            }
        }
        for reader in readers.values where hasNews(for: reader) { reader.wake() }
    }

    /// Takes in what has happened, once it is time to send it.
    ///
    /// An update is a move, a diff and a timeline, and a piece for each of them, or for each update of a busy house, would
    /// cost the bridge more than the messages do. What comes within a moment goes together, and then there is a pause.
    private func gather() {
        guard log.position > ring.position else {
            nextSending = nil
            return
        }
        let due = nextSending ?? max(now + pause / 10, restEnd ?? now)
        nextSending = due
        guard due <= now else { return }
        (nextSending, restEnd) = (nil, now + pause)
        synchronize()
    }

    /// Takes in what has happened since the last time.
    private func synchronize() { ring.add(log.entries(after: ring.position), of: process) }

    private func watched(by wish: StreamWish) -> Watched? {
        wish.watched.map { Watched(device: $0, account: wish.account) }
    }
}

// What readers may see.
extension EventStreams {
    /// Returns the rights of a phone or a browser, and without an id those of a reader who sees everything; nil for a removed one.
    private func viewer(of account: String?) -> Viewer? {
        account.map { viewers[$0] } ?? .unrestricted
    }

    /// Ends the streams of sessions that are over because of the time, which changes no version.
    private func endExpired() {
        for reader in readers.values {
            guard let account = reader.wish.account, accounts.viewer(of: account) == nil else { continue }
            viewers[account] = nil
            reader.snapshot = nil
            reader.end()
        }
    }

    /// Judges all readers again, if accounts may see something else than the last time.
    private func reconsider() {
        let version = accounts.version
        if version == audienceVersion { return }
        audienceVersion = version
        synchronize()
        // What was sent until here was judged by other rights, so who goes on from before gets a snapshot.
        lastChange = ring.position
        let former = viewers
        viewers = [:]
        for reader in readers.values {
            guard let account = reader.wish.account, viewers[account] == nil else { continue }
            viewers[account] = accounts.viewer(of: account)
        }
        for watched in watches.keys where watched.account.map({ viewers[$0] != former[$0] }) ?? false {
            watches[watched]?.forget(at: now)
        }
        for reader in readers.values {
            // What the reader itself had counts: another stream of the account may have begun meanwhile.
            guard let account = reader.wish.account, viewers[account] != reader.viewer else { continue }
            // A guest comes again, and is judged as at the first time.
            if let viewer = viewers[account], reader.wish.only == nil {
                reader.begin(as: viewer)
            } else {
                reader.snapshot = nil
                reader.end()
            }
        }
    }
}

// What a reader gets next.
extension EventStreams {
    private func hasNews(for reader: StreamReader) -> Bool {
        if reader.isOver || reader.owesHeartbeat || reader.snapshot != nil { return true }
        guard let position = reader.position else { return asked[reader.wish.account] == nil }
        return position < ring.position || explanation(for: reader) != nil
    }

    /// The next piece for a reader; nil if there is none now.
    func next(for reader: StreamReader) -> [UInt8]? {
        if let snapshot = reader.snapshot {
            reader.snapshot = nil
            return snapshot
        }
        if reader.isOver { return nil }
        if let event = nextEvent(for: reader) { return event }
        if reader.position == nil {
            askForSnapshot(for: reader.wish.account)
        } else if let explanation = explanation(for: reader), let watched = watched(by: reader.wish) {
            reader.explanation = explanation
            if let piece = watches[watched]?.piece?.bytes(packed: reader.wish.takesGzip) { return piece }
        }
        guard reader.owesHeartbeat else { return nil }
        reader.owesHeartbeat = false
        return reader.wish.takesGzip ? Gzip.piece(StreamText.heartbeat) : StreamText.heartbeat
    }

    private func nextEvent(for reader: StreamReader) -> [UInt8]? {
        guard let first = reader.position else { return nil }
        guard let lag = ring.lag(after: first), lag <= Self.lagLimit else {
            // Too far behind: a snapshot is shorter than all that it has missed.
            reader.position = nil
            return nil
        }
        for position in first..<ring.position {
            reader.position = position + 1
            let event: [UInt8]? = ring.withEntry(after: position) { entry in
                if let only = reader.wish.only, let device = entry.device, device != only { return nil }
                let (device, attributes, successor) = (entry.device, entry.attributes, entry.successor)
                guard reader.viewer.sees(eventOf: device, attributes: attributes, successor: successor)
                else { return nil }
                if let own = reader.wish.run, let run = entry.run, run != own {
                    reader.isOver = true
                    return nil
                }
                if reader.wish.only != nil, entry.isDismissal { reader.isOver = true }
                return entry.piece.bytes(packed: reader.wish.takesGzip)
            }
            if let event { return event }
            if reader.isOver { return nil }
        }
        return nil
    }

    /// The number of an explanation that a reader does not have yet.
    private func explanation(for reader: StreamReader) -> Int? {
        guard let watched = watched(by: reader.wish), let watch = watches[watched], reader.position != nil
        else { return nil }
        return watch.number > reader.explanation ? watch.number : nil
    }

    /// Asks for the devices, for all readers that wait for a snapshot by the right of the same account.
    private func askForSnapshot(for account: String?) {
        let patience = Duration.microseconds(options.answerPatience.microseconds)
        if let askedAt = asked[account], now - askedAt < patience { return }
        guard let viewer = viewer(of: account) else { return }
        asked[account] = now
        house.ask(.devices, for: viewer) { [arrivals, log] answer in
            // The state of the log is taken here, on the thread of the bridge: nothing happens in between.
            let devices: [UInt8]? = if case .found(let bytes) = answer { bytes } else { nil }
            arrivals.put(.house(log.snapshot(for: viewer), devices: devices, for: Sight(account, viewer)))
        }
    }

    /// Gives a snapshot to all readers that wait for one by the same right.
    func take(_ snapshot: LogSnapshot, devices: [UInt8]?, for sight: Sight) {
        asked[sight.account] = nil
        synchronize()
        reconsider()
        // Rights that have changed meanwhile: the readers ask again.
        guard viewer(of: sight.account) == sight.viewer else { return }
        let id = StreamPosition(process: process, position: snapshot.position)
        var pieces: [DeviceKey?: StreamPiece] = [:]
        for reader in readers.values where reader.position == nil && reader.wish.account == sight.account {
            let only = reader.wish.only
            if let run = reader.wish.run,
                !snapshot.activities.contains(where: { $0.id.hasSameCodePoints(as: run) })
            {
                reader.end()
                continue
            }
            // Readers of the same devices share the bytes, and what compressing them costs.
            if pieces[only] == nil {
                let json = StreamText.snapshot(snapshot, devices: devices, only: only)
                pieces[only] = StreamPiece(StreamText.event("snapshot", json, id: id))
            }
            reader.snapshot = pieces[only]?.bytes(packed: reader.wish.takesGzip)
            reader.position = snapshot.position
        }
    }

    /// Takes the explanation of a device.
    func take(_ answer: HouseAnswer, of device: DeviceKey, for sight: Sight) {
        guard case .found(let json) = answer, viewer(of: sight.account) == sight.viewer else { return }
        watches[Watched(device: device, account: sight.account)]?.take(json)
    }
}

/// The right by which something was asked: that of a phone or a browser with an id, or of those who see everything.
struct Sight: Sendable {
    let account: String?
    let viewer: Viewer

    init(_ account: String?, _ viewer: Viewer) {
        self.account = account
        self.viewer = viewer
    }
}

/// The explanation of a device that readers watch.
private struct DeviceWatch {
    /// The number of its readers.
    var readers = 0
    /// The moment of the next question; the first is asked at once.
    var due: ContinuousClock.Instant
    /// The number of different explanations so far.
    private(set) var number = 0
    /// The last one, as it is sent.
    var piece: StreamPiece?
    /// The same without its moment, to see whether the next one differs.
    private var content: [UInt8] = []

    init(due: ContinuousClock.Instant) { self.due = due }

    /// Forgets the explanation, which readers may not see any more.
    mutating func forget(at now: ContinuousClock.Instant) {
        (number, piece, content, due) = (0, nil, [], now)
    }

    /// Takes an explanation, if it differs from the last one by more than its moment.
    mutating func take(_ json: [UInt8]) {
        var content = json
        if let place = JSONMember.place(of: "at", in: json) { content.removeSubrange(place) }
        if content == self.content { return }
        self.content = content
        number += 1
        piece = StreamPiece(StreamText.event("device", json))
    }
}
