import ArgumentParser
import SkerryCommand
import SkerryFiles
import SkerryMosquitto
import SkerryValues

/// The answer of `skerry run` when there is no definition: what the broker hands out, and what to do.
enum NoDefinitions {
    /// The time to listen, in seconds.
    private static let seconds = 5

    /// Does nothing if there is a definition; otherwise listens for some seconds and tells people what is there.
    ///
    /// - Throws: an exit code when there is no definition.
    static func tell(_ settings: Settings) async throws {
        let places = settings.definitions
        if places == ["devices"], (try? ReplacedFile.resolved("devices")) == nil {
            Terminal.complain("skerry: there is no definition: there is no folder 'devices' here\n")
        } else if let files = try? DefinitionFiles.load(places), files.isEmpty {
            Terminal.complain(
                "skerry: there is no definition (*.yaml, *.skd) in \(places.joined(separator: ", "))\n"
            )
        } else {
            return
        }
        if let folder = ShippedDefinitions.folder, let shipped = try? CompiledFiles([folder]) {
            let broker = "\(settings.mqtt.host):\(settings.mqtt.port)"
            Terminal.complain("listening to \(broker) for \(seconds) seconds …\n")
            let search = DeviceSearch(shipped.files, prefix: settings.prefix)
            switch try await Discoverer.listen(settings, search, seconds: seconds) {
            case .heard(let search, let end):
                Terminal.complain(DiscoveryReport(search, at: end, recording: nil).text)
            case .unreachable(let reason):
                Terminal.complain("\(broker) can't be listened to: \(Terminal.printable(reason))\n")
            }
        }
        Terminal.complain(
            """
            To go on:
              definitions: auto                    in skerry.yaml adopts what is found beyond doubt; or run with -d auto
              skerry discover --write devices      copies the definitions of what is there
              skerry new KIND --from day.jsonl     begins a definition for anything else

            """
        )
        throw ExitCode.badInput
    }
}
