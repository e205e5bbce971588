import SkerryFiles
import SkerryGateway

/// The judgement of 'skerry doctor' about one thing.
struct DoctorFinding: Sendable {
    /// The kinds of judgements.
    enum Verdict: String, Sendable {
        case well, warning, wrong
        /// It could not be asked, or nothing is set that would have to be asked.
        case skipped

        /// The sign at the beginning of the line.
        var sign: String {
            switch self {
            case .well: "✓"
            case .warning: "!"
            case .wrong: "✗"
            case .skipped: "–"
            }
        }

        /// The escape sequence of the sign's colour.
        var colour: String {
            switch self {
            case .well: "\u{1B}[32m"
            case .warning: "\u{1B}[33m"
            case .wrong: "\u{1B}[31m"
            case .skipped: "\u{1B}[2m"
            }
        }
    }

    let verdict: Verdict
    /// The text: what is there, or what is wrong and what to do; there is never a secret in it.
    let text: String

    static func well(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .well, text: text) }
    static func warning(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .warning, text: text) }
    static func wrong(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .wrong, text: text) }
    static func skipped(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .skipped, text: text) }
}

/// The evidence for the checks: the settings, and what was read and asked once for all of them.
struct DoctorEvidence: Sendable {
    /// The settings.
    let settings: Settings
    /// The reader of the settings, which knows where each was written.
    let reader: SettingsReader
    /// The beginning of the topics of the bridge itself.
    let bridge: String
    /// The database of the bridge; nil if it keeps nothing.
    let storePath: String?
    /// The time to wait for the bridge.
    let patience: Duration
    /// The definitions with what was chosen on the page and has no effect; or why they can't be had.
    var definitions = Result<(files: CompiledFiles, ignored: [String]), DoctorFault>.failure(.init(text: ""))
    /// The answers of the broker.
    var broker = BrokerAnswers()
}

/// Why something can't be had.
struct DoctorFault: Error {
    let text: String
}

/// One thing that 'skerry doctor' looks at.
struct DoctorCheck: Sendable {
    /// The name, as the line and `--only` have it.
    let name: String
    /// The question, for people.
    let question: String
    /// True if it needs the answers of the broker.
    let asksBroker: Bool
    /// Finds out how it stands.
    let examine: @Sendable (DoctorEvidence) async -> DoctorFinding

    init(
        _ name: String,
        _ question: String,
        asksBroker: Bool = false,
        examine: @escaping @Sendable (DoctorEvidence) async -> DoctorFinding
    ) {
        self.name = name
        self.question = question
        self.asksBroker = asksBroker
        self.examine = examine
    }

    /// All checks, in the order in which they are shown: what others depend on comes first.
    static let all: [DoctorCheck] = [
        settings, secrets, definitions, clock, folder, store, broker, tls, login, acl, bridge, unread, http,
        phones, appleKey, homeAssistant, sinks,
    ]

    /// The names of all with their questions, a line for each.
    static var list: String {
        let width = all.map(\.name.count).max() ?? 0
        return all.map { check in
            "  \(check.name)\(String(repeating: " ", count: width - check.name.count))  \(check.question)"
        }.joined(separator: "\n")
    }
}
