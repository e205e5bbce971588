package import SkerryDevice
import SkerryValues

/// The settings and names of single devices, as a configuration file gives them, or a file of what was chosen on the page.
public struct WrittenDevices: Sendable {
    /// The settings and the name of one device.
    private struct Entry {
        var kind: String
        var device: String
        /// The place of the first mention.
        var key: SourceText
        var settings: [WrittenChoice] = []
        var name: SourceText?

        var isEmpty: Bool { settings.isEmpty && name == nil }
    }

    /// The longest name of a device in bytes.
    package static let nameLimit = 256

    private var entries: [Entry] = []
    /// The places of the entries by kind and device, as they are written.
    private var places: [ExactText: Int] = [:]

    /// True if the file says nothing of any device.
    package var isEmpty: Bool { entries.isEmpty }

    /// Makes the settings of a bridge without a configuration file.
    package init() {}

    /// The definitions with what people chose for their devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - former: The definitions until now, whose unchanged forms are used again.
    /// - Returns: The definitions in the same order, and every choice that can't be taken.
    package func choose(
        for definitions: [Definition],
        since former: [Definition] = []
    ) -> (definitions: [Definition], problems: [DefinitionProblem]) {
        var problems: [DefinitionProblem] = []
        for entry in entries where !definitions.contains(where: { $0.kind.hasSameCodePoints(as: entry.kind) })
        {
            problems.append(Self.unknownKind(of: entry, among: definitions))
        }
        let chosen = definitions.map { definition in
            let own = entries.filter { $0.kind.hasSameCodePoints(as: definition.kind) }
            let choices = own.map { entry in
                var choices = DeviceChoices(device: entry.device)
                choices.name = entry.name?.text
                for written in entry.settings {
                    do throws(DefinitionProblem) {
                        choices.settings.append(try written.choice(in: definition))
                    } catch {
                        problems.append(error)
                    }
                }
                return choices
            }
            return definition.chosen(
                choices,
                since: former.first { $0.kind.hasSameCodePoints(as: definition.kind) }
            )
        }
        return (chosen, problems.sorted { $0.place < $1.place })
    }

    private static func unknownKind(of entry: Entry, among definitions: [Definition]) -> DefinitionProblem {
        let kinds = definitions.map { $0.kind }
        let near = MeantKey.of(entry.kind, among: kinds).map { "did you mean '\($0)'?" }
        let message = "there is no definition of the kind '\(entry.kind)'"
        return DefinitionProblem(.badValue, entry.key, message, remedy: near)
    }
}

// What was chosen on the page is outranked by the configuration file, and may have been chosen for a definition that has
// changed since.
extension WrittenDevices {
    /// The settings that definitions take.
    ///
    /// - Parameter definitions: The definitions.
    /// - Returns: These settings, and the problem of each one that is left out.
    package func fitting(
        _ definitions: [Definition]
    ) -> (devices: WrittenDevices, ignored: [DefinitionProblem]) {
        var devices = self
        var ignored: [DefinitionProblem] = []
        for (index, entry) in entries.enumerated() {
            guard let definition = definitions.first(where: { $0.kind.hasSameCodePoints(as: entry.kind) })
            else {
                if !entry.isEmpty { ignored.append(Self.unknownKind(of: entry, among: definitions)) }
                devices.entries[index].settings = []
                devices.entries[index].name = nil
                continue
            }
            devices.entries[index].settings = entry.settings.filter { written in
                do throws(DefinitionProblem) {
                    _ = try written.choice(in: definition)
                    return true
                } catch {
                    ignored.append(error)
                    return false
                }
            }
        }
        return (devices, ignored)
    }

    /// These settings and names, and those of others for which nothing stands here.
    package func over(_ others: WrittenDevices) -> WrittenDevices {
        var devices = self
        for entry in others.entries {
            let own = settings(of: entry.device, kind: entry.kind)
            let further = entry.settings.filter { other in !own.contains { $0.isOf(other.name) } }
            if entry.isEmpty { continue }
            devices.change(entry.device, kind: entry.kind, at: entry.key.place) { known in
                known.settings = own + further
                known.name = known.name ?? entry.name
            }
        }
        return devices
    }

    /// The settings that stand here of a device.
    package func settings(of device: String, kind: String) -> [WrittenChoice] {
        places[ExactText("\(kind)/\(device)")].map { entries[$0].settings } ?? []
    }

    /// The name that stands here of a device, with its place; nil if there is none.
    package func name(of device: String, kind: String) -> SourceText? {
        places[ExactText("\(kind)/\(device)")].flatMap { entries[$0].name }
    }

    /// Replaces all settings of a device; none removes them.
    package mutating func replace(_ settings: [WrittenChoice], of device: String, kind: String) {
        change(device, kind: kind) { $0.settings = settings }
    }

    /// Gives a device a name; an empty one takes the name back.
    package mutating func rename(_ device: String, kind: String, to name: String) {
        change(device, kind: kind) { entry in
            entry.name = name.isEmpty ? nil : SourceText(name, at: Self.start)
        }
    }

    private static let start = Place(line: 1, column: 1)

    private mutating func change(
        _ device: String,
        kind: String,
        at place: Place = start,
        _ body: (inout Entry) -> Void
    ) {
        let key = "\(kind)/\(device)"
        if places[ExactText(key)] == nil {
            entries.append(Entry(kind: kind, device: device, key: SourceText(key, at: place)))
            places[ExactText(key)] = entries.count - 1
        }
        if let index = places[ExactText(key)] { body(&entries[index]) }
    }

    /// The settings and names as `devices:` and `names:` of a configuration file.
    package var document: String {
        let lines = entries.filter { !$0.settings.isEmpty }.map { entry in
            let settings = entry.settings.map(\.text).joined(separator: ", ")
            return "  \(YAMLScalarText.line(entry.key.text, isFlow: false)): { settings: { \(settings) } }\n"
        }
        let names = entries.compactMap { entry in
            entry.name.map { name in
                let text = YAMLScalarText.line(name.text, isFlow: false, isLabel: true)
                return "  \(YAMLScalarText.line(entry.key.text, isFlow: false)): \(text)\n"
            }
        }
        return (lines.isEmpty ? "devices: {}\n" : "devices:\n" + lines.joined())
            + (names.isEmpty ? "" : "names:\n" + names.joined())
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
                entries[index].name = name
            }
        }
    }

    /// The entry of a device, which is added if there is none; nil for a key that names no device.
    private mutating func entry(_ key: SourceText, _ builder: inout DefinitionBuilder) -> Int? {
        let parts = key.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(Self.isName) else {
            builder.report(
                .badName,
                key,
                "'\(key.text)' names no device",
                remedy: "write the kind and the name with a slash, as in washer/cellar"
            )
            return nil
        }
        if let known = places[ExactText(key.text)] { return known }
        entries.append(Entry(kind: parts[0], device: parts[1], key: key))
        places[ExactText(key.text)] = entries.count - 1
        return entries.count - 1
    }

    /// Returns whether a key may have this name of a kind or of a device in it.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains { "/+#".contains($0) }
    }
}
