public import SkerryDevice
public import SkerryValues

/// What a change of definitions did to the devices.
public struct DefinitionChange: Sendable {
    /// Kinds that there were no definitions of.
    public internal(set) var added: [String] = []
    /// Kinds whose definitions are not what they were.
    public internal(set) var changed: [String] = []
    /// Kinds that there are no definitions of any more.
    public internal(set) var removed: [String] = []
    /// How many devices go on, wherever their definitions led them.
    public internal(set) var kept = 0
    /// Where devices went whose states are gone.
    public internal(set) var moves: [DeviceMove] = []
    /// Devices without a definition: they are no more.
    public internal(set) var ended: [EndedDevice] = []
    /// What the world should know, in order.
    public internal(set) var effects: [Effect] = []

    /// Whether there was no change.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// Where some devices of a kind went from states that are gone.
public struct DeviceMove: Sendable {
    /// The kind.
    public var kind: String
    /// What it was; never `goesOn`.
    public var fate: DeviceFate
    /// The devices by their names, in the order in which they came.
    public var devices: [String]
}

extension [DeviceMove] {
    /// Adds what became of a device.
    public mutating func add(_ fate: DeviceFate, kind: String, device: String) {
        if fate == .goesOn { return }
        for index in indices where self[index].fate == fate && self[index].kind.utf8.elementsEqual(kind.utf8)
        {
            self[index].devices.append(device)
            return
        }
        append(DeviceMove(kind: kind, fate: fate, devices: [device]))
    }
}

/// A device whose definition is gone.
public struct EndedDevice: Sendable {
    /// The kind that it was of.
    public var kind: String
    /// Its name.
    public var name: String
    /// Whether readers have to forget if it can be reached.
    public var toldAvailability: Bool
}

/// What takes the place of a definition, by the places of those.
private enum Successor {
    /// The same definition.
    case same(Int)
    /// Another definition of the kind.
    case other(Int, DefinitionLayout, LayoutMap)
    /// None.
    case none
}

extension Engine {
    /// Puts other definitions in the place of those there are, while devices run.
    ///
    /// A definition that is the same object has not changed, and nothing happens to its devices. Devices of a changed one
    /// keep what they know and their timers, and are looked at anew; those of one that is gone end.
    ///
    /// - Parameters:
    ///   - definitions: The definitions from now on.
    ///   - time: When it is; what is due by then is handled first, by the former definitions.
    /// - Returns: what came of it.
    public mutating func change(to definitions: [Definition], at time: Timestamp) -> DefinitionChange {
        var change = DefinitionChange()
        change.effects = handle(.timePassed, at: time)
        var next = Engine(definitions: definitions, epoch: epoch, limits: limits)
        next.workspace = workspace
        next.now = now
        next.origin = origin
        change.added = definitions.map { $0.kind }.filter { place(of: $0) == nil }
        var successors: [Successor] = []
        for (place, former) in self.definitions.enumerated() {
            let successor = next.succeed(former, &change)
            if case .same(let same) = successor { next.accounts[same] = accounts[place] }
            successors.append(successor)
        }
        for slot in devices {
            let index = Int(slot.definition)
            switch successors[index] {
            case .same(let place): next.keep(slot, place)
            case .other(let place, let layout, let map):
                let goesOn = next.take(slot, from: self.definitions[index], layout, map, place, &change)
                if !goesOn { endRun(of: slot.device, kind: self.definitions[index].kind, &change) }
            case .none: end(slot, &change)
            }
        }
        next.counters = counters
        next.loseRuns(upTo: newestLostRun)
        next.nextReplacement = nextReplacement
        next.takeOrder(of: self, successors)
        change.kept = next.devices.count
        next.lookAnew(&change.effects)
        next.wakeDue(by: next.now, &change.effects)
        self = next
        return change
    }

    /// Finds what takes the place of a definition.
    private func succeed(_ former: Definition, _ change: inout DefinitionChange) -> Successor {
        guard let place = place(of: former.kind) else {
            change.removed.append(former.kind)
            return .none
        }
        if definitions[place] === former { return .same(place) }
        change.changed.append(former.kind)
        let layout = DefinitionLayout(of: former)
        return .other(place, layout, LayoutMap(from: layout, to: definitions[place]))
    }

    /// Takes a device over as it is.
    private mutating func keep(_ former: Slot, _ definition: Int) {
        var slot = Slot(device: former.device, definition: UInt16(definition))
        slot.keeping = former.keeping
        slot.isWaiting = former.isWaiting
        slot.agesAt = former.agesAt
        let index = append(slot)
        if slot.keeping == .changed { changed.append(UInt32(index)) }
        if slot.isWaiting { reported.append(UInt32(index)) }
        countStorage(index)
        fileDeadline(of: index)
        countFollowed(index)
    }

    /// Orders the devices that people were shown nothing of as they were ordered before.
    private mutating func takeOrder(of former: Engine, _ successors: [Successor]) {
        former.unseen.forEach { place in
            let slot = former.devices[place]
            let definition: Int
            switch successors[Int(slot.definition)] {
            case .same(let place), .other(let place, _, _): definition = place
            case .none: return
            }
            if let index = index(of: slot.device.name, definition), !devices[index].device.wasShown {
                unseen.touch(index)
            }
        }
    }

    /// Takes a device over into another definition.
    ///
    /// - Returns: whether it goes on; else it is a new one, and what it showed has to end.
    private mutating func take(
        _ slot: Slot,
        from former: Definition,
        _ layout: DefinitionLayout,
        _ map: LayoutMap,
        _ definition: Int,
        _ change: inout DefinitionChange
    ) -> Bool {
        var goesOn = true
        let image = slot.device.image(in: former)[...]
        let name = slot.device.name
        let next = definitions[definition]
        var heir = Slot(
            device: Device(name: name, of: next, lastRun: slot.device.lastRun),
            definition: UInt16(definition)
        )
        do throws(ImageFault) {
            var device = try Device(name: name, image: image, map: map, in: next)
            let fate = try device.fate(since: image, layout: layout, map: map, in: next)
            let armed = try Device.armedTransitions(of: image, map: map)
            var turn = Turn(taking: &device, of: next, at: now, in: &workspace)
            turn.goOn(besides: armed)
            _ = turn.end(&device, &workspace)
            heir.device = device
            change.moves.add(fate, kind: former.kind, device: name)
        } catch {
            let state = slot.device.stateName(in: former)
            change.moves.add(.startsAnew(from: state), kind: former.kind, device: name)
            goesOn = false
        }
        heir.looksAnew = true
        let index = append(heir)
        countStorage(index)
        note(index, .changed)
        fileDeadline(of: index)
        countFollowed(index)
        return goesOn
    }

    /// Ends a device of a definition that is gone.
    private mutating func end(_ slot: Slot, _ change: inout DefinitionChange) {
        let kind = definitions[Int(slot.definition)].kind
        let name = slot.device.name
        loseRuns(upTo: slot.device.lastRun)
        endRun(of: slot.device, kind: kind, &change)
        let told = slot.device.isAvailable != nil
        change.ended.append(EndedDevice(kind: kind, name: name, toldAvailability: told))
    }

    /// Ends what is followed of a device that does not go on.
    private mutating func endRun(of device: Device, kind: String, _ change: inout DefinitionChange) {
        var device = device
        for what in device.endRun(at: now) {
            if case .update = what { counters.updates += 1 }
            change.effects.append(Effect(at: now, kind: kind, device: device.name, what: what))
        }
    }
}
