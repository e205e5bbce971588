public import SkerryActivity
public import SkerryDevice
public import SkerryMachine
public import SkerryValues

/// Whether the image of a device tells what it is.
enum Keeping: UInt8, Comparable, Sendable {
    /// It does.
    case kept
    /// Numbers that the device reported are newer, and when it was heard last.
    case reported
    /// More than that.
    case changed

    static func < (left: Keeping, right: Keeping) -> Bool { left.rawValue < right.rawValue }
}

/// A device as it is kept over a restart.
public struct DeviceImage: Sendable {
    /// The kind of its definition.
    public var kind: String
    /// Its name.
    public var name: String
    /// The id of the ``DefinitionLayout`` that its bytes go by.
    public var layout: Int64
    /// What ``Device`` wrote.
    public var bytes: [UInt8]

    /// Makes an image of its parts.
    public init(kind: String, name: String, layout: Int64, bytes: [UInt8]) {
        self.kind = kind
        self.name = name
        self.layout = layout
        self.bytes = bytes
    }
}

/// What became of an image that was given back to an engine.
public enum Restoration: Sendable {
    /// The device goes on.
    case restored
    /// There is no such definition any more; its activity has ended.
    ///
    /// `toldAvailability`: whether readers have to forget if it can be reached.
    case orphaned(toldAvailability: Bool)
    /// There are as many devices as there may be; its activity has ended.
    ///
    /// `toldAvailability`: whether readers have to forget if it can be reached.
    case beyondLimit(toldAvailability: Bool)
    /// The image can't be read.
    case refused(ImageFault)
}

extension Engine {
    /// Takes the images of devices that have changed since their last ones were taken.
    ///
    /// - Parameter all: Whether devices count of which only reported numbers are newer.
    /// - Returns: the images; the next ones are compared with these.
    public mutating func takeImages(all: Bool) -> [DeviceImage] {
        if changed.isEmpty, !all || reported.isEmpty { return [] }
        prepareLayouts()
        var images: [DeviceImage] = []
        for place in changed { images.append(takeImage(of: Int(place))) }
        changed.removeAll(keepingCapacity: true)
        guard all else { return images }
        for place in reported {
            devices[Int(place)].isWaiting = false
            if devices[Int(place)].keeping != .kept { images.append(takeImage(of: Int(place))) }
        }
        reported.removeAll(keepingCapacity: true)
        return images
    }

    private mutating func takeImage(of index: Int) -> DeviceImage {
        devices[index].keeping = .kept
        noteAge(index)
        let definition = definition(of: index)
        return DeviceImage(
            kind: definition.kind,
            name: devices[index].device.name,
            layout: layouts[Int(devices[index].definition)].id,
            bytes: devices[index].device.image(in: definition)
        )
    }

    /// The layouts that the images of this engine go by.
    public mutating func imageLayouts() -> [DefinitionLayout] {
        prepareLayouts()
        return layouts
    }

    /// Gives the engine a device back; before anything else happens to it.
    ///
    /// What came due in the downtime is handled by the next input, each deadline at its own time.
    ///
    /// - Parameters:
    ///   - image: The device.
    ///   - layout: The layout that its bytes go by.
    ///   - downtime: When nobody listened.
    ///   - effects: What the world should know is appended, in the case of an orphan its end.
    /// - Returns: what became of the image.
    public mutating func restore(
        _ image: DeviceImage,
        layout: DefinitionLayout,
        after downtime: Downtime,
        effects: inout [Effect]
    ) -> Restoration {
        now = max(now, downtime.start)
        do throws(ImageFault) {
            guard let definition = place(of: image.kind) else {
                let end = try self.end(of: image, layout, at: downtime.end, &effects)
                return .orphaned(toldAvailability: end.toldAvailability)
            }
            let map = layoutMap(from: layout, to: definition)
            let bytes = image.bytes[...]
            var device = try Device(name: image.name, image: bytes, map: map, in: definitions[definition])
            let armed = try Device.armedTransitions(of: bytes, map: map)
            guard let index = place(ofRestored: image.name, definition) else {
                let end = try self.end(of: image, layout, at: downtime.end, &effects)
                return .beyondLimit(toldAvailability: end.toldAvailability)
            }
            var turn = Turn(
                taking: &device,
                of: definitions[definition],
                at: downtime.end,
                in: &workspace
            )
            let isDifferent = turn.resume(after: downtime, besides: armed)
            _ = turn.end(&device, &workspace)
            let isCut = cutBack(&device, kind: image.kind, &effects)
            devices[index].device = device
            devices[index].looksAnew = isDifferent
            countStorage(index)
            fileDeadline(of: index)
            countFollowed(index)
            noteAge(index)
            // What was forgiven must be kept with the end of the downtime, or the next process would not forgive it.
            let isForgiven = downtime.length > .zero && device.waitsForSilence
            if isDifferent || isForgiven || isCut { note(index, .changed) }
            return .restored
        } catch {
            loseRuns(upTo: downtime.start.flooredSeconds)
            return .refused(error)
        }
    }

