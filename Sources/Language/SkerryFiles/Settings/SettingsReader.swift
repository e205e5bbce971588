/// The value of a setting as somebody wrote it, and where.
package struct WrittenSetting: Hashable, Sendable {
    /// The value as one text.
    let text: String
    /// The value as a list.
    let list: [String]
    /// The place of the setting and its name there: `skerry.yaml:3:9: mqtt.port`, `SKERRY_MQTT_PORT` or `--port`.
    let place: String
}

extension WrittenSetting {
    /// A value given on the command line.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - option: The option with its dashes.
    package init(_ text: String, option: String) { self.init([text], option: option) }

    /// A list given on the command line, by an option for each element.
    package init(_ list: [String], option: String) {
        self.init(text: list.joined(separator: ","), list: list, place: option)
    }
}

/// A wrong value of a setting, or a setting that is missing.
package struct SettingFault: Error, Hashable, Sendable {
    /// The place, the setting and what is wrong, one line or more.
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

/// Looks up settings: an option of the command line outranks a variable of the environment, and that the file.
///
/// A value of the wrong kind or out of range is an error that names its place; a value of lower rank never takes its place.
package struct SettingsReader: Sendable {
    /// The settings of each origin by their names, that of the highest rank first.
    private var origins: [[String: WrittenSetting]]
    /// The configuration file; nil if there is none, or nothing in it.
    package let file: SettingsFile?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - options: What was given on the command line, by names of settings.
    ///   - environment: The environment of the process.
    ///   - file: The configuration file, if there is one.
    package init(
        options: [String: WrittenSetting],
        environment: SettingsEnvironment,
        file: SettingsFile?
    ) {
        origins = [options, environment.settings, file?.settings ?? [:]]
        self.file = file
    }

    /// Returns a reader to which another file stands for some settings of the configuration file, also for those that it leaves out.
    package func replacing(_ keys: [String], with file: SettingsFile) -> SettingsReader {
        var reader = self
        for key in keys { reader.origins[origins.count - 1][key] = file.settings[key] }
        return reader
    }

    /// The place of the first of some settings that the command line or the environment has; nil if neither has one.
    package func placeAboveFile(_ keys: [String]) -> String? {
        for key in keys {
            if let found = find(key), found.rank < origins.count - 1 { return found.setting.place }
        }
        return nil
    }

    /// Returns whether the value of a setting is that of the configuration file.
    package func isOfFile(_ key: String) -> Bool { find(key)?.rank == origins.count - 1 }

    /// Returns whether the value of a setting is that of the command line.
    package func isOfCommandLine<Value>(_ key: SettingKey<Value>) -> Bool { find(key.name)?.rank == 0 }

    /// The names of the settings that differ in another configuration file, in order; those that the command line, the
    /// environment or a file that stands for this one has are not the file's to change.
    package func differences(in other: SettingsFile?) -> [String] {
        SettingsFile.differences(file, other).filter { find($0)?.setting == file?.settings[$0] }
    }

    private func find(_ key: String) -> (rank: Int, setting: WrittenSetting)? {
        for (rank, settings) in origins.enumerated() {
            if let setting = settings[key] { return (rank, setting) }
        }
        return nil
    }

    /// The names that the author chose for groups of settings, such as those below `push.apps`, in order.
    package func names(below group: String) -> [String] {
        let names = origins.flatMap { $0.keys }.compactMap { key -> String? in
            guard key.hasPrefix(group + ".") else { return nil }
            return key.dropFirst(group.count + 1).split(separator: ".").first.map(String.init)
        }
        return Set(names).sorted()
    }

    /// Returns whether the first of two settings was written at a place of higher rank than the second.
    package func outranks(_ first: String, _ second: String) -> Bool {
        (find(first)?.rank ?? origins.count) < (find(second)?.rank ?? origins.count)
    }

    /// A setting as text.
    package func text(_ key: String) -> String? { find(key)?.setting.text }

    /// A setting that may be a list; one value is a list of one.
    package func texts(_ key: String) -> [String]? { find(key)?.setting.list }

    /// A setting that is a whole number, with or without `_` between digits.
    ///
    /// - Throws: ``SettingFault`` for other texts and numbers out of range.
    package func number(_ key: String, in range: ClosedRange<Int>) throws(SettingFault) -> Int? {
        guard let text = text(key) else { return nil }
        guard let number = Int(text.filter { $0 != "_" }) else {
            throw fault(key, "'\(text)' is not a whole number")
        }
        guard range.contains(number) else {
            throw fault(key, "\(number) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    /// A setting that is a number, with or without a fraction.
    ///
    /// - Throws: ``SettingFault`` for other texts and numbers out of range.
    package func decimal(_ key: String, in range: ClosedRange<Double>) throws(SettingFault) -> Double? {
        guard let text = text(key) else { return nil }
        guard let number = Double(text) else { throw fault(key, "'\(text)' is not a number") }
        guard range.contains(number) else {
            throw fault(key, "\(text) is not between \(Int(range.lowerBound)) and \(Int(range.upperBound))")
        }
        return number
    }

    /// A setting that is true or false; `yes`, `on` and `1`, `no`, `off` and `0` will do, in capitals, too.
    ///
    /// - Throws: ``SettingFault`` for other texts.
    package func truth(_ key: String) throws(SettingFault) -> Bool? {
        guard let text = text(key) else { return nil }
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw fault(key, "'\(text)' is neither true nor false")
        }
    }

    /// The name or address of a host, without a scheme or a port.
    ///
    /// - Throws: ``SettingFault`` for other texts.
    func host(_ key: String) throws(SettingFault) -> String? {
        guard let text = text(key) else { return nil }
        if let problem = ChosenBroker.problem(ofHost: text) { throw fault(key, problem) }
        return text
    }

    /// Makes the fault of a setting with a wrong value, with its place.
    package func fault(_ key: String, _ message: String) -> SettingFault {
        SettingFault(message: "\(find(key)?.setting.place ?? key): \(message)")
    }
}
