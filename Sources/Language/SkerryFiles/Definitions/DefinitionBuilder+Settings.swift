import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// The beginning of the names of settings in expressions and lengths.
    static let settingStart = "settings."

    /// Reads the settings of a definition; one that can't be read is left out, and its name is not reported as missing.
    mutating func readSettings(_ node: YAMLNode) {
        let remedy = "write each setting with its default, as in `{ threshold: 10, rest: 2m }`"
        for pair in entries(node, of: "'settings'", names: .setting, remedy: remedy) {
            if let setting = setting(pair) {
                settings.append(setting)
            } else {
                unreadNames.insert(.setting)
            }
        }
    }

    private mutating func setting(_ pair: YAMLPair) -> SettingDraft? {
        let name = "'\(pair.key.text)'"
        if pair.value.scalar != nil {
            return settingValue(pair.value, of: name).map { SettingDraft(name: pair.key, standard: $0) }
        }
        guard let keys = keys(pair.value, of: "a setting", .setting) else { return nil }
        guard let written = keys["default"] else {
            report(
                .missingKey,
                pair.key,
                "the setting \(name) has no default",
                remedy: "add 'default', which devices have for which nothing was chosen"
            )
            return nil
        }
        guard let standard = settingValue(written, of: "'default'") else { return nil }
        var setting = SettingDraft(name: pair.key, standard: standard)
        read(keys, DefinitionKeys.setting, into: &setting)
        let isOutside =
            setting.least.map { standard.isLess(than: $0) } ?? false
            || setting.greatest.map { $0.isLess(than: standard) } ?? false
        if isOutside {
            report(
                .badValue,
                written,
                "the default of \(name) lies outside of its bounds",
                remedy: "write a default from 'min' to 'max'"
            )
        }
        return setting
    }

    /// A bound of a setting, which must be a number or a length of time like its default.
    mutating func bound(_ pair: YAMLPair, like standard: SettingValue) -> SettingValue? {
        guard let value = settingValue(pair.value, of: pair.what) else { return nil }
        switch (value, standard) {
        case (.number, .number), (.length, .length): return value
        default:
            report(
                .badValue,
                pair.value,
                "\(pair.what) must be like the default, \(standard.kind)",
                remedy: "write \(standard.example); texts and truth values have no bounds"
            )
            return nil
        }
    }

    private mutating func settingValue(_ node: YAMLNode, of what: String) -> SettingValue? {
        guard text(node, of: what) != nil, let scalar = node.scalar else { return nil }
        if let value = SettingValue(scalar) { return value }
        report(
            .badValue,
            node,
            "\(what) can't be '\(scalar.source.text)'",
            remedy: "write a number, a text, true or false, or a length of time such as 2m"
        )
        return nil
    }

    /// A length of time, or a setting that gives it.
    mutating func settableInterval(_ node: YAMLNode, of what: String) -> SourceInterval? {
        guard let source = node.scalar?.source, !source.text.isEmpty else { return interval(node, of: what) }
        guard source.text.hasPrefix(Self.settingStart) else { return interval(source, of: what) }
        let name = String(source.text.dropFirst(Self.settingStart.count))
        if let setting = settings.first(where: { $0.name.text.hasSameCodePoints(as: name) }) {
            if case .length(let length) = setting.standard {
                return SourceInterval(length, at: source.place, setting: name)
            }
            report(
                .wrongType,
                source,
                "\(what) must be a length of time, and the setting '\(name)' is \(setting.standard.kind)",
                remedy: "give the setting a default such as 2m"
            )
            return nil
        }
        // A setting that can't be read may have been a length.
        if unreadNames.contains(.setting) { return SourceInterval(.minutes(1), at: source.place) }
        let known = settings.map { $0.name.text }
        let near = MeantKey.of(name, among: known).map { "did you mean 'settings.\($0)'?" }
        report(
            .unknownName,
            source,
            "there is no setting '\(name)'",
            remedy: near ?? "add it under 'settings:', as in `settings: { \(name): 2m }`"
        )
        return nil
    }
}

extension SettingValue {
    /// The value that a text of YAML means; nil for one that means none.
    init?(_ scalar: YAMLScalar) {
        let text = scalar.source.text
        guard scalar.isPlain else {
            self = .text(text)
            return
        }
        switch CoreSchema.meaning(of: text) {
        case .null: return nil
        case .bool(let truth): self = .truth(truth)
        case .int(let number): self = .number(Double(number))
        case .double(let number):
            guard number.isFinite else { return nil }
            self = .number(number)
        case .text:
            if case .success(let length) = DurationText.parse(text) {
                self = .length(length)
            } else {
                self = .text(text)
            }
        }
    }

    /// The kind of value, in words.
    var kind: String {
        switch self {
        case .number: "a number"
        case .text: "a text"
        case .truth: "a truth value"
        case .length: "a length of time"
        }
    }

    /// A value of this kind as one would write it, in words.
    var example: String {
        switch self {
        case .number: "a number such as 10"
        case .text: "a text, in quotes if it looks like something else"
        case .truth: "true or false"
        case .length: "a length of time such as 2m"
        }
    }

    /// The name of the kind of value, for programs.
    var typeName: String {
        switch self {
        case .number: "number"
        case .text: "text"
        case .truth: "bool"
        case .length: "duration"
        }
    }

    /// The value as it is written in YAML.
    var written: String {
        switch self {
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        case .truth(let truth): truth ? "true" : "false"
        case .length(let length): DurationText.text(length)
        }
    }
}
