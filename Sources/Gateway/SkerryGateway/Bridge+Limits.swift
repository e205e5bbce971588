import Logging
import SkerryDevice
import SkerryEngine
import SkerryValues

extension Bridge {
    /// Reports that the limit of devices is reached, with a remedy.
    ///
    /// - Parameters:
    ///   - former: The counters of the engine before this batch.
    ///   - now: The time now.
    func tellLimits(since former: EngineCounters, at now: Timestamp) {
        let counters = engine.counters
        let limit = options.engine.devices
        repeatNote(
            "there are \(limit) devices, the most that limits.devices allows: each new one replaces the device without a run that was silent longest; 'skerry forget KIND/DEVICE' makes room, too",
            kind: "devices replaced by new ones, because of limits.devices",
            count: counters.replaced - former.replaced,
            at: now
        )
        let refused = counters.beyondLimit - former.beyondLimit
        repeatNote(
            "messages of new devices are ignored: there are \(engine.deviceCount) devices of the \(limit) that limits.devices allows, and limits.new-devices or limits.device-name refuse more; 'skerry forget KIND/DEVICE' makes room",
            kind: "messages of new devices ignored, because of the limits",
            count: refused,
            at: now
        )
    }

    /// Notes a problem that came several times at once.
    private func repeatNote(
        _ problem: @autoclosure () -> String,
        kind: String,
        count: UInt64,
        at now: Timestamp
    ) {
        if count == 0 { return }
        note(.beyondLimit, problem(), kind: kind, at: now)
        health.problems += count - 1
        repeated.add(Int(count - 1), kind)
    }

    /// Forgets a device because somebody asks for it.
    ///
    /// - Returns: whether there was one.
    func forgetDevice(kind: String, device: String, at now: Timestamp) -> Bool {
        guard let effects = engine.forget(kind: kind, device: device, at: now) else { return false }
        tell(effects)
        logger.notice(.deviceForgotten, "\(kind)/\(device): forgotten on request")
        return true
    }
}
