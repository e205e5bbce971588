import ArgumentParser
import SkerryCommand

/// The command `skerry`.
@main
struct Skerry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skerry",
        abstract: "Live activities for MQTT devices, computed on your gateway.",
        discussion: """
            Skerry listens to devices on an MQTT broker, keeps a state machine with timers for each, and publishes \
            what changed only when a person would see a difference.

            Start here:
              skerry discover -h broker.local    which devices are there?
              skerry demo                        watch three simulated devices
              skerry check devices               is a definition right?
              skerry replay day.jsonl            what would have been published?
              skerry run --host broker.local     the bridge itself
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, DiscoverCommand.self, DevicesCommand.self, StatusCommand.self,
            DoctorCommand.self, ClusterCommand.self, StoreCommand.self,
            WatchCommand.self,
            ExplainCommand.self, HistoryCommand.self, SendCommand.self, ForgetCommand.self, CheckCommand.self,
            TestCommand.self, ReplayCommand.self, RecordCommand.self, ScrubCommand.self, PlayCommand.self,
            NewCommand.self,
            GraphCommand.self, CompileCommand.self, DescribeCommand.self, GenerateCommand.self,
            SchemaCommand.self,
            ExplainCodeCommand.self, PairCommand.self, PhonesCommand.self, DemoCommand.self,
            ImportCommand.self,
            SimulateCommand.self, ManualCommand.self,
        ]
    )

    static func main() async {
        Terminal.openStandardStreams()
        if let refusal = UnknownCommand.refusal(of: CommandLine.arguments) {
            Terminal.complain("skerry: \(refusal)\n")
            exit(withError: ExitCode.validationFailure)
        }
        var command = readArguments()
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(type(of: command), with: error)
        }
    }
}
