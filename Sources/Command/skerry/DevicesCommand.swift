import ArgumentParser
import SkerryCommand
import SkerryGateway
import SkerryValues

/// `skerry devices`: what the running bridge knows, as a table.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices of the running bridge: their states, what they show, what comes next.",
        discussion: """
            Prints a line for each device: the name that people gave it, where its machine is and since when, when it was \
            heard last, what people see, and what comes next if it sends nothing new:
              skerry devices
              skerry devices --json | jq '.devices[] | select(.available == false)'

            The question goes over the broker, with the settings of 'skerry run'. With --json it is the answer of the bridge: \
            'devices', their number in 'count', and how many did not fit into it in 'left'.

            'skerry explain DEVICE' says more about one of them, 'skerry watch' shows the running activities.

            Exit status: 0, 64 for wrong settings, 69 when no bridge answers.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var question: DeviceQuestion

    @Flag(help: "Print the answer of the bridge unchanged.")
    var json = false

    func run() async throws {
        guard case .devices(let list) = try await question.ask(about: "", .list) else {
            throw ExitCode.failure
        }
        if json {
            var writer = JSONWriter(capacity: 4096)
            writer.value(.map(list))
            Terminal.write(
                Array("\(Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)))\n".utf8)
            )
            return
        }
        let now = Double(SystemClock().now.microseconds) / 1e6
        let rows = list["devices"]?.elements.compactMap(\.members).map { Self.cells($0, at: now) } ?? []
        if rows.isEmpty {
            Terminal.complain("no devices yet: the bridge has heard none of its topics\n")
            return
        }
        let table = TextTable(["DEVICE", "NAME", "STATE", "SINCE", "HEARD", "SHOWN", "NEXT"], rows)
        Terminal.write(Array(table.text.utf8))
        if let left = list["left"]?.whole { Terminal.complain("and \(left) more\n") }
    }

    private static func cells(_ device: ValueMap, at now: Double) -> [String] {
        let states = device["states"]?.elements.compactMap(\.text) ?? []
        let isOffline = device["available"]?.truth == false
        let activity = device["activity"]?.members
        var next = ""
        if let at = device["next"]?.members?["at"]?.number {
            next = "\(device["next"]?.members?["what"]?.text ?? "") \(PrintedTime.distance(at, from: now))"
        }
        let cells: [String] = [
            "\(device["kind"]?.text ?? "")/\(device["device"]?.text ?? "")",
            device["name"]?.text ?? "",
            (device["title"]?.text ?? states.last ?? "") + (isOffline ? " (offline)" : ""),
            device["since"]?.number.map { PrintedTime.distance($0, from: now) } ?? "",
            device["heard"]?.number.map { PrintedTime.distance($0, from: now) } ?? "retained only",
            ShownContent(activity?["content"]?.members ?? ValueMap(), at: now).text, next,
        ]
        return cells.map { Terminal.printable($0) }
    }
}

/// The content of an activity in one line, as a phone would show it at a moment.
struct ShownContent {
    /// The fields with their values, countdowns as the time that is left.
    let text: String
    /// True if the text is another one a second later.
    let isRunning: Bool

    /// Puts a content into words.
    ///
    /// - Parameters:
    ///   - content: The fields.
    ///   - now: The moment in Unix seconds.
    init(_ content: ValueMap, at now: Double) {
        var isRunning = false
        text = content.entries.compactMap { entry -> String? in
            guard let name = entry.key.text else { return nil }
            guard let time = entry.value.members else { return "\(name) \(Self.plain(entry.value))" }
            if let end = time["end"]?.number {
                isRunning = isRunning || end > now
                return "\(name) \(time["tolerance"] == nil ? "" : "~")\(Self.clock(end - now))"
            }
            if let remaining = time["remaining"]?.number { return "\(name) \(Self.clock(remaining)) paused" }
            if let start = time["start"]?.number {
                isRunning = true
                return "\(name) +\(Self.clock(now - start))"
            }
            if let elapsed = time["elapsed"]?.number { return "\(name) +\(Self.clock(elapsed)) paused" }
            return "\(name) \(Self.plain(entry.value))"
        }.joined(separator: ", ")
        self.isRunning = isRunning
    }

    /// Hours, minutes and seconds, not below zero.
    private static func clock(_ seconds: Double) -> String {
        let whole = max(0, seconds.rounded(.up)).whole
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = "\(two(whole % 60))"
        return whole < 3600 ? "\(whole / 60):\(rest)" : "\(whole / 3600):\(two(whole / 60 % 60)):\(rest)"
    }

    private static func plain(_ value: Value) -> String {
        if let text = value.text { return text }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
