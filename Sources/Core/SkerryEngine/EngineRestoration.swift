public import SkerryDevice
public import SkerryMachine
public import SkerryValues

/// An engine whose devices are being restored after a downtime; it handles no inputs yet.
///
/// Each image is passed to ``restore(_:layout:effects:)``; ``finish(since:before:)`` returns the engine for use.
public struct EngineRestoration: Sendable {
    /// The engine with the devices restored so far, for reading only.
    public private(set) var engine: Engine

    private let downtime: Downtime
    /// The ends of runs whose devices do not come back, for the definitions that read them.
    private var ends: [Effect] = []
    /// The map used for the last image; images of a kind usually follow one another.
    private var lastMap: (layout: Int64, form: Int, map: LayoutMap)?

    /// Begins to restore an engine without devices.
    ///
    /// - Parameters:
    ///   - engine: The engine, without devices.
    ///   - downtime: The downtime, which ends now.
    public init(of engine: Engine, after downtime: Downtime) {
        precondition(engine.deviceCount == 0, "devices come back before anything else happens")
        self.engine = engine
        self.downtime = downtime
        // Not the end: deadlines that passed meanwhile are handled at their own times, and time must not fall.
        self.engine.now = max(engine.now, downtime.start)
    }

    /// Restores a device; deadlines that passed during the downtime are handled by ``finish(since:before:)``.
    ///
    /// - Parameters:
    ///   - image: The image of the device.
    ///   - layout: The layout of the image.
    ///   - effects: The effects, to which the end of an orphaned device is added, and the withdrawal of a timeline that is
    ///     not told any more.
    /// - Returns: The result for this image.
    public mutating func restore(
        _ image: DeviceImage,
        layout: DefinitionLayout,
        effects: inout [Effect]
    ) -> Restoration {
        do throws(ImageFault) {
            guard let definition = engine.place(of: image.kind) else {
                let end = try self.end(of: image, layout, &effects)
                return .orphaned(toldAvailability: end.toldAvailability)
            }
            let form = engine.form(of: image.name, definition)
            let map = layoutMap(from: layout, to: form)
            let bytes = image.bytes[...]
            let goal = engine.forms[form]
            var device = try Device(name: image.name, image: bytes, map: map, in: goal)
            // Everything that may throw comes before the place: an image that is refused leaves no empty device behind.
            let armed = try Device.armedTransitions(of: bytes, map: map)
            // What is armed from now on must not have the number of a deadline that comes back.
            engine.workspace.sequence = max(engine.workspace.sequence, device.nextSequence)
            guard let index = place(of: image.name, definition) else {
                let end = try self.end(of: image, layout, &effects)
                return .beyondLimit(toldAvailability: end.toldAvailability)
            }
            var turn = Turn(taking: &device, of: goal, at: downtime.end, in: &engine.workspace)
            let isDifferent = turn.resume(after: downtime, besides: armed)
            _ = turn.end(&device, &engine.workspace)
            let isCut = engine.cutBack(&device, kind: image.kind, &effects)
            // Forgiven silence must be stored with the end of this downtime, or the next process would not forgive it
            // again.
            let isForgiven = downtime.length > .zero && device.waitsForSilence
            let isWithdrawn = !engine.foretells && device.withdrawForecast()
            if isWithdrawn {
                effects.append(
                    Effect(at: downtime.end, kind: image.kind, device: image.name, what: .foretold(nil))
                )
            }
            engine.takeBack(
                device,
                at: index,
                looksAnew: isDifferent,
                isNews: isDifferent || isForgiven || isCut || isWithdrawn
            )
            return .restored
        } catch {
            // Its last run is unknown. A run is named after the second in which it began, which was before the last
            // commit.
            loseRuns(upTo: downtime.start.flooredSeconds)
            return .refused(error)
        }
    }

    /// Records that devices were removed whose runs have numbers up to this one.
    public mutating func loseRuns(upTo run: Int64) { engine.loseRuns(upTo: run) }

