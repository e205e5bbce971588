public import SkerryDevice

/// Finds mistakes in the shape of a configuration file: unknown keys, values in place of groups.
///
/// Otherwise a misspelt setting would be ignored. Values are checked by the code that reads them.
public struct SettingsCheck: Sendable {
    private indirect enum Shape {
        /// One value.
        case value
        /// One value or a list of them.
        case values
        /// Settings under names of their own.
        case group([(key: String, shape: Shape)])
    }

    private static let file = Shape.group([
        ("definitions", .values), ("prefix", .value), ("health-interval", .value),
        (
            "mqtt",
            .group([
                ("host", .value), ("port", .value), ("client-id", .value), ("username", .value),
                ("password", .value), ("password-file", .value), ("receive-maximum", .value),
                (
                    "tls",
                    .group([
                        ("enabled", .value), ("ca", .value), ("certificate", .value), ("key", .value),
                        ("insecure", .value),
                    ])
                ),
            ])
        ),
        ("store", .group([("path", .value), ("durability", .value), ("checkpoint", .value)])),
        ("alerts", .group([("freshness", .value)])),
        ("history", .group([("activities", .value), ("days", .value)])),
        (
            "http",
            .group([
                ("address", .value), ("url", .value), ("admin-token-file", .value),
                ("requests-per-minute", .value), ("hosts", .values), ("proxies", .values),
            ])
        ),
        ("log", .group([("level", .value), ("format", .value)])),
        (
            "push",
            .group([
                (
                    "apns",
                    .group([
                        ("key", .value), ("key-id", .value), ("team-id", .value), ("bundle-id", .value),
                        ("channels", .value), ("host", .value), ("ca", .value),
                    ])
                ),
                (
                    "limits",
                    .group([
                        ("updates", .value), ("frequent-updates", .value), ("starts", .value),
                        ("activities", .value),
                    ])
                ),
            ])
        ),
        (
            "limits",
            .group([
                ("payload", .value), ("json-depth", .value), ("devices", .value), ("topics", .value),
                ("expression-cost", .value), ("microsteps", .value), ("content", .value), ("outbox", .value),
                ("new-devices", .value), ("device-name", .value), ("value", .value),
                ("device-values", .value), ("all-values", .value),
            ])
        ),
    ])

    /// The names of all settings, such as `mqtt.tls.ca`.
    public static let keys = names(of: file, after: "")

    private static func names(of shape: Shape, after start: String) -> [String] {
        guard case .group(let members) = shape else { return [start] }
        return members.flatMap { names(of: $0.shape, after: start.isEmpty ? $0.key : "\(start).\($0.key)") }
    }

    /// All problems, in the order of their places.
    ///
    /// Their messages name keys and never values, which may be secrets.
    public let problems: [DefinitionProblem]
    /// Whether nothing is set: there are comments at most.
    public let isEmpty: Bool

    /// Checks the file at a path.
    public init(path: String) throws(FileError) {
        let bytes = try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let start = Place(line: 1, column: 1)
            self = SettingsCheck(
                problems: [DefinitionProblem(.notYAML, at: start, "the file is not UTF-8")],
                isEmpty: false
            )
            return
        }
        self.init(text)
    }

    private init(problems: [DefinitionProblem], isEmpty: Bool) {
        self.problems = problems
        self.isEmpty = isEmpty
    }

    /// Checks the text of a file.
    public init(_ text: String) {
        var builder = DefinitionBuilder()
        let root = YAMLComposer.compose(text, into: &builder.problems)
        let isEmpty = root?.isEmpty ?? builder.problems.problems.isEmpty
        if let root, !isEmpty { Self.check(root, Self.file, of: "the configuration", by: &builder) }
        let problems = builder.problems.problems.sorted { $0.place < $1.place }.map { problem in
            var problem = problem
            // Such messages quote the unreadable text, which may be a password.
            if problem.code == .notYAML { problem.message = "this can't be read as YAML" }
            return problem
        }
        self.init(problems: problems, isEmpty: isEmpty)
    }

    private static func check(
        _ node: YAMLNode,
        _ shape: Shape,
        of what: String,
        by builder: inout DefinitionBuilder
    ) {
        switch (shape, node.content) {
        case (.value, .scalar), (.values, .scalar), (.values, .list): break
        case (.value, _), (.values, _):
            builder.report(.wrongShape, node, "\(what) must be one value, not \(node.shape)")
        case (.group(let members), _):
            guard let keys = builder.keys(node, of: what, allowed: members.map(\.key)) else { return }
            for member in members {
                guard let value = keys[member.key] else { continue }
                check(value, member.shape, of: "'\(member.key)'", by: &builder)
            }
        }
    }
}
