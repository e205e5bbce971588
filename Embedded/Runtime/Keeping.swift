import SkerryDevice
import SkerryEngine
import SkerryValues

// What a restart needs, as bytes for the flash of a board: the images of all devices, as the gateway stores them.

/// The state of an engine that outlives its power.
struct KeptState {
    private static let version: UInt8 = 1

    /// The newest image of each device.
    private var images: [DeviceImage] = []
    /// The last bytes, for the caller.
    private(set) var bytes: [UInt8] = []

    /// Takes in what has changed in an engine.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - forgotten: The devices that it forgot since the last time.
    ///   - all: Whether numbers that changed nothing else count, too.
    /// - Returns: false if nothing has changed.
    mutating func take(_ engine: inout Engine, forgotten: [(kind: String, device: String)], all: Bool) -> Bool
    {
        let changed = engine.takeImages(all: all)
        if changed.isEmpty && forgotten.isEmpty { return false }
        for device in forgotten { remove(kind: device.kind, name: device.device) }
        for image in changed {
            remove(kind: image.kind, name: image.name)
            images.append(image)
        }
        write(&engine)
        return true
    }

    private mutating func remove(kind: String, name: String) {
        images.removeAll { $0.kind.hasSameCodePoints(as: kind) && $0.name.hasSameCodePoints(as: name) }
    }

    private mutating func write(_ engine: inout Engine) {
        let used = engine.imageLayouts().filter { layout in images.contains { $0.layout == layout.id } }
        var writer = ImageWriter(capacity: 512)
        writer.tag(Self.version)
        writer.signed(engine.epoch)
        writer.moment(engine.now)
        writer.unsigned(engine.sequence)
        writer.signed(engine.newestLostRun)
        writer.list(used) { $0.data($1.bytes) }
        writer.list(images) { writer, image in
            writer.text(image.kind)
            writer.text(image.name)
            writer.signed(image.layout)
            writer.data(image.bytes)
        }
        writer.seal()
        bytes = writer.bytes
    }

    /// Makes an engine that goes on where the bytes end, and takes over the images of its devices.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, as ``take(_:forgotten:all:)`` made them.
    ///   - definitions: The definitions, which may have changed since.
    ///   - now: The time; one before that of the bytes counts as theirs.
    /// - Returns: The engine, and the effects of what was due.
    /// - Throws: ``ImageFault`` for other bytes.
    mutating func resume(
        _ bytes: ArraySlice<UInt8>,
        _ definitions: [Definition],
        at now: Timestamp
    ) throws(ImageFault) -> (engine: Engine, effects: [Effect]) {
        var reader = try ImageReader(sealed: bytes)
        let version = try reader.tag()
        guard version == Self.version else { throw .unknownVersion(version) }
        let epoch = try reader.signed()
        let kept = try reader.moment()
        let engine = Engine(
            definitions: definitions,
            epoch: epoch,
            foretells: false,
            resumingAt: try reader.unsigned(),
            newestLostRun: try reader.signed()
        )
        let layouts = try reader.list { reader throws(ImageFault) in
            try DefinitionLayout(bytes: try reader.data())
        }
        let images = try reader.list { reader throws(ImageFault) in
            DeviceImage(
                kind: try reader.text(),
                name: try reader.text(),
                layout: try reader.signed(),
                bytes: try reader.data()
            )
        }
        var restoration = EngineRestoration(of: engine, after: Downtime(start: kept, end: now))
        var effects: [Effect] = []
        for image in images {
            guard let layout = layouts.first(where: { $0.id == image.layout }) else { throw .malformed }
            let outcome = restoration.restore(image, layout: layout, effects: &effects)
            if case .restored = outcome { self.images.append(image) }
        }
        let (resumed, late) = restoration.finish()
        return (resumed, effects + late)
    }
}
