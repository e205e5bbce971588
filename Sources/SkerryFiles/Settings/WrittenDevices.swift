public import SkerryDevice

/// The settings and names of single devices, as a configuration file gives them.
public struct WrittenDevices: Sendable {
    /// The settings and the name of one device.
    private struct Entry {
        var kind: String
        var device: String
        /// The place of the first mention.
        var key: SourceText
        var settings: [WrittenChoice] = []
        var name: String?
    }

    /// The longest name of a device in bytes.
    private static let nameLimit = 256

    private var entries: [Entry] = []
    /// The places of the entries by kind and device, as they are written.
    private var places: [String: Int] = [:]

    /// True if the file says nothing of any device.
    public var isEmpty: Bool { entries.isEmpty }

    /// Makes the settings of a bridge without a configuration file.
    public init() {}

    /// The definitions with what people chose for their devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - former: The definitions until now, whose unchanged forms are used again.
    /// - Returns: The definitions in the same order, and every choice that can't be taken.
    public func choose(
        for definitions: [Definition],
        since former: [Definition] = []
    ) -> (definitions: [Definition], problems: [DefinitionProblem]) {
        var problems: [DefinitionProblem] = []
        for entry in entries where !definitions.contains(where: { $0.kind == entry.kind }) {
            let kinds = definitions.map { $0.kind }
            let near = MeantKey.of(entry.kind, among: kinds).map { "did you mean '\($0)'?" }
            let message = "there is no definition of the kind '\(entry.kind)'"
            problems.append(DefinitionProblem(.badValue, entry.key, message, remedy: near))
        }
        let chosen = definitions.map { definition in
            let own = entries.filter { $0.kind == definition.kind }
            let choices = own.map { entry in
                var choices = DeviceChoices(device: entry.device)
                choices.name = entry.name
                for written in entry.settings {
                    do throws(DefinitionProblem) {
                        choices.settings.append(try written.choice(in: definition))
                    } catch {
                        problems.append(error)
                    }
                }
                return choices
            }
            return definition.chosen(choices, since: former.first { $0.kind == definition.kind })
        }
        return (chosen, problems.sorted { $0.place < $1.place })
    }
}

extension WrittenDevices {
    /// Reads `devices:` of a configuration file.
    mutating func readDevices(_ node: YAMLNode, _ builder: inout DefinitionBuilder) {
        let remedy =
            "write each device with its settings, as in `washer/cellar: { settings: { threshold: 20 } }`"
        for pair in builder.entries(node, of: "'devices'", remedy: remedy) {
            guard let index = entry(pair.key, &builder),
                let keys = builder.keys(pair.value, of: "'\(pair.key.text)'", allowed: ["settings"]),
                let settings = keys["settings"]
            else { continue }
            for setting in builder.entries(settings, of: "'settings'") {
                guard builder.text(setting.value, of: "'\(setting.key.text)'") != nil,
                    let value = setting.value.scalar
                else { continue }
                entries[index].settings.append(WrittenChoice(setting: setting.key, value: value))
            }
        }
    }

    /// Reads `names:` of a configuration file.
    mutating func readNames(_ node: YAMLNode, _ builder: inout DefinitionBuilder) {
        let remedy = "write each device with its name, as in `washer/cellar: Big washer`"
        for pair in builder.entries(node, of: "'names'", remedy: remedy) {
            guard let index = entry(pair.key, &builder),
                let name = builder.text(pair.value, of: "the name of '\(pair.key.text)'")
            else { continue }
            if name.text.utf8.count > Self.nameLimit {
                builder.report(.badValue, name, "a name has at most \(Self.nameLimit) bytes")
            } else {
                entries[index].name = name.text
            }
        }
    }

    /// The entry of a device, which is added if there is none; nil for a key that names no device.
    private mutating func entry(_ key: SourceText, _ builder: inout DefinitionBuilder) -> Int? {
        let parts = key.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains { "+#".contains($0) } }) else {
            builder.report(
                .badName,
                key,
                "'\(key.text)' names no device",
                remedy: "write the kind and the name with a slash, as in washer/cellar"
            )
            return nil
        }
        if let known = places[key.text] { return known }
        entries.append(Entry(kind: parts[0], device: parts[1], key: key))
        places[key.text] = entries.count - 1
        return entries.count - 1
    }
}
