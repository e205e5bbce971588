import ArgumentParser
import Glibc
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

    @OptionGroup var question: DeviceQuestion

    @Flag(help: "Print the answer of the bridge as it comes.")
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
        case .devices(let names):
            Terminal.write(Array(names.map { Terminal.printable($0) + "\n" }.joined().utf8))
        default: throw ExitCode.failure
        }
    }
}
