import ArgumentParser
import SkerryCommand
import SkerryDevice
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

            With --nats it prints the subject mappings by which NATS servers give each partition the messages of its own \
            devices, made of the definitions and of partition-prefix (docs/cluster.md):
              skerry cluster --nats >/etc/nats/skerry-mappings.conf

            One page and one API for all partitions:
              skerry cluster serve

            STANDBY are the computers that wait for the lease, and WAITING is the number of publications that the broker has not \
            acknowledged yet.

            With --json each line is an object: partition (null without partitions), owner (null if no gateway is active), \
            lease, since and until in Unix seconds, standbys and waiting.

            Exit status: 0 when there is an active gateway everywhere, 1 when one is missing or a definition is wrong, 64 when \
            store.path is no database of PostgreSQL or a setting is missing, 69 when the database can't be read.
            """,
        subcommands: [ClusterServeCommand.self, RepartitionCommand.self]
    )

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "Print the subject mappings for NATS servers, and no leases.")
    var nats = false

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    func run() throws {
        let settings = try Settings.load(.only(config))
        if nats { return try printMappings(settings) }
        let store = settings.store
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
            let titles = [
                "PARTITION", "ACTIVE", "LEASE", "FOR", "ENDS UNLESS RENEWED IN", "STANDBY", "WAITING",
            ]
            let table = TextTable(titles, holders.map { $0.row(at: now) })
            Terminal.write(Array(table.text.utf8))
        }
        if holders.contains(where: { $0.owner == nil }) { throw ExitCode.failure }
    }

    private func printMappings(_ settings: Settings) throws {
        guard let partitions = settings.partitions, let prefix = partitions.prefix else {
            Terminal.complain(
                "skerry: name the number of partitions and the beginning of their topics (partitions, partition-prefix)\n"
            )
            throw ExitCode.validationFailure
        }
        let mappings = NATSMappings(
            of: try settings.chosenDefinitions(),
            partitions: partitions.count,
            prefix: prefix
        )
        Terminal.write(Array(mappings.text.utf8))
    }
}

extension Settings {
    /// The definitions of the bridge, with what people chose for their devices.
    ///
    /// - Throws: an exit code when they can't be used, after saying why.
    func chosenDefinitions() throws -> [Definition] {
        let definitions = try DefinitionLoading.load(self.definitions, in: language, on: topics)
        return try ChosenDevices(self).choose(for: definitions).definitions
    }
}

extension LeaseHolder {
    fileprivate func row(at now: Timestamp) -> [String] {
        var row = [partition.map { "\($0)" } ?? "all", owner.map(Terminal.printable) ?? "none"]
        if owner != nil {
            let length = since.map { Double((now - $0).roundedSeconds) }
            row += ["\(token)", length.map(PrintedTime.length) ?? "", "\((until - now).roundedSeconds) s"]
        } else {
            row += ["", "", ""]
        }
        return row + [standbys.map(Terminal.printable).joined(separator: ", "), "\(waiting)"]
    }

    fileprivate var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("partition")
        writer.value(partition.map { .int(Int64($0)) } ?? .null)
        writer.key("owner")
        writer.value(owner.map { .string($0) } ?? .null)
        if owner != nil {
            writer.member("lease", token)
            writer.member("since", since)
            writer.member("until", until)
        }
        writer.member("standbys", standbys)
        writer.member("waiting", waiting)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
