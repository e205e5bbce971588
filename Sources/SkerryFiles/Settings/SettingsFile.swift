public import SkerryDevice

/// A configuration file: its settings with their places, and what is wrong with its shape.
///
/// A key that nothing reads is a problem, because a misspelt setting would have no effect and give no sign of it. Which
/// values are right is checked by ``SettingsReader``.
public struct SettingsFile: Sendable {
    private indirect enum Shape: Sendable {
        /// One value.
        case value
        /// One value or a list of them.
        case values
        /// Settings under names of their own.
        case group([(key: String, shape: Shape)])
        /// The same settings again and again, under names that the author chooses.
        case named(Shape)
        /// The settings of single devices, by the names of the devices.
        case devices
        /// The people of devices, or what people want, by their names.
        case audience
    }

    private static let file = Shape.group([
        ("definitions", .values), ("language", .value), ("prefix", .value), ("health-interval", .value),
        ("partitions", .value), ("partition-prefix", .value),
        ("devices", .devices), ("names", .devices), ("audience", .audience), ("people", .audience),
        (
            "mqtt",
            .group([
                ("host", .value), ("port", .value), ("client-id", .value), ("username", .value),
                ("password", .value), ("password-file", .value), ("receive-maximum", .value),
                ("version", .value),
                (
                    "tls",
                    .group([
                        ("enabled", .value), ("ca", .value), ("certificate", .value), ("key", .value),
                        ("insecure", .value),
                    ])
                ),
            ])
        ),
        ("publish", .group([("diff", .value), ("timeline", .value)])),
        (
            "store",
            .group([
                ("path", .value), ("durability", .value), ("checkpoint", .value), ("lease", .value),
                ("broker-patience", .value),
            ])
        ),
        ("alerts", .group([("freshness", .value)])),
        ("history", .group([("activities", .value), ("days", .value)])),
        ("record", .group([("hours", .value)])),
        ("place", .group([("zone", .value), ("latitude", .value), ("longitude", .value)])),
        (
            "http",
            .group([
                ("address", .value), ("url", .value), ("admin-token-file", .value),
                ("edit", .value), ("requests-per-minute", .value), ("hosts", .values), ("proxies", .values),
                ("partition-hosts", .values),
                ("tls", .group([("address", .value), ("certificate", .value), ("key", .value)])),
            ])
        ),
        ("home-assistant", .group([("discovery", .value), ("prefix", .value)])),
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
                    "apps",
                    .named(
                        .group([
                            ("key", .value), ("key-id", .value), ("team-id", .value), ("bundle-id", .value),
                            ("channels", .value),
                        ])
                    )
                ),
                (
                    "limits",
                    .group([
                        ("updates", .value), ("frequent-updates", .value), ("starts", .value),
                        ("activities", .value), ("widgets", .value),
                    ])
                ),
            ])
        ),
        (
            "sinks",
            .group([
                (
                    "home-assistant",
                    .group([
                        ("url", .value), ("targets", .values), ("token", .value), ("token-file", .value),
                        ("requests-per-hour", .value), ("ca", .value),
                    ])
                ),
                (
                    "webhook",
                    .group([
                        ("url", .value), ("mode", .value), ("secret", .value), ("secret-file", .value),
                        ("ca", .value),
                    ])
                ),
                (
                    "ntfy",
                    .group([
                        ("url", .value), ("topic", .value), ("token", .value), ("token-file", .value),
                        ("requests-per-hour", .value), ("ca", .value), ("person", .value),
                    ])
                ),
                (
                    "fcm",
                    .group([
                        ("service-account-file", .value), ("targets", .values), ("url", .value),
                        ("requests-per-hour", .value), ("ca", .value),
                    ])
                ),
                (
                    "braze",
                    .group([
                        ("url", .value), ("app-id", .value), ("targets", .values), ("key", .value),
                        ("key-file", .value), ("requests-per-hour", .value), ("ca", .value),
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
        switch shape {
        case .named, .devices, .audience: return []
        case .value, .values: return [start]
        case .group(let members): return names(of: members, after: start)
        }
    }

    private static func names(of members: [(key: String, shape: Shape)], after start: String) -> [String] {
        members.flatMap { names(of: $0.shape, after: start.isEmpty ? $0.key : "\(start).\($0.key)") }
    }

    /// All problems, in the order of their places.
    ///
    /// Their messages name keys and never values, which may be secrets.
    public let problems: [DefinitionProblem]
    /// True if nothing is set: there are comments at most.
    public let isEmpty: Bool
    /// The settings and names of single devices.
    public let devices: WrittenDevices
    /// The people whose phones see devices.
    public let audience: WrittenAudience
    /// The values, by names such as `mqtt.tls.ca`.
    let settings: [String: WrittenSetting]

    /// Reads the file at a path.
    public init(path: String) throws(FileError) {
        let bytes = try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let start = Place(line: 1, column: 1)
            self.init(
                problems: [DefinitionProblem(.notYAML, at: start, "the file is not UTF-8")],
                isEmpty: false,
                devices: WrittenDevices(),
                audience: WrittenAudience(),
                settings: [:]
            )
            return
        }
        self.init(text, path: path)
    }

    /// Reads the text of a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: What places of settings begin with.
    public init(_ text: String, path: String = "skerry.yaml") {
        var walk = Walk(path: path)
        let root = YAMLComposer.compose(text, into: &walk.builder.problems)
        let isEmpty = root?.isEmpty ?? walk.builder.problems.problems.isEmpty
        if let root, !isEmpty { walk.read(root, Self.file, of: "the configuration") }
        let problems = walk.builder.problems.problems.sorted { $0.place < $1.place }.map { problem in
            var problem = problem
            // Such messages quote the unreadable text, which may be a password.
            if problem.code == .notYAML { problem.message = "this can't be read as YAML" }
            return problem
        }
        self.init(
            problems: problems,
            isEmpty: isEmpty,
            devices: walk.devices,
            audience: walk.audience,
            settings: walk.settings
        )
    }

    private init(
        problems: [DefinitionProblem],
        isEmpty: Bool,
        devices: WrittenDevices,
        audience: WrittenAudience,
        settings: [String: WrittenSetting]
    ) {
        self.problems = problems
        self.isEmpty = isEmpty
        self.devices = devices
        self.audience = audience
        self.settings = settings
    }

    /// A walk through the tree of a file, which collects settings and problems.
    private struct Walk {
        let path: String
        var builder = DefinitionBuilder()
        var settings: [String: WrittenSetting] = [:]
        var devices = WrittenDevices()
        var audience = WrittenAudience()

        /// Reads a node and all below it.
        ///
        /// - Parameters:
        ///   - node: The node.
        ///   - shape: What it should be.
        ///   - what: What problems call it.
        ///   - name: The name of the setting, or of the group of settings; empty for the whole file.
        mutating func read(_ node: YAMLNode, _ shape: Shape, of what: String, name: String = "") {
            switch (shape, node.content) {
            case (.devices, _) where name == "names": devices.readNames(node, &builder)
            case (.devices, _): devices.readDevices(node, &builder)
            case (.audience, _) where name == "people": audience.readPeople(node, &builder)
            case (.audience, _): audience.read(node, &builder)
            case (.value, .scalar(let value)), (.values, .scalar(let value)):
                note(name, node, value.source.text, [value.source.text])
            case (.values, .list(let elements)):
                let texts = elements.compactMap { element in
                    if let scalar = element.scalar { return scalar.source.text }
                    builder.report(
                        .wrongShape,
                        element,
                        "an element of \(what) must be one value, not \(element.shape)"
                    )
                    return nil
                }
                note(name, node, texts.joined(separator: ","), texts)
            case (.value, _), (.values, _):
                builder.report(.wrongShape, node, "\(what) must be one value, not \(node.shape)")
            case (.named(let shape), _):
                for pair in builder.entries(node, of: what) {
                    guard pair.key.text.utf8.allSatisfy({ Self.isNameByte($0) }) else {
                        builder.report(
                            .badName,
                            pair.key,
                            "a name in \(what) has letters, digits and hyphens"
                        )
                        continue
                    }
                    read(pair.value, shape, of: "'\(pair.key.text)'", name: "\(name).\(pair.key.text)")
                }
            case (.group(let members), _):
                guard let keys = builder.keys(node, of: what, allowed: members.map(\.key)) else { return }
                for member in members {
                    guard let value = keys[member.key] else { continue }
                    read(
                        value,
                        member.shape,
                        of: "'\(member.key)'",
                        name: name.isEmpty ? member.key : "\(name).\(member.key)"
                    )
                }
            }
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            Unicode.Scalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "-")
        }

        private mutating func note(_ name: String, _ node: YAMLNode, _ text: String, _ list: [String]) {
            settings[name] = WrittenSetting(
                text: text,
                list: list,
                place: "\(path):\(node.place.line):\(node.place.column): \(name)"
            )
        }
    }
}
