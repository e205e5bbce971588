import ArgumentParser
import Logging
import SkerryCommand
import SkerryDashboard
import SkerryFiles

/// `skerry cluster serve`: one page and one HTTP API for all partitions.
struct ClusterServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve one page and one HTTP API for all partitions.",
        discussion: """
            Partitions have a page and an API each, ten ports further for each number. This is a page in front of them: it \
            asks the partition that has a device, or all of them, and makes one answer of theirs. It keeps nothing, and any \
            number of them may run, on any computers, with the settings of the partitions:
              skerry cluster serve --config /etc/skerry/skerry.yaml

            It listens ten ports before partition 0, so on http://127.0.0.1:7527 by default, and with TLS likewise. It asks the \
            partitions on this computer, or those on the computers that http.partition-hosts names: of each partition the \
            gateway that is active, and another one after a take-over.

            It knows people by the same tokens as the partitions, which therefore need the same admin token: on one computer \
            they have it, on several copy the file that http.admin-token-file names. Give phones its address (http.url): \
            'skerry pair' pairs with partition 0, and the front makes the phone known to all.

            A partition that does not answer is left out of lists, which name it in the member 'missing' and the field \
            Skerry-Missing.

            SIGTERM and SIGINT end it. Exit status: 0 after such an end, 64 for wrong settings, 75 when it can't listen.
            """
    )

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    /// The command before it, which may have taken an option that both have.
    @ParentCommand private var cluster: ClusterCommand

    func run() async throws {
        let settings = try Settings.load(.only(config ?? cluster.config), logs: true)
        guard let partitions = settings.partitions else {
            Terminal.complain(
                "skerry: the settings name no partitions: without them, the bridge serves the page by itself\n"
            )
            throw ExitCode.validationFailure
        }
        let (options, places) = try Settings.complaining { () throws(SettingFault) in
            try settings.http.front(of: partitions)
        }
        let (level, isJSON) = (LogLevel(settings.logLevel), settings.logsJSON)
        let logger = Logger(label: "skerry") { LogOutput(label: $0, level: level, isJSON: isJSON) }
        do {
            let server = try DashboardServer(
                options: options,
                frontOf: places,
                admin: try PhoneServices.secret(settings.http, logger),
                logger: logger
            )
            let service = Task { try await server.run() }
            Signals.onStop { service.cancel() }
            try await service.value
        } catch let fault as ServiceFault {
            throw fault.report()
        } catch let fault as DashboardServer.BindFault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.passing
        }
    }
}
