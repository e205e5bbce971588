import SkerryActivity
import SkerryMachine
import SkerryValues

// A device with settings or a name of its own has a form of its definition, in which its lengths of time are fixed.
// The engine treats a device that gets another form like one whose definition was edited.

extension Definition {
    /// The definition with the choices that people made for its devices.
    ///
    /// Choices that the definition refuses have no effect.
    ///
    /// - Parameters:
    ///   - choices: The choices, at most one for each device.
    ///   - former: The definition until now, whose unchanged forms are used again.
    /// - Returns: The definition, which is the former one if nothing differs.
    public func chosen(_ choices: [DeviceChoices], since former: Definition? = nil) -> Definition {
        let base = self.base ?? self
        let known = former?.forms ?? []
        let isSameText = (former?.base ?? former) === base
        var forms: [DefinitionForm] = []
        for choice in choices {
            let values = base.values(of: choice)
            let isUsual = values == base.settings.map { $0.standard } && choice.name == nil
            if isUsual { continue }
            if isSameText,
                let same = former?.ownForm(of: choice.device).map({ known[$0] }),
                same.definition.settingChoices == values, same.definition.givenName == choice.name
            {
                forms.append(same)
            } else {
                let form = base.form(values, name: choice.name)
                forms.append(DefinitionForm(device: choice.device, definition: form))
            }
        }
        forms.sort { $0.device.precedesByCodePoints($1.device) }
        if forms.isEmpty { return base }
        let isSame =
            isSameText && known.count == forms.count
            && zip(known, forms).allSatisfy { $0.definition === $1.definition && $0.isOf($1.device) }
        if isSame, let former { return former }
        return Definition(base.parts, chart: base.chart, base: base, forms: forms)
    }

    /// The choices that people made for its devices, each with the values of all settings.
    public var choices: [DeviceChoices] {
        forms.map { form in
            var choices = DeviceChoices(device: form.device)
            choices.settings = zip(settings, form.definition.settingChoices).map { setting, value in
                DeviceChoices.Choice(setting.name, value)
            }
            choices.name = form.definition.givenName
            return choices
        }
    }

    /// The definition as it is for one device.
    public func form(of device: String) -> Definition { form(ownForm(of: device)) }

    /// The form with a number of ``ownForm(of:)``; the usual one for nil.
    public func form(_ number: Int?) -> Definition { number.map { forms[$0].definition } ?? base ?? self }

    /// The forms for single devices.
    public var ownForms: [Definition] { forms.map { $0.definition } }

    /// The number of the form that a device has of its own; nil for a device of the usual form.
    public func ownForm(of device: String) -> Int? {
        let place = forms.partitioningIndex { !$0.device.precedesByCodePoints(device) }
        return place < forms.count && forms[place].isOf(device) ? place : nil
    }

    /// The value of each setting for a device.
    private func values(of choices: DeviceChoices) -> [SettingValue] {
        settings.map { setting in
            let chosen = choices.settings.last { $0.setting.hasSameCodePoints(as: setting.name) }
            guard let chosen, setting.refusal(of: chosen.value) == nil else { return setting.standard }
            return chosen.value
        }
    }

    /// The definition for a device with these values.
    private func form(_ values: [SettingValue], name: String?) -> Definition {
        var parts = parts
        parts.settingChoices = values
        parts.givenName = name
        var writer = ImageWriter()
        writer.unsigned(fingerprint)
        writer.list(values) { $0.value($1.value) }
        writer.optional(name) { $0.text($1) }
        parts.fingerprint = writer.bytes.fingerprint
        var triggers = chart.transitions.map { $0.trigger }
        for use in parts.lengthUses {
            guard case .length(let length) = values[use.setting] else { continue }
            parts.set(length, to: use.part, &triggers)
        }
        return Definition(parts, chart: parts.lengthUses.isEmpty ? chart : chart.replacing(triggers))
    }
}

/// A definition as it is for one device.
///
/// See docs/decisions/0044-settings-as-forms.md.
struct DefinitionForm: Sendable {
    /// The name of the device.
    let device: String
    /// The definition for it.
    let definition: Definition

    func isOf(_ device: String) -> Bool { self.device.hasSameCodePoints(as: device) }
}

extension DefinitionParts {
    /// Sets a length of time that a setting gives.
    fileprivate mutating func set(
        _ length: Interval,
        to part: LengthUse.Part,
        _ triggers: inout [Statechart.Trigger]
    ) {
        switch part {
        case .hold(let number):
            guard case .sustained(_, let dropout, let reports) = triggers[number] else { return }
            triggers[number] = .sustained(for: length, dropout: dropout, reports: reports)
        case .dropout(let number):
            guard case .sustained(let hold, _, let reports) = triggers[number] else { return }
            triggers[number] = .sustained(for: hold, dropout: length, reports: reports)
        case .quiet(let number):
            guard case .quiet(_, let silence) = triggers[number] else { return }
            triggers[number] = .quiet(length, of: silence)
        case .tolerance(let number): timers[number].tolerance = length
        case .stale: activity = activity?.replacing(stale: length)
        case .dismissal: activity = activity?.replacing(dismissal: .after(length))
        }
    }
}
