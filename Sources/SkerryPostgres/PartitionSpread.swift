/// The computers that have partitions or wait for them, and what keeps the partitions evenly spread over them.
///
/// No computer is told of the others: each process reads from the database who is there. A partition moves only from a computer that
/// has at least two more than the other, so that no more of them move than evenness takes.
public struct PartitionSpread: Sendable {
    /// A process that has a partition, or waits for it.
    public struct Member: Hashable, Sendable {
        /// The number of the partition; -1 for all devices, which are as one partition.
        public var partition: Int
        /// The name of its computer.
        public var node: String
        /// True if it has the partition.
        public var isActive: Bool

        /// Names a process.
        public init(_ partition: Int, _ node: String, isActive: Bool) {
            self.partition = partition
            self.node = node
            self.isActive = isActive
        }
    }

    private let members: Set<Member>

    /// Makes a spread of the processes that are there.
    public init(_ members: some Sequence<Member>) {
        self.members = Set(members)
    }

    /// Returns the computer to which the owner of a partition should hand it over; nil if it should keep it.
    ///
    /// Of the partitions that a computer has too many, the first one goes; the next one follows when that has a new owner.
    public func successor(of partition: Int, on node: String) -> String? {
        let own = members.filter { $0.isActive && $0.node == node }.map(\.partition).sorted()
        for candidate in own {
            let others = standbys(for: candidate).filter { $0 != node }
            let best = others.min { (load(of: $0), $0) < (load(of: $1), $1) }
            guard let best, load(of: best) + 1 < own.count else { continue }
            return candidate == partition ? best : nil
        }
        return nil
    }

    /// Returns whether a computer should leave a free partition to another one that waits for it, too.
    public func leaves(_ partition: Int, by node: String) -> Bool {
        let waiting = standbys(for: partition).union([node])
        let least = waiting.map { load(of: $0) }.min() ?? 0
        let best = waiting.filter { load(of: $0) == least }.sorted()
        // In turns, or one of several equal computers would take all that another one had.
        return best[(partition + 1) % best.count] != node
    }

    private func standbys(for partition: Int) -> Set<String> {
        Set(members.filter { !$0.isActive && $0.partition == partition }.map(\.node))
    }

    private func load(of node: String) -> Int { members.count { $0.isActive && $0.node == node } }
}
