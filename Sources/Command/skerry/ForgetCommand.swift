import ArgumentParser
import SkerryCommand

/// `skerry forget`: takes a device away, with all that is published of it.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Make the running bridge forget a device.",
        discussion: """
            Its activity ends, its retained messages are deleted, and it is removed from the database:
              skerry forget washer/old
            A device that still publishes comes back with its next message.

            The request goes over the broker, with the settings of 'skerry run', and needs permission to publish to \
            '<prefix>/bridge/request/devices' and '<prefix>/bridge/request/remove'.

            Exit status: 0, 1 when there is no such device or several, 64 for wrong settings, 69 when no bridge \
            answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The device: kind/name, its name alone if that is enough, or what people call it.")
    var device: String

    @OptionGroup var question: DeviceQuestion

    func validate() throws {
        guard !device.isEmpty else { throw ValidationError("a device is kind/name or a name, not ''") }
        try DeviceQuestion.check(device)
    }

    func run() async throws {
        guard case .forgotten(let name) = try await question.ask(about: device, .forget) else {
            throw ExitCode.failure
        }
        Terminal.write(Array("\(Terminal.printable(name)) is forgotten\n".utf8))
    }
}
