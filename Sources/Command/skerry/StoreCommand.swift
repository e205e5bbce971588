import ArgumentParser
import SkerryCommand
import SkerryFiles
import SkerryGateway

/// `skerry store`: what a bridge keeps, and where.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Move everything that a bridge keeps to another place.",
        subcommands: [StoreMoveCommand.self]
    )
}

/// `skerry store move`: from a file to PostgreSQL, back, or to another file.
struct StoreMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move everything that a bridge keeps to another file or database.",
        discussion: """
            Devices, timers, histories, waiting messages, phones and what people decided on the page go from the store that \
            the settings name to another one, which no bridge has used:
              skerry store move --to postgresql://skerry@db.example/skerry --dry-run
              sudo systemctl stop skerry
              sudo skerry store move --to postgresql://skerry@db.example/skerry
            then set store.path to the new place, and start the bridge. With partitions in the settings, the stores of all \
            of them move; --to names a file as store.path does.

            The new store is read back before the former one gets another name (with _moved_ and the time at its end), \
            under which no bridge finds it: to go back before the bridge has started, give it its name again. Interrupted at any moment, it goes on when \
            it is called again. Readers and phones notice nothing but a short silence: the bridge publishes all snapshots anew.

            Exit status: 0 when all has moved; 64 for wrong settings; 69 while a bridge has the store, when the new place is \
            used, or when one of them can't be read or written.
            """
    )

    @Option(help: "The new store.path: a file, or postgresql://user@host/database.")
    var to: String

    @Flag(help: "Show what would move, and change nothing.")
    var dryRun = false

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    func validate() throws {
        guard !to.isEmpty, to != "none" else {
            throw ValidationError("--to names a file, or postgresql://user@host/database")
        }
    }

    func run() throws {
        do {
            let relocation = try StoreRelocation(config: config, to: to)
            if dryRun { return try relocation.show() }
            try relocation.run()
        } catch let fault as StoreFault {
            throw fail(fault.message)
        } catch let fault as FileError {
            throw fail("\(fault)")
        }
    }

    private func fail(_ message: String) -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return .unavailable
    }
}
