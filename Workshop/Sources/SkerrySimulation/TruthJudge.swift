import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryMachine
import SkerryValues

/// A person with the right time at each kettle: tea takes exactly as long as it was set to, whatever clocks show
/// meanwhile.
///
/// The tea may be late only if its end fell into a time without a bridge, or with a bridge that could not know how much
/// time had passed. Then the tea is ready as soon as the bridge knows.
struct TruthJudge {
    struct Brewing {
        var id: String
        /// The true moment at which the tea must be ready.
        var end: Timestamp
        /// The end that was published last, in whole seconds.
        var shown: Int64
        /// The error of the bridge's clock at that publication; positive when it was ahead.
        var error: Interval
    }

    private static let name = "truth"
    /// The tolerance for published times in whole seconds, and for a clock that is right to a second.
    private static let tolerance = Interval.seconds(3)

    /// The tea in each kettle.
    ///
    /// An entry is dropped with a process that did not store the effect, because then nothing was published.
    var brewing: [String: Brewing] = [:]
    /// The end of the last time in which no bridge could know what was due.
    private var blindUntil = Timestamp.distantPast

    /// Records whether a bridge knew the time up to a moment.
    mutating func pass(until moment: Timestamp, knows: Bool) {
        if !knows { blindUntil = moment }
    }

    /// Checks the effects of a bridge at a true moment.
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
            // People may want the tea stronger, by whole minutes.
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
