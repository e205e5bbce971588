import ArgumentParser
import Glibc
import SkerryCommand
import SkerryValues

/// `skerry explain`: why a device is in its state, and what comes next.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Ask the running bridge about a device: why this state, why no update, what comes next.",
        discussion: """
            Prints the state of the device and since when it is in it, its signals and timers, what it waits for and \
            until when, the present values of its guards, its activity, what people will see if nothing else happens, \
            and the last decision for each phone:
              skerry explain laundry
              skerry explain washer/laundry -h broker.local
              skerry explain laundry --json | jq .waits

            The question goes over the broker, with the settings of 'skerry run', so it works from any machine. \
            Without a device it lists all devices. Times of day are local; with --json they are Unix seconds.

            Exit status: 0, 1 when there is no such device or several, 64 for wrong settings, 69 when no bridge \
            answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The device: kind/name, its name alone if that is enough, or what people call it.")
    var device = ""

    @OptionGroup var question: DeviceQuestion

    @Flag(help: "Print the answer of the bridge unchanged.")
    var json = false

    func validate() throws { try DeviceQuestion.check(device) }

    func run() async throws {
        switch try await question.ask(about: device, .explain) {
        case .explained(let bytes, let members):
            if json {
                let line = Terminal.printable(String(decoding: bytes, as: UTF8.self))
                Terminal.write(Array("\(line)\n".utf8))
            } else {
                let text = ExplanationText(members, inColours: Terminal.takesColours(STDOUT_FILENO)).text
                Terminal.write(Array(text.utf8))
            }
        case .devices(let list):
            let names = DeviceInquiry.names(list)
            Terminal.write(Array(names.map { Terminal.printable($0) + "\n" }.joined().utf8))
        default: throw ExitCode.failure
        }
    }
}
