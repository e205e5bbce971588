import ArgumentParser
import Glibc
import SkerryCommand

/// A command that is a program of its own, `skerry-NAME`, built from the package in `Workshop`.
protocol WorkshopCommand: ParsableCommand {
    /// Everything behind the name of the command.
    var arguments: [String] { get }
}

extension WorkshopCommand {
    /// Puts the program in the place of this process: the one beside `skerry`, else the one on PATH.
    ///
    /// - Throws: an exit code when there is none.
    func run() throws {
        let name = "skerry-\(Self.configuration.commandName ?? "")"
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        if readlink("/proc/self/exe", &path, Int(PATH_MAX)) > 0, let slash = path.lastIndex(of: 0x2F) {
            let folder = String(decoding: path[...slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            execv(folder + name, &words)
        }
        execvp(name, &words)
        let reason =
            errno == ENOENT
            ? """
            there is no \(name) beside skerry or on PATH: install the package skerry-workshop, or build it with \
            'swift build --package-path Workshop -c release --product \(name)'
            """
            : "\(name) can't be run: \(String(cString: strerror(errno)))"
        Terminal.complain("skerry: \(reason)\n")
        throw ExitCode.unavailable
    }
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
