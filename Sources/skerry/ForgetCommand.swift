import ArgumentParser
import SkerryCommand

/// `skerry forget`: takes a device away, with all that is published of it.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Let the running bridge forget a device.",
        discussion: """
            What the device shows ends, its retained topics are taken away, and it is removed from the database:
              skerry forget washer/old
            A device that goes on publishing starts anew with its next message.

            The order goes over the broker, with the settings of 'skerry run', and needs the right to write \
            '<prefix>/bridge/devices/forget'.

            Exit status: 0, 1 when there is no such device or several, 64 for wrong settings, 69 when no bridge \
            answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The device: its kind and its name, or its name if no other has that.")
    var device: String

    @OptionGroup var broker: BrokerOptions

    @Option(help: "What the topics of the bridge start with (default: skerry).")
    var prefix: String?

    @Option(help: "How many seconds to wait for an answer.")
    var wait = 5

    func validate() throws {
        guard !device.isEmpty, !device.contains("+"), !device.contains("#"),
            device.split(separator: "/", omittingEmptySubsequences: false).count <= 2
        else { throw ValidationError("a device is kind/name or a name, not '\(device)'") }
        guard (1...3600).contains(wait) else { throw ValidationError("--wait takes 1 to 3600 seconds") }
    }

    func run() async throws {
        switch try await ExplainInquiry.finding(
            about: device,
            .forget,
            at: broker,
            prefix: prefix,
            wait: wait
        ) {
        case .forgotten(let name):
            Terminal.write(Array("\(Terminal.printable(name)) is forgotten\n".utf8))
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
        case .explained, .devices, .interrupted:
            throw ExitCode.failure
        }
    }
}
