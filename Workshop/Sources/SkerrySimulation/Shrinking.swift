public import SkerryDevice

/// Looks for a shorter world that fails in the same way.
public enum Shrinking {
    /// Fewer steps first, then one kind of fault after the other is left out, then fewer steps once more.
    ///
    /// - Parameters:
    ///   - plan: A plan that fails.
    ///   - judge: Who found it; another fault than his is no shorter form of it.
    ///   - definitions: What its devices are.
    /// - Returns: a plan in which the same judge finds something, no longer than the one given.
    public static func shrink(_ plan: WorldPlan, judge: String, definitions: [Definition]) -> WorldPlan {
        var best = fewerSteps(plan, judge, definitions)
        for fault in Fault.allCases where best.faults.contains(fault) {
            var next = best
            next.faults.remove(fault)
            if fails(next, judge, definitions) { best = next }
        }
        return fewerSteps(best, judge, definitions)
    }

    private static func fewerSteps(
        _ plan: WorldPlan,
        _ judge: String,
        _ definitions: [Definition]
    ) -> WorldPlan {
        var best = plan
        var cut = plan.steps / 2
        while cut > 0 {
            var next = best
            next.steps -= cut
            if next.steps > 0, fails(next, judge, definitions) { best = next } else { cut /= 2 }
        }
        return best
    }

    private static func fails(_ plan: WorldPlan, _ judge: String, _ definitions: [Definition]) -> Bool {
        World.run(plan, definitions: definitions).violation?.judge == judge
    }
}
