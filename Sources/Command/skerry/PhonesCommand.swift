import ArgumentParser
import SkerryCommand
import SkerryDashboard
import SkerryGateway
import SkerryValues

/// `skerry phones`: which phones are paired.
struct PhonesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones",
        abstract:
            "List the phones of the bridge that runs here, assign them to people, test one, list errors, or remove one.",
        discussion: """
            If the tokens of a phone are old, the app has not been opened for a long time, and iOS may have replaced \
            them. The budgets show how many pushes may still be sent within the hour.

            It asks the running bridge as 'skerry pair' does; 'skerry help pair' explains how the bridge is found.

            Exit status: 0, 1 when there is no such phone, 64 for wrong settings, 69 when no bridge answers or it refuses the \
            token.
            """,
        subcommands: [
            ListCommand.self, AssignCommand.self, TestCommand.self, ErrorsCommand.self, RemoveCommand.self,
        ],
        defaultSubcommand: ListCommand.self
    )

    /// `skerry phones list`.
    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract:
                "List the phones: whose they are, since when they are paired, how old their tokens are, how many pushes may still be sent."
        )

        @OptionGroup var bridge: BridgeOption

        func run() throws {
            let answer = try BridgeSession(bridge).ask("GET", "/v1/phones")
            let now = answer["now"]?.number ?? 0
            let phones = answer["phones"]?.elements.compactMap(\.members) ?? []
            if phones.isEmpty {
                Terminal.complain("no phones yet: run 'skerry pair'\n")
                return
            }
            let rows = phones.map { PhoneRow($0, at: now) }
            let table = TextTable(
                [
                    "NAME", "PERSON", "APP", "ID", "PAIRED", "HEARD", "STARTS ACTIVITIES", "UPDATES",
                    "NOTIFICATIONS", "WIDGETS", "LEFT", "PUSHES", "HIDES",
                ],
                rows.map(\.cells)
            )
            Terminal.write(Array(table.text.utf8))
        }
    }

    /// `skerry phones assign`.
    struct AssignCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "assign",
            abstract: "Assign a phone to a person, or take it from everybody.",
            discussion: """
                The setting 'audience' and the definitions say which people see a device. Without PERSON the phone \
                belongs to no person, and sees only what is for everybody.
                """
        )

        @Argument(help: "The name or the id of the phone, as 'skerry phones' shows it.")
        var phone: String

        @Argument(help: "The person, as in the setting 'audience'.")
        var person: String?

        @OptionGroup var bridge: BridgeOption

        func run() throws {
            let session = try BridgeSession(bridge)
            let found = try session.phone(called: phone)
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("person", person)
            writer.endObject()
            _ = try session.ask("PUT", "/v1/phones/\(found.id)/person", body: writer.bytes)
            let owner = person.map { "belongs to \($0)" } ?? "belongs to no person"
            Terminal.write(Array("\(Terminal.printable("\(found.name) \(owner)"))\n".utf8))
        }
    }

    /// `skerry phones errors`.
    struct ErrorsCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "errors",
            abstract: "List what did not reach phones and the recipients of sinks, newest last.",
            discussion: """
                The bridge keeps the last \(FailureLog.limit), also over restarts. What it did then is in \
                'skerry explain' for each device: most are sent again.

                  skerry phones errors --phone "Ada's iPhone"
                  skerry phones errors --service webhook
                """
        )

        @Option(help: "Only those of a phone, or of a recipient of a sink, by its name.")
        var phone: String?

        @Option(help: "Only those of 'phones', or of a sink by its name in the settings.")
        var service: String?

        @Option(help: "The most lines.")
        var limit = 100

        @OptionGroup var bridge: BridgeOption

        func validate() throws {
            guard (1...FailureLog.limit).contains(limit) else {
                throw ValidationError("--limit is a number from 1 to \(FailureLog.limit)")
            }
        }

        func run() throws {
            var address = "/v1/errors?limit=\(limit)"
            for (name, value) in [("recipient", phone), ("service", service)] {
                if let value { address += "&\(name)=\(PercentCoding.encoded(value))" }
            }
            let answer = try BridgeSession(bridge).ask("GET", address)
            let errors = answer["errors"]?.elements.compactMap(\.members) ?? []
            if errors.isEmpty {
                Terminal.complain("no errors\n")
                return
            }
            let now = Double(SystemClock().now.microseconds) / 1e6
            let rows = errors.reversed().map { error in
                let recipient = error["recipient"]?.text ?? ""
                return [
                    PrintedTime.moment(error["at"]?.number ?? 0, at: now), error["service"]?.text ?? "",
                    recipient.isEmpty ? "all phones" : recipient, error["activity"]?.text ?? "",
                    error["text"]?.text ?? "",
                ].map { Terminal.printable($0) }
            }
            Terminal.write(Array(TextTable(["AT", "SERVICE", "TO", "ACTIVITY", "ERROR"], rows).text.utf8))
        }
    }

    /// `skerry phones test`.
    struct TestCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Show a test activity on a phone for a minute, and wait until the phone shows it.",
            discussion: """
                All texts of the activity are 'Test', and its timers run for the minute. It needs no device, and is sent \
                as any other activity is. It ends with 0 when the app has reported that it shows the activity, and with \
                1 when it has not within half a minute: with iOS 18 or earlier that may take a tap on Allow.
                """
        )

        @Argument(help: "The name or the id of the phone, as 'skerry phones' shows it.")
        var phone: String

        @Option(help: "The kind of device to show; else the first that the app can show.")
        var kind: String?

        @OptionGroup var bridge: BridgeOption

        /// The patience with the phone, in seconds.
        private static var patience: Int { 30 }

        func run() async throws {
            let session = try BridgeSession(bridge)
            let found = try session.phone(called: phone)
            var writer = JSONWriter()
            writer.beginObject()
            if let kind { writer.member("kind", kind) }
            writer.endObject()
            let answer = try session.ask("POST", "/v1/phones/\(found.id)/test", body: writer.bytes)
            let activity = answer["activity"]?.text ?? ""
            let name = Terminal.printable(found.name)
            Terminal.write(Array("\(Terminal.printable(activity)) begins on \(name)\n".utf8))
            for _ in 0..<Self.patience {
                try await Task.sleep(for: .seconds(1))
                let phone = try session.ask("GET", "/v1/phones/\(found.id)")
                let shown = phone["activities"]?.elements.compactMap(\.members) ?? []
                if shown.contains(where: {
                    $0["id"]?.text == activity && $0["tokenConfirmedAt"]?.number != nil
                }) {
                    Terminal.write(Array("\(name) shows it\n".utf8))
                    return
                }
            }
            Terminal.complain(
                """
                skerry: \(name) has not reported it within \(Self.patience) s. 'skerry phones errors' \
                lists what Apple refused; otherwise the phone is offline, or the app can't reach the bridge.

                """
            )
            throw ExitCode.badInput
        }
    }

    /// `skerry phones remove`.
    struct RemoveCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a phone: nothing more is sent to it until it is paired again."
        )

        @Argument(help: "The name or the id of the phone, as 'skerry phones' shows it.")
        var name: String

        @OptionGroup var bridge: BridgeOption

        func run() throws {
            let session = try BridgeSession(bridge)
            let found = try session.phone(called: name)
            _ = try session.ask("DELETE", "/v1/phones/\(found.id)")
            Terminal.write(Array("removed \(Terminal.printable(found.name))\n".utf8))
        }
    }
}

