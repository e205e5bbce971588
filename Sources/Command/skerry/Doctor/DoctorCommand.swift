import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryValues

/// `skerry doctor`: what is wrong with an installation, and what to do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at everything that a bridge needs, and say what is wrong and what to do.",
        discussion: """
            Looks at settings, secrets, definitions, clock, store, broker, page, phones and further services, and \
            prints a line for each: ✓ well, ! worth a look, ✗ wrong, – not asked. It reads the same settings as \
            'skerry run', disturbs no bridge, and changes nothing; on the broker it publishes one message on a topic \
            of its own, which nobody reads.

            The output has no passwords, tokens or keys: paste it into a report of a problem.

              skerry doctor
              skerry doctor --only broker --only acl
              skerry doctor --json | jq '.checks[] | select(.verdict == "wrong")'

            The checks:
            \(DoctorCheck.list)

            Exit status: 0 when nothing is wrong, 1 otherwise, 64 for wrong options; with --strict, what is worth a \
            look counts as wrong.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var options: RunOptions

    @Option(help: ArgumentHelp("Only this check; may be repeated.", valueName: "check"))
    var only: [String] = []

    @Option(help: "How many seconds to wait for answers.")
    var wait = 5

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Treat what is worth a look as wrong.")
    var strict = false

    func validate() throws {
        guard (1...3600).contains(wait) else { throw ValidationError("--wait takes 1 to 3600 seconds") }
        let names = DoctorCheck.all.map(\.name)
        if let other = only.first(where: { !names.contains($0) }) {
            throw ValidationError("there is no check '\(other)': \(names.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let checks = DoctorCheck.all.filter { only.isEmpty || only.contains($0.name) }
        let findings: [(DoctorCheck, DoctorFinding)]
        do {
            findings = await Self.examine(checks, try await evidence(for: checks))
        } catch let fault as SettingFault {
            let others = checks.filter { $0.name != DoctorCheck.settings.name }
            findings =
                [(.settings, .wrong(fault.message))] + others.map { ($0, .skipped("the settings are wrong")) }
        }
        let isWell = findings.allSatisfy { $1.verdict != .wrong && !(strict && $1.verdict == .warning) }
        Terminal.write(Array((json ? Self.json(findings, isWell: isWell) : Self.text(findings)).utf8))
        if !isWell { throw ExitCode.badInput }
    }

    private static func examine(
        _ checks: [DoctorCheck],
        _ evidence: DoctorEvidence
    ) async -> [(DoctorCheck, DoctorFinding)] {
        var findings: [(DoctorCheck, DoctorFinding)] = []
        for check in checks { findings.append((check, await check.examine(evidence))) }
        return findings
    }

    /// Reads the settings, and asks once what several checks need.
    ///
    /// - Throws: a `SettingFault` for a setting that is wrong, or an exit code for options that don't fit them.
    private func evidence(for checks: [DoctorCheck]) async throws -> DoctorEvidence {
        var (settings, reader) = try Settings.reading(options.broker, options.settings)
        let path = try settings.store.path(ofBridgeWith: settings.file)
        let bridge = try settings.bridge()
        settings.adoptWithoutDefinitions(store: path)
        var evidence = DoctorEvidence(
            settings: settings,
            reader: reader,
            bridge: bridge,
            storePath: path,
            patience: .seconds(wait)
        )
        do {
            evidence.definitions = .success(try DefinitionFeed.survey(settings, store: path))
        } catch let fault as SettingFault {
            evidence.definitions = .failure(DoctorFault(text: fault.message))
        } catch {
            evidence.definitions = .failure(DoctorFault(text: "\(error)"))
        }
        if checks.contains(where: \.asksBroker) {
            let definitions = (try? evidence.definitions.get().files.definitions) ?? []
            evidence.broker = await BrokerInterview.answers(
                of: settings,
                bridge: bridge,
                deviceFilters: Set(definitions.flatMap { $0.sources.map(\.filter.subscription) }).sorted(),
                patience: .seconds(wait)
            )
        }
        return evidence
    }

    /// The findings in lines for people.
    private static func text(_ findings: [(DoctorCheck, DoctorFinding)]) -> String {
        let usesColours = Terminal.takesColours(1)
        let width = findings.map(\.0.name.count).max() ?? 0
        return findings.map { check, finding in
            let sign = finding.verdict.sign
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            let shown = usesColours ? "\(finding.verdict.colour)\(sign)\u{1B}[0m" : sign
            return "\(shown) \(name)  \(Terminal.printable(finding.text))\n"
        }.joined()
    }

    /// The findings as an object of JSON.
    private static func json(_ findings: [(DoctorCheck, DoctorFinding)], isWell: Bool) -> String {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.member("version", Version.current)
        writer.member("well", isWell)
        writer.objects("checks", findings) { writer, finding in
            writer.member("check", finding.0.name)
            writer.member("question", finding.0.question)
            writer.member("verdict", finding.1.verdict.rawValue)
            writer.member("text", finding.1.text)
        }
        writer.endObject()
        return Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)) + "\n"
    }
}
