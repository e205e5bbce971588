import SkerryGateway

/// The publications under way, by the packet ids that the library gave them.
struct PublicationWindow {
    private struct Entry {
        var packet: Int32
        var id: UInt64
        var topic: String
        var isConfirmed: Bool
    }

    // In order of sending; answers come in that order too, so a search ends at the first entry.
    private var entries: [Entry] = []

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// Notes a publication; `isConfirmed` says that the broker will answer (QoS 1).
    mutating func add(_ packet: Int32, _ publication: Publication, isConfirmed: Bool) {
        entries.append(
            Entry(packet: packet, id: publication.id, topic: publication.topic, isConfirmed: isConfirmed)
        )
    }

    /// Takes out the publication that was answered; nil if it is unknown.
    mutating func remove(_ packet: Int32) -> (id: UInt64, topic: String)? {
        guard let position = entries.firstIndex(where: { $0.packet == packet }) else { return nil }
        let entry = entries.remove(at: position)
        return (entry.id, entry.topic)
    }

    /// Removes those without confirmation: after a lost connection, their outcome will never be known.
    mutating func forgetUnconfirmed() -> [UInt64] {
        let ids = entries.filter { !$0.isConfirmed }.map(\.id)
        let former = entries.count
        entries.removeAll { !$0.isConfirmed }
        assert(former - entries.count == ids.count, "a publication is forgotten and not reported")
        return ids
    }
}
