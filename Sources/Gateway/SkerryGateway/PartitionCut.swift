import SkerryValues

/// The mark in the messages of a broker up to which all partitions handle them before the devices are shared out otherwise.
///
/// The broker puts it at the same place of every session. See docs/decisions/0055-partitions.md.
package struct PartitionCut: Hashable, Sendable {
    /// The number of partitions that it is for.
    package let partitions: Int
    /// A number that only this mark has.
    package let id: Int64

    /// Makes a mark for bridges of a number of partitions.
    package init(of partitions: Int, id: Int64 = .random(in: 1 ... .max)) {
        self.partitions = partitions
        self.id = id
    }

    /// Reads a message; nil for another one.
    init?(_ message: MessageBatch.Message, prefix: String) {
        guard !message.isRetained, message.topic.elementsEqual(Self.topic(prefix).utf8),
            case .map(let members)? = try? JSONReader.value(of: Array(message.payload).span),
            case .int(let partitions)? = members["partitions"], case .int(let id)? = members["id"]
        else { return nil }
        self.partitions = Int(partitions)
        self.id = id
    }

    /// The topic of all marks, which every partition reads.
    static func topic(_ prefix: String) -> String { "\(prefix)/bridge/repartition" }

    /// The message that is the mark.
    func publication(_ prefix: String) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("partitions", Int64(partitions))
        writer.member("id", id)
        writer.endObject()
        return Publication(id: 1, topic: Self.topic(prefix), payload: writer.bytes)
    }
}

extension StoreFault {
    /// Makes the fault of a store whose partition has met the mark of another number of partitions.
    package init(cut store: String) {
        self.init(
            "\(store): its devices are being shared out among another number of partitions: let "
                + "'skerry cluster repartition' come to its end, and set 'partitions' to the new number"
        )
    }
}
