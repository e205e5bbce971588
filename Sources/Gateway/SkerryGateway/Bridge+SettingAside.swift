import Logging
import SkerryEngine
import SkerryValues

// A device that ends the process whenever it is restored must not keep all others from being restored.

extension Bridge {
    /// Records that the recovery begins, and sets aside the device at which the last processes ended.
    ///
    /// - Returns: whether each device must be noted in the store before it is restored, because the last recovery did
    ///   not finish.
    func beginRecovery(_ state: StoredState, at now: Timestamp) -> Bool {
        for device in state.setAside {
            logger.warning(
                .deviceSetAside,
                "\(device.device) has been set aside since \(device.at.flooredSeconds)"
            )
        }
        health.setAside = state.setAside.map { "\($0.device)" }
        if let device = state.recovery.culprit { setAside(device, at: now) }
        suspect = state.recovery
        recovery = RecoveryMark(attempts: state.recovery.attempts + 1)
        note(recovery)
        guard state.recovery.attempts > 0 else { return false }
        logger.warning(
            .recoveryRepeated,
            "the last start ended while devices were being restored: this time they are restored one by one"
        )
        return true
    }

    private func setAside(_ device: DeviceKey, at now: Timestamp) {
        note(
            .deviceSetAside,
            "\(device) has ended several processes while it was being restored: it is set aside, and starts again with its next message",
            at: now
        )
        if !health.setAside.contains("\(device)") { health.setAside.append("\(device)") }
        do throws(StoreFault) {
            try store.setAside(SetAsideDevice(device: device, at: now))
        } catch {
            note(.commitRefused, "the store can't set \(device) aside: \(error.message)", at: now)
        }
    }

    /// Names a device to the store before its turn.
    func noteTurn(of device: DeviceKey?) {
        recovery.device = device
        recovery.hits = device == nil ? 0 : device == suspect.device ? suspect.hits + 1 : 1
        note(recovery)
    }

    /// Stores the progress of the recovery.
    func note(_ mark: RecoveryMark) {
        do throws(StoreFault) {
            try store.note(mark)
        } catch {
            note(
                .commitRefused,
                "the store did not note the progress of the recovery: \(error.message)",
                at: clock.now
            )
        }
    }
}
