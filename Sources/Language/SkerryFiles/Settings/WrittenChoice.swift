package import SkerryDevice
import SkerryValues

/// A value that somebody chose for a setting of a device, as it is written.
package struct WrittenChoice: Sendable {
    /// The name of the setting.
    var setting: SourceText
    var value: YAMLScalar
}

extension WrittenChoice {
    /// Makes a choice that somebody gave without a file.
    ///
    /// - Parameters:
    ///   - setting: The name of the setting.
    ///   - text: The value as it is written in YAML, without quotes.
    ///   - isText: True for a text, also one that looks like a number.
    package init(_ setting: String, _ text: String, isText: Bool) {
        let start = Place(line: 1, column: 1)
        self.init(
            setting: SourceText(setting, at: start),
            value: YAMLScalar(source: SourceText(text, at: start), isPlain: !isText)
        )
    }

    /// The name of the setting.
    package var name: String { setting.text }

    /// The place of the setting.
    package var place: Place { setting.place }

    /// Returns whether it is one for the setting of this name.
    package func isOf(_ setting: String) -> Bool { self.setting.text.hasSameCodePoints(as: setting) }

    /// The choice as an entry of a mapping of YAML between braces.
    var text: String {
        let written = YAMLScalarText.line(value.source.text, isFlow: true, isLabel: !value.isPlain)
        return "\(YAMLScalarText.line(setting.text, isFlow: true)): \(written)"
    }

    /// The choice, if the definition has the setting and takes the value.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - code: The code of the problem.
    /// - Returns: The choice.
    /// - Throws: the problem, with its remedy.
    package func choice(
        in definition: Definition,
        code: ProblemCode = .badValue
    ) throws(DefinitionProblem) -> DeviceChoices.Choice {
        let name = setting.text
        guard let known = definition.settings.first(where: { $0.name.hasSameCodePoints(as: name) }) else {
            let names = definition.settings.map { $0.name }
            let near = MeantKey.of(name, among: names).map { "did you mean '\($0)'?" }
            let all = names.isEmpty ? nil : "there are: \(names.joined(separator: ", "))"
            throw DefinitionProblem(
                code,
                setting,
                "'\(definition.kind)' has no setting '\(name)'",
                remedy: near ?? all
            )
        }
        guard !value.source.text.isEmpty, let chosen = SettingValue(value) else {
            throw problem(code, "'\(name)' has no value", remedy: "write \(known.standard.example)")
        }
        switch known.refusal(of: chosen) {
        case nil: return DeviceChoices.Choice(name, chosen)
        case .otherType:
            throw problem(
                code,
                "'\(name)' must be \(known.standard.kind), not \(chosen.kind)",
                remedy: "write \(known.standard.example)"
            )
        case .tooSmall(let least):
            throw problem(
                code,
                "'\(name)' must be at least \(least.written), and this is \(chosen.written)",
                remedy: known.range
            )
        case .tooLarge(let greatest):
            throw problem(
                code,
                "'\(name)' must be at most \(greatest.written), and this is \(chosen.written)",
                remedy: known.range
            )
        }
    }

    private func problem(_ code: ProblemCode, _ message: String, remedy: String) -> DefinitionProblem {
        let place = value.source.text.isEmpty ? setting : value.source
        return DefinitionProblem(code, place, message, remedy: remedy)
    }
}

extension Setting {
    /// The values allowed, as a remedy.
    fileprivate var range: String {
        switch (least, greatest) {
        case (let least?, let greatest?): "write a value from \(least.written) to \(greatest.written)"
        case (let least?, nil): "write a value of at least \(least.written)"
        case (nil, let greatest?): "write a value of at most \(greatest.written)"
        case (nil, nil): "write \(standard.example)"
        }
    }
}
