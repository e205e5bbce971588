import ArgumentParser
import SkerryCommand
import SkerryDashboard
import SkerryValues

/// `skerry phones`: which phones are paired.
struct PhonesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones",
        abstract: "List the phones of the bridge that runs here, or remove one.",
        discussion: """
            If the tokens of a phone are old, the app has not been opened for a long time, and iOS may have replaced \
            them. The budgets show how many pushes may still be sent within the hour.

            It asks the running bridge as 'skerry pair' does; 'skerry help pair' explains how the bridge is found.
            """,
        subcommands: [ListCommand.self, RemoveCommand.self],
        defaultSubcommand: ListCommand.self
    )

    /// `skerry phones list`.
    struct ListCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract:
                "List the phones: since when they are paired, how old their tokens are, how many pushes may still be sent."
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
                ["NAME", "ID", "PAIRED", "HEARD", "STARTS ACTIVITIES", "UPDATES", "LEFT"],
                rows.map(\.cells)
            )
            Terminal.write(Array(table.text.utf8))
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
            let phones = try session.ask("GET", "/v1/phones")["phones"]?.elements.compactMap(\.members) ?? []
            let found = phones.filter { $0["phone"]?.text == name || $0["name"]?.text == name }
            guard let id = found.first?["phone"]?.text else {
                let names = phones.compactMap { $0["name"]?.text }.map { "'\(Terminal.printable($0))'" }
                let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
                Terminal.complain("skerry: no phone is called '\(name)': \(known)\n")
                throw ExitCode.badInput
            }
            _ = try session.ask("DELETE", "/v1/phones/\(id)")
            Terminal.write(Array("removed \(Terminal.printable(found[0]["name"]?.text ?? id))\n".utf8))
        }
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
            return "\(name) \(max(0, Int(limit - used)))/\(Int(limit))"
        }
        cells = [
            phone["name"]?.text ?? "", phone["phone"]?.text ?? "",
            age(phone["pairedAt"]) ?? "", age(phone["heardAt"]) ?? "",
            starts.min().map { "\(starts.count), \(Self.age(now - $0))" } ?? "no token",
            updates.min().map { "\(updates.count), \(Self.age(now - $0))" } ?? "none",
            budgets?.joined(separator: ", ") ?? "",
        ].map { Terminal.printable($0) }
    }

    /// A length of time in its largest unit: `3 d`.
    private static func age(_ seconds: Double) -> String {
        let seconds = Int(max(0, min(seconds, 1e12)))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
