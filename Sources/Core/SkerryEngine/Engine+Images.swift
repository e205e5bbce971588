public import SkerryActivity
public import SkerryDevice
import SkerryMachine
import SkerryValues

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
    }

    /// Calls `body` with each device, oldest first.
    public func forEachDevice(_ body: (_ kind: String, _ device: borrowing Device) -> Void) {
        for slot in devices { body(definitions[Int(slot.definition)].kind, slot.device) }
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
