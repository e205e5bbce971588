import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryValues

/// `skerry record`: messages of a broker as a recording.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Subscribe and write the messages as a recording.",
        discussion: """
            Prints every message as a line of mosquitto_sub -F '%j', in UTC, until SIGINT or SIGTERM:
              skerry record -h broker.local 'homeconnect/#' > washer.jsonl

            A broker that can't be reached is tried again and again.

            Exit status: 0 after SIGINT or SIGTERM, 64 for wrong settings or a wrong filter.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var broker: BrokerOptions

    @Argument(help: "Topic filters, of MQTT or with captures as definitions have them.")
    var filters: [String] = ["#"]

    func validate() throws {
        for filter in filters where (try? TopicFilter(filter)) == nil {
            throw ValidationError(
                "'\(filter)' is no topic filter: '+' is a whole level, '#' the whole last one, and {device} a name of its "
                    + "own; a shared subscription would leave messages out"
            )
        }
    }

    func run() async throws {
        let filters = try filters.map { try TopicFilter($0).subscription }
        var settings = try Settings.load(broker)
        settings.mqtt.beOwnSession(of: "record", clientID: broker.clientID)
        let bus = try settings.bus()
        try await bus.run { Recorder(filters: filters, clock: SystemClock()) }
    }
}

/// Writes every message it is handed to standard output.
private final class Recorder: BusHandler {
    private let filters: [String]
    private let clock: SystemClock
    private var writer = RecordingWriter()

    init(filters: [String], clock: SystemClock) {
        self.filters = filters
        self.clock = clock
    }

    let sleepLimit: Interval? = nil

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            writer.append(RecordedMessage(message, at: clock.moment(sinceBoot: message.arrival)))
        }
        Terminal.writeLines(writer.bytes)
        writer.removeAll()
        return .committed
    }

    func wake() {}

    func subscriptionPlan() -> SubscriptionPlan { SubscriptionPlan(filters: filters) }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            Terminal.complain(
                "skerry: the broker refused \(outcome.filter): \(Terminal.printable(outcome.reason))\n"
            )
        }
    }

    func disconnected(_ fault: BusFault) {
        Terminal.complain("skerry: \(Terminal.printable(fault.message))\n")
    }
}
