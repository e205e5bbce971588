import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles
import SkerryMosquitto
import SkerryValues

/// `skerry discover`: which devices are there, and which definitions are for them.
struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find the devices on a broker, and the definitions for them.",
        discussion: """
            Listens to all messages for some seconds, or reads a recording, and compares them with the 'recognise:' of \
            the definitions that come with Skerry. Lists each device: its kind, how sure that is, what would be shown \
            now, and what is still missing:
              skerry discover -h broker.local
              skerry discover -h broker.local --seconds 300 --write /etc/skerry/devices
              skerry discover --recording day.jsonl

            Devices that report only when they change may need minutes, or must be switched on. 'certain' means that \
            nothing else sends such messages; 'likely' that you should look. Devices of which no definition is known \
            come last, with the command that begins one.

            --write copies the definitions of all devices in the list into a folder, and leaves files that are \
            there as they are.

            Exit status: 0, 1 when the recording or the definitions can't be read or a file can't be written, 64 for \
            wrong settings, 69 when the broker can't be reached.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var broker: BrokerOptions

    @Option(help: "How long to listen.")
    var seconds = 10

    @Option(help: "A recording to read instead; '-' is standard input.", completion: .file())
    var recording: String?

    @Option(
        name: [.short, .long],
        help: "A file or folder of definitions to look for (default: those that come with Skerry)."
    )
    var definitions: [String] = []

    @Option(help: "Copy the definitions of the devices into this folder.", completion: .directory)
    var write: String?

    @Flag(help: "Print one object of JSON.")
    var json = false

    func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--seconds takes a number from 1 to 86400")
        }
    }

    func run() async throws {
        let settings = try Settings.load(broker)
        let search = DeviceSearch(try files(on: settings.topics), prefix: settings.prefix)
        let heard =
            if let recording { try read(recording, search) } else { try await listen(settings, search) }
        let report = DiscoveryReport(heard.search, at: heard.end, recording: recording)
        Terminal.write(json ? report.json : Array(report.text.utf8))
        if let write { try copy(report.devices, to: write) }
    }

    /// The definitions to look for; files with errors are named and passed over.
    private func files(on topics: MovedTopics) throws -> [CompiledFiles.File] {
        let paths = definitions.isEmpty ? [try DefinitionLoading.demandShipped()] : definitions
        let compiled = try DefinitionLoading.read(paths, on: topics)
        for file in compiled.files where file.definition == nil {
            Terminal.complain(
                "skerry: \(file.source.path) has errors, see 'skerry check': it is passed over\n"
            )
        }
        return compiled.files
    }

    // MARK: Hearing

    private func read(_ file: String, _ search: DeviceSearch) throws -> (search: DeviceSearch, end: Timestamp)
    {
        var search = search
        var progress = DiscoveryProgress()
        var end = Timestamp.distantPast
        var complaint: String?
        do throws(FileError) {
            let reader =
                try file == "-" ? RecordingReader(descriptor: STDIN_FILENO) : RecordingReader(path: file)
            var messages = RecordedMessages()
            while try reader.read(into: &messages) {
                for message in messages {
                    search.add(message)
                    end = max(end, message.at)
                }
                progress.show(search)
            }
            progress.finish()
            complaint = reader.report.complaint
        } catch {
            progress.finish()
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
        if let complaint {
            Terminal.complain("skerry: \(file) \(complaint)\n")
            throw ExitCode.badInput
        }
        return (search, end)
    }

    private func listen(
        _ settings: Settings,
        _ search: DeviceSearch
    ) async throws -> (search: DeviceSearch, end: Timestamp) {
        switch try await Discoverer.listen(settings, search, seconds: seconds) {
        case .heard(let search, let end): return (search, end)
        case .unreachable(let reason):
            let broker = settings.mqtt.address
            Terminal.complain("skerry: \(broker) can't be listened to: \(Terminal.printable(reason))\n")
            throw ExitCode.unavailable
        }
    }

    // MARK: Writing

    /// Copies the definitions of devices, and those that they extend.
    private func copy(_ devices: [FoundDevice], to folder: String) throws {
        var written: Set<String> = []
        do throws(FileError) {
            try Folder.make(folder)
            for file in devices.map(\.file) {
                let texts = [(file.path, file.text)] + file.bases.map { ($0.path, $0.text) }
                for (path, text) in texts where written.insert(path).inserted {
                    try copy(
                        text,
                        named: path.split(separator: "/").last.map(String.init) ?? path,
                        to: folder
                    )
                }
            }
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func copy(_ text: String, named name: String, to folder: String) throws(FileError) {
        let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
        if let present = try? DefinitionFiles.read(path).text {
            let isSame = present.hasSameCodePoints(as: text)
            Terminal.complain("\(path): \(isSame ? "is there already" : "is there, and left as it is")\n")
        } else {
            try NewFile.write(text, to: path)
            Terminal.complain("\(path): written\n")
        }
    }
}

/// The progress of a search, for people who watch.
struct DiscoveryProgress {
    private let clock = ContinuousClock()
    private var lastShown = ContinuousClock.now
    private var isShown = false

    /// Shows how far a search is, a few times a second.
    mutating func show(_ search: DeviceSearch, left: Int64? = nil) {
        guard Terminal.errorIsTerminal, clock.now - lastShown > .milliseconds(500) else { return }
        lastShown = clock.now
        isShown = true
        let rest = left.map { ", \($0) s left" } ?? ""
        Terminal.complain("\r\(search.messages) messages, \(search.deviceCount) devices\(rest)\u{1B}[K")
    }

    /// Takes the line away.
    mutating func finish() {
        if isShown { Terminal.complain("\r\u{1B}[K") }
        isShown = false
    }
}
