import ArgumentParser
import SkerryCommand

/// `skerry send`: an event for a device.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send an event to a device of the running bridge.",
        discussion: """
            The machine of the device takes it as it takes events of the device itself, for instance a button that \
            snoozes an alert:
              skerry send washer/laundry snooze

            Which events a kind has is in its definition under 'on:', and on the page. An event for which the present state has \
            no transition changes nothing; 'skerry explain DEVICE' shows the transitions of the present state.

            The event goes over the broker, with the settings of 'skerry run', and needs permission to publish to \
            '<prefix>/<kind>/<device>/event'.

            Exit status: 0 when the broker has it, 1 when there is no such device, several, or no such event, 64 for wrong \
            settings, 69 when no bridge answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The device: kind/name, its name alone if that is enough, or what people call it.")
    var device: String

    @Argument(help: "The name of the event.")
    var event: String

    @OptionGroup var question: DeviceQuestion

    func validate() throws {
        guard !device.isEmpty else { throw ValidationError("a device is kind/name or a name, not ''") }
        try DeviceQuestion.check(device)
        guard !event.isEmpty else { throw ValidationError("an event has a name") }
    }

    func run() async throws {
        guard case .sent(let name) = try await question.ask(about: device, .send(event: event)) else {
            throw ExitCode.failure
        }
        Terminal.write(Array(Terminal.printable("sent '\(event)' to \(name)").utf8) + Array("\n".utf8))
    }
}
