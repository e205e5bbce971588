import ArgumentParser
import SkerryCommand
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryMosquitto

/// `skerry cluster repartition`: another number of partitions for devices that there are.
struct RepartitionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repartition",
        abstract: "Share the devices out among another number of partitions.",
        discussion: """
            No message, timer or revision is lost. All partitions run when it begins, with the former number in the settings:
              skerry cluster repartition --to 4 --dry-run    only shows what would go where
              skerry cluster repartition --to 4
            then set 'partitions: 4', and start all four.

            It publishes a mark at the broker. Each partition handles all messages before the mark, and ends. When all of them \
            have, their stores become those of the new partitions, in one step; messages behind the mark wait in the \
            sessions. It needs to write to all stores (files: as the user of the bridges, on the computer that has \
            them), to publish to '<prefix>/bridge/repartition', and to read '<prefix>/+/state'.

            Interrupted at any moment, it goes on when it is called again. As long as the stores are the former ones, --to with \
            the former number lets the partitions that have ended go on as before.

            Exit status: 0, also when all was done before; 64 for wrong settings, among them a broker that gives each \
            partition other messages (partition-prefix) or speaks MQTT 3.1.1; 69 when the broker, a store or a partition \
            does not do its part.
            """
    )

    @Option(help: "The new number of partitions.")
    var to: Int

    @Flag(help: "Show the devices that each partition would have, and change nothing.")
    var dryRun = false

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    /// The command before it, which may have taken an option that both have.
    @ParentCommand private var cluster: ClusterCommand

    func validate() throws {
        guard (1...Partition.limit).contains(to) else {
            throw ValidationError("--to takes 1 to \(Partition.limit)")
        }
    }

    func run() async throws {
        let file = config ?? cluster.config
        let settings = try Settings.load(.only(file))
        guard let former = settings.partitions?.count else {
            throw refuse("the settings name no partitions: write how many there are now (partitions)")
        }
        guard settings.mqtt.version == .v5, settings.partitions?.prefix == nil else {
            throw refuse(
                "where the broker gives each partition other messages (partition-prefix) or speaks MQTT 3.1.1, there is no mark "
                    + "for all of them: end all, and start with a new store and --take-over"
            )
        }
        if settings.store.keepsNothing {
            throw refuse("nothing is kept (store.path: none): end all, and start them with another number")
        }
        do {
            let repartition = try Repartition(settings, config: file, from: former, to: to)
            if dryRun { return try repartition.show() }
            try await repartition.run()
        } catch let fault as StoreFault {
            throw fail(fault.message)
        } catch let fault as FileError {
            throw fail("\(fault)")
        } catch let fault as BusFault {
            throw fail(Terminal.printable(fault.message))
        }
    }

    private func refuse(_ message: String) -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return .validationFailure
    }

    private func fail(_ message: String) -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return .unavailable
    }
}
