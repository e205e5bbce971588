import ArgumentParser
import Glibc
import SkerryCommand
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// `skerry replay`: recordings in virtual time.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run recordings through the definitions in virtual time.",
        discussion: """
            Prints, as lines of mosquitto_sub -F '%j', exactly the messages about devices that a live bridge would \
            have published; the topics under bridge/ describe a process, and there is none. Figures go to standard \
            error.

            Recordings are lines of mosquitto_sub -F '%j' or '%J', or 'timestamp topic payload':
              mosquitto_sub -h broker -t '#' -F '%j' > day.jsonl
              skerry replay day.jsonl --definitions devices --format timeline
              zcat day.jsonl.gz | skerry replay -

            After the last message the clock runs on until no activity is pending and no guard waits for its time, at \
            most 48 hours, or until --until; a definition that wakes itself all the time stops it after \
            \(Replay.mostDeadlines) deadlines. Several files are read one after the other.

            Settings and names of single devices, language, topics, publish.diff and publish.timeline come from the \
            configuration file that --config names, and from no other.

            What the definitions could not read is listed last: expressions that failed, with their places, their number \
            and the reason; words that no transition knows; signals that never had a value.

            Exit status: 0, 1 when a file can't be read or is not a recording, when most of its lines can't be used, \
            or when definitions are wrong.
            """
    )

    /// The format of the output.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// Messages, one `%j` line each.
        case mqtt
        /// The events, for people.
        case timeline
    }

    @Argument(help: "Recordings; '-' is standard input.", completion: .file())
    var files: [String]

    @Option(name: [.short, .long], help: "A file or folder of definitions; may be given several times.")
    var definitions: [String] = ["devices"]

    @Option(
        name: [.short, .long],
        help: "The file with settings of devices, language, topics, publish.diff and publish.timeline."
    )
    var config: String?

    @Option(help: "What to print: mqtt or timeline.")
    var format: Format = .mqtt

    @Option(help: "Let the clock run on until this time: RFC 3339 or Unix seconds.")
    var until: String?

    @Option(help: "What all published topics start with.")
    var prefix = "skerry"

    mutating func validate() throws {
        if let until, RecordingTime.parse(until) == nil {
            throw ValidationError("--until takes a time such as 2026-03-01T12:00:00Z, or Unix seconds")
        }
        if let problem = Settings.problem(ofPrefix: prefix) { throw ValidationError("--prefix: \(problem)") }
    }

    func run() throws {
        let settings = try Settings.complaining { [config] () throws(SettingFault) in
            try Settings.replayed(in: config)
        }
        let compiled = try DefinitionLoading.loadFiles(
            definitions,
            in: settings.language,
            on: settings.topics
        )
        let chosen = try Settings.complaining { [config] () throws(SettingFault) in
            try ChosenDevices(path: config).choose(for: compiled.definitions).definitions
        }
        var replay = Replay(definitions: chosen, foretells: settings.published.timelines)
        let sink = MQTTSink(prefix: prefix, publishesDiffs: settings.published.diffs)
        var printer = ReplayPrinter(format: format, sink: sink)
        var progress = ReplayProgress()
        for file in files {
            do throws(FileError) {
                let reader =
                    try file == "-" ? RecordingReader(descriptor: STDIN_FILENO) : RecordingReader(path: file)
                var messages = RecordedMessages()
                while try reader.read(into: &messages) {
                    for index in 0..<messages.count {
                        let recorded = messages[index]
                        while let effects = replay.passDeadline(before: recorded.at) {
                            tell(effects, of: replay, &printer, &progress)
                        }
                        let message = Message(
                            topic: recorded.topic,
                            payload: recorded.payload,
                            isRetained: recorded.isRetained
                        )
                        let effects = replay.take(message, at: recorded.at)
                        printer.print(effects)
                        progress.note(effects)
                    }
                    printer.flush()
                    progress.show(replay)
                }
                progress.add(reader.report, file: file)
            } catch {
                Terminal.complain("skerry: \(error)\n")
                throw ExitCode.badInput
            }
        }
        let end = until.flatMap { RecordingTime.parse($0) }
        while let effects = replay.goOn(until: end) { tell(effects, of: replay, &printer, &progress) }
        printer.flush()
        for (file, unread) in zip(compiled.files, replay.engine?.unread ?? []) {
            progress.add(unread, of: file.source)
        }
        guard progress.finish(replay, bytesOut: printer.bytesOut) else { throw ExitCode.badInput }
    }

    /// Prints what came of a deadline, and shows how far the replay is.
    private func tell(
        _ effects: [Effect],
        of replay: Replay,
        _ printer: inout ReplayPrinter,
        _ progress: inout ReplayProgress
    ) {
        printer.print(effects)
        progress.note(effects)
        guard printer.isFull else { return }
        printer.flush()
        progress.show(replay)
    }
}
