import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryPhones

/// The settings, names and people of single devices and the place, from a configuration file that can be read again.
struct ChosenDevices {
    /// The configuration file; nil when there is none.
    let path: String?
    private var written: WrittenDevices
    private var people: WrittenAudience
    private var location: Location

    /// Keeps what was read from a file.
    init(_ written: WrittenDevices, for people: WrittenAudience, at location: Location, path: String?) {
        self.written = written
        self.people = people
        self.location = location
        self.path = path
    }

    /// Reads a configuration file.
    ///
    /// - Throws: the problems of the file, a line for each.
    init(path: String?) throws(SettingFault) {
        let file = try path.flatMap { path throws(SettingFault) in try Settings.file(path) }
        let environment = SettingsEnvironment(ProcessEnvironment.variables)
        let reader = SettingsReader(options: [:], environment: environment, file: file)
        let location = try SettingsPlace.location(reader)
        self.init(
            file?.devices ?? WrittenDevices(),
            for: file?.audience ?? WrittenAudience(),
            at: location,
            path: path
        )
    }

    /// The same file, read again.
    ///
    /// - Throws: the problems of the file, a line for each.
    func renewed() throws(SettingFault) -> ChosenDevices {
        try path.map { path throws(SettingFault) in try ChosenDevices(path: path) } ?? self
    }

    /// The hours in which nothing sounds, by the clocks of the place.
    var quiet: QuietHours {
        let windows = people.quietHours.map {
            QuietHours.Window(person: $0.person, start: $0.start, end: $0.end)
        }
        return QuietHours(windows, zone: location.zone)
    }

    /// Who gets which activities.
    ///
    /// - Parameters:
    ///   - definitions: The definitions in force.
    ///   - others: Definitions that may come into force.
    /// - Returns: The policy.
    /// - Throws: the entries that can't be taken, a line for each.
    func audience(
        for definitions: [Definition],
        besides others: [Definition]
    ) throws(SettingFault) -> AudiencePolicy {
        let (policy, problems) = people.policy(for: definitions, besides: others)
        if let path, !problems.isEmpty { throw SettingFault(problems, in: path) }
        return policy
    }

    /// The definitions at their place, with what people chose for their devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - former: The definitions until now.
    /// - Returns: The definitions in the same order.
    /// - Throws: the choices that can't be taken, a line for each.
    func choose(
        for definitions: [Definition],
        since former: [Definition] = []
    ) throws(SettingFault) -> [Definition] {
        try SettingsPlace.check(definitions, at: location, path)
        let located = definitions.map { definition in
            definition.located(at: location, since: former.first { $0.kind == definition.kind })
        }
        let chosen = written.choose(for: located, since: former)
        if let path, !chosen.problems.isEmpty { throw SettingFault(chosen.problems, in: path) }
        return chosen.definitions
    }
}
