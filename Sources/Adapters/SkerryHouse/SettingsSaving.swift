import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Keeps the settings and the name that somebody chooses for a device while the bridge runs.
///
/// They are checked first, then written, and then the bridge takes them.
struct SettingsSaving {
    private let sources: HouseSources

    init(_ sources: HouseSources) {
        self.sources = sources
    }

    /// Replaces what was chosen so for a device before.
    ///
    /// - Parameters:
    ///   - settings: The settings; nil leaves them as they are.
    ///   - name: The name; an empty one takes it back, nil leaves it as it is.
    ///   - device: The device.
    /// - Throws: The reason why nothing was changed.
    func save(_ settings: [GivenSetting]?, _ name: String?, of device: DeviceKey) throws(HouseProblem) {
        let file = try devicesFile()
        guard let definition = sources.files().file(ofKind: device.kind)?.definition else {
            throw HouseProblem.noDefinition(device.kind)
        }
        try demandChoices(for: device)
        let choices = try settings.map { settings throws(HouseProblem) in
            try self.choices(settings, of: device, definition)
        }
        let isNamed = try name.map { name throws(HouseProblem) in try isToBeNamed(device, name) } ?? false
        try HouseProblem.told { () throws(FileError) in
            try sources.saving.take { () throws(FileError) in
                var (devices, problems) = try file.read()
                if let problem = problems.first {
                    throw FileError(
                        path: "\(file.path):\(problem.place.line):\(problem.place.column)",
                        reason: "\(problem.message), so the file is left as it is"
                    )
                }
                if let choices { devices.replace(choices, of: device.name, kind: device.kind) }
                if let name, isNamed { devices.rename(device.name, kind: device.kind, to: name) }
                try file.write(devices)
                // Within the turn, or the bridge could take an older content last.
                sources.readDevices()
            }
        }
    }

    /// Makes sure that a device can have a name, also one whose definition is not in force yet.
    ///
    /// - Throws: The reason why it can't.
    func demandName(_ name: String, of device: DeviceKey) throws(HouseProblem) {
        _ = try devicesFile()
        try demandChoices(for: device)
        _ = try isToBeNamed(device, name)
    }

    private func devicesFile() throws(HouseProblem) -> DevicesFile {
        if let file = sources.devicesFile { return file }
        throw HouseProblem(
            .conflict,
            code: "no-place-for-settings",
            detail:
                "This bridge has no database of its own, beside which it could keep settings and names of devices: "
                + "write them under 'devices' and 'names' in its configuration file."
        )
    }

    private func demandChoices(for device: DeviceKey) throws(HouseProblem) {
        guard [device.kind, device.name].allSatisfy(WrittenDevices.isName) else {
            throw HouseProblem(
                .wrong,
                code: "name-without-settings",
                detail: "A device with '/', '+' or '#' in its name in the topics can have no settings and "
                    + "no other name."
            )
        }
    }

    /// Returns whether a name has to be kept; false if the configuration file gives the same one.
    ///
    /// - Throws: The reason why the device can't have the name.
    private func isToBeNamed(_ device: DeviceKey, _ name: String) throws(HouseProblem) -> Bool {
        guard name.utf8.count <= WrittenDevices.nameLimit else {
            throw HouseProblem(
                .wrong,
                code: "wrong-name",
                detail: "A name has at most \(WrittenDevices.nameLimit) bytes."
            )
        }
        let chosen = sources.settings()
        guard let own = chosen.file.name(of: device.name, kind: device.kind) else { return true }
        if own.text.hasSameCodePoints(as: name) { return false }
        let place = "\(chosen.path ?? ""):\(own.place.line):\(own.place.column)"
        throw HouseProblem(
            .conflict,
            code: "name-in-file",
            detail: "\(place) gives the name '\(own.text)', and outranks this one: change it there."
        )
    }

    /// The choices, without those that say what the configuration file says.
    private func choices(
        _ settings: [GivenSetting],
        of device: DeviceKey,
        _ definition: Definition
    ) throws(HouseProblem) -> [WrittenChoice] {
        let chosen = sources.settings()
        let fixed = chosen.file.settings(of: device.name, kind: device.kind)
        var choices: [WrittenChoice] = []
        for setting in settings {
            let written = setting.written(for: definition)
            let own = fixed.last { $0.isOf(setting.name) }
            do throws(DefinitionProblem) {
                let value = try written.choice(in: definition)
                guard let own else {
                    choices.append(written)
                    continue
                }
                if try own.choice(in: definition) == value { continue }
            } catch {
                throw HouseProblem(
                    .wrong,
                    code: "wrong-setting",
                    detail: error.message + (error.remedy.map { "; \($0)" } ?? ""),
                    setting: setting.name
                )
            }
            let place = own.map { "\(chosen.path ?? ""):\($0.place.line):\($0.place.column)" } ?? ""
            throw HouseProblem(
                .conflict,
                code: "setting-in-file",
                detail: "\(place) sets '\(setting.name)', and outranks the page: change it there.",
                setting: setting.name
            )
        }
        return choices
    }
}

extension GivenSetting {
    /// The choice as a file has it: a text where the setting is a length of time may be one.
    fileprivate func written(for definition: Definition) -> WrittenChoice {
        let isLength = definition.settings.contains { setting in
            if case .length = setting.standard { setting.name == name } else { false }
        }
        return WrittenChoice(name, value, isText: isText && !isLength)
    }
}

extension HouseSources {
    /// The settings of a device that do not have their defaults because somebody chose so, each with the place of the choice.
    func origins(of device: DeviceKey) -> [(setting: String, origin: ChosenSettings.Origin)] {
        guard let definition = files().file(ofKind: device.kind)?.definition else { return [] }
        return settings().origins(of: device.name, in: definition)
    }
}
