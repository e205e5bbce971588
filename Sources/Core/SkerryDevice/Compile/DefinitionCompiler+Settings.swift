import SkerryActivity
import SkerryValues

extension DefinitionCompiler {
    /// Remembers the lengths of a transition that settings give; the transition is the next one to be added.
    mutating func noteLengths(of trigger: TransitionDraft.Trigger) {
        let number = parts.transitionPlaces.count
        switch trigger {
        case .sustained(let hold, let dropout, _):
            noteLength(hold, .hold(number))
            noteLength(dropout, .dropout(number))
        case .quiet(let silence): noteLength(silence.length, .quiet(number))
        case .always, .event, .after, .at, .past: break
        }
    }

    /// Remembers a length that a setting gives.
    mutating func noteLength(_ length: SourceInterval?, _ part: LengthUse.Part) {
        noteLength(setting: length?.setting, part)
    }

    /// Remembers a part whose length a setting gives.
    mutating func noteLength(setting name: String?, _ part: LengthUse.Part) {
        guard let name,
            let index = draft.settings.firstIndex(where: { $0.name.text.hasSameCodePoints(as: name) })
        else { return }
        parts.lengthUses.append(LengthUse(part: part, setting: index))
        readReferences.insert(ReferenceKind.setting.reference(index))
    }

    /// Gives the settings their bounds: a wait has a length, and an ended activity stays for a limited time.
    mutating func compileSettings() {
        parts.settings = draft.settings.map { setting in
            Setting(
                name: setting.name.text,
                standard: setting.standard,
                least: setting.least,
                greatest: setting.greatest,
                text: setting.text
            )
        }
        parts.settingChoices = draft.settings.map { $0.standard }
        for use in parts.lengthUses {
            switch use.part {
            case .hold, .quiet: parts.settings[use.setting].raiseLeast(to: .length(.milliseconds(1)))
            case .dismissal: parts.settings[use.setting].lowerGreatest(to: .length(ActivityDismissal.longest))
            case .dropout, .tolerance, .stale: break
            }
        }
    }

    /// Warns of settings that have no effect, whatever people choose.
    mutating func warnOfUnreadSettings() {
        for (index, setting) in draft.settings.enumerated() {
            if readReferences.contains(ReferenceKind.setting.reference(index)) { continue }
            let name = setting.name.text
            report(
                .settingNeverRead,
                setting.name,
                "nothing reads the setting '\(name)'",
                remedy: "use settings.\(name) in an expression or as a length of time, or remove it"
            )
        }
    }
}

extension Setting {
    fileprivate mutating func raiseLeast(to value: SettingValue) {
        if least?.isLess(than: value) ?? true { least = value }
    }

    fileprivate mutating func lowerGreatest(to value: SettingValue) {
        if greatest.map({ value.isLess(than: $0) }) ?? true { greatest = value }
    }
}
