public import SkerryDevice

/// A configuration file: its settings with their places, and what is wrong with its shape.
///
/// A key that nothing reads is a problem, because a misspelt setting would have no effect and give no sign of it. Which
/// values are right is checked by ``SettingsReader``.
public struct SettingsFile: Sendable {
    /// The names of all settings that have a value, such as `mqtt.tls.ca`.
    public static let keys = SettingKeys.all.compactMap { setting -> String? in
        switch setting.form {
        case .mapping, .named: nil
        case .text, .list, .truth, .words, .number, .decimal: setting.name
        }
    }

    /// All problems, in the order of their places.
    ///
    /// Their messages name keys and never values, which may be secrets.
    public private(set) var problems: [DefinitionProblem]
    /// True if nothing is set: there are comments at most.
    public private(set) var isEmpty: Bool
    /// The settings and names of single devices.
    public let devices: WrittenDevices
    /// The people whose phones see devices.
    public let audience: WrittenAudience
    /// The values, by names such as `mqtt.tls.ca`.
    let settings: [String: WrittenSetting]

    /// Reads the file at a path.
    public init(path: String) throws(FileError) {
        let bytes = try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit)
        let text = String(validating: bytes, as: UTF8.self)
        self.init(text ?? "", path: path)
        guard text == nil else { return }
        problems = [DefinitionProblem(.notYAML, at: Place(line: 1, column: 1), "the file is not UTF-8")]
        isEmpty = false
    }

    /// Reads the text of a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: What places of settings begin with.
    public init(_ text: String, path: String = "skerry.yaml") {
        var walk = Walk(path: path)
        let root = YAMLComposer.compose(text, into: &walk.builder.problems)
        isEmpty = root?.isEmpty ?? walk.builder.problems.problems.isEmpty
        if let root, !isEmpty { walk.read(root, .file, of: "the configuration") }
        problems = walk.builder.problems.problems.sorted { $0.place < $1.place }.map { problem in
            var problem = problem
            // Such messages quote the unreadable text, which may be a password.
            if problem.code == .notYAML { problem.message = "this can't be read as YAML" }
            return problem
        }
        devices = walk.devices
        audience = walk.audience
        settings = walk.settings
    }

    /// The names of the settings that differ between two files, in order; those of devices and people aside.
    static func differences(_ first: SettingsFile?, _ second: SettingsFile?) -> [String] {
        let (first, second) = (first?.settings ?? [:], second?.settings ?? [:])
        return Set(first.keys).union(second.keys).filter { first[$0]?.list != second[$0]?.list }.sorted()
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
        ///   - tree: The settings that it may have.
        ///   - what: What problems call it.
        ///   - name: The name of the setting, or of the group of settings; empty for the whole file.
        mutating func read(_ node: YAMLNode, _ tree: SettingsTree, of what: String, name: String = "") {
            switch tree {
            case .setting(let setting): read(node, setting.form, of: what, name: name)
            case .group(let members):
                guard let keys = builder.keys(node, of: what, allowed: members.map(\.key)) else { return }
                for member in members {
                    guard let value = keys[member.key] else { continue }
                    read(
                        value,
                        member.tree,
                        of: "'\(member.key)'",
                        name: name.isEmpty ? member.key : "\(name).\(member.key)"
                    )
                }
            }
        }

        private mutating func read(_ node: YAMLNode, _ form: SettingForm, of what: String, name: String) {
            switch (form, node.content) {
            case (.mapping, _): readMapping(node, name)
            case (.named(let settings, _), _):
                for pair in builder.entries(node, of: what) {
                    guard pair.key.text.utf8.allSatisfy({ Self.isNameByte($0) }) else {
                        builder.report(
                            .badName,
                            pair.key,
                            "a name in \(what) has letters, digits and hyphens"
                        )
                        continue
                    }
                    let own = "\(name).\(pair.key.text)"
                    read(pair.value, SettingsTree(settings), of: "'\(pair.key.text)'", name: own)
                }
            case (.list, .list(let elements)):
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
            case (_, .scalar(let value)): note(name, node, value.source.text, [value.source.text])
            case (_, _): builder.report(.wrongShape, node, "\(what) must be one value, not \(node.shape)")
            }
        }

        private mutating func readMapping(_ node: YAMLNode, _ name: String) {
            switch name {
            case "devices": devices.readDevices(node, &builder)
            case "names": devices.readNames(node, &builder)
            case "people": audience.readPeople(node, &builder)
            default: audience.read(node, &builder)
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

/// The settings of a configuration file, by the parts of their names.
enum SettingsTree: Sendable {
    case setting(SettingDeclaration)
    case group([(key: String, tree: SettingsTree)])

    /// The whole file.
    static let file = SettingsTree(SettingKeys.all)

    /// Groups settings whose names have a beginning in common.
    init(_ settings: [SettingDeclaration], below start: String = "") {
        var members: [(key: String, tree: SettingsTree)] = []
        for setting in settings where setting.name.hasPrefix(start) {
            let rest = setting.name.dropFirst(start.count)
            let key = String(rest.prefix { $0 != "." })
            guard !members.contains(where: { $0.key == key }) else { continue }
            let isWhole = key.count == rest.count
            members.append((key, isWhole ? .setting(setting) : Self(settings, below: "\(start)\(key).")))
        }
        self = .group(members)
    }
}
