public import SkerryDevice
public import SkerryMachine
public import SkerryValues

/// An engine that is getting its devices back after a downtime, and handles nothing yet.
///
/// Each image is given to ``restore(_:layout:effects:)``; ``finish(since:before:)`` gives the engine that goes on.
public struct EngineRestoration: Sendable {
    /// The engine as far as it is restored, to be read.
    public private(set) var engine: Engine

    private let downtime: Downtime
    /// The map that the last image was read by: the images of a kind come together.
    private var lastMap: (layout: Int64, definition: Int, map: LayoutMap)?

    /// Begins to restore an engine that has no devices yet.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - downtime: When nobody listened; it is over now.
    public init(of engine: Engine, after downtime: Downtime) {
        precondition(engine.deviceCount == 0, "devices come back before anything else happens")
        self.engine = engine
        self.downtime = downtime
        self.engine.now = max(engine.now, downtime.start)
    }

    /// Gives the engine a device back; what came due in the downtime is handled by ``finish(since:before:)``.
    ///
    /// - Parameters:
    ///   - image: The device.
    ///   - layout: The layout that its bytes go by.
    ///   - effects: What the world should know is appended, in the case of an orphan its end.
    /// - Returns: what became of the image.
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
            let map = layoutMap(from: layout, to: definition)
            let bytes = image.bytes[...]
            let goal = engine.definitions[definition]
            var device = try Device(name: image.name, image: bytes, map: map, in: goal)
            let armed = try Device.armedTransitions(of: bytes, map: map)
            guard let index = place(of: image.name, definition) else {
                let end = try self.end(of: image, layout, &effects)
                return .beyondLimit(toldAvailability: end.toldAvailability)
            }
            var turn = Turn(taking: &device, of: goal, at: downtime.end, in: &engine.workspace)
            let isDifferent = turn.resume(after: downtime, besides: armed)
            _ = turn.end(&device, &engine.workspace)
            let isCut = engine.cutBack(&device, kind: image.kind, &effects)
            // What was forgiven must be kept with the end of the downtime, or the next process would not forgive it.
            let isForgiven = downtime.length > .zero && device.waitsForSilence
            engine.takeBack(
                device,
                at: index,
                looksAnew: isDifferent,
                isNews: isDifferent || isForgiven || isCut
            )
            return .restored
        } catch {
            loseRuns(upTo: downtime.start.flooredSeconds)
            return .refused(error)
        }
    }

    /// Takes note that devices are gone whose last runs have this name or an earlier one.
    public mutating func loseRuns(upTo run: Int64) { engine.loseRuns(upTo: run) }

    /// Handles what came due while nobody listened, and shows what definitions and policies made different.
    ///
    /// - Parameters:
    ///   - origin: From when on the clock has not been known, if longer than since the end of the downtime.
    ///   - notice: Called with the kind and the name of each device before anything is done with it.
    /// - Returns: the engine, and what the world should know, in order.
    public consuming func finish(
        since origin: TimeOrigin? = nil,
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil
    ) -> (engine: Engine, effects: [Effect]) {
        var effects: [Effect] = []
        engine.orderUnseen()
        engine.wakeDue(by: downtime.end, before: notice, &effects)
        engine.now = max(engine.now, downtime.end)
        engine.origin = origin ?? TimeOrigin(moment: downtime.end, sequence: engine.sequence)
        engine.lookAnew(before: notice, &effects)
        return (engine, effects)
    }

    /// The place of a device that is given back; nil when there are as many as there may be.
    private mutating func place(of name: String, _ definition: Int) -> Int? {
        if let known = engine.index(of: name, definition) { return known }
        guard engine.devices.count < engine.limits.devices else { return nil }
        return engine.append(Engine.Slot(name, of: engine.definitions[definition], definition))
    }

    /// Ends what an image shows of a device that can't go on.
    private mutating func end(
        of image: DeviceImage,
        _ layout: DefinitionLayout,
        _ effects: inout [Effect]
    ) throws(ImageFault) -> DeviceEnd {
        let now = downtime.end
        let end = try Device.end(of: image.bytes[...], layout: layout, epoch: engine.epoch, at: now)
        loseRuns(upTo: end.lastRun)
        effects += end.effects.map { Effect(at: now, kind: image.kind, device: image.name, what: $0) }
        return end
    }

    private mutating func layoutMap(from layout: DefinitionLayout, to definition: Int) -> LayoutMap {
        if let last = lastMap, last.layout == layout.id, last.definition == definition { return last.map }
        let map = LayoutMap(from: layout, to: engine.definitions[definition])
        lastMap = (layout.id, definition, map)
        return map
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
    /// Takes note that devices are gone whose last runs have this name or an earlier one.
    mutating func loseRuns(upTo run: Int64) {
        workspace.newestLostRun = max(workspace.newestLostRun, run)
    }

    /// Lets a device that is given back forget values that are larger than they may be today.
    ///
    /// - Returns: whether it forgot some.
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

    /// Takes a device to its place.
    fileprivate mutating func takeBack(_ device: Device, at index: Int, looksAnew: Bool, isNews: Bool) {
        devices[index].device = device
        devices[index].looksAnew = looksAnew
        countStorage(index)
        fileDeadline(of: index)
        countFollowed(index)
        noteAge(index)
        if isNews { note(index, .changed) }
    }
}
