import ArgumentParser
import SkerryCommand
import SkerryFiles

/// `skerry scrub`: a recording that can be given to others.
struct ScrubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrub",
        abstract: "Take names, serial numbers and addresses out of a recording.",
        discussion: """
            Prints the recording with pseudonyms: the same for the same original, in topics and payloads, so that \
            definitions and replays work as before. Replaced are serial numbers and ids that look like them, addresses of \
            mail, of the Internet and of network cards, the values of keys such as friendly_name, user, room, serial or \
            wifi_password, in JSON and before '=', and these values wherever else they stand. Positions on the globe are moved, all by the same angles: a \
            way keeps its form. Messages that are not text are left out.

            What only people understand stays, such as a name in a topic that no message explains; the last lines on \
            standard error list what may be such. Name it with --word, and read the result before you give it away:
              skerry scrub day.jsonl --word Ada --word cellar > day-scrubbed.jsonl

            Exit status: 0, 1 when the file can't be read or is not a recording.
            """
    )

    @Argument(help: "A recording; it is read twice, so it can't be a pipe.", completion: .file())
    var file: String

    @Option(help: "A name to replace wherever it stands; may be given several times.")
    var word: [String] = []

    @Option(help: "A further key of JSON whose values are names; may be given several times.")
    var key: [String] = []

    func run() throws {
        var scrubber = Scrubber(keys: key, words: word, using: SystemRandomNumberGenerator())
        do {
            let first = try RecordingReader(path: file)
            while let message = try first.next() { scrubber.learn(message) }
            if let complaint = first.report.complaint {
                Terminal.complain("skerry: \(file) \(complaint)\n")
                throw ExitCode.badInput
            }
            let second = try RecordingReader(path: file)
            var writer = RecordingWriter()
            var left = 0
            while let message = try second.next() {
                guard let scrubbed = scrubber.scrub(message) else {
                    left += 1
                    continue
                }
                writer.append(scrubbed)
                if writer.bytes.count > 65_536 { Terminal.write(writer.takeBytes()) }
            }
            Terminal.write(writer.takeBytes())
            report(scrubber, second.report, left: left)
        } catch let error as FileError {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func report(_ scrubber: Scrubber, _ recording: RecordingReport, left: Int) {
        let counts = scrubber.counts
        func count(_ number: Int, _ noun: String, _ many: String = "s") -> String {
            "\(number) \(noun)\(number == 1 ? "" : many)"
        }
        let replaced = [
            count(counts.names, "name"), count(counts.serials, "serial number"),
            count(counts.addresses, "address", "es"), count(scrubber.movedPositions, "coordinate"),
        ]
        var lines = "\(count(recording.messages, "message")): replaced \(replaced.joined(separator: ", "))\n"
        if left > 0 { lines += "left out \(count(left, "message")) whose payloads are not text\n" }
        if recording.refused > 0 {
            lines += "left out \(count(recording.refused, "line")) that can't be used\n"
        }
        Terminal.complain(lines + words(for: scrubber.doubts))
    }

    /// The lines about what only a person can judge; none if there is nothing.
    private func words(for doubts: ScrubDoubts) -> String {
        let lists = [
            ("in topics", doubts.levels), ("texts", doubts.texts), ("long numbers under", doubts.numbers),
        ]
        var lines = ""
        for (name, list) in lists where !list.isEmpty {
            let more = list.count > Self.shown ? " and \(list.count - Self.shown) more" : ""
            lines +=
                "  \(name): \(Terminal.printable(list.prefix(Self.shown).joined(separator: ", ")))\(more)\n"
        }
        return lines.isEmpty ? "" : "not replaced, so judge yourself whose it is:\n" + lines
    }

    /// The number of doubtful parts of each sort that are listed.
    private static let shown = 20
}
