import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryPhones

/// The settings, names and people of single devices and the place, from a configuration file that can be read again, and
/// the settings that people chose on the page.
struct ChosenDevices {
    /// The settings and names of single devices.
    private(set) var settings: ChosenSettings
    private var people: WrittenAudience
    /// The place whose clocks and whose sun definitions go by.
    private(set) var location: Location
    /// The configuration file; nil when there is none, or nothing in it.
    private let file: SettingsFile?
    /// The file of what was chosen on the page; nil when there is none.
    private let page: DevicesFile?
    /// The problems of that file, a line for each.
    private var problems: [String] = []

    /// Keeps what the configuration file of a bridge has, and reads what was chosen on the page.
    ///
    /// - Throws: when there is no place for what is chosen there.
    init(_ bridge: Settings) throws {
        self.init(
            bridge.broker.reader.file,
            at: bridge.location,
            path: bridge.file,
            page: try bridge.store.devicesFile()
        )
    }

    private init(
        _ file: SettingsFile?,
        at location: Location,
        path: String?,
        page: DevicesFile?
    ) {
        settings = ChosenSettings(file: file?.devices ?? WrittenDevices(), path: path)
        people = file?.audience ?? WrittenAudience()
        self.file = file
        self.location = location
        self.page = page
        readPage()
    }

    /// Reads a configuration file.
    ///
    /// - Throws: the problems of the file, a line for each.
    init(path: String?, page: DevicesFile? = nil) throws(SettingFault) {
        let file = try path.flatMap { path throws(SettingFault) in try Settings.file(path) }
        let environment = SettingsEnvironment(ProcessEnvironment.variables)
        let reader = SettingsReader(options: [:], environment: environment, file: file)
        let location = try SettingsPlace.location(reader)
        self.init(file, at: location, path: path, page: page)
    }

    /// The same files, read again.
    ///
    /// - Throws: the problems of the configuration file, a line for each.
    func renewed() throws(SettingFault) -> ChosenDevices {
        guard let path = settings.path else { return withPageRead() }
        return try ChosenDevices(path: path, page: page)
    }

    /// The settings of the configuration file that have changed since the start, and count from the next one; nil for
    /// none.
    func waiting(since start: SettingsReader) -> String? {
        let places = SettingKeys.Place.all.map(\.name)
        let names = start.differences(in: file).filter { !places.contains($0) }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The same with what is now chosen on the page.
    func withPageRead() -> ChosenDevices {
        var devices = self
        devices.readPage()
        return devices
    }

    /// Reads what was chosen on the page; what can't be read has no effect.
    private mutating func readPage() {
        guard let page else { return }
        do throws(FileError) {
            let (written, problems) = try page.read()
            settings.page = written
            self.problems = problems.map { $0.line(in: page.path) }
        } catch {
            settings.page = WrittenDevices()
            problems = ["\(error)"]
        }
    }

    /// Returns whether another configuration file says the same about who sees what, and when nothing sounds.
    func treatsPeople(as other: ChosenDevices) -> Bool {
        // Without definitions, the rules of the file are all there is.
        people.policy(for: []).policy == other.people.policy(for: []).policy && quiet == other.quiet
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
        if let path = settings.path, !problems.isEmpty { throw SettingFault(problems, in: path) }
        return policy
    }

    /// The definitions at their place, with what people chose for their devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - former: The definitions until now.
    /// - Returns: The definitions in the same order, and what was chosen on the page and has no effect, a line for each.
    /// - Throws: the choices in the configuration file that can't be taken, a line for each.
    func choose(
        for definitions: [Definition],
        since former: [Definition] = []
    ) throws(SettingFault) -> (definitions: [Definition], ignored: [String]) {
        try SettingsPlace.check(definitions, at: location, settings.path)
        let located = definitions.map { definition in
            definition.located(at: location, since: former.first { $0.kind == definition.kind })
        }
        let (fitting, ignored) = settings.page.fitting(located)
        let chosen = settings.file.over(fitting).choose(for: located, since: former)
        if let path = settings.path, !chosen.problems.isEmpty {
            throw SettingFault(chosen.problems, in: path)
        }
        return (chosen.definitions, problems + ignored.map { $0.line(in: page?.path ?? "") })
    }
}
