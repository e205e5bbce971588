import SkerryGateway
import SkerryValues

/// All readers of the stream, on the thread of the server.
///
/// Each event is written once, and once more if a reader understands gzip. A reader that is too far behind gets a
/// snapshot in place of the events, so that a slow one costs no more than a fast one.
final class EventStreams {
    /// The bytes that a reader may be behind.
    private static let lagLimit = 262_144
    /// The number of devices that are explained at the same time.
    private static let watchLimit = 32

    private let log: EventLog
    private let house: any HouseAnswers
    private let arrivals: ArrivalBox
    private let options: DashboardOptions
    private let heartbeat: Duration
    private let watchPause: Duration
    private let process = String(UInt64.random(in: 0 ... .max), radix: 36)
    private var ring = StreamRing()
    private var readers: [ObjectIdentifier: StreamReader] = [:]
    private var counts: [String: Int] = [:]
    private var watches: [DeviceKey: DeviceWatch] = [:]
    private var nextHeartbeat: ContinuousClock.Instant?
    /// The moment at which a snapshot was asked for; nil if none is under way.
    private var askedAt: ContinuousClock.Instant?

    init(log: EventLog, house: any HouseAnswers, options: DashboardOptions, arrivals: ArrivalBox) {
        self.log = log
        self.house = house
        self.options = options
        self.arrivals = arrivals
        heartbeat = .microseconds(options.heartbeat.microseconds)
        watchPause = .microseconds(options.watchPause.microseconds)
    }

    /// Makes sure that there is room for one more reader.
    func check(_ wish: StreamWish) throws(Problem) {
        let limit = wish.isLocal ? options.streams : min(options.streams, options.streamsPerAddress)
        guard readers.count < options.streams, counts[wish.address, default: 0] < limit else {
            throw Self.busy("too many streams are open")
        }
        guard let device = wish.watched, watches[device] == nil, watches.count >= Self.watchLimit else {
            return
        }
        throw Self.busy("too many devices are being watched")
    }

    private static func busy(_ detail: String) -> Problem {
        Problem(
            status: .serviceUnavailable,
            code: "busy",
            detail: "\(detail); close one, or try again later",
            headers: ["Retry-After": "10"]
        )
    }

    /// Adds a reader.
    func add(_ reader: StreamReader) {
        if readers.isEmpty {
            log.onEvents { [arrivals] in arrivals.ring() }
            nextHeartbeat = .now + heartbeat
        }
        readers[ObjectIdentifier(reader)] = reader
        counts[reader.wish.address, default: 0] += 1
        if let device = reader.wish.watched { watches[device, default: DeviceWatch()].readers += 1 }
        synchronize()
        if let last = reader.wish.last, last.process == process, ring.lag(after: last.position) != nil {
            reader.position = last.position
        }
    }

    /// Removes a reader.
    func remove(_ reader: StreamReader) {
        guard readers.removeValue(forKey: ObjectIdentifier(reader)) != nil else { return }
        let address = reader.wish.address
        let rest = counts[address, default: 0] - 1
        counts[address] = rest > 0 ? rest : nil
        if let device = reader.wish.watched, var watch = watches[device] {
            watch.readers -= 1
            watches[device] = watch.readers > 0 ? watch : nil
        }
        if readers.isEmpty {
            log.onEvents(nil)
            nextHeartbeat = nil
        }
    }

    /// Ends all streams.
    func end() { for reader in readers.values { reader.end() } }

    /// The moment of the next heartbeat or explanation; nil without readers.
    var due: ContinuousClock.Instant? {
        (watches.values.map(\.due) + [nextHeartbeat].compactMap(\.self)).min()
    }

    /// Sends what has happened and what is due.
    func advance(at now: ContinuousClock.Instant) {
        if readers.isEmpty { return }
        synchronize()
        if let due = nextHeartbeat, due <= now {
            nextHeartbeat = now + heartbeat
            for reader in readers.values { reader.owesHeartbeat = true }
        }
        for (device, watch) in watches where watch.due <= now {
            watches[device]?.due = now + watchPause
            house.ask(.device(kind: device.kind, name: device.name)) { [arrivals] answer in
                arrivals.put(.explanation(of: device, answer))
            }
        }
        for reader in readers.values where hasNews(for: reader) { reader.wake() }
    }

