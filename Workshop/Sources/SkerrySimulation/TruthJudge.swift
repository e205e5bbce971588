import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryMachine
import SkerryValues

/// Somebody with the right time at each kettle: tea takes as long as it was set to, whatever clocks show meanwhile.
///
/// It may be ready later only when its end fell into a time in which there was no bridge, or one that could not know how
/// much time had passed: then it is ready as soon as the bridge knows.
struct TruthJudge {
    struct Brewing {
        var id: String
        /// When it must end.
        var end: Timestamp
        /// The end that was shown last, in whole seconds.
        var shown: Int64
        /// How far the clock of the bridge was ahead then.
        var error: Interval
    }

    private static let name = "truth"
    /// Shown times are whole seconds, and the clock of the bridge is right to a second.
    private static let tolerance = Interval.seconds(3)

    /// The tea of each kettle.
    ///
    /// It dies with a process that has not kept what it told, for then nobody was told.
    var brewing: [String: Brewing] = [:]
    /// Until when nobody could know what was due.
    private var blindUntil = Timestamp.distantPast

    /// Takes note of the time that a bridge knows, or that there is none.
    mutating func pass(until moment: Timestamp, knows: Bool) {
        if !knows { blindUntil = moment }
    }

    /// Takes what a bridge told at a true moment.
    mutating func take(_ effects: [Effect], at truth: Timestamp, _ twin: Twin) throws(Violation) {
        var latest: [(device: String, update: ActivityUpdate)] = []
        for effect in effects {
            guard effect.kind == "kettle", case .update(let update) = effect.what else { continue }
            latest.removeAll { $0.device == effect.device }
            if update.state == "brewing" {
                latest.append((effect.device, update))
                continue
            }
            let known = brewing.removeValue(forKey: effect.device)
            guard let known, update.state == "ready", known.id == update.id else { continue }
            let last = max(known.end, blindUntil) + Self.tolerance
            if truth < known.end - Self.tolerance || truth > last {
                throw Violation(
                    Self.name,
                    "\(update.id) is ready at \(truth.flooredSeconds), right was \(known.end.flooredSeconds)"
                )
            }
        }
        for (device, update) in latest { try take(update, of: device, at: truth, twin) }
    }

    private mutating func take(
        _ update: ActivityUpdate,
        of device: String,
        at truth: Timestamp,
        _ twin: Twin
    ) throws(Violation) {
        let error = twin.clock.now - truth
        guard case .map(let tea)? = update.content["tea"], let shown = tea["end"]?.wholeSeconds else {
            brewing[device] = nil
            return
        }
        let end = Timestamp(seconds: shown) - error
        guard var known = brewing[device], known.id == update.id else {
            let isGivenBack = update.startedAt < twin.engine.origin.moment
            brewing[device] =
                twin.clock.mayBeFound && isGivenBack
                ? nil : Brewing(id: update.id, end: end, shown: shown, error: error)
            return
        }
        if (error - known.error).magnitude <= .seconds(1) {
            known.end = known.end + .seconds(shown - known.shown)
        } else if !twin.clock.mayBeFound {
            // People want it stronger, by whole minutes.
            let (_, rest) = (end - known.end).microseconds.quotientAndRemainder(dividingBy: 60_000_000)
            let difference = min(rest.magnitude, 60_000_000 - rest.magnitude)
            if difference > Self.tolerance.microseconds.magnitude {
                throw Violation(
                    Self.name,
                    "\(update.id) would be ready at \(end.flooredSeconds), right is \(known.end.flooredSeconds)"
                )
            }
            known.end = end
        }
        known.shown = shown
        known.error = error
        brewing[device] = known
    }
}
