import ArgumentParser
import SkerryCommand
import SkerryGateway
import SkerryMosquitto
import SkerryValues

/// `skerry watch`: the activities of the running bridge, live in the terminal.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch the activities of the running bridge in the terminal.",
        discussion: """
            Draws a table of all activities that go on or have just ended, and draws it again when one of them changes. \
            Countdowns run on this machine; nothing is asked of the bridge for them.
              skerry watch
              skerry watch washer/laundry

            When standard output is no terminal, it prints a line for each update instead; with --json the snapshot as an \
            object, with 'dismissed' when an activity is gone.

            It only reads retained topics, with the settings of 'skerry run', and needs permission to read \
            '<prefix>/+/+/activity', '<prefix>/+/+/availability' and '<prefix>/bridge/state'. Ctrl-C ends it.

            Exit status: 0, or 64 for wrong settings.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "A device: kind/name, or its name alone (default: all).")
    var device: String?

    @OptionGroup var broker: BrokerOptions

    @Option(help: "The start of the bridge's topics (default: skerry).")
    var prefix: String?

    @Flag(help: "Print each snapshot as a JSON object.")
    var json = false

    func validate() throws {
        if let device { try DeviceQuestion.check(device) }
    }

    func run() async throws {
        let (settings, bus) = try broker.bus(named: "watch", prefix: prefix)
        let form: ActivityBoard.Form = json ? .json : Terminal.outputIsTerminal ? .table : .lines
        try await bus.run { [prefix = settings.prefix, device] in
            ActivityWatch(ActivityBoard(form, clock: SystemClock()), prefix: prefix, device: device)
        }
    }
}

/// Reads the retained activities of a bridge for a board.
private final class ActivityWatch: BusHandler {
    private var board: ActivityBoard
    private let prefix: String
    private let device: String?

    init(_ board: ActivityBoard, prefix: String, device: String?) {
        self.board = board
        self.prefix = prefix
        self.device = device
    }

    func subscriptionPlan() -> SubscriptionPlan {
        let path = device.map { $0.contains("/") ? $0 : "+/\($0)" } ?? "+/+"
        return SubscriptionPlan(
            filters: [
                "\(prefix)/\(path)/activity", "\(prefix)/\(path)/availability", "\(prefix)/bridge/state",
            ]
        )
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            let topic = String(decoding: message.topic, as: UTF8.self)
            guard topic.hasPrefix("\(prefix)/") else { continue }
            let levels = topic.dropFirst(prefix.count + 1)
                .split(separator: "/", omittingEmptySubsequences: false)
            let payload = Array(message.payload)
            if levels == ["bridge", "state"] {
                board.setBridge(String(decoding: payload, as: UTF8.self))
            } else if levels.count == 3, levels[2] == "activity" {
                board.show(payload, of: "\(levels[0])/\(levels[1])")
            } else if levels.count == 3 {
                board.setOffline(payload.elementsEqual("offline".utf8), "\(levels[0])/\(levels[1])")
            }
        }
        return .committed
    }

    var sleepLimit: Interval? { board.nextDrawing?.distance }

    func wake() { board.drawIfDue() }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            board.note("the broker refused \(outcome.filter): \(outcome.reason)")
        }
    }

    func connected(_ session: BusSession) { board.note(nil) }

    func disconnected(_ fault: BusFault) { board.note(fault.message) }
}
