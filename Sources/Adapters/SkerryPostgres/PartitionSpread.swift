/// The computers that have partitions or wait for them, and what keeps the partitions evenly spread over them.
///
/// No computer is told of the others: each process reads from the database who is there. A partition moves only from a computer that
/// has at least two more than the other, so that no more of them move than evenness takes.
package struct PartitionSpread: Sendable {
    /// A process that has a partition, or waits for it.
    package struct Member: Hashable, Sendable {
        /// The number of the partition; -1 for all devices, which are as one partition.
        package var partition: Int
        /// The name of its computer.
        package var node: String
        /// True if it has the partition.
        package var isActive: Bool

        /// Names a process.
        package init(_ partition: Int, _ node: String, isActive: Bool) {
            self.partition = partition
            self.node = node
            self.isActive = isActive
        }
    }

    /// A computer on which the owner of a partition has died lately: others go first.
    package struct Rest: Hashable, Sendable {
        /// The number of the partition; -1 for all devices.
        package var partition: Int
        /// The name of the computer.
        package var node: String

        /// Names a computer.
        package init(_ partition: Int, _ node: String) {
            self.partition = partition
            self.node = node
        }
    }

    private let members: Set<Member>
    private let rests: Set<Rest>

    /// Makes a spread of the processes that are there, and of the computers on which owners have died lately.
    package init(_ members: some Sequence<Member>, resting rests: some Sequence<Rest> = []) {
        self.members = Set(members)
        self.rests = Set(rests)
    }

    /// Returns whether a computer leaves a partition to all others that wait, because its owner has died there lately.
    package func isResting(_ partition: Int, _ node: String) -> Bool { rests.contains(Rest(partition, node)) }

    /// Returns a computer other than this one that waits for a partition; nil if none does.
    package func successor(of partition: Int, besides node: String) -> String? {
        fit(for: partition).filter { $0 != node }.min { (load(of: $0), $0) < (load(of: $1), $1) }
    }

    /// Returns the computer to which the owner of a partition should hand it over; nil if it should keep it.
    ///
    /// Of the partitions that a computer has too many, the first one goes; the next one follows when that has a new owner.
    package func successor(of partition: Int, on node: String) -> String? {
        let own = members.filter { $0.isActive && $0.node == node }.map(\.partition).sorted()
        for candidate in own {
            guard let best = successor(of: candidate, besides: node), load(of: best) + 1 < own.count else {
                continue
            }
            return candidate == partition ? best : nil
        }
        return nil
    }

    /// Returns whether a computer should leave a free partition to another one that waits for it, too.
    package func leaves(_ partition: Int, by node: String) -> Bool {
        // The one whose owner has just died would often win otherwise, and die again.
        let fit = fit(for: partition).subtracting([node])
        if isResting(partition, node) { return !fit.isEmpty }
        let waiting = fit.union([node])
        let least = waiting.map { load(of: $0) }.min() ?? 0
        let best = waiting.filter { load(of: $0) == least }.sorted()
        // In turns, or one of several equal computers would take all that another one had.
        return best[(partition + 1) % best.count] != node
    }

    /// The computers that wait for a partition, and on which its owner has not died lately.
    private func fit(for partition: Int) -> Set<String> {
        let standbys = members.filter { !$0.isActive && $0.partition == partition }.map(\.node)
        return Set(standbys.filter { !isResting(partition, $0) })
    }

    private func load(of node: String) -> Int { members.count { $0.isActive && $0.node == node } }
}
