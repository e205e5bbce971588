package import SkerryActivity
package import SkerryDevice

/// The people whose phones see a device, as a configuration file lists them.
public struct WrittenAudience: Sendable {
    private struct Entry {
        var subject: SourceText
        var people: [String]

        /// The kind that it is about; nil for all.
        var kind: String? {
            let kind = subject.text.prefix { $0 != "/" }
            return kind == "*" ? nil : String(kind)
        }
    }

    /// The longest name of a person in bytes.
    private static let nameLimit = 64

    private var entries: [Entry] = []
    /// The quiet hours of people, in seconds after midnight; nil stands for all who have none of their own.
    package private(set) var quietHours: [(person: String?, start: Int64, end: Int64)] = []

    /// Makes the policy of a bridge without a configuration file: everybody sees everything.
    package init() {}

    /// The policy for the phones of a bridge.
    ///
    /// - Parameters:
    ///   - definitions: The definitions in force.
    ///   - others: Definitions that may come into force, so that the table may have their kinds, too.
    /// - Returns: The policy, and every entry about a kind that has no definition.
    package func policy(
        for definitions: [Definition],
        besides others: [Definition] = []
    ) -> (policy: AudiencePolicy, problems: [DefinitionProblem]) {
        let kinds = (definitions + others).map(\.kind)
        let problems = entries.compactMap { entry -> DefinitionProblem? in
            guard let kind = entry.kind, !kinds.contains(kind) else { return nil }
            let near = MeantKey.of(kind, among: kinds).map { "did you mean '\($0)'?" }
            let message = "there is no definition of the kind '\(kind)'"
            return DefinitionProblem(.badValue, entry.subject, message, remedy: near)
        }
        let policy = AudiencePolicy(
            rules: entries.map { AudiencePolicy.Rule($0.subject.text, people: $0.people) },
            kinds: definitions.map { AudiencePolicy.Kind($0.kind, attribute: $0.audience) }
        )
        return (policy, problems)
    }

    /// Reads `audience:` of a configuration file.
    mutating func read(_ node: YAMLNode, _ builder: inout DefinitionBuilder) {
        let remedy = "write each device with its people, as in `washer/cellar: [Ada, Ben]`"
        for pair in builder.entries(node, of: "'audience'", remedy: remedy) {
            guard Self.isSubject(pair.key.text) else {
                builder.report(
                    .badName,
                    pair.key,
                    "'\(pair.key.text)' names no device and no kind",
                    remedy: "write a device as in washer/cellar, a kind as in washer/*, or \"*\" for all"
                )
                continue
            }
            if pair.value.isEmpty {
                builder.report(
                    .badValue,
                    pair.value,
                    "the people of '\(pair.key.text)' are missing",
                    remedy: "write their names, or [] for no phone"
                )
                continue
            }
            let people = builder.texts(pair.value, of: "the people of '\(pair.key.text)'")
            for person in people where person.text.utf8.count > Self.nameLimit {
                builder.report(.badValue, person, "the name of a person has at most \(Self.nameLimit) bytes")
            }
            entries.append(Entry(subject: pair.key, people: people.map(\.text)))
        }
    }

    /// Reads `people:` of a configuration file.
    mutating func readPeople(_ node: YAMLNode, _ builder: inout DefinitionBuilder) {
        let remedy = "write each person with quiet hours, as in `Ada: { quiet: \"22:00-07:00\" }`"
        for pair in builder.entries(node, of: "'people'", remedy: remedy) {
            let name = pair.key.text
            if name.utf8.count > Self.nameLimit {
                builder.report(
                    .badValue,
                    pair.key,
                    "the name of a person has at most \(Self.nameLimit) bytes"
                )
            }
            guard
                let keys = builder.keys(pair.value, of: "'\(name)'", allowed: ["quiet"], required: ["quiet"]),
                let written = keys["quiet"], let text = builder.text(written, of: "'quiet'")
            else { continue }
            let times = text.text.split(separator: "-", omittingEmptySubsequences: false).map {
                TimeOfDayText.clock($0.drop { $0 == " " }.prefix { $0 != " " })
            }
            guard times.count == 2, let start = times[0], let end = times[1], start != end else {
                let message = "'\(text.text)' is not a time from one time of day to another"
                builder.report(.badValue, written, message, remedy: "write it as in \"22:00-07:00\"")
                continue
            }
            quietHours.append((name == "*" ? nil : name, start, end))
        }
    }

    /// True for `kind/device`, `kind/*` and `*`.
    private static func isSubject(_ text: String) -> Bool {
        if text == "*" { return true }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !parts[0].contains("*") else {
            return false
        }
        return !text.contains { "+#".contains($0) }
    }
}
