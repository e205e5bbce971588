public import SkerryActivity
public import SkerryDevice
import SkerryMachine
import SkerryValues

/// Whether the image of a device tells what it is.
///
/// See docs/decisions/0020-what-is-stored-at-once.md.
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
    mutating func noteAge(_ index: Int) {
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
