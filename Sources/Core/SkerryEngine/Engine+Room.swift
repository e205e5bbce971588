import SkerryDevice
import SkerryMachine
public import SkerryValues

// Names of devices come from the network, and anybody can invent new ones. At the limit, a new device therefore
// replaces the one without any run that was heard least recently.

extension Engine {
    /// The time for which `limits.newDevices` bounds the replacements.
    private static let replacementPeriod = Interval.minutes(1)

    /// The index of the device with this name, which is made if necessary; nil at the limit, or when the name is too
    /// long.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - definition: The index of its definition.
    ///   - spared: The routes of the same message, whose devices must not be replaced.
    ///   - effects: The effects, to which the end of a replaced device is added.
    /// - Returns: The index of the device.
    mutating func device(
        named name: String,
        definition: Int,
        sparing spared: [TopicRouter.Route] = [],
        _ effects: inout [Effect]
    ) -> Int? {
        if let known = index(of: name, definition) { return known }
        guard name.utf8.count <= limits.nameBytes else { return nil }
        if devices.count < limits.devices {
            let index = append(slot(name, definition))
            unseen.touch(index)
            return index
        }
        // Only the oldest is considered, never the next one: making room takes the same time with any number of
        // devices.
        guard let oldest = unseen.oldest, !spared.contains(where: { $0.device == oldest }), mayReplace()
        else { return nil }
        replace(oldest, by: name, definition, &effects)
        return oldest
    }

    /// Counts one more replacement, if the limit allows it.
    ///
    /// All replacements of a minute may happen at once; further ones are spread evenly.
    private mutating func mayReplace() -> Bool {
        guard limits.newDevices > 0 else { return false }
        let part = Interval(
            microseconds: Self.replacementPeriod.microseconds / Int64(limits.newDevices)
        )
        let end = now + Self.replacementPeriod
        // A moment further ahead was computed before the clock was set back.
        // `nextReplacement` is the moment up to which replacements are paid for, at most a minute ahead.
        let begin = nextReplacement > end ? now : max(nextReplacement, now)
        if begin + part > end { return false }
        nextReplacement = begin + part
        assert(nextReplacement <= end, "replacements are paid for more than a minute ahead")
        return true
    }

    /// Replaces a device without a run by a new one.
    private mutating func replace(
        _ index: Int,
        by name: String,
        _ definition: Int,
        _ effects: inout [Effect]
    ) {
        assert(!devices[index].device.wasShown, "a device that people saw makes room")
        assert(!devices[index].isFollowed, "a device without a run is followed")
        assert(self.index(of: name, definition) == nil, "a device makes room for one that is there")
        let former = devices[index]
        names.remove(index) { devices[$0].hash(by: byteHash) }
        deadlines.remove(UInt32(index))
        storage -= former.storage
        assert(storage >= 0, "the storage of all devices is miscounted")
        counters.replaced += 1
        effects.append(forgotten(former))
        var slot = slot(name, definition)
        // The lists of images name places, not devices: this place stays in those in which it is.
        slot.keeping = former.keeping
        slot.isWaiting = former.isWaiting
        slot.generation = former.generation &+ 1
        // After 65,536 devices in one place, an old route could match again.
        if slot.generation == 0 { router.forgetTopics() }
        devices[index] = slot
        names.insert(index) { devices[$0].hash(by: byteHash) }
        assert(names.count == devices.count, "the names of devices are miscounted")
        assert(self.index(of: name, definition) == index, "a new device is not found by its name")
        unseen.touch(index)
    }

    /// Records a message or an event for a device, which will then be replaced later than others.
    mutating func touch(_ index: Int) {
        if !devices[index].device.wasShown { unseen.touch(index) }
    }

    /// Orders the restored devices without a run by their last message.
    mutating func orderUnseen() {
        unseen.removeAll()
        let places = devices.indices.filter { !devices[$0].device.wasShown }
        let order = places.map { (heard: devices[$0].device.machine.lastHeard, place: $0) }
            .sorted { ($0.heard, $0.place) < ($1.heard, $1.place) }
        for entry in order { unseen.touch(entry.place) }
    }

    /// Removes a device, after ending its activity.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - name: The name of the device.
    ///   - time: The moment of the removal; deadlines up to it are handled first.
    /// - Returns: The effects; nil when there is no such device.
    public mutating func forget(kind: String, device name: String, at time: Timestamp) -> [Effect]? {
        guard index(of: name, kind: kind) != nil else { return nil }
        var effects = handle(.timePassed, at: time)
        guard let index = index(of: name, kind: kind) else { return nil }
        loseRuns(upTo: devices[index].device.lastRun)
        let slot = devices[index]
        for what in devices[index].device.endRun(at: now) {
            if case .update = what { counters.updates += 1 }
            let effect = Effect(at: now, kind: kind, device: name, what: what)
            effects.append(effect)
            relay(effect)
        }
        effects.append(forgotten(slot))
        remove(index)
        deliverRelays(&effects)
        wakeDue(by: now, &effects)
        return effects
    }

    /// Removes a device; the last one moves to its index.
    mutating func remove(_ index: Int) {
        assert(!devices[index].device.hasActivity, "a device goes before its run has ended")
        countFollowed(index)
        storage -= devices[index].storage
        assert(storage >= 0, "the storage of all devices is miscounted")
        names.remove(index) { devices[$0].hash(by: byteHash) }
        deadlines.remove(UInt32(index))
        unseen.remove(index)
        // Routes name places, and the generation of the device that moves could be that of the one that goes.
        router.forgetTopics()
        addressed = []
        // The tables find an entry by what stands at its place, so the entries go before the device moves, and come
        // back after.
        let last = devices.count - 1
        if index < last {
            names.remove(last) { devices[$0].hash(by: byteHash) }
            deadlines.remove(UInt32(last))
            unseen.move(last, to: index)
            devices.swapAt(index, last)
        }
        assert(!unseen.contains(last), "a place without a device may be replaced")
        assert(deadlines.deadline(of: UInt32(last)) == nil, "a place without a device has a deadline")
        devices.removeLast()
        changed = changed.filter { $0 != index }.map { $0 == last ? UInt32(index) : $0 }
        reported = reported.filter { $0 != index }.map { $0 == last ? UInt32(index) : $0 }
        if index < last {
            names.insert(index) { devices[$0].hash(by: byteHash) }
            fileDeadline(of: index)
        }
        assert(names.count == devices.count, "the names of devices are miscounted")
        assert(deadlines.count <= devices.count, "a deadline is that of no device")
        assert(
            changed.count <= devices.count && reported.count <= devices.count,
            "an image is taken of no device"
        )
    }

    private func forgotten(_ slot: Slot) -> Effect {
        Effect(
            at: now,
            kind: definitions[Int(slot.definition)].kind,
            device: slot.device.name,
            what: .forgotten(toldAvailability: slot.device.isAvailable != nil)
        )
    }

    /// Counts the size of a device's values after a change.
    mutating func countStorage(_ index: Int) {
        let size = devices[index].device.storage
        storage += size - devices[index].storage
        assert(storage >= 0, "the storage of all devices is miscounted")
        devices[index].storage = size
    }
}
