import ArgumentParser
import SkerryCommand
import SkerryEngine
import SkerryExpressions
import SkerryGateway
import SkerryValues

/// `skerry history`: the activities that have ended.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the activities that have ended.",
        discussion: """
            Reads the database of a bridge, which may be running, and prints one line for each run of a device: when \
            it ended, in the time zone of this machine, how long it took, its last state and its last content. The \
            newest comes last.

              skerry history washer/laundry --last 5
              skerry history --before washer/laundry/1772360467
              skerry history --json | jq .content

            With --json each line is an object: id, kind, device, started and ended in Unix seconds, state, revisions, \
            attributes, content. --before takes such an id, and shows what ended before that activity.

            The database is the one of the settings, which with /etc/skerry/skerry.yaml is that of the service, or the \
            one that --store names. The settings history.activities and history.days limit how much is kept. Exit status: 0, or 1 \
            when there is no database, or no such device or activity in it.
            """
    )

    @Argument(help: "A device: laundry, or washer/laundry (default: all).")
    var device: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: "How many activities at most; the last ones.")
    var last = 100

    @Option(help: "Only activities that ended before the one with this id.")
    var before: String?

    @Option(help: "The database.", completion: .file(extensions: ["db"]))
    var store: String?

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    func validate() throws {
        if last < 1 { throw ValidationError("--last: \(last) is not 1 or more") }
    }

    func run() throws {
        let path = try path()
        let activities: [EndedActivity]
        do throws(StoreFault) {
            activities = try StoreReading.history(at: path, device: device, before: before, last: last)
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.badInput
        }
        if json {
            for activity in activities {
                let line = String(decoding: activity.json, as: UTF8.self)
                Terminal.write(Array("\(Terminal.printable(line))\n".utf8))
            }
        }
        if activities.isEmpty {
            try tellNothing(in: path)
        } else if !json {
            Terminal.write(Array(Self.table(activities).text.utf8))
        }
    }

    /// Reports that there is nothing to show.
    ///
    /// - Throws: an exit code if the database has never had the device, or does not keep the activity of `--before`.
    private func tellNothing(in path: String) throws {
        if device == nil, before == nil {
            Terminal.complain("nothing has ended yet\n")
            return
        }
        let ended: [EndedActivity]
        let known: [String]
        do throws(StoreFault) {
            ended = try StoreReading.history(at: path, last: .max)
            let kept = try StoreReading.look(at: path).devices.map { "\($0.kind)/\($0.name)" }
            known = Set(ended.map { "\($0.kind)/\($0.device)" } + kept).sorted()
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.badInput
        }
        if let before, !ended.contains(where: { $0.id == before }) {
            let id = Terminal.printable(before)
            Terminal.complain("skerry: \(path) has no activity '\(id)' that has ended\n")
            throw ExitCode.badInput
        }
        guard let device else {
            Terminal.complain("nothing that ended earlier is kept\n")
            return
        }
        if known.contains(where: { $0 == device || $0.hasSuffix("/\(device)") }) {
            Terminal.complain("nothing of '\(device)' has ended \(before == nil ? "yet" : "earlier")\n")
            return
        }
        let names = known + known.compactMap { $0.split(separator: "/").last.map { String($0) } }
        let remedy =
            if let near = nearestName(to: device, among: names) {
                "did you mean '\(near)'?"
            } else if known.isEmpty {
                "it has no devices yet; is it the right database?"
            } else {
                "there are: \(known.prefix(12).joined(separator: ", "))\(known.count > 12 ? ", …" : "")"
            }
        Terminal.complain(
            "skerry: \(path) knows no device '\(device)'; \(Terminal.printable(remedy))\n"
        )
        throw ExitCode.badInput
    }

    private func path() throws -> String {
        if let store { return store }
        let settings = try Settings.load(.only(config))
        guard let path = try settings.store.path(ofBridgeWith: settings.file) else {
            Terminal.complain("skerry: store.path is none, so nothing is kept\n")
            throw ExitCode.badInput
        }
        return path
    }
}

extension HistoryCommand {
    /// Activities as lines for people.
    private static func table(_ activities: [EndedActivity]) -> TextTable {
        let rows = activities.map { activity in
            [
                PrintedTime.format(Double(activity.endedAt.flooredSeconds), "%Y-%m-%d %H:%M:%S"),
                "\(activity.kind)/\(activity.device)", length(activity.endedAt - activity.startedAt),
                activity.state, summary(activity.content),
            ].map { Terminal.printable($0) }
        }
        return TextTable(["ended", "device", "took", "state", "what it showed last"], rows)
    }

    /// Hours, minutes and seconds.
    private static func length(_ interval: Interval) -> String {
        let seconds = max(0, interval.roundedSeconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// The fields of the content; texts without their quotes.
    private static func summary(_ content: [UInt8]) -> String {
        guard case .map(let fields)? = try? JSONReader.value(of: content.span) else { return "" }
        return fields.entries.map { entry in
            "\(plain(entry.key)): \(plain(entry.value))"
        }.joined(separator: ", ")
    }

    private static func plain(_ value: Value) -> String {
        if case .string(let text) = value { return text }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension EndedActivity {
    /// The record as an object of JSON in one line.
    fileprivate var json: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        for (name, text) in [("id", id), ("kind", kind), ("device", device)] {
            writer.member(name, text)
        }
        for (name, moment) in [("started", startedAt), ("ended", endedAt)] {
            writer.member(name, moment)
        }
        writer.member("state", state)
        writer.member("revisions", revisions)
        for (name, bytes) in [("attributes", attributes), ("content", content)] {
            writer.member(name, (try? JSONReader.value(of: bytes.span)) ?? .null)
        }
        writer.endObject()
        return writer.bytes
    }
}
