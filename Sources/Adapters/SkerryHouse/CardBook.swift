import SkerryFiles
import SkerryGateway
import SkerryValues
import Synchronization

/// The cards of devices on the page: their order, their rooms, and whether they are shown at all.
///
/// It is kept in a file of JSON that people can read and keep, with a line for each device in the order of the page.
public final class CardBook: Sendable {
    /// The longest file, in bytes.
    private static let sizeLimit = 1 << 20

    private let path: String?
    private let cards: Mutex<[DeviceCard]>

    /// Reads the file, if it is there.
    ///
    /// - Parameter path: The file; nil to keep nothing over a restart.
    public init(_ path: String?) {
        self.path = path
        let text = path.flatMap { try? FileBytes.text($0, limit: Self.sizeLimit) } ?? ""
        cards = Mutex(Self.cards(in: Array(text.utf8)))
    }

    /// Writes the cards of some devices as JSON.
    ///
    /// - Parameter isSeen: Whether a viewer sees a device.
    /// - Returns: The answer to a viewer.
    func answer(_ isSeen: (DeviceKey) -> Bool) -> HouseAnswer {
        .found(Self.document(of: cards.withLock { $0 }.filter { isSeen($0.device) }))
    }

    /// Replaces all cards.
    ///
    /// - Throws: the reason why they can't be kept; then nothing has changed.
    func replace(_ changed: [DeviceCard]) throws(FileError) {
        try cards.withLock { cards throws(FileError) in
            let document = Self.document(of: changed)
            if let path {
                guard document.count <= Self.sizeLimit else {
                    throw FileError(path: path, reason: "it would have more than \(Self.sizeLimit) bytes")
                }
                try ReplacedFile.keep(String(decoding: document, as: UTF8.self), in: path)
            }
            cards = changed
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

    /// The cards of a document; what can't be read as one is left out.
    private static func cards(in document: [UInt8]) -> [DeviceCard] {
        guard case .map(let root)? = try? JSONReader.value(of: document.span),
            case .list(let list)? = root["cards"]
        else { return [] }
        return list.compactMap { entry in
            guard let device = DeviceKey(entry), case .map(let members) = entry else { return nil }
            var card = DeviceCard(device: device)
            if case .string(let room)? = members["room"] { card.room = room }
            if case .bool(let isHidden)? = members["hidden"] { card.isHidden = isHidden }
            return card
        }
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
