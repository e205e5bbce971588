public import SkerryActivity
public import SkerryDevice
import SkerryMachine
public import SkerryValues

/// The effects of a change of definitions on the devices.
public struct DefinitionChange: Sendable {
    /// The kinds that had no definition before.
    public internal(set) var added: [String] = []
    /// The kinds whose definitions have another text than before.
    public internal(set) var changed: [String] = []
    /// The kinds of which only the place, or the settings and names of devices, differ from before.
    public internal(set) var chosen: [String] = []
    /// The kinds that no longer have a definition.
    public internal(set) var removed: [String] = []
    /// The number of devices that still have a definition, including those that moved or start from the initial state.
    public internal(set) var kept = 0
    /// The devices whose states were removed, and their fates.
    public internal(set) var moves: [DeviceMove] = []
    /// The devices that no longer have a definition and were removed.
    public internal(set) var ended: [EndedDevice] = []
    /// The effects, in order.
    public internal(set) var effects: [Effect] = []

    /// True if all definitions are the same as before.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && chosen.isEmpty && removed.isEmpty }
}

/// Devices of a kind whose state was removed, all with the same fate.
public struct DeviceMove: Sendable {
    /// The kind of the devices.
    public var kind: String
    /// The fate of the devices; never `goesOn`.
    public var fate: DeviceFate
    /// The names of the devices, oldest first.
    public var devices: [String]
}

extension [DeviceMove] {
    /// Adds a device, next to others of the same fate; one that goes on is left out.
    public mutating func add(_ fate: DeviceFate, kind: String, device: String) {
        if fate == .goesOn { return }
        for index in indices where self[index].fate == fate && self[index].kind.hasSameCodePoints(as: kind) {
            self[index].devices.append(device)
            return
        }
        append(DeviceMove(kind: kind, fate: fate, devices: [device]))
    }
}

/// A device that was removed with its definition.
public struct EndedDevice: Sendable {
    /// The kind, which has no definition any more.
    public var kind: String
    /// The name of the device.
    public var name: String
    /// True if its availability was published, and readers must forget it.
    public var toldAvailability: Bool
}

/// The way of devices from their former forms of a definition to others.
private struct Succession {
    /// The former forms.
    let forms: [Definition]
    /// The layouts of the former forms, by their places, as far as they were needed.
    var layouts: [DefinitionLayout?]
    /// The way from a former form to the one that most devices get, by the former form.
    var ways: [(form: Int, map: LayoutMap)?]

    init(of forms: [Definition]) {
        self.forms = forms
        layouts = Array(repeating: nil, count: forms.count)
        ways = Array(repeating: nil, count: forms.count)
    }
}