    /// Takes note that devices are gone whose last runs have this name or an earlier one.
    public mutating func loseRuns(upTo run: Int64) {
        workspace.newestLostRun = max(workspace.newestLostRun, run)
    }

    /// The place of a device that is given back; nil when there are as many as there may be.
    private mutating func place(ofRestored name: String, _ definition: Int) -> Int? {
        if let known = index(of: name, definition) { return known }
        guard devices.count < limits.devices else { return nil }
        return append(Slot(name, of: definitions[definition], definition))
    }

    /// Lets a device that is given back forget values that are larger than they may be today.
    ///
    /// - Returns: whether it forgot some.
    private mutating func cutBack(_ device: inout Device, kind: String, _ effects: inout [Effect]) -> Bool {
        if storage + device.storage > limits.valueBytes { device.forgetLargeValues() }
        guard device.refusedValues > 0 else { return false }
        counters.refusedValues += UInt64(device.refusedValues)
        effects.append(Effect(at: now, kind: kind, device: device.name, what: .fault(.valuesForgotten)))
        return true
    }

    /// Ends what an image shows of a device that can't go on.
    private mutating func end(
        of image: DeviceImage,
        _ layout: DefinitionLayout,
        at now: Timestamp,
        _ effects: inout [Effect]
    ) throws(ImageFault) -> DeviceEnd {
        let end = try Device.end(of: image.bytes[...], layout: layout, epoch: epoch, at: now)
        loseRuns(upTo: end.lastRun)
        effects += end.effects.map { Effect(at: now, kind: image.kind, device: image.name, what: $0) }
        return end
    }

    /// Where what images tell is found in a definition; made once for the images of a kind, which come together.
    private mutating func layoutMap(from layout: DefinitionLayout, to definition: Int) -> LayoutMap {
        if let last = lastMap, last.layout == layout.id, last.definition == definition { return last.map }
        let map = LayoutMap(from: layout, to: definitions[definition])
        lastMap = (layout.id, definition, map)
        return map
    }

    /// Handles what came due while nobody listened, and shows what definitions and policies made different.
    ///
    /// - Parameters:
    ///   - downtime: When nobody listened.
    ///   - origin: From when on the clock has not been known, if longer than since the end of the downtime.
    ///   - notice: Called with the kind and the name of each device before anything is done with it.
    /// - Returns: what the world should know, in order.
    public mutating func resume(
        after downtime: Downtime,
        since origin: TimeOrigin? = nil,
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil
    ) -> [Effect] {
        lastMap = nil
        orderUnseen()
        var effects: [Effect] = []
        wakeDue(by: downtime.end, before: notice, &effects)
        now = max(now, downtime.end)
        self.origin = origin ?? TimeOrigin(moment: downtime.end, sequence: sequence)
        lookAnew(before: notice, &effects)
        return effects
    }

