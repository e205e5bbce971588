import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Turn {
    /// Remembers a run that ends, before its timers stop.
    mutating func learn(from change: RunChange) {
        guard change != .none, let (id, plan) = scene.definition.learner, !scene.memory.learning.isEmpty,
            var present = scene.memory.learning[0].present.take()
        else { return }
        scene.mustKeep = true
        guard change == .ends, plan.counts.map({ scene.truth($0, machine) }) ?? true,
            let elapsed = machine.timer(id).elapsed(at: scene.now)
        else { return }
        present.curve.hold(until: elapsed)
        var length = elapsed
        if let end = plan.end, !machine.timer(id).isPaused {
            guard let moment = scene.moment(end, machine) else { return }
            length = elapsed - max(scene.now - moment, .zero)
        }
        guard length > .zero else { return }
        let curve = plan.curve == nil ? nil : present.curve
        scene.memory.learning[0].remember(LearnedRun(key: present.key, length: length, curve: curve))
    }

    /// Follows the run that goes on, and sets its timer to the end that earlier runs suggest.
    ///
    /// - Returns: True if the timer changed.
    mutating func estimateEnd() -> Bool {
        guard let (id, plan) = scene.definition.learner else { return false }
        let timer = machine.timer(id)
        guard let elapsed = timer.elapsed(at: scene.now) else { return false }
        if scene.memory.learning.isEmpty { scene.memory.learning = [Learning(subject: plan.subject)] }
        // Taken out while it changes, so that its curve is not copied.
        let known = scene.memory.learning[0].present.take()
        let isNew = known == nil
        var present = known ?? Learning.PresentRun()
        let number = plan.curve.flatMap { scene.number($0, machine) }
        // What was before the timer began is not known; the first number stands for it.
        if isNew, let number { present.curve.take(number) }
        present.curve.hold(until: elapsed)
        if let number { present.curve.take(number) }
        let key = plan.key.flatMap { scene.programme($0, machine) } ?? present.key
        let isOther = isNew || !key.hasSameCodePoints(as: present.key)
        let isDue = !timer.isPaused && present.isDue(at: elapsed)
        var isNews = false
        if isOther || isDue {
            let runs = scene.memory.learning[0].runs(of: key)
            if isOther {
                present.key = key
                present.prepare(after: runs)
            }
            if isDue { isNews = present.judge(at: elapsed, after: runs, isCompared: plan.curve != nil) }
        }
        scene.memory.learning[0].present = present
        guard isNews else { return false }
        let start = scene.now - elapsed
        if let estimate = present.estimate {
            machine.startTimer(id, from: start, until: start + estimate.length, on: &scene.clock)
        } else {
            machine.startTimer(id, countingUpFrom: start, on: &scene.clock)
        }
        return true
    }

    /// Writes what the timer has learned: the remembered runs of the programme, and how many of them are like this one.
    func explainLearning(to writer: inout JSONWriter) {
        let learning = scene.memory.learning.first
        let present = learning?.present
        writer.object("learned") { writer in
            writer.key("runs")
            writer.int(Int64((present.flatMap { learning?.runs(of: $0.key) } ?? learning?.runs ?? []).count))
            if let key = present?.key, !key.utf8.isEmpty { writer.member("by", key) }
            if let estimate = present?.estimate {
                writer.member("like", Int64(estimate.like))
                writer.member("of", Int64(estimate.compared))
                writer.member("tolerance", estimate.tolerance.roundedSeconds)
            }
        }
    }
}

extension Scene {
    /// The number of an expression; nil for an error and anything else.
    fileprivate mutating func number(_ program: Program, _ machine: Machine) -> Double? {
        switch evaluate(program, machine) {
        case .double(let number): return number.isFinite ? number : nil
        case .int(let number): return Double(number)
        case .uint(let number): return Double(number)
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }

    /// The name of a programme; nil for an error, an empty text, or one that is too long.
    fileprivate mutating func programme(_ program: Program, _ machine: Machine) -> String? {
        switch evaluate(program, machine) {
        case .string(let text): return text.utf8.isEmpty || text.utf8.count > Learning.keyLimit ? nil : text
        case .null: break
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
        return nil
    }
}

extension TimerState {
    /// The time that the timer ran, without pauses; nil when it was not started.
    fileprivate func elapsed(at now: Timestamp) -> Interval? {
        switch self {
        case .stopped: nil
        case .running(let start, _), .elapsed(let start, _), .countingUp(let start): max(now - start, .zero)
        case .paused(let remaining, let duration): duration - remaining
        case .pausedCount(let elapsed): elapsed
        }
    }

    fileprivate var isPaused: Bool {
        switch self {
        case .paused, .pausedCount: true
        case .stopped, .running, .countingUp, .elapsed: false
        }
    }
}