extension Engine {
    /// Replaces the definitions while devices run.
    ///
    /// A definition that is the same object has not changed, and its devices stay as they are. Devices of a changed
    /// definition keep their values and timers and are evaluated again; devices of a removed definition end.
    ///
    /// - Parameters:
    ///   - definitions: The definitions from now on.
    ///   - time: The moment of the change; deadlines up to it are handled first, by the former definitions.
    /// - Returns: The kinds and devices that changed, with all effects.
    public mutating func change(to definitions: [Definition], at time: Timestamp) -> DefinitionChange {
        var change = DefinitionChange()
        change.effects = handle(.timePassed, at: time)
        // What was handled so far has reached its readers; the ends that follow have not.
        let handled = change.effects.count
        var next = Engine(
            definitions: definitions,
            epoch: epoch,
            limits: limits,
            foretells: foretells,
            hashSeed: byteHash.seed
        )
        // Before any device moves: its turns take numbers of deadlines and of runs from here.
        next.workspace = workspace
        next.now = now
        next.origin = origin
        change.added = definitions.map { $0.kind }.filter { place(of: $0) == nil }
        var places: [Int?] = []
        for (number, former) in self.definitions.enumerated() {
            let place = next.succeed(former, &change)
            // 0025: the same object means the same text. What tests recorded of it still counts.
            if let place, definitions[place] === former { next.accounts[place] = accounts[number] }
            places.append(place)
        }
        var succession = Succession(of: forms)
        for slot in devices {
            guard let place = places[Int(slot.definition)] else {
                end(slot, &change)
                continue
            }
            let former = forms[Int(slot.form)]
            let form = next.form(of: slot.device.name, place)
            if next.forms[form] === former {
                next.keep(slot, place, form)
            } else if !next.take(slot, &succession, place, form, &change) {
                endRun(of: slot.device, kind: former.kind, &change)
            }
        }
        // After the devices: the ends above were counted here, and not in the next engine.
        next.counters = counters
        next.unaddressedFailures = unaddressedFailures
        next.loseRuns(upTo: newestLostRun)
        next.nextReplacement = nextReplacement
        assert(next.workspace.sequence >= workspace.sequence, "the counter of deadlines falls with an edit")
        next.takeOrder(of: self, places)
        assert(next.devices.count + change.ended.count == devices.count, "a device got lost with an edit")
        change.kept = next.devices.count
        // All devices have moved: only now may activities and kept messages reach them, and make new ones.
        for effect in change.effects[handled...] { next.relay(effect) }
        next.takeKept(of: self, places, &change.effects)
        // After the kept messages, so that a device looks once at all that it knows.
        next.lookAnew(&change.effects)
        next.wakeDue(by: next.now, &change.effects)
        next.relayRetained(&change.effects)
        self = next
        return change
    }

    /// The place of the successor of a former definition in this engine; changed and removed kinds are recorded.
    private func succeed(_ former: Definition, _ change: inout DefinitionChange) -> Int? {
        guard let place = place(of: former.kind) else {
            change.removed.append(former.kind)
            return nil
        }
        if !definitions[place].hasSameText(as: former) {
            change.changed.append(former.kind)
        } else if definitions[place] !== former {
            change.chosen.append(former.kind)
        }
        return place
    }

