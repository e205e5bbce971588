import SkerryFiles
package import SkerryGateway
import SkerryValues
import Synchronization

/// The cards of devices on the page: their order, their rooms, and whether they are shown at all.
///
/// It is kept in a file of JSON that people can read and keep, with a line for each device in the order of the page.
package final class CardBook: Sendable {
    /// The longest file, in bytes.
    private static let sizeLimit = 1 << 20

    private let path: String?
    private let file: KeptText?
    private let arrangement: Mutex<Arrangement>
    /// True if something in the text could not be read: it is not written over, so that nothing of it is lost.
    private let isUnread: Bool

    /// Reads the file, if it is there.
    ///
    /// - Parameter path: The file; nil to keep nothing over a restart.
    package init(_ path: String?) {
        self.path = path
        file = path.map { KeptText($0, limit: Self.sizeLimit) }
        let text = file?.text ?? ""
        let read = Self.cards(in: Array(text.utf8))
        arrangement = Mutex(Arrangement(read.cards))
        isUnread = !read.isWhole && !text.isEmpty
    }

    /// The room that people gave a device; nil if none.
    package func room(of device: DeviceKey) -> String? { arrangement.withLock { $0.rooms[device] } }

    /// Writes the cards of some devices as JSON.
    ///
    /// - Parameter isSeen: Whether a viewer sees a device.
    /// - Returns: The answer to a viewer.
    func answer(_ isSeen: (DeviceKey) -> Bool) -> HouseAnswer {
        .found(Self.document(of: arrangement.withLock { $0.cards }.filter { isSeen($0.device) }))
    }

    /// Replaces all cards.
    ///
    /// - Returns: the devices that are in another room now.
    /// - Throws: the reason why they can't be kept; then nothing has changed.
    func replace(_ changed: [DeviceCard]) throws(FileError) -> [DeviceKey] {
        try arrangement.withLock { arrangement throws(FileError) -> [DeviceKey] in
            let document = Self.document(of: changed)
            if let path {
                if isUnread {
                    let reason =
                        "something in it can't be read: mend or remove it, and start the bridge again"
                    throw FileError(path: path, reason: reason)
                }
                guard document.count <= Self.sizeLimit else {
                    throw FileError(path: path, reason: "it would have more than \(Self.sizeLimit) bytes")
                }
                try file?.replace(with: String(decoding: document, as: UTF8.self))
            }
            let before = arrangement.rooms
            arrangement = Arrangement(changed)
            let after = arrangement.rooms
            let placed = Set(before.keys).union(after.keys)
            return placed.filter { before[$0] != after[$0] }.sorted { "\($0)" < "\($1)" }
        }
    }

    /// The cards in their order, and the rooms of those that are in one.
    private struct Arrangement {
        let cards: [DeviceCard]
        let rooms: [DeviceKey: String]

        init(_ cards: [DeviceCard]) {
            self.cards = cards
            let placed = cards.filter { !$0.room.isEmpty }
            rooms = Dictionary(placed.map { ($0.device, $0.room) }) { first, _ in first }
        }
    }

    private static func document(of cards: [DeviceCard]) -> [UInt8] {
        let lines = cards.map { card in
            var writer = JSONWriter(capacity: 128)
            writer.beginObject()
            writer.member("kind", card.device.kind)
            writer.member("device", card.device.name)
            if !card.room.isEmpty { writer.member("room", card.room) }
            if card.isHidden { writer.member("hidden", true) }
            writer.endObject()
            return "\n" + String(decoding: writer.bytes, as: UTF8.self)
        }
        return Array("{\"cards\": [\(lines.joined(separator: ","))\n]}\n".utf8)
    }

    /// The cards of a document, and whether all of it could be read; what can't is left out.
    private static func cards(in document: [UInt8]) -> (cards: [DeviceCard], isWhole: Bool) {
        guard
            case .map(let root)? = try? JSONReader.value(
                of: document.span,
                limits: JSONLimits(bytes: sizeLimit)
            ),
            case .list(let list)? = root["cards"]
        else { return ([], false) }
        var (cards, isWhole) = ([DeviceCard](), true)
        for entry in list {
            guard let device = DeviceKey(entry), case .map(let members) = entry else {
                isWhole = false
                continue
            }
            var card = DeviceCard(device: device)
            switch members["room"] {
            case .string(let room)?: card.room = room
            case nil: break
            default: isWhole = false
            }
            switch members["hidden"] {
            case .bool(let isHidden)?: card.isHidden = isHidden
            case nil: break
            default: isWhole = false
            }
            cards.append(card)
        }
        return (cards, isWhole)
    }
}

extension HouseAnswer {
    /// The devices in an answer about all of them.
    var devices: Set<DeviceKey> {
        guard case .found(let bytes) = self, case .map(let root)? = try? JSONReader.value(of: bytes.span),
            case .list(let list)? = root["devices"]
        else { return [] }
        return Set(list.compactMap { DeviceKey($0) })
    }
}

extension DeviceKey {
    /// The device that the members `kind` and `device` name; nil if they name none.
    fileprivate init?(_ entry: Value) {
        guard case .map(let members) = entry, case .string(let kind)? = members["kind"],
            case .string(let name)? = members["device"]
        else { return nil }
        self.init(kind: kind, name: name)
    }
}
