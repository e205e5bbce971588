package import SkerryDevice

/// The search for a shorter world that fails in the same way.
package enum Shrinking {
    /// A shorter plan that fails: fewer steps, then fewer kinds of faults, then fewer steps again.
    ///
    /// - Parameters:
    ///   - plan: A plan that fails.
    ///   - judge: The judge that failed; a failure of another judge does not count.
    ///   - definitions: The definitions of the devices.
    /// - Returns: A plan in which the same judge fails, no longer than the given one.
    package static func shrink(_ plan: WorldPlan, judge: String, definitions: [Definition]) -> WorldPlan {
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
