import ArgumentParser
import SkerryCommand
import SkerryEngine
import SkerryFiles
import SkerryGateway

/// The partitions of all devices, of which each process of `skerry run` has one.
struct SettingsPartitions {
    /// The number of partitions.
    let count: Int
    /// The number of the one that the command line names.
    let number: Int?
    /// The beginning of the topics, before the number of a partition, under which the broker gives each partition the
    /// messages of its own devices; nil if all get all.
    let prefix: String?

    /// The name under which the option of the command line has the number of a partition.
    static let own = "partition"

    /// Reads them; nil if one bridge has all devices.
    init?(_ reader: SettingsReader) throws(SettingFault) {
        guard let count = try reader[SettingKeys.Bridge.partitions] else {
            let further = [Self.own, SettingKeys.Bridge.partitionPrefix.name].first { reader.text($0) != nil }
            guard let further else { return nil }
            throw reader.fault(
                further,
                "the settings name no partitions: write how many there are (partitions)"
            )
        }
        self.count = count
        number = try reader.number(Self.own, in: 0...count - 1)
        prefix = try Settings.prefix(reader, SettingKeys.Bridge.partitionPrefix)
    }

    /// The end of names that each partition has for itself; empty if the command line names none.
    var suffix: String { number.map { "-p\($0)" } ?? "" }

    /// The partition that the command line names.
    var own: Partition? { number.map { Partition($0, of: count) } }

    /// Returns its number.
    ///
    /// - Throws: an exit code if the command line names none.
    @discardableResult
    func demandOwn() throws -> Int {
        if let number { return number }
        let last = count == 1 ? "" : " … \(count - 1)"
        Terminal.complain(
            "skerry: the settings share the devices out among \(count) partitions: name one of them "
                + "(--partition 0\(last))\n"
        )
        throw ExitCode.validationFailure
    }
}

extension Settings {
    /// The message by which the broker reports that the bridge is gone.
    var will: Publication {
        MQTTSink(prefix: prefix, partition: partitions?.number).state(isOnline: false)
    }

    /// The common beginning of the topics of the bridge that has a device.
    ///
    /// - Parameter device: `kind/name` or the name alone; empty for no certain device.
    /// - Returns: The beginning, without a slash at its end.
    /// - Throws: an exit code if that depends on the partition, and the command line names none.
    func bridge(of device: String = "") throws -> String {
        guard let partitions else { return MQTTSink.bridge(prefix, partition: nil) }
        let name = device.split(separator: "/").last
        let number =
            if let name, partitions.number == nil {
                Partition.number(of: String(name), among: partitions.count)
            } else {
                try partitions.demandOwn()
            }
        return MQTTSink.bridge(prefix, partition: number)
    }
}
