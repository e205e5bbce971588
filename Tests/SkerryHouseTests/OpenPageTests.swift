import SkerryActivity
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryDashboard

/// Pages that stay open: the bridge with its desk at one end of the stream, what a browser reads at the other, both in
/// virtual time.
@Suite("Pages that stay open")
struct OpenPageTests {
    @Test(
        "ten hours bring exactly what happened and the heartbeats, and end in the state of the bridge",
        arguments: [1, 2] as [UInt64]
    )
    func tenHours(seed: UInt64) throws {
        let house = try House(Self.definitions())
        let streams = Streams(of: house)
        var random = SimulatedRandom(seed: seed)
        let faithful = OpenPage(of: streams)
        var returning = OpenPage(of: streams)
        let first = faithful.last
        let end = House.start + .hours(10)
        for message in SimulatedHousehold(seed: seed, start: House.start, runs: nil) {
            if message.at >= end { break }
            // Most messages repeat the one before.
            if random.chance(19, of: 20) { continue }
            streams.pass(to: message.at)
            house.send(
                String(decoding: message.topic, as: UTF8.self),
                String(decoding: message.payload, as: UTF8.self)
            )
            if random.chance(1, of: 40) { returning.close() }
            if random.chance(1, of: 8), !returning.isOpen {
                returning = OpenPage(of: streams, after: returning)
            }
            // A page that is busy reads later what others read now.
            if random.chance(9, of: 10) { streams.advance() }
        }
        streams.pass(to: end + .milliseconds(100))
        if !returning.isOpen { returning = OpenPage(of: streams, after: returning) }
        streams.advance()

        #expect(faithful.heartbeats == 10 * 3600 / 15)
        #expect(faithful.snapshots == 1 && faithful.last == house.log.position)
        #expect(faithful.positions == streams.positions.filter { $0 > first })
        #expect(faithful.revisions == house.updates.value && faithful.revisions.count > 30)
        for page in [faithful, returning] {
            #expect(page.complaints == [])
            #expect(page.state.isSameJSON(as: streams.state))
        }
    }

    /// The shipped definitions of the simulated devices.
    private static func definitions() throws -> CompiledFiles {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        return try CompiledFiles(SimulatedHousehold.kinds.map { "\(root)/devices/\($0).yaml" })
    }
}

/// The streams of a house, driven as the server's loop drives them.
private final class Streams {
    let house: House
    let streams: EventStreams
    private let arrivals = ArrivalBox(WakeSignal())
    private let start = ContinuousClock.now
    var pages: [OpenPage] = []
    /// The positions of all events that readers get.
    private(set) var positions: [UInt64] = []
    private var position: UInt64 = 0

    init(of house: House) {
        self.house = house
        streams = EventStreams(
            log: house.log,
            house: house.desk,
            accounts: Accounts(phones: house.phones, browsers: BrowserDesk()),
            options: DashboardOptions(),
            arrivals: arrivals
        )
    }

    /// The moment of the house, by the clock of the streams.
    var now: ContinuousClock.Instant {
        start + .microseconds((house.clock.now - House.start).microseconds)
    }

    /// Lets time pass, with a look at the streams whenever something is due there.
    func pass(to moment: Timestamp) {
        while house.clock.now < moment {
            let due = streams.due.map {
                House.start + Interval(microseconds: Int64((($0 - start) / .microseconds(1)).rounded()))
            }
            house.pass(min(moment, max(due ?? moment, house.clock.now)) - house.clock.now)
            if due.map({ $0 <= house.clock.now }) ?? false { advance() }
        }
    }

    /// Has all pages read what there is for them.
    func advance() {
        // That an activity went is not told when another one of the device takes its place.
        for entry in house.log.entries(after: position) {
            if entry.successor == nil { positions.append(entry.position) }
            position = entry.position
        }
        repeat {
            for case .house(let snapshot, let devices, let sight) in arrivals.take() {
                streams.take(snapshot, devices: devices, for: sight)
            }
            streams.advance(at: now)
            for page in pages { page.read() }
            while house.bridge.sleepLimit == .zero { house.bridge.wake() }
        } while pages.contains(where: \.isBehind)
    }