    /// Takes in what has happened since the last time.
    private func synchronize() { ring.add(log.entries(after: ring.position), of: process) }
}

// What a reader gets next.
extension EventStreams {
    private func hasNews(for reader: StreamReader) -> Bool {
        if reader.isOver || reader.owesHeartbeat || reader.snapshot != nil { return true }
        guard let position = reader.position else { return askedAt == nil }
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
            askForSnapshot()
        } else if let explanation = explanation(for: reader), let device = reader.wish.watched {
            reader.explanation = explanation
            if let piece = watches[device]?.piece?.bytes(packed: reader.wish.takesGzip) { return piece }
        }
        guard reader.owesHeartbeat else { return nil }
        reader.owesHeartbeat = false
        return reader.wish.takesGzip ? Gzip.piece(StreamText.heartbeat) : StreamText.heartbeat
    }

    private func nextEvent(for reader: StreamReader) -> [UInt8]? {
        guard let first = reader.position else { return nil }
        guard let lag = ring.lag(after: first), lag <= Self.lagLimit else {
            reader.position = nil
            return nil
        }
        for position in first..<ring.position {
            reader.position = position + 1
            let event: [UInt8]? = ring.withEntry(after: position) { entry in
                if let only = reader.wish.only, let device = entry.device, device != only { return nil }
                if reader.wish.only != nil, entry.isDismissal { reader.isOver = true }
                return entry.piece.bytes(packed: reader.wish.takesGzip)
            }
            if let event { return event }
        }
        return nil
    }

    /// The number of an explanation that a reader does not have yet.
    private func explanation(for reader: StreamReader) -> Int? {
        guard let device = reader.wish.watched, let watch = watches[device], reader.position != nil else {
            return nil
        }
        return watch.number > reader.explanation ? watch.number : nil
    }

    /// Asks for the devices, for all readers that wait for a snapshot together.
    private func askForSnapshot() {
        if let askedAt, .now - askedAt < .microseconds(options.answerPatience.microseconds) { return }
        askedAt = .now
        house.ask(.devices) { [arrivals, log] answer in
            // The state of the log is taken here, on the thread of the bridge: nothing happens in between.
            let devices: [UInt8]? = if case .found(let bytes) = answer { bytes } else { nil }
            arrivals.put(.house(log.snapshot(), devices: devices))
        }
    }

    /// Gives a snapshot to all readers that wait for one.
    func take(_ snapshot: LogSnapshot, devices: [UInt8]?) {
        askedAt = nil
        synchronize()
        let id = StreamPosition(process: process, position: snapshot.position)
        var pieces: [DeviceKey?: StreamPiece] = [:]
        for reader in readers.values where reader.position == nil {
            let only = reader.wish.only
            if pieces[only] == nil {
                let json = StreamText.snapshot(snapshot, devices: devices, only: only)
                pieces[only] = StreamPiece(StreamText.event("snapshot", json, id: id))
            }
            reader.snapshot = pieces[only]?.bytes(packed: reader.wish.takesGzip)
            reader.position = snapshot.position
        }
    }

    /// Takes the explanation of a device.
    func take(_ answer: HouseAnswer, of device: DeviceKey) {
        guard case .found(let json) = answer else { return }
        watches[device]?.take(json)
    }
}

/// The explanation of a device that readers watch.
private struct DeviceWatch {
    /// The number of its readers.
    var readers = 0
    /// The moment of the next question; the first is asked at once.
    var due = ContinuousClock.now
    /// The number of different explanations so far.
    private(set) var number = 0
    /// The last one, as it is sent.
    var piece: StreamPiece?
    /// The same without its moment, to see whether the next one differs.
    private var content: [UInt8] = []

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
