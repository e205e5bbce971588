import ArgumentParser
import SkerryCommand
import SkerryGateway
import SkerryPostgres
import SkerryValues

/// `skerry cluster`: which gateway is the active one, of all devices or of each partition.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Show which gateway is the active one, of all devices or of each partition.",
        discussion: """
            Reads the leases in the PostgreSQL database that gateways share; nothing is asked of the gateways:
              skerry cluster
              skerry cluster --json | jq -r 'select(.owner == null).partition'

            With --json each line is an object: partition (null without partitions), owner (null if no gateway is active), \
            lease and until in Unix seconds.

            Exit status: 0 when there is an active gateway everywhere, 1 when one is missing, 64 when store.path is no \
            database of PostgreSQL, 69 when it can't be read.
            """
    )

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(name: [.short, .long], help: "The configuration file (default: skerry.yaml, if it is there).")
    var config: String?

    func run() throws {
        var broker = try BrokerOptions.parse([])
        broker.config = config
        let store = try Settings.load(broker).store
        guard store.isShared, let address = try store.path() else {
            Terminal.complain("skerry: store.path is no database of PostgreSQL, so no gateways share it\n")
            throw ExitCode.validationFailure
        }
        let holders: [LeaseHolder]
        do throws(StoreFault) {
            holders = try PostgresReader.leases(at: address)
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.unavailable
        }
        if json {
            for holder in holders { Terminal.write(Array("\(Terminal.printable(holder.json))\n".utf8)) }
        } else {
            let now = SystemClock().now
            let rows = holders.map { holder in
                [
                    holder.partition.map { "\($0)" } ?? "all", holder.owner.map(Terminal.printable) ?? "none",
                    holder.owner == nil ? "" : "\(holder.token)",
                    holder.owner == nil ? "" : "\((holder.until - now).roundedSeconds) s",
                ]
            }
            let table = TextTable(["PARTITION", "ACTIVE", "LEASE", "ENDS UNLESS RENEWED IN"], rows)
            Terminal.write(Array(table.text.utf8))
        }
        if holders.contains(where: { $0.owner == nil }) { throw ExitCode.failure }
    }
}

extension LeaseHolder {
    fileprivate var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("partition")
        writer.value(partition.map { .int(Int64($0)) } ?? .null)
        writer.key("owner")
        writer.value(owner.map { .string($0) } ?? .null)
        if owner != nil {
            writer.member("lease", token)
            writer.member("until", until)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
