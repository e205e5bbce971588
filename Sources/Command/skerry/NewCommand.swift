import ArgumentParser
import Glibc
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryValues

/// `skerry new`: the beginning of a definition.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Begin a definition, from a recording or as a skeleton.",
        discussion: """
            Looks at the messages of a recording: which level of the topics names the device, which fields hold its \
            state, its power, the time left. It proposes sources, signals, states and an activity, with comments on \
            what was found. The result can be loaded at once; then make it yours:
              skerry record -h broker.local 'plug/#' > day.jsonl
              skerry new dryer --from day.jsonl --out devices/dryer.yaml
              skerry replay day.jsonl --definitions devices/dryer.yaml --format timeline

            Devices that a definition which comes with Skerry surely recognises are left out, and named with that \
            definition; --own takes them in. Without --from it prints a small definition to fill in.

            Exit status: 0, 1 when the recording can't be used or has nothing but such devices.
            """
    )

    @Argument(help: "The kind of device, such as dryer.")
    var kind: String

    @Option(help: "A recording; '-' is standard input.", completion: .file())
    var from: String?

    @Option(help: "Look only at topics that this filter matches.")
    var topic: String?

    @Flag(help: "Begin a definition of your own also for devices that one is known for.")
    var own = false

    @Option(help: "The file to write; an existing file is not overwritten.", completion: .file())
    var out: String?

    mutating func validate() throws {
        if topic != nil, from == nil { throw ValidationError("--topic needs --from") }
        if from == nil, kind.utf8.contains(UInt8(ascii: ".")), access(kind, F_OK) == 0 {
            throw ValidationError("'\(kind)' is a file: name the kind first, and a recording with --from")
        }
        let skeleton = Array(DefinitionProposal.skeleton(kind: kind).utf8)
        let problems = CompiledFiles([DefinitionFile(path: kind, bytes: skeleton)]).problems
        if let problem = problems.first {
            let remedy = problem.remedy.map { ": \($0)" } ?? ""
            throw ValidationError("'\(kind)' can't be a kind: \(problem.message)\(remedy)")
        }
    }

    func run() throws {
        let text = try from.map { try proposal(from: $0) } ?? DefinitionProposal.skeleton(kind: kind)
        guard let out else {
            Terminal.write(Array(text.utf8))
            return
        }
        do throws(FileError) {
            try NewFile.write(text, to: out)
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func proposal(from file: String) throws -> String {
        var survey: RecordingSurvey
        var complaint: String?
        do throws(TopicFilter.Problem) {
            survey = try RecordingSurvey(filter: topic)
        } catch {
            throw ValidationError("--topic takes a topic filter of MQTT, such as 'plug/+/power'")
        }
        let name = file == "-" ? "standard input" : file
        do throws(FileError) {
            let reader =
                try file == "-" ? RecordingReader(descriptor: STDIN_FILENO) : RecordingReader(path: file)
            survey = try unknown(in: reader, survey, name)
            if reader.report.messages == 0 { complaint = reader.report.complaint }
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
        guard let text = DefinitionProposal.text(kind: kind, from: survey, file: name) else {
            if let complaint {
                Terminal.complain("skerry: \(name) \(complaint)\n")
                throw ExitCode.badInput
            }
            let topics = topic.map { " with topics like \($0)" } ?? ""
            Terminal.complain("skerry: there are no messages\(topics) of unknown devices in \(name)\n")
            throw ExitCode.badInput
        }
        return text
    }

    /// Surveys a recording without the devices of definitions that come with Skerry, and names these.
    private func unknown(
        in reader: RecordingReader,
        _ survey: RecordingSurvey,
        _ name: String
    ) throws(FileError) -> RecordingSurvey {
        let shipped = own ? nil : ShippedDefinitions.folder
        var search = DeviceSearch(
            try shipped.map { folder throws(FileError) in try CompiledFiles([folder]).files } ?? [],
            prefix: "skerry",
            survey: survey
        )
        var messages = RecordedMessages()
        var end = Timestamp.distantPast
        while try reader.read(into: &messages) {
            for message in messages {
                search.add(message)
                end = max(end, message.at)
            }
        }
        let (known, rest) = search.unknown(at: end)
        for device in known {
            Terminal.complain(
                Terminal.printable(
                    "\(device.identity) is a device of \(device.file.path) (\(device.definition.name)): use that definition, or --own"
                ) + "\n"
            )
        }
        return rest
    }
}