    /// Moves a device of an unchanged form into this engine.
    private mutating func keep(_ former: Slot, _ definition: Int, _ form: Int) {
        var slot = Slot(device: former.device, definition: UInt16(definition), form: UInt32(form))
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

    /// Keeps the order in which devices without a run are replaced.
    private mutating func takeOrder(of former: Engine, _ places: [Int?]) {
        former.unseen.forEach { place in
            let slot = former.devices[place]
            guard let definition = places[Int(slot.definition)] else { return }
            if let index = index(of: slot.device.name, definition), !devices[index].device.wasShown {
                unseen.touch(index)
            }
        }
    }

    /// Moves a device into another form.
    ///
    /// - Returns: True if the device goes on; otherwise it is a new one, and the caller ends the former run.
    private mutating func take(
        _ slot: Slot,
        _ succession: inout Succession,
        _ definition: Int,
        _ form: Int,
        _ change: inout DefinitionChange
    ) -> Bool {
        var goesOn = true
        let number = Int(slot.form)
        let former = succession.forms[number]
        let layout = succession.layouts[number] ?? DefinitionLayout(of: former)
        succession.layouts[number] = layout
        // Nearly all devices of a form go the same way. Only those that get a form of their own need another map.
        let known = succession.ways[number].flatMap { $0.form == form ? $0.map : nil }
        let map = known ?? LayoutMap(from: layout, to: forms[form])
        if known == nil, form < definitions.count { succession.ways[number] = (form, map) }
        // 0025: the way over the image is the one of a restart, so there is one set of rules for edited definitions.
        let image = slot.device.image(in: former)[...]
        let name = slot.device.name
        let next = forms[form]
        var heir = Slot(
            // If the image fits nothing, the new device must still not repeat the id of a run.
            device: Device(name: name, of: next, lastRun: slot.device.lastRun),
            definition: UInt16(definition),
            form: UInt32(form)
        )
        do throws(ImageFault) {
            var device = try Device(name: name, image: image, map: map, in: next)
            // No image has these, and a restart has to do without them.
            device.takeMomentsOfReports(of: slot.device, by: map)
            let fate = try device.fate(since: image, layout: layout, map: map, in: next)
            let armed = try Device.armedTransitions(of: image, map: map)
            var turn = Turn(taking: &device, of: next, at: now, in: &workspace)
            // Not `resume`: nothing was missed, so that neither silence is forgiven nor `onRestart` applies.
            turn.goOn(besides: armed)
            _ = turn.end(&device, &workspace)
            heir.device = device
            change.moves.add(fate, kind: former.kind, device: name)
        } catch {
            let state = slot.device.stateName(in: former)
            change.moves.add(.startsAnew(from: state), kind: former.kind, device: name)
            goesOn = false
        }
        // The same values may mean something else by other expressions.
        heir.looksAnew = true
        let index = append(heir)
        takeUnread(of: index)
        countStorage(index)
        note(index, .changed)
        fileDeadline(of: index)
        countFollowed(index)
        return goesOn
    }

    /// Removes a device whose definition was removed.
    private mutating func end(_ slot: Slot, _ change: inout DefinitionChange) {
        let kind = definitions[Int(slot.definition)].kind
        let name = slot.device.name
        // The kind may come back with its devices in the same second, and their runs must not repeat ids.
        loseRuns(upTo: slot.device.lastRun)
        endRun(of: slot.device, kind: kind, &change)
        let told = slot.device.isAvailable != nil
        change.ended.append(EndedDevice(kind: kind, name: name, toldAvailability: told))
    }

    /// Ends the run of a device that does not go on.
    private mutating func endRun(of device: Device, kind: String, _ change: inout DefinitionChange) {
        var device = device
        for what in device.endRun(at: now) {
            if case .update = what { counters.updates += 1 }
            change.effects.append(Effect(at: now, kind: kind, device: device.name, what: what))
        }
    }
}

/// The difference between a device and its stored image.
///
/// See docs/decisions/0020-what-is-stored-at-once.md.
enum Keeping: UInt8, Comparable, Sendable {
    /// The image is up to date.
    case kept
    /// Only numbers that the device reported, or the moment of its last message, are newer.
    case reported
    /// The device differs in more than numbers, and its image must be stored at once.
    case changed

    static func < (left: Keeping, right: Keeping) -> Bool { left.rawValue < right.rawValue }
}

/// A device as it is stored.
public struct DeviceImage: Sendable {
    /// The kind of the device.
    public var kind: String
    /// The name of the device.
    public var name: String
    /// The id of the ``DefinitionLayout`` that explains the bytes.
    public var layout: Int64
    /// The bytes from ``Device``.
    public var bytes: [UInt8]

    /// Makes an image from its parts.
    public init(kind: String, name: String, layout: Int64, bytes: [UInt8]) {
        self.kind = kind
        self.name = name
        self.layout = layout
        self.bytes = bytes
    }
}

extension Engine {
    /// Makes new images of the devices that changed since their last images.
    ///
    /// - Parameter all: True to include devices of which only numbers changed.
    /// - Returns: The images, which the caller must store: the devices count as unchanged from now on.
    public mutating func takeImages(all: Bool) -> [DeviceImage] {
        if changed.isEmpty, !all || reported.isEmpty { return [] }
        prepareLayouts()
        var images: [DeviceImage] = []
        for place in changed { images.append(takeImage(of: Int(place))) }
        changed.removeAll(keepingCapacity: true)
        guard all else { return images }
        for place in reported {
            devices[Int(place)].isWaiting = false
            // Some were taken above, because they changed in more than a number since.
            if devices[Int(place)].keeping != .kept { images.append(takeImage(of: Int(place))) }
        }
        reported.removeAll(keepingCapacity: true)
        return images
    }

