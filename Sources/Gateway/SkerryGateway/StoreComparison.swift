import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
import SkerryValues

/// The contents that a store must have in another place, too: all but what the next bridge makes anew, such as waiting snapshots.
package struct StoreComparison: Sendable {
    /// The rows that can differ, and the words for them.
    private let parts: [(name: String, rows: Set<String>?)]
    /// The numbers of devices, devices set aside, runs, deliveries and phones.
    package let counts: [Int]

    /// Takes the contents of a store and of its phones; nil for phones that can't be compared any more.
    package init(_ contents: StoreContents, _ phones: StoredPhones?) {
        let devices = contents.state.devices.map(Self.row)
        let aside = contents.setAside.map { "\(Self.row($0.image)) \($0.at.microseconds)" }
        let runs = contents.ended.map { "\($0)" }
        let deliveries = contents.state.deliveries.map { "\($0.sink) \($0.update.id) \($0.update.rev)" }
        let images = phones?.images.map { "\($0)" }
        // Layouts of former definitions, by which no device goes any more, stay behind.
        let used = Set((contents.state.devices + contents.setAside.map(\.image)).map(\.layout))
        let layouts = contents.state.layouts.filter { used.contains($0.id) }
        parts = [
            ("devices", Set(devices)), ("devices set aside", Set(aside)), ("runs", Set(runs)),
            ("stages of runs", Set(contents.stages.map { "\($0)" })), ("deliveries", Set(deliveries)),
            ("layouts", Set(layouts.map { "\($0.id) \($0.bytes)" })),
            ("phones", images.map { Set($0) }),
            ("failures", phones.map { Set($0.failures.map { "\($0)" }) }),
        ]
        counts = [devices, aside, runs, deliveries, images ?? []].map(\.count)
    }

    private static func row(_ image: DeviceImage) -> String {
        "\(image.kind) \(image.name) \(image.layout) \(image.bytes)"
    }

    /// The names of what another store has otherwise.
    package func differences(from other: StoreComparison) -> [String] {
        zip(parts, other.parts).filter { one, another in
            one.rows != nil && another.rows != nil && one.rows != another.rows
        }.map(\.0.name)
    }
}
