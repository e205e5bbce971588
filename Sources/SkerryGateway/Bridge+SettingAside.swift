import Logging
import SkerryEngine
import SkerryValues

// A device that ends the process whenever it is brought back must not keep all others from coming back.

extension Bridge {
    /// Notes that devices are about to be brought back, and sets the one aside at which that ended the last processes.
    ///
    /// - Returns: whether each device has to be named to the store before its turn, because the last process did not get
    ///   through.
    func beginRecovery(_ state: StoredState, at now: Timestamp) -> Bool {
        for device in state.setAside {
            logger.warning("\(device.device) is set aside since \(device.at.flooredSeconds)")
        }
        health.setAside = state.setAside.map { "\($0.device)" }
        if let device = state.recovery.culprit { setAside(device, at: now) }
        suspect = state.recovery
        recovery = RecoveryMark(attempts: state.recovery.attempts + 1)
        note(recovery)
        guard state.recovery.attempts > 0 else { return false }
        logger.warning("the last start ended while devices were brought back: this time one by one")
        return true
    }

    private func setAside(_ device: DeviceKey, at now: Timestamp) {
        note(
            "\(device) ended the process when it was brought back: set aside, it starts anew when it is heard of",
            at: now
        )
        if !health.setAside.contains("\(device)") { health.setAside.append("\(device)") }
        do throws(StoreFault) {
            try store.setAside(SetAsideDevice(device: device, at: now))
        } catch {
            note("the store can't set \(device) aside: \(error.message)", at: now)
        }
    }

    /// Names a device to the store before its turn.
    func noteTurn(of device: DeviceKey?) {
        recovery.device = device
        recovery.hits = device == nil ? 0 : device == suspect.device ? suspect.hits + 1 : 1
        note(recovery)
    }

    /// Tells the store how far the recovery has come.
    func note(_ mark: RecoveryMark) {
        do throws(StoreFault) {
            try store.note(mark)
        } catch {
            note("the store did not take a note: \(error.message)", at: clock.now)
        }
    }
}
