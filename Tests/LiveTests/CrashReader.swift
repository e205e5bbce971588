import Foundation
import SkerryEngine
import SkerryTesting

/// A reader of snapshots and diffs as docs/publishing.md describes it, which complains of all that it may not see.
struct CrashReader {
    /// What may change.
    struct Content: Decodable, Equatable {
        var seen: Int?
        var gaps: Int?
        var again: Int?
        var rings: Int?

        mutating func merge(_ patch: Content?) {
            seen = patch?.seen ?? seen
            gaps = patch?.gaps ?? gaps
            again = patch?.again ?? again
            rings = patch?.rings ?? rings
        }
    }

    struct Patch: Decodable {
        var phase: String?
        var state: String?
        var content: Content?
    }

    /// A snapshot; a diff has `prev` and `patch` instead of the last three.
    struct News: Decodable {
        var id: String
        var rev: Int
        var epoch: Int
        var at: Double
        var phase: String?
        var state: String?
        var content: Content?
        var prev: Int?
        var patch: Patch?
    }

    /// What is wrong.
    private(set) var complaints: [String] = []
    /// Revisions seen, by activity and number.
    private(set) var revisions: Set<String> = []
    /// Deliveries, and those of them that had come before, byte for byte.
    private(set) var deliveries = 0
    private(set) var repeats = 0
    /// Gaps before diffs that a snapshot has healed.
    private(set) var healedGaps = 0
    /// What is known of each device by its snapshots.
    private(set) var newest: [String: News] = [:]
    /// When the run of an alarm began, and when it rang, each revision once.
    private(set) var armed: [String: [Double]] = [:]
    private(set) var rung: [String: [Double]] = [:]
    /// What is known by the first snapshot and diffs alone.
    private var held: [String: News] = [:]
    /// Diffs that do not follow what is held; a snapshot has to come.
    private var unhealed: [String: News] = [:]
    private var counted: Set<String> = []
    private var payloads: [String: [UInt8]] = [:]
    /// The partitions of the bridges, each of which has an epoch of its own; nil if their number changes, and with it the epoch.
    private let partitions: Int?
    private var epochs: [String: Int] = [:]
    private let decoder = JSONDecoder()

    init(partitions: Int? = 1) { self.partitions = partitions }

    mutating func take(_ message: BrokerClient.Message) throws {
        try take(message.topic, message.payload)
    }

    /// Takes a message of a topic.
    mutating func take(_ topic: String, _ payload: [UInt8]) throws {
        guard !payload.isEmpty else { return }
        deliveries += 1
        let news = try decoder.decode(News.self, from: Data(payload))
        let device = String(topic.split(separator: "/")[2])
        let group = partitions.map { "\(Partition.number(of: device, among: $0))" } ?? topic
        let epoch = epochs[group, default: news.epoch]
        if partitions == nil ? epoch > news.epoch : epoch != news.epoch {
            complaints.append("\(news.id): another epoch")
        }
        epochs[group] = news.epoch
        let key = "\(topic) \(news.id) \(news.rev) \(news.epoch)"
        if let known = payloads[key] {
            repeats += 1
            if known != payload {
                complaints.append(
                    "\(key) has two contents: \(String(decoding: known, as: UTF8.self)), \(String(decoding: payload, as: UTF8.self))"
                )
            }
            return
        }
        payloads[key] = payload
        revisions.insert("\(news.id) \(news.rev)")
        if topic.hasSuffix("/diff") {
            follow(news, String(topic.dropLast("/activity/diff".count)))
        } else {
            look(at: news, String(topic.dropLast("/activity".count)))
        }
    }

    private mutating func look(at news: News, _ device: String) {
        if let known = newest[device], known.id == news.id, known.rev > news.rev {
            complaints.append("\(device): snapshot \(news.rev) after \(known.rev)")
        }
        newest[device] = news
        heal(device, by: news)
        if held[device]?.id != news.id { held[device] = news }
        // A new epoch tells what is known once more.
        guard let rings = news.content?.rings, counted.insert("\(news.id) \(news.rev)").inserted else {
            return
        }
        if news.rev == 1 { armed[device, default: []].append(news.at) }
        if rings > 0 { rung[device, default: []].append(news.at) }
    }

    private mutating func follow(_ diff: News, _ device: String) {
        if let known = held[device], known.id == diff.id, diff.rev <= known.rev { return }
        guard var known = held[device], known.id == diff.id, known.rev == diff.prev else {
            // The device's last snapshot helps now, or a later one will.
            unhealed[device] = diff
            if let snapshot = newest[device] { heal(device, by: snapshot) }
            return
        }
        known.rev = diff.rev
        known.phase = diff.patch?.phase ?? known.phase
        known.state = diff.patch?.state ?? known.state
        known.content?.merge(diff.patch?.content)
        held[device] = known
        guard let snapshot = newest[device], snapshot.id == known.id, snapshot.rev == known.rev else {
            return
        }
        if snapshot.state != known.state || snapshot.phase != known.phase || snapshot.content != known.content
        {
            complaints.append("\(device): diffs lead to \(known), the snapshot says \(snapshot)")
        }
    }

    private mutating func heal(_ device: String, by snapshot: News) {
        guard let diff = unhealed[device], snapshot.run >= diff.run else { return }
        if snapshot.id == diff.id, snapshot.rev < diff.rev { return }
        unhealed[device] = nil
        healedGaps += 1
        held[device] = snapshot
    }

    /// Ends the reading: a gap that is open now stays open.
    mutating func finish() {
        for (device, diff) in unhealed.sorted(by: { $0.key < $1.key }) {
            complaints.append("\(device): diff \(diff.rev) does not follow, and no snapshot helps")
        }
    }
}

extension CrashReader.News {
    /// The number of the run, which grows.
    fileprivate var run: Int { id.split(separator: "/").last.flatMap { Int($0) } ?? 0 }
}
