import SkerryTesting
import SkerryActivity
import SkerryValues
import Testing

/// What a reader of snapshots and diffs may rely on, tried on random histories.
@Suite struct ActivityHistoryTests {
    @Test func `a snapshot and the diffs after it give every later snapshot`() {
        var updates = 0
        var silences = 0
        for seed in 0..<2500 as Range<UInt64> {
            var history = History(seed: seed)
            for _ in 0..<4 { history.step() }
            updates += history.updates
            silences += history.silences
            if let fault = history.fault {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
        #expect(updates > 5000)
        #expect(silences > 750)
    }
}

/// One random history, and a reader who checks all that is published of it.
private struct History {
    var random: RandomActivity
    let plan: ActivityPlan
    var activity: Activity
    var state = "running"
    var now = RandomActivity.start
    /// The mutable part as a reader has it from the first snapshot and the diffs.
    var known: Value
    var updates = 0
    var silences = 0
    var fault: String?

    init(seed: UInt64) {
        random = RandomActivity(seed: seed)
        plan = random.plan()
        let content = random.content(for: plan)
        let started = Activity.start(
            plan,
            device: "device",
            run: 7,
            epoch: 3,
            state: state,
            attributes: random.object(depth: 2),
            content: content,
            at: now
        )
        activity = started.activity
        known = History.mutablePart(of: started.update)
        if started.update.diffJSON() != nil { fault = "the first revision follows nothing" }
        if activity.takeFault() == nil { check(content, isExact: true) }
    }

    mutating func step() {
        now = now + Interval(microseconds: Int64(random.random.below(30_000_000)))
        switch random.random.below(12) {
        case 0: take(activity.markStale(at: now))
        case 1: render(isStale: false)
        case 2: finish()
        default: render()
        }
    }

    private mutating func render(isStale: Bool? = nil) {
        let newState = ["running", "paused"][random.random.below(6) / 5]
        let isExact = newState != state
        let content = random.content(for: plan)
        let hadEnded = activity.phase == .ended
        take(activity.render(state: newState, content: content, exactly: isExact, isStale: isStale, at: now))
        state = newState
        if hadEnded { return }
        if activity.takeFault() == nil, plan.contentLimit > 1000 { check(content, isExact: isExact) }
        let again = activity.render(state: newState, content: content, exactly: false, at: now)
        if again != nil { fault = fault ?? "the same content is published again" }
    }

    private mutating func finish() {
        take(activity.end(state: "done", content: random.content(for: plan), at: now))
        state = "done"
        if activity.end(state: "x", content: random.content(for: plan), at: now) != nil {
            fault = fault ?? "ended twice"
        }
    }

    private mutating func take(_ update: ActivityUpdate?) {
        guard let update else {
            silences += 1
            return
        }
        updates += 1
        let diff = json(text(update.diffJSON()))
        let patch = diff["patch"]
        let new = History.mutablePart(of: update)
        if known.isSameJSON(as: new) { fault = fault ?? "an update equals the last" }
        if !MergePatch.apply(patch, to: known).isSameJSON(as: new) {
            fault = fault ?? "wrong patch \(text(patch))"
        }
        for smaller in patch.withoutOneMember where MergePatch.apply(smaller, to: known).isSameJSON(as: new) {
            fault = fault ?? "\(text(smaller)) is enough of \(text(patch))"
        }
        if !diff["rev"].isSameJSON(as: .int(update.rev)) || !diff["prev"].isSameJSON(as: .int(update.rev - 1))
        {
            fault = fault ?? "revisions out of order"
        }
        if !new["content"].isSameJSON(as: .map(activity.content)) { fault = fault ?? "content differs" }
        known = new
    }

    /// Compares what readers know with what the device said.
    private mutating func check(_ content: [ContentValue], isExact: Bool) {
        for (field, value) in zip(plan.fields, content) {
            let shown = known["content"][field.name]
            let margin = isExact ? ActivityPlan.Tolerance.none : field.tolerance
            if !value.isShown(by: shown, within: margin) {
                fault = fault ?? "\(field) shows \(text(shown)) for \(value)"
            }
        }
    }

    private static func mutablePart(of update: ActivityUpdate) -> Value {
        let snapshot = json(text(update.snapshotJSON()))
        var part = ValueMap()
        for name in ["phase", "state", "content"] { part.set(name, to: snapshot[name]) }
        return .map(part)
    }
}

extension ContentValue {
    /// Whether a member of published content is right for this value.
    fileprivate func isShown(by shown: Value, within tolerance: ActivityPlan.Tolerance) -> Bool {
        switch self {
        case .kept: return true
        case .value(.null):
            if case .error = shown { return true }
            return false
        case .value(let value):
            if case .number(let margin) = tolerance, let left = value.number, let right = shown.number {
                return (left - right).magnitude <= margin
            }
            return value.withoutNulls.isSameJSON(as: shown)
        case .time(let time):
            var seconds = 0.5
            if case .time(let margin) = tolerance { seconds = max(0.5, margin.inSeconds) }
            return time.parts.allSatisfy { name, exact in
                shown[name].number.map { ($0 - Double(exact) / 1e6).magnitude <= seconds } ?? false
            }
        }
    }
}

extension AnchoredTime {
    fileprivate var parts: [(name: String, microseconds: Int64)] {
        switch self {
        case .running(let start, let end): [("start", start.microseconds), ("end", end.microseconds)]
        case .estimated(let start, let end, let tolerance):
            [
                ("start", start.microseconds), ("end", end.microseconds),
                ("tolerance", tolerance.microseconds),
            ]
        case .countingUp(let start): [("start", start.microseconds)]
        case .paused(let remaining, let duration):
            [("remaining", remaining.microseconds), ("duration", duration.microseconds)]
        case .held(let elapsed): [("elapsed", elapsed.microseconds)]
        }
    }
}

extension Value {
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
