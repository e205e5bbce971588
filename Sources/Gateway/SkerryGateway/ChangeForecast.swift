package import SkerryDevice
package import SkerryEngine
import SkerryValues

/// The effects that definitions would have on the devices of a store.
package struct ChangeForecast: Sendable {
    /// The devices of one kind.
    package struct Kind: Sendable {
        /// The kind.
        package let name: String
        /// True if there is a definition.
        public internal(set) var isDefined = true
        /// The number of stored devices.
        public internal(set) var devices = 0
        /// The moves of devices whose states no longer exist.
        public internal(set) var moves: [DeviceMove] = []
        /// Devices whose image can't be read, with the reason: they would start in the initial state.
        public internal(set) var unreadable: [(device: String, reason: String)] = []
        /// The names that the definition no longer has; nil if no device could be read.
        public internal(set) var vanished: VanishedNames?

        /// True if a device would lose its state, or end.
        package var losesDevices: Bool {
            if !isDefined || !unreadable.isEmpty { return true }
            return moves.contains {
                if case .startsAnew = $0.fate { true } else { false }
            }
        }
    }

    /// The kinds that the store has devices of, by name.
    package private(set) var kinds: [Kind] = []

    /// Reads all devices of a store back into definitions, and changes neither.
    package init(state: StoredState, definitions: [Definition]) {
        let layouts = Dictionary(state.layouts.map { ($0.id, $0) }) { first, _ in first }
        for image in state.devices {
            var kind = Kind(name: image.kind)
            if kinds.last?.name.hasSameCodePoints(as: image.kind) == true, let last = kinds.popLast() {
                kind = last
            }
            kind.devices += 1
            if let definition = definitions.first(where: { $0.kind.hasSameCodePoints(as: image.kind) }) {
                kind.add(image, layouts[image.layout], definition.form(of: image.name))
            } else {
                kind.isDefined = false
            }
            kinds.append(kind)
        }
    }
}

extension ChangeForecast.Kind {
    fileprivate mutating func add(
        _ image: DeviceImage,
        _ layout: DefinitionLayout?,
        _ definition: Definition
    ) {
        guard let layout else {
            unreadable.append((image.name, "the layout of its image is missing"))
            return
        }
        let map = LayoutMap(from: layout, to: definition)
        let bytes = image.bytes[...]
        do throws(ImageFault) {
            let device = try Device(name: image.name, image: bytes, map: map, in: definition)
            let fate = try device.fate(since: bytes, layout: layout, map: map, in: definition)
            moves.add(fate, kind: name, device: image.name)
            let names = VanishedNames(from: layout, to: definition)
            vanished = vanished.map { $0.union(names) } ?? names
        } catch {
            unreadable.append((image.name, error.message))
        }
    }
}
