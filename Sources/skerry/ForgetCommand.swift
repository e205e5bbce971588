import ArgumentParser

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
