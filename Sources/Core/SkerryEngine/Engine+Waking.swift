import SkerryDevice
import SkerryMachine
public import SkerryValues

// Deadlines that have come, and silences that end at the very moment of a message.

extension Engine {
    /// Handles what is due before a message that comes at a moment: all but silences that end at that very moment, which
    /// the message may break.
    public mutating func passTime(untilMessageAt moment: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        workspace.cost = 0
        wakeDue(by: moment, awaitsMessage: true, &effects)
        endAwaiting()
        return effects
    }

    /// Lets silences end again that waited for a message of their moment.
    mutating func endAwaiting() {
        guard awaitsMessage else { return }
        awaitsMessage = false
        for index in devices.indices where devices[index].device.awaitsMessage {
            devices[index].device.endAwaiting()
            fileDeadline(of: index)
        }
    }

    /// Handles what is due, each deadline at its own time.
    ///
    /// - Parameters:
    ///   - limit: The last moment whose deadlines are handled.
    ///   - isAwaited: True to leave silences that end at this last moment, because a message comes then; they wait until
    ///     ``endAwaiting()``.
    ///   - notice: Called before each deadline with the device.
    ///   - effects: The effects, to which those of the deadlines are added.
    mutating func wakeDue(
        by limit: Timestamp,
        awaitsMessage isAwaited: Bool = false,
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil,
        _ effects: inout [Effect]
    ) {
        while let due = deadlines.min, due.deadline.at <= limit {
            now = max(now, due.deadline.at)
            let index = Int(due.id)
            assert(isFiled(index), "a device has another deadline than the heap")
            if isAwaited, due.deadline.at == limit, devices[index].device.awaitMessage(at: limit) {
                awaitsMessage = true
                fileDeadline(of: index)
                continue
            }
            // 0031: recovery writes down which device it is about to touch, so that a crash can be put down to it.
            notice?(definition(of: index).kind, devices[index].device.name)
            // Not at `now`: a deadline that is handled late still acts at its own time, as it would have in time. One
            // for each turn, because the next one may be that of another device.
            turn(index, at: due.deadline.at, &effects) { $0.wake(upTo: due.deadline.at) }
            assert(deadlines.deadline(of: due.id) != due.deadline, "a deadline was handled and is still due")
            deliverRelays(&effects)
        }
    }
}
