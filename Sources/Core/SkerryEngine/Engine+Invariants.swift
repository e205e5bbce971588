import SkerryActivity
import SkerryDevice
import SkerryMachine
import SkerryValues

// Rules that hold between any two inputs. The cheap ones are asserted where they could break; the simulator checks all
// of them at every commit.

extension Engine {
    /// The first rule that the engine breaks, in words; nil if it breaks none.
    ///
    /// Reading images back is expensive. So only devices that changed since their last images are checked that way (see
    /// ``takeImages(all:)``).
    public func brokenInvariant() -> String? {
        if let rule = deadlines.brokenInvariant() { return "deadlines: " + rule }
        if storage != devices.reduce(0, { $0 + $1.storage }) {
            return "the storage of all devices is miscounted"
        }
        if hasPendingActivity != devices.contains(where: { $0.isFollowed }) {
            return "the followed devices are miscounted"
        }
        var maps = [LayoutMap?](repeating: nil, count: forms.count)
        for index in devices.indices {
            let rule = brokenInvariant(of: index) ?? brokenImage(of: index, &maps)
            if let rule { return "\(definition(of: index).kind)/\(devices[index].device.name): " + rule }
        }
        return nil
    }

    private func brokenInvariant(of index: Int) -> String? {
        let slot = devices[index]
        let device = slot.device
        if !isFiled(index) { return "its deadline is not the one that is filed" }
        if let due = device.nextDeadline, due.sequence >= sequence {
            return "a deadline has a number to come"
        }
        if self.index(of: device.name, Int(slot.definition)) != index { return "it is not found by its name" }
        if slot.storage != device.storage { return "its storage is miscounted" }
        if slot.isFollowed != device.hasActivity { return "it is not counted as it is followed" }
        if unseen.contains(index), device.wasShown { return "it was shown and may be replaced" }
        if (slot.keeping == .changed) != changed.contains(UInt32(index)) {
            return "its image is not taken with those that have changed"
        }
        if device.machine.lastHeard > now { return "it was heard later than now" }
        return nil
    }

    private func brokenImage(of index: Int, _ maps: inout [LayoutMap?]) -> String? {
        if devices[index].keeping == .kept { return nil }
        let definition = definition(of: index)
        let place = Int(devices[index].form)
        let map = maps[place] ?? LayoutMap(from: DefinitionLayout(of: definition), to: definition)
        maps[place] = map
        return devices[index].device.brokenImage(map: map, in: definition)
    }

    /// True if the queue of deadlines has the device's own next deadline.
    func isFiled(_ index: Int) -> Bool {
        deadlines.deadline(of: UInt32(index)) == devices[index].device.nextDeadline
    }

    /// True if each revision of a turn is one more than the one before it, or the first of its run.
    static func areConsecutive(_ effects: [DeviceEffect], after last: Int64) -> Bool {
        var last = last
        for case .update(let update) in effects {
            guard update.rev == (update.kind == .started ? 1 : last + 1) else { return false }
            last = update.rev
        }
        return true
    }
}