    /// Looks at the devices anew that are marked for it.
    mutating func lookAnew(
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil,
        _ effects: inout [Effect]
    ) {
        for index in devices.indices where devices[index].looksAnew {
            devices[index].looksAnew = false
            notice?(definition(of: index).kind, devices[index].device.name)
            turn(index, at: now, &effects) { $0.lookAnew() }
        }
    }

    /// Moves everything that waits by the same length, because the wall clock was set.
    ///
    /// - Parameters:
    ///   - length: How far it stepped; back when negative.
    ///   - time: What it shows now.
    /// - Returns: one update for each activity whose times readers see differently.
    public mutating func clockStepped(by length: Interval, at time: Timestamp) -> [Effect] {
        clockSet(ClockShift(by: length), at: time)
    }

    /// Takes note that more time has passed than was counted before this engine began, because the wall clock is
    /// known now.
    ///
    /// What began since then moves, for no time has passed for it. What was given back stays where it was, and what is
    /// due of that is handled, each deadline at its own time. Silence moves, because nobody listened.
    ///
    /// - Parameters:
    ///   - length: How much more time has passed.
    ///   - time: What the clock shows now.
    /// - Returns: what came due, and one update for each activity whose times readers see differently.
    public mutating func clockFound(by length: Interval, at time: Timestamp) -> [Effect] {
        clockSet(ClockShift(by: length, since: origin), at: time)
    }

    private mutating func clockSet(_ shift: ClockShift, at time: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        wakeDue(by: time - shift.length, &effects)
        now = min(now, time)
        for index in devices.indices {
            devices[index].device.move(by: shift, in: definition(of: index))
            devices[index].looksAnew = true
            fileDeadline(of: index)
        }
        wakeDue(by: time, &effects)
        now = time
        lookAnew(&effects)
        wakeDue(by: now, &effects)
        return effects
    }

    /// Takes note that a device is not what its image tells.
    mutating func note(_ index: Int, _ keeping: Keeping) {
        if keeping <= devices.span[index].keeping { return }
        devices[index].keeping = keeping
        if keeping == .changed {
            changed.append(UInt32(index))
        } else if !devices[index].isWaiting {
            devices[index].isWaiting = true
            reported.append(UInt32(index))
        }
    }

    /// Takes note of when the image of a device tells that it was heard last.
    private mutating func noteAge(_ index: Int) {
        guard let age = limits.heardAge else { return }
        devices[index].agesAt = devices[index].device.machine.lastHeard + age
    }

    /// Whether the next process would take a device for silent that was heard since its image was taken.
    func isImageOld(_ index: Int) -> Bool {
        devices.span[index].device.machine.lastHeard >= devices.span[index].agesAt
            && devices[index].device.waitsForSilence
    }

    private mutating func prepareLayouts() {
        if layouts.isEmpty { layouts = definitions.map { DefinitionLayout(of: $0) } }
    }

    /// What readers should hold of each device, in the order in which the devices came.
    public func forEachDevice(_ body: (_ kind: String, _ device: borrowing Device) -> Void) {
        for slot in devices { body(definitions[Int(slot.definition)].kind, slot.device) }
    }

    /// The timelines that readers should hold, in the order in which the devices came.
    public func forEachTimeline(_ body: (_ kind: String, _ device: String, ActivityTimeline) -> Void) {
        for index in devices.indices where devices[index].device.isForetold {
            let device = devices[index].device
            if let timeline = look(at: index, now).timeline(at: now) {
                body(definition(of: index).kind, device.name, timeline)
            }
        }
    }

    /// A turn of a copy of a device, for those who only look.
    func look(at index: Int, _ time: Timestamp) -> Turn {
        Turn(of: devices[index].device, of: definition(of: index), at: time, in: workspace)
    }

    /// Begins another epoch, because readers know more than the devices do: their revisions go on, and are others.
    public mutating func begin(epoch: Int64) {
        workspace.epoch = epoch
        for index in devices.indices {
            devices[index].device.begin(epoch: epoch)
            note(index, .changed)
        }
    }

    func place(of kind: String) -> Int? {
        definitions.firstIndex { $0.kind.utf8.elementsEqual(kind.utf8) }
    }
}