    /// Handles the deadlines that passed during the downtime, and evaluates devices that changed with their
    /// definitions.
    ///
    /// - Parameters:
    ///   - origin: The moment from which the clock was unknown, if that is before the end of the downtime.
    ///   - notice: A function called with the kind and name of each device before the device is touched.
    /// - Returns: The engine, and the effects in order.
    public consuming func finish(
        since origin: TimeOrigin? = nil,
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil
    ) -> (engine: Engine, effects: [Effect]) {
        var effects: [Effect] = []
        // The store has no order in time.
        engine.orderUnseen()
        engine.wakeDue(by: downtime.end, before: notice, &effects)
        assert(engine.relays.isEmpty, "an activity waits between two inputs")
        engine.now = max(engine.now, downtime.end)
        // After catching up: what was armed meanwhile belongs to the downtime, and counts as restored if the clock is
        // found.
        engine.origin = origin ?? TimeOrigin(moment: downtime.end, sequence: engine.sequence)
        // Only now: all readers are back.
        for end in ends { engine.relay(end) }
        engine.lookAnew(before: notice, &effects)
        engine.relayRetained(&effects)
        return (engine, effects)
    }

    /// The index for a restored device; nil at the limit of devices.
    private mutating func place(of name: String, _ definition: Int) -> Int? {
        if let known = engine.index(of: name, definition) { return known }
        guard engine.devices.count < engine.limits.devices else { return nil }
        return engine.append(engine.slot(name, definition))
    }

    /// Ends the activity in an image whose device can't be restored.
    private mutating func end(
        of image: DeviceImage,
        _ layout: DefinitionLayout,
        _ effects: inout [Effect]
    ) throws(ImageFault) -> DeviceEnd {
        let now = downtime.end
        let end = try Device.end(of: image.bytes[...], layout: layout, epoch: engine.epoch, at: now)
        loseRuns(upTo: end.lastRun)
        let told = end.effects.map { Effect(at: now, kind: image.kind, device: image.name, what: $0) }
        effects += told
        ends += told
        return end
    }

    private mutating func layoutMap(from layout: DefinitionLayout, to form: Int) -> LayoutMap {
        if let last = lastMap, last.layout == layout.id, last.form == form { return last.map }
        let map = LayoutMap(from: layout, to: engine.forms[form])
        lastMap = (layout.id, form, map)
        return map
    }
}

/// The result of restoring one image.
public enum Restoration: Sendable {
    /// The device was restored.
    case restored
    /// There is no definition of its kind any more; its activity has ended.
    ///
    /// `toldAvailability`: true if its availability was published, and readers must forget it.
    case orphaned(toldAvailability: Bool)
    /// The limit of devices is reached; its activity has ended.
    ///
    /// `toldAvailability`: true if its availability was published, and readers must forget it.
    case beyondLimit(toldAvailability: Bool)
    /// The image can't be read, and nothing of it was used.
    case refused(ImageFault)
}

extension Engine {
    /// Records that devices were removed whose runs have numbers up to this one.
    mutating func loseRuns(upTo run: Int64) {
        workspace.newestLostRun = max(workspace.newestLostRun, run)
    }

    /// Forgets values of a restored device that exceed the present limits.
    ///
    /// - Returns: True if a value was forgotten.
    fileprivate mutating func cutBack(
        _ device: inout Device,
        kind: String,
        _ effects: inout [Effect]
    ) -> Bool {
        if storage + device.storage > limits.valueBytes { device.forgetLargeValues() }
        guard device.refusedValues > 0 else { return false }
        counters.refusedValues += UInt64(device.refusedValues)
        effects.append(Effect(at: now, kind: kind, device: device.name, what: .fault(.valuesForgotten)))
        return true
    }

    /// Puts a restored device into its slot.
    fileprivate mutating func takeBack(_ device: Device, at index: Int, looksAnew: Bool, isNews: Bool) {
        let name = devices[index].device.name
        assert(name.hasSameCodePoints(as: device.name), "a device comes back in the place of another")
        devices[index].device = device
        devices[index].looksAnew = looksAnew
        takeUnread(of: index)
        countStorage(index)
        fileDeadline(of: index)
        countFollowed(index)
        noteAge(index)
        if isNews { note(index, .changed) }
    }
}
