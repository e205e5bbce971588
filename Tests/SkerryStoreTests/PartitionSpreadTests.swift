import SkerryPostgres
import SkerryTesting
import Testing

/// Partitions are spread evenly over the computers that are there, with as few moves as that takes.
@Suite("The spread of partitions")
struct PartitionSpreadTests {
    typealias Member = PartitionSpread.Member

    /// Computers of which each has a process of every partition: the owner, or one that waits.
    struct Fleet {
        var owners: [Int: String] = [:]
        var nodes: Set<String>
        var moves = 0
        let partitions: Int

        var spread: PartitionSpread {
            PartitionSpread(
                (0..<partitions).flatMap { number in
                    nodes.map { Member(number, $0, isActive: owners[number] == $0) }
                }
            )
        }

        /// Free partitions get owners, one after the other.
        mutating func settle() {
            for number in 0..<partitions where owners[number] == nil {
                let spread = spread
                owners[number] = nodes.first { !spread.leaves(number, by: $0) }
            }
        }

        /// Every owner looks once, all at the same moment, and those that should hand over do.
        mutating func look() {
            let spread = spread
            for (number, node) in owners.sorted(by: { $0.key < $1.key }) {
                guard let other = spread.successor(of: number, on: node) else { continue }
                #expect(other != node && nodes.contains(other))
                owners[number] = nil
                moves += 1
            }
            settle()
        }

        /// All look until a look moves nothing: the next one would see the same. After forty it is given up.
        mutating func comeToRest() {
            for _ in 0..<40 {
                let before = moves
                look()
                if moves == before { return }
            }
        }

        var loads: [Int] { nodes.map { node in owners.values.count { $0 == node } }.sorted() }

        mutating func lose(_ node: String) {
            nodes.remove(node)
            owners = owners.filter { $0.value != node }
            settle()
        }
    }

    @Test("the first computer has all until others come, and then gives as many as evenness takes")
    func start() {
        var fleet = Fleet(nodes: ["a"], partitions: 8)
        fleet.settle()
        #expect(fleet.loads == [8])
        fleet.nodes.formUnion(["b", "c"])
        for _ in 0..<20 { fleet.look() }
        #expect(fleet.loads == [2, 3, 3])
        #expect(fleet.moves == 5)
    }

    @Test("what a lost computer had goes to the others in turns, and comes back by as few moves")
    func loss() {
        var fleet = Fleet(
            owners: Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, ["a", "b", "c"][$0 % 3]) }),
            nodes: ["a", "b", "c"],
            partitions: 9
        )
        fleet.look()
        #expect(fleet.moves == 0)
        fleet.lose("a")
        #expect(fleet.loads == [4, 5])
        fleet.look()
        #expect(fleet.moves == 0)
        fleet.nodes.insert("a")
        for _ in 0..<20 { fleet.look() }
        #expect(fleet.loads == [3, 3, 3])
        #expect(fleet.moves == 3)
    }

    @Test(
        "whatever computers come and go, nothing moves once the loads differ by one at most",
        arguments: UInt64(0)..<50
    )
    func chance(seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        var fleet = Fleet(nodes: ["n0"], partitions: 1 + random.below(20))
        fleet.settle()
        for step in 1..<12 {
            if fleet.nodes.count > 1, random.chance(1, of: 3) {
                fleet.lose(fleet.nodes.sorted()[random.below(fleet.nodes.count)])
            } else {
                fleet.nodes.insert("n\(step)")
            }
            fleet.comeToRest()
            #expect(fleet.owners.count == fleet.partitions)
            #expect((fleet.loads.last ?? 0) - (fleet.loads.first ?? 0) <= 1)
            let moves = fleet.moves
            fleet.look()
            #expect(fleet.moves == moves)
        }
    }

    @Test(
        "a computer on which the owner has just died leaves the partition to those that wait, and is handed none"
    )
    func resting() {
        let waiting = [Member(-1, "a", isActive: false), Member(-1, "b", isActive: false)]
        // Of equals the first one goes first: without a rest, the dead one here.
        #expect(!PartitionSpread(waiting).leaves(-1, by: "a") && PartitionSpread(waiting).leaves(-1, by: "b"))
        let rested = PartitionSpread(waiting, resting: [.init(-1, "a")])
        #expect(rested.leaves(-1, by: "a") && !rested.leaves(-1, by: "b"))
        #expect(
            !PartitionSpread([waiting[0]], resting: [.init(-1, "a")]).leaves(-1, by: "a"),
            "nobody else waits"
        )
        let allRest = PartitionSpread(waiting, resting: [.init(-1, "a"), .init(-1, "b")])
        #expect(!allRest.leaves(-1, by: "a") && !allRest.leaves(-1, by: "b"))
        let loaded = [
            Member(0, "b", isActive: true), Member(1, "b", isActive: true), Member(0, "a", isActive: false),
        ]
        #expect(PartitionSpread(loaded).successor(of: 0, on: "b") == "a")
        #expect(PartitionSpread(loaded, resting: [.init(0, "a")]).successor(of: 0, on: "b") == nil)
        #expect(PartitionSpread(loaded, resting: [.init(1, "a")]).successor(of: 0, on: "b") == "a")
    }

    @Test("two processes of one computer hand nothing over to each other, nor does one without others")
    func alone() {
        let spread = PartitionSpread([
            Member(0, "a", isActive: true), Member(1, "a", isActive: true), Member(1, "a", isActive: false),
        ])
        #expect(spread.successor(of: 0, on: "a") == nil && spread.successor(of: 1, on: "a") == nil)
        #expect(!spread.leaves(2, by: "a"))
    }
}