    private mutating func takeImage(of index: Int) -> DeviceImage {
        assert(devices[index].keeping != .kept, "an image is taken twice")
        devices[index].keeping = .kept
        noteAge(index)
        let definition = definition(of: index)
        return DeviceImage(
            kind: definition.kind,
            name: devices[index].device.name,
            layout: layouts[Int(devices[index].form)].id,
            bytes: devices[index].device.image(in: definition)
        )
    }

    /// The layouts of all images from this engine.
    public mutating func imageLayouts() -> [DefinitionLayout] {
        prepareLayouts()
        return layouts
    }

    /// Evaluates the devices that are marked for it.
    mutating func lookAnew(
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil,
        _ effects: inout [Effect]
    ) {
        // All have looked before any activity goes to its readers: a reader sees each of them as it is now.
        for index in devices.indices where devices[index].looksAnew {
            devices[index].looksAnew = false
            notice?(definition(of: index).kind, devices[index].device.name)
            turn(index, at: now, &effects) { $0.lookAnew() }
        }
        deliverRelays(&effects)
    }

    /// Records that a device differs from its image.
    mutating func note(_ index: Int, _ keeping: Keeping) {
        // Each place is listed once. A device that was `reported` and has `changed` is in both lists; `takeImages`
        // allows for it.
        if keeping <= devices.span[index].keeping { return }
        devices[index].keeping = keeping
        if keeping == .changed {
            changed.append(UInt32(index))
        } else if !devices[index].isWaiting {
            devices[index].isWaiting = true
            reported.append(UInt32(index))
        }
        assert(changed.count <= devices.count && reported.count <= devices.count, "an image is taken twice")
    }

    /// Computes when the image of a device will be too old for a device that waits for silence.
    mutating func noteAge(_ index: Int) {
        guard let age = limits.heardAge else { return }
        devices[index].agesAt = devices[index].device.machine.lastHeard + age
    }

    /// True if the next process could take the device for silent, because its image has an old moment of the last
    /// message.
    func isImageOld(_ index: Int) -> Bool {
        devices.span[index].device.machine.lastHeard >= devices.span[index].agesAt
            && devices[index].device.waitsForSilence
    }

    private mutating func prepareLayouts() {
        if layouts.isEmpty { layouts = forms.map { DefinitionLayout(of: $0) } }
        assert(layouts.count == forms.count, "a form has no layout")
    }

    /// Calls `body` with each device, oldest first.
    public func forEachDevice(_ body: (_ kind: String, _ device: borrowing Device) -> Void) {
        for slot in devices { body(definitions[Int(slot.definition)].kind, slot.device) }
    }

    /// Calls `body` with the name of each device, and with the one that people gave it, if they did.
    public func forEachName(_ body: (_ kind: String, _ device: String, _ given: String?) -> Void) {
        for index in devices.indices {
            let definition = definition(of: index)
            let device = devices[index].device
            body(definition.kind, device.name, device.givenName(in: definition))
        }
    }

    /// Calls `body` with each timeline that has a forecast, in the order of devices.
    public func forEachTimeline(_ body: (_ kind: String, _ device: String, ActivityTimeline) -> Void) {
        for index in devices.indices where devices[index].device.isForetold {
            let device = devices[index].device
            if let timeline = look(at: index, now).timeline(at: now) {
                body(definition(of: index).kind, device.name, timeline)
            }
        }
    }

    /// A turn of a copy of a device, to look at it without changing it.
    func look(at index: Int, _ time: Timestamp) -> Turn {
        Turn(of: devices[index].device, of: definition(of: index), at: time, in: workspace)
    }

    /// Begins another epoch, because readers know later revisions than the devices do and numbers will repeat.
    public mutating func begin(epoch: Int64) {
        workspace.epoch = epoch
        for index in devices.indices {
            devices[index].device.begin(epoch: epoch)
            note(index, .changed)
        }
    }

    func place(of kind: String) -> Int? {
        definitions.firstIndex { $0.kind.hasSameCodePoints(as: kind) }
    }
}
