import SkerryDevice
import SkerryMachine
public import SkerryValues

// Names of devices come from the network, and anybody can make up new ones. When there are as many devices as there may be, one
// of which people were never shown anything makes room for the next.

extension Engine {
    /// Within which time so many devices as the limits say may take the place of others.
    private static let replacementPeriod = Interval.minutes(1)

    /// The device of this name, made if there is none; nil when there is no room for another, or the name is too long.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - definition: The place of its definition.
    ///   - spared: Whose place it must not take, because the same message is for them.
    ///   - effects: Where it is told that another device had to go.
    /// - Returns: its place.
    mutating func device(
        named name: String,
        definition: Int,
        sparing spared: [TopicRouter.Route] = [],
        _ effects: inout [Effect]
    ) -> Int? {
        if let known = index(of: name, definition) { return known }
        guard name.utf8.count <= limits.nameBytes else { return nil }
        if devices.count < limits.devices {
            let index = append(Slot(name, of: definitions[definition], definition))
            unseen.touch(index)
            return index
        }
        guard let oldest = unseen.oldest, !spared.contains(where: { $0.device == oldest }), mayReplace()
        else { return nil }
        replace(oldest, by: name, definition, &effects)
        return oldest
    }

    /// Whether one more device may take the place of another; counts it.
    ///
    /// A minute's number may come at once; then each has to wait for its part of a minute.
    private mutating func mayReplace() -> Bool {
        guard limits.newDevices > 0 else { return false }
        let part = Interval(
            microseconds: Self.replacementPeriod.microseconds / Int64(limits.newDevices)
        )
        let end = now + Self.replacementPeriod
        // One that lies further ahead is of a clock that was set back since.
        let begin = nextReplacement > end ? now : max(nextReplacement, now)
        if begin + part > end { return false }
        nextReplacement = begin + part
        return true
    }

    /// Lets a new device take the place of one that people were shown nothing of.
    private mutating func replace(
        _ index: Int,
        by name: String,
        _ definition: Int,
        _ effects: inout [Effect]
    ) {
        let former = devices[index]
        names.remove(index) { devices[$0].hash }
        deadlines.remove(UInt32(index))
        storage -= former.storage
        counters.replaced += 1
        effects.append(forgotten(former))
        var slot = Slot(name, of: definitions[definition], definition)
        slot.keeping = former.keeping
        slot.isWaiting = former.isWaiting
        slot.generation = former.generation &+ 1
        if slot.generation == 0 { router.forgetTopics() }
        devices[index] = slot
        names.insert(index) { devices[$0].hash }
        unseen.touch(index)
    }

    /// Takes note of a message or an event for a device.
    mutating func touch(_ index: Int) {
        if !devices[index].device.wasShown { unseen.touch(index) }
    }

    /// Orders the devices that people were shown nothing of by when they were heard of, after they were given back.
    mutating func orderUnseen() {
        unseen.removeAll()
        let places = devices.indices.filter { !devices[$0].device.wasShown }
        let order = places.map { (heard: devices[$0].device.machine.lastHeard, place: $0) }
            .sorted { ($0.heard, $0.place) < ($1.heard, $1.place) }
        for entry in order { unseen.touch(entry.place) }
    }

    /// Forgets a device; what it shows ends.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - name: Its name.
    ///   - time: When it is; what is due by then is handled first.
    /// - Returns: what the world should know; nil when there is no such device.
    public mutating func forget(kind: String, device name: String, at time: Timestamp) -> [Effect]? {
        guard index(of: name, kind: kind) != nil else { return nil }
        var effects = handle(.timePassed, at: time)
        guard let index = index(of: name, kind: kind) else { return nil }
        loseRuns(upTo: devices[index].device.lastRun)
        let slot = devices[index]
        for what in devices[index].device.endRun(at: now) {
            if case .update = what { counters.updates += 1 }
            effects.append(Effect(at: now, kind: kind, device: name, what: what))
        }
        effects.append(forgotten(slot))
        remove(index)
        return effects
    }

    /// Takes a device out; the last one gets its place.
    private mutating func remove(_ index: Int) {
        countFollowed(index)
        storage -= devices[index].storage
        names.remove(index) { devices[$0].hash }
        deadlines.remove(UInt32(index))
        unseen.remove(index)
        router.forgetTopics()
        let last = devices.count - 1
        if index < last {
            names.remove(last) { devices[$0].hash }
            deadlines.remove(UInt32(last))
            unseen.move(last, to: index)
            devices.swapAt(index, last)
        }
        devices.removeLast()
        changed = changed.filter { $0 != index }.map { $0 == last ? UInt32(index) : $0 }
        reported = reported.filter { $0 != index }.map { $0 == last ? UInt32(index) : $0 }
        if index < last {
            names.insert(index) { devices[$0].hash }
            fileDeadline(of: index)
        }
    }

    private func forgotten(_ slot: Slot) -> Effect {
        Effect(
            at: now,
            kind: definitions[Int(slot.definition)].kind,
            device: slot.device.name,
            what: .forgotten(toldAvailability: slot.device.isAvailable != nil)
        )
    }

    /// Counts what the values of a device take now.
    mutating func countStorage(_ index: Int) {
        let size = devices[index].device.storage
        storage += size - devices[index].storage
        devices[index].storage = size
    }
}
