import SkerryDevice
import SkerryValues

/// A value that somebody chose for a setting of a device, as it is written.
public struct WrittenChoice: Sendable {
    /// The name of the setting.
    var setting: SourceText
    /// The value.
    var value: YAMLScalar

    /// The choice, if the definition has the setting and takes the value.
    ///
    /// - Throws: the problem, with its remedy.
    func choice(
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
        guard let chosen = SettingValue(value) else {
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
