import ArgumentParser
import Glibc
import SkerryCommand
import SkerryValues

/// `skerry explain`: why a device is where it is, and what comes next.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Ask the running bridge about a device: why this state, why no update, what comes next.",
        discussion: """
            Prints where the device is and since when, its signals and timers, what it waits for and until when, what \
            the guards of its state say now, its activity, what will be seen if nothing else happens, and what was \
            decided last for each phone:
              skerry explain laundry
              skerry explain washer/laundry -h broker.local
              skerry explain laundry --json | jq .waits

            The question goes over the broker, with the settings of 'skerry run', so it works from anywhere. Without \
            a device it names all devices. Times of day are local; with --json they are Unix seconds.

            Exit status: 0, 1 when there is no such device or several, 64 for wrong settings, 69 when no bridge \
            answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The device: its kind and its name, or its name if no other has that.")
    var device = ""

    @OptionGroup var broker: BrokerOptions

    @Option(help: "What the topics of the bridge start with (default: skerry).")
    var prefix: String?

    @Option(help: "How many seconds to wait for an answer.")
    var wait = 5

    @Flag(help: "Print the answer of the bridge as it comes.")
    var json = false

    func validate() throws {
        guard device.split(separator: "/", omittingEmptySubsequences: false).count <= 2,
            !device.contains("+"), !device.contains("#")
        else { throw ValidationError("a device is kind/name or a name, not '\(device)'") }
        guard (1...3600).contains(wait) else { throw ValidationError("--wait takes 1 to 3600 seconds") }
    }

    func run() async throws {
        try tell(
            try await ExplainInquiry.finding(about: device, .explain, at: broker, prefix: prefix, wait: wait)
        )
    }

    private func tell(_ finding: ExplainInquiry.Finding) throws {
        switch finding {
        case .explained(let bytes, let members):
            if json {
                let line = Terminal.printable(String(decoding: bytes, as: UTF8.self))
                Terminal.write(Array("\(line)\n".utf8))
            } else {
                let text = ExplanationText(members, inColours: Terminal.takesColours(STDOUT_FILENO)).text
                Terminal.write(Array(text.utf8))
            }
        case .devices(let names):
            Terminal.write(Array(names.map { Terminal.printable($0) + "\n" }.joined().utf8))
        case .several(let names):
            let list = names.map { "  \(Terminal.printable($0))\n" }.joined()
            Terminal.complain("skerry: there are several devices called '\(device)'; name one of:\n\(list)")
            throw ExitCode.badInput
        case .unknown(let near):
            let hint =
                near.map { "; did you mean '\(Terminal.printable($0))'?" }
                ?? "; 'skerry explain' names those there are"
            Terminal.complain("skerry: nothing was heard of a device '\(device)'\(hint)\n")
            throw ExitCode.badInput
        case .noBridge(let reason):
            Terminal.complain("skerry: \(Terminal.printable(reason))\n")
            throw ExitCode.unavailable
        case .forgotten, .interrupted:
            throw ExitCode.failure
        }
    }
}
