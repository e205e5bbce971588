import ArgumentParser
import SkerryCommand

/// A command whose program is built from the package in `Workshop`.
protocol WorkshopCommand: ProgramCommand {}

extension WorkshopCommand {
    static var program: String { "skerry-\(configuration.commandName ?? "")" }

    static var packageFolder: String? { "Workshop" }
}

/// `skerry import`: definitions from files of other systems.
struct ImportCommand: WorkshopCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a definition of a machine that was written for another system."
    )

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `skerry simulate`: worlds in which everything goes wrong.
struct SimulateCommand: WorkshopCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run the bridge in worlds in which everything goes wrong."
    )

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}
