import SkerryDevice
import SkerryFiles
import SkerryGateway

/// The limits of a replay.
///
/// See docs/decisions/0046-replay-in-the-bridge.md.
struct ReplayLimits {
    /// The bytes of a recording.
    static let bytes = 8 << 20

    var messages = 200_000
    /// The processor time in microseconds.
    var time: Int64 = 5_000_000
    /// The bytes of the answer.
    var answer = 24 << 20
    /// The topics that are listed although no definition reads them.
    var unreadTopics = 100
}

/// A wish to run a recording through definitions, with the definitions found.
struct ReplayWish: Sendable {
    /// The text of a definition, or definitions in force.
    private enum Choice {
        case source(String, [CompiledFiles.File])
        case running([Definition])
    }

    private let choice: Choice
    private let sources: HouseSources
    var limits = ReplayLimits()

    /// Finds the definition of a request; that of the device if the request names none, and without a device all that
    /// are in force.
    ///
    /// - Throws: the reason why there is none.
    init(
        _ request: ReplayRequest,
        device: DeviceKey?,
        _ sources: HouseSources
    ) throws(HouseProblem) {
        self.sources = sources
        if let source = request.source {
            choice = .source(source, sources.files())
            return
        }
        guard let kind = request.kind ?? device?.kind else {
            choice = .running(sources.files().compactMap(\.definition))
            return
        }
        guard let definition = sources.files().file(ofKind: kind)?.definition else {
            throw HouseProblem.noDefinition(kind)
        }
        choice = .running([definition])
    }

    /// Runs the lines of a recording through the definitions, and reports all that happened; nothing where nothing was kept.
    func answer(_ lines: [UInt8]?) -> HouseAnswer {
        do throws(HouseProblem) {
            let definitions: [Definition]
            var problems: [DefinitionProblem] = []
            switch choice {
            case .running(let running): definitions = running
            case .source(let source, let running):
                let check = SourceCheck(source, by: sources, beside: running)
                let definition = try check.definition()
                let choices = running.file(ofKind: definition.kind)?.definition?.choices ?? []
                definitions = [definition.located(at: sources.location()).chosen(choices)]
                problems = check.file?.problems ?? []
            }
            var replay = ReplayChronicle(definitions, sink: sources.sink, limits: limits)
            let reader = RecordingReader(bytes: lines ?? [])
            do throws(FileError) {
                try replay.read(reader)
            } catch {
                throw Self.notARecording("the recording \(error.reason)")
            }
            if lines != nil, replay.messages == 0, let complaint = reader.report.complaint {
                throw Self.notARecording("it \(complaint)")
            }
            replay.runOn()
            return .found(replay.json(problems, reader.report))
        } catch {
            return .problem(error)
        }
    }

    private static func notARecording(_ reason: String) -> HouseProblem {
        HouseProblem(.wrong, code: "not-a-recording", detail: "This is not a recording: \(reason).")
    }
}
