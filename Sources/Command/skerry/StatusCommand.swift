import ArgumentParser
import SkerryCommand
import SkerryGateway
import SkerryMosquitto
import SkerryValues

/// `skerry status`: whether the bridge runs, and how it is doing.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell whether the bridge runs, and how it is doing.",
        discussion: """
            Reads what the bridge retains about itself on the broker, and asks it how it is doing now:
              skerry status
              skerry status --json | jq .health.waiting

            'problems' counts what went wrong since the start, with the last one; 'skerry devices' lists the devices. \
            With --json it is an object of 'state', 'answers', 'info' and 'health'; of a bridge that does not answer, \
            'health' is what it last reported.

            Exit status: 0 when the bridge is online and answers, 64 for wrong settings, 69 otherwise.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var question: DeviceQuestion

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let (settings, bus) = try question.broker.bus(
            named: "status",
            prefix: question.prefix,
            partition: question.partition
        )
        let bridge = try settings.bridge()
        let found = Found<StatusInquiry.Finding?>(nil)
        let host = settings.mqtt.address
        try await bus.run { [wait = question.wait] in
            StatusInquiry(bridge: bridge, patience: .seconds(wait)) { finding in
                found.put(finding)
                bus.stop()
            }
        }
        guard let finding = found.finding else { throw ExitCode.failure }
        if let fault = finding.fault {
            Terminal.complain("skerry: \(Terminal.printable(fault))\n")
            throw ExitCode.unavailable
        }
        let answers = finding.answers
        if json {
            Terminal.write(Array("\(Terminal.printable(finding.json))\n".utf8))
        } else if finding.state != nil {
            Terminal.write(Array(finding.text(broker: host, prefix: settings.prefix).utf8))
        }
        guard !answers else { return }
        let reason =
            finding.isConnected
            ? BridgeAbsence.reason(
                state: finding.state,
                topic: "\(bridge)/state",
                broker: host,
                patience: .seconds(question.wait)
            ) : BridgeAbsence.silence(of: host)
        Terminal.complain("skerry: \(Terminal.printable(reason))\n")
        throw ExitCode.unavailable
    }
}

extension StatusInquiry.Finding {
    /// The finding as an object of JSON.
    fileprivate var json: String {
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        writer.member("state", state)
        writer.member("answers", answers)
        for (name, members) in [("info", info), ("health", health)] {
            writer.member(name, .map(members))
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The finding in lines for people.
    fileprivate func text(broker: String, prefix: String) -> String {
        let now = Double(SystemClock().now.microseconds) / 1e6
        func count(_ members: ValueMap?, _ name: String) -> String { "\(members?[name]?.whole ?? 0)" }
        var bridge = state ?? "unknown"
        if let version = info["version"]?.text { bridge += ", skerry \(version)" }
        if answers, let started = info["started"]?.number {
            bridge += ", since \(PrintedTime.moment(started, at: now)) (\(PrintedTime.length(now - started)))"
        }
        if let number = info["partition"]?.whole, let all = info["partitions"]?.whole {
            bridge += ", partition \(number) of \(all)"
        }
        if let node = info["node"]?.text { bridge += ", on \(node)" }
        let messages = health["messages"]?.members
        var lines = [
            ("bridge", bridge), ("broker", "\(broker), topics below \(prefix)/"),
            ("devices", count(health, "devices")),
            (
                "messages",
                "\(count(messages, "in")), \(count(messages, "refused")) refused, \(count(messages, "ignored")) of no device, \(count(messages, "beyondLimit")) beyond limits"
            ),
            (
                "updates",
                "\(count(health, "updates")), \(count(health, "waiting")) wait for the broker, \(count(health, "dropped")) dropped"
            ),
        ]
        var problems = count(health, "problems")
        if let last = health["lastError"]?.members, let message = last["message"]?.text {
            problems +=
                ", the last \(last["at"]?.number.map { PrintedTime.distance($0, from: now) } ?? ""): \(message)"
        }
        lines.append(("problems", problems))
        if let clock = health["clock"]?.text, clock != "known" { lines.append(("clock", clock)) }
        let aside = health["setAside"]?.elements.compactMap(\.text) ?? []
        if !aside.isEmpty { lines.append(("set aside", aside.joined(separator: ", "))) }
        let kinds = info["definitions"]?.elements.compactMap { $0.members?["kind"]?.text } ?? []
        lines.append(("kinds", kinds.joined(separator: ", ")))
        let unheard = health["unheard"]?.elements.compactMap(\.text) ?? []
        // A folder of all kinds that there are has many of which there is no device.
        if (1...5).contains(unheard.count) { lines.append(("unheard", unheard.joined(separator: ", "))) }
        return lines.map { name, text in
            name + String(repeating: " ", count: 11 - name.count) + Terminal.printable(text) + "\n"
        }.joined()
    }
}