extension BridgeSession {
    /// The phone with a name or an id.
    ///
    /// - Throws: an exit code, after it told which phones there are.
    fileprivate func phone(called name: String) throws -> (id: String, name: String) {
        let phones = try ask("GET", "/v1/phones")["phones"]?.elements.compactMap(\.members) ?? []
        let found = phones.first { $0["phone"]?.text == name || $0["name"]?.text == name }
        guard let found, let id = found["phone"]?.text else {
            let names = phones.compactMap { $0["name"]?.text }.map { "'\(Terminal.printable($0))'" }
            let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
            Terminal.complain("skerry: no phone is called '\(name)': \(known)\n")
            throw ExitCode.badInput
        }
        return (id, found["name"]?.text ?? id)
    }
}

/// A phone as a line of a table.
private struct PhoneRow {
    let cells: [String]

    init(_ phone: ValueMap, at now: Double) {
        let age = { (moment: Value?) -> String? in moment?.number.map { Self.age(now - $0) } }
        let starts = phone["pushToStart"]?.elements.compactMap { $0.members?["confirmedAt"]?.number } ?? []
        let updates =
            phone["activities"]?.elements.compactMap { $0.members?["tokenConfirmedAt"]?.number } ?? []
        let budgets = phone["budgets"]?.elements.compactMap { budget -> String? in
            guard let budget = budget.members, let name = budget["name"]?.text,
                let used = budget["used"]?.number, let limit = budget["limit"]?.number
            else { return nil }
            return "\(name) \(max(0, limit - used).whole)/\(limit.whole)"
        }
        let hides: [String] = phone["hides"]?.elements.compactMap(\.text) ?? []
        let texts: [String] = [
            phone["name"]?.text ?? "", phone["person"]?.text ?? "-", phone["bundleId"]?.text ?? "-",
            phone["phone"]?.text ?? "",
            age(phone["pairedAt"]) ?? "", age(phone["heardAt"]) ?? "",
            starts.min().map { "\(starts.count), \(Self.age(now - $0))" } ?? "no token",
            updates.min().map { "\(updates.count), \(Self.age(now - $0))" } ?? "none",
            age(phone["notificationsConfirmedAt"]) ?? "no token",
            Self.widgets(phone["widgets"]?.members),
            budgets?.joined(separator: ", ") ?? "", Self.counts(phone["pushes"]?.members ?? ValueMap()),
            hides.joined(separator: ", "),
        ]
        cells = texts.map { Terminal.printable($0) }
    }

    /// The kinds that have widgets: `washer, oven`.
    private static func widgets(_ widgets: ValueMap?) -> String {
        guard let widgets else { return "none" }
        guard case .list(let kinds)? = widgets["kinds"] else { return "all kinds" }
        return kinds.compactMap(\.text).joined(separator: ", ")
    }

    /// The pushes since the pairing: `40 sent, 39 accepted, 1 refused, 2 notified`.
    private static func counts(_ pushes: ValueMap) -> String {
        let events = pushes.entries.compactMap { $0.value.members }
        let sums = ["sent", "accepted", "refused"].map { name in
            "\(events.reduce(0) { $0 + ($1[name]?.whole ?? 0) }) \(name)"
        }
        let notified = pushes["notification"]?.members?["accepted"]?.whole ?? 0
        return (sums + ["\(notified) notified"]).joined(separator: ", ")
    }

    /// A length of time in its largest unit: `3 d`.
    private static func age(_ seconds: Double) -> String {
        let seconds = max(0, seconds).whole
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
