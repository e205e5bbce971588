/// The counts of each kind of device since the start.
struct KindCounts: Sendable {
    struct Counts: Sendable {
        var updates: UInt64 = 0
        var refused: UInt64 = 0
        var faults: UInt64 = 0
    }

    private var counts: [String: Counts] = [:]

    /// Counts one more.
    mutating func count(_ what: WritableKeyPath<Counts, UInt64>, of kind: String) {
        counts[kind, default: Counts()][keyPath: what] += 1
    }

    /// The counts of kinds, in the order of these; 0 where nothing was counted.
    func samples(
        _ what: KeyPath<Counts, UInt64>,
        of kinds: [String]
    ) -> [(labels: [String], number: UInt64)] {
        kinds.map { ([$0], counts[$0]?[keyPath: what] ?? 0) }
    }
}
