package import SkerryDevice

/// The decisions about a batch that every store with tables makes alike.
package struct CommitPlan: Sendable {
    /// The layouts of the batch that the store does not have yet.
    package let newLayouts: [DefinitionLayout]
    /// True if the batch survives the loss of power for certain.
    package let isSure: Bool
    /// True if the commit waits for the disk: each does that is sure, and the first one of a process.
    package let waits: Bool
    /// True if stages beyond the limit are removed.
    package let trimsStages: Bool
}

/// The part of a store's memory from which it plans each commit.
package struct CommitPlanner: Sendable {
    /// The number of new stages that justify removing old ones: it is not worth a statement in each commit.
    private static let stagesToTrim = 100

    private let durability: Durability
    private var knownLayouts: Set<Int64>
    private var hasCommitted = false
    /// The number of stages that were added since those beyond the limit were removed.
    private var newStages = 0

    /// Makes a planner for a store that was just opened.
    ///
    /// - Parameters:
    ///   - durability: The durability of commits.
    ///   - layouts: The layouts that the store has.
    package init(_ durability: Durability, layouts: [DefinitionLayout]) {
        self.durability = durability
        knownLayouts = Set(layouts.map(\.id))
    }

    /// Returns how a batch is stored.
    package func plan(for changes: StoreChanges) -> CommitPlan {
        let isSure = durability == .full || changes.isLast
        return CommitPlan(
            newLayouts: changes.layouts.filter { !knownLayouts.contains($0.id) },
            isSure: isSure,
            // 0013: the first commit puts the epoch on the disk, so that no later process begins the same one.
            waits: isSure || !hasCommitted,
            // Also between two ends: a run that never ends may have any number of stages.
            trimsStages: !changes.ended.isEmpty || newStages >= Self.stagesToTrim
        )
    }

    /// Takes note that a batch was stored as planned.
    package mutating func stored(_ changes: StoreChanges, by plan: CommitPlan) {
        assert(hasCommitted || plan.waits, "the epoch of a process is not on the disk before others see it")
        assert(!plan.newLayouts.contains { knownLayouts.contains($0.id) }, "a layout was stored twice")
        assert(plan.isSure || !changes.isLast, "the last commit of a process may be lost")
        newStages = plan.trimsStages ? 0 : newStages + changes.stages.count
        hasCommitted = true
        knownLayouts.formUnion(plan.newLayouts.map(\.id))
    }
}
