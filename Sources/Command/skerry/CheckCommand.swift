import ArgumentParser
import Glibc
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway

/// `skerry check`: reports all problems of definitions.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check definitions and show every problem with its place.",
        discussion: """
            Reads files and folders of definitions and prints all problems at once, each with file, line and column, \
            the line itself and a remedy. Tests are checked, too, but not run; 'skerry test' runs them. 'skerry \
            explain-code' explains a code.

            With --against, it also shows what would happen to the devices in a bridge's database: which would go on, \
            which 'migrate:' would move to another state, which would start again or end. The database is only read, \
            and the bridge may be running.

            Exit status: 0 when there are no errors and every device would go on, 1 otherwise; with --strict, warnings \
            count as errors.
            """
    )

    @Argument(
        help: "Files or folders of definitions.",
        completion: .file(extensions: ["yaml", "yml", "skd"])
    )
    var paths: [String] = ["devices"]

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "The database of a bridge, to show what would happen to its devices.",
            valueName: "store"
        ),
        completion: .file(extensions: ["db"])
    )
    var against: String?

    func run() throws {
        var compiled = try DefinitionLoading.read(paths)
        compiled.checkTests()
        Terminal.write(Array(compiled.report(DefinitionLoading.printer(STDOUT_FILENO)).utf8))
        let count = compiled.files.count
        let files = count == 1 ? "1 definition" : "\(count) definitions"
        let summary = DiagnosticPrinter.summary(of: compiled.problems) ?? "no problems"
        Terminal.write(Array("\(files): \(summary)\n".utf8))
        if Terminal.outputIsTerminal, let first = compiled.problems.first {
            Terminal.write(Array("skerry explain-code \(first.code.name) explains it\n".utf8))
        }
        if compiled.hasErrors || (strict && !compiled.problems.isEmpty) { throw ExitCode.badInput }
        if let against { try compare(compiled.definitions, with: against) }
    }

    /// Reports what would happen to the devices in a store.
    private func compare(_ definitions: [Definition], with path: String) throws {
        let state: StoredState
        do throws(StoreFault) {
            state = try StoreReading.look(at: path)
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.badInput
        }
        let forecast = ChangeForecast(state: state, definitions: definitions)
        var lines = forecast.kinds.isEmpty ? ["\(path): no devices"] : forecast.kinds.flatMap { $0.lines }
        lines += state.setAside.map { "\($0.device): set aside on \(RecordingTime.text($0.at)) UTC" }
        Terminal.write(Array(lines.map { Terminal.printable($0) + "\n" }.joined().utf8))
        if forecast.kinds.contains(where: { $0.losesDevices }) { throw ExitCode.badInput }
    }
}

extension ChangeForecast.Kind {
    fileprivate var lines: [String] {
        let count = devices == 1 ? "1 device" : "\(devices) devices"
        guard isDefined else {
            return ["\(name): \(count) would end: no definition of this kind exists any more"]
        }
        let moved = moves.reduce(unreadable.count) { $0 + $1.devices.count }
        var lines = ["\(name): \(devices - moved) of \(count) would go on in their states"]
        lines += moves.map { "  \($0.line)" }
        lines += unreadable.map {
            "  \(name)/\($0.device): can't be read, would start in the initial state: \($0.reason)"
        }
        guard let vanished else { return lines }
        let names = [
            ("states", vanished.states), ("signals", vanished.signals), ("variables", vanished.variables),
            ("timers", vanished.timers),
        ]
        for (what, gone) in names where !gone.isEmpty {
            lines.append("  \(what) that no longer exist: \(gone.joined(separator: ", "))")
        }
        return lines
    }
}