    /// The activities as the bridge holds them.
    var state: Value {
        let activities = house.log.snapshot().activities
        return .map(activities.map { ($0.id, (try? JSONReader.value(of: $0.snapshotJSON().span)) ?? .null) })
    }
}

/// What a page makes of its stream.
private final class OpenPage {
    private var isWaiting = false
    private(set) var heartbeats = 0
    private(set) var snapshots = 0
    /// The position of the last event.
    private(set) var last: UInt64 = 0
    /// The positions of all events after the snapshot.
    private(set) var positions: [UInt64] = []
    /// The revisions of activities that came, as `<id> <rev>`.
    private(set) var revisions: [String] = []
    /// What a reader must not see.
    private(set) var complaints: [String] = []
    /// The activity of each device.
    private var activities: [String: Value] = [:]
    private var unread: [UInt8] = []
    private var id: String?
    private var reader: StreamReader?
    private unowned let streams: Streams

    /// Opens a page, or a closed one again, which has what came before.
    init(of streams: Streams, after former: OpenPage? = nil) {
        self.streams = streams
        var wish = StreamWish()
        if let former {
            (last, id, activities) = (former.last, former.id, former.activities)
            complaints = former.complaints
            wish.last = id.flatMap { StreamPosition($0) }
        }
        let reader = StreamReader(wish, of: streams.streams) { [unowned self] in isWaiting = $0 == .waits }
        self.reader = reader
        streams.streams.add(reader, at: streams.now)
        streams.pages.append(self)
        streams.advance()
    }

    var isOpen: Bool { reader != nil }

    /// True if something is to come.
    var isBehind: Bool { !isWaiting || reader?.position == nil }

    func close() {
        guard let reader else { return }
        streams.streams.remove(reader)
        streams.pages.removeAll { $0 === self }
        self.reader = nil
    }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while let reader, !isWaiting {
            let count = buffer.withUnsafeMutableBytes { reader.fill($0) }
            unread += buffer.prefix(count)
        }
        let text = String(decoding: unread, as: UTF8.self)
        let blocks = text.split(separator: "\n\n", omittingEmptySubsequences: false)
        for block in blocks.dropLast() { take(block) }
        unread = Array((blocks.last ?? "").utf8)
    }

    private func take(_ block: Substring) {
        if block.hasPrefix(":") { heartbeats += 1 }
        var fields: [Substring: Substring] = [:]
        for line in block.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = line[colon...].dropFirst(2)
        }
        guard let name = fields["event"], let id = fields["id"], let data = fields["data"],
            let position = StreamPosition(String(id))?.position,
            let value = try? JSON(.found(Array(data.utf8)))
        else { return }
        if name == "snapshot" {
            snapshots += 1
            activities = [:]
            for activity in value["activities"].elements {
                activities[Self.device(of: activity["id"].plain)] = activity.value
            }
        } else {
            if position <= last { complaints.append("\(position) comes after \(last)") }
            positions.append(position)
            takeEvent(name, value)
        }
        (last, self.id) = (position, String(id))
    }

    private func takeEvent(_ name: Substring, _ event: JSON) {
        let id = event["id"].plain
        let device = Self.device(of: id)
        switch name {
        case "dismissed": activities[device] = nil
        case "activity", "diff":
            revisions.append("\(id) \(event["rev"].text)")
            guard name == "diff" else { return activities[device] = event.value }
            guard let held = activities[device], JSON(held)["id"].plain == id,
                JSON(held)["rev"] == event["prev"]
            else {
                return complaints.append("a patch for \(id) that is not held")
            }
            let news = Value.map(["rev", "at"].map { ($0, event[$0].value) })
            activities[device] = MergePatch.apply(news, to: MergePatch.apply(event["patch"].value, to: held))
        default: break
        }
    }

    private static func device(of id: String) -> String {
        id.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The activities as the page holds them.
    var state: Value { .map(activities.values.map { (JSON($0)["id"].plain, $0) }) }
}

extension Value {
    /// An object of these members.
    fileprivate static func map(_ members: [(name: String, value: Value)]) -> Value {
        .map(ValueMap(uniqueEntries: members.map { ValueMap.Entry(key: .string($0.name), value: $0.value) }))
    }
}
