import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// The limits of a replay.
struct ReplayLimits {
    /// The bytes of a recording.
    static let bytes = 8 << 20

    /// The messages.
    var messages = 200_000
    /// The processor time in microseconds.
    var time: Int64 = 5_000_000
    /// The bytes of the answer.
    var answer = 24 << 20
    /// The topics that are named although nobody reads them.
    var unreadTopics = 100
}

/// A wish to run a recording through one definition, with the definition found.
struct ReplayWish: Sendable {
    /// The text of a definition, or a definition in force.
    private enum Choice {
        case source(String)
        case running(Definition)
    }

    private let choice: Choice
    private let deviceLimits: DeviceLimits
    private let sink: MQTTSink
    var limits = ReplayLimits()

    /// Finds the definition of a request; the one of the device if the request names none.
    ///
    /// - Throws: the reason why there is none.
    init(
        _ request: ReplayRequest,
        device: DeviceKey?,
        _ sources: HouseSources
    ) throws(HouseProblem) {
        deviceLimits = sources.limits
        sink = MQTTSink(prefix: sources.prefix)
        if let source = request.source {
            choice = .source(source)
            return
        }
        guard let kind = request.kind ?? device?.kind else {
            throw HouseProblem(
                .wrong,
                code: "no-definition-given",
                detail: "Give the text of a definition, or the kind of one that runs."
            )
        }
        guard let definition = sources.files().file(ofKind: kind)?.definition else {
            throw HouseProblem.noDefinition(kind)
        }
        choice = .running(definition)
    }

    /// Runs the lines of a recording through the definition, and tells all that came of it.
    func answer(_ lines: [UInt8]) -> HouseAnswer {
        do throws(HouseProblem) {
            let definition: Definition
            var problems: [DefinitionProblem] = []
            switch choice {
            case .running(let running): definition = running
            case .source(let source):
                let check = SourceCheck(source, limits: deviceLimits)
                definition = try check.definition()
                problems = check.file?.problems ?? []
            }
            var replay = ReplayChronicle(definition, sink: sink, limits: limits)
            let reader = RecordingReader(bytes: lines)
            do throws(FileError) {
                try replay.read(reader)
            } catch {
                throw Self.notARecording("the recording \(error.reason)")
            }
            if replay.messages == 0, let complaint = reader.report.complaint {
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
