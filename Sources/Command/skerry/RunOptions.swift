import ArgumentParser
import SkerryFiles

/// The options that name a bridge with all that it needs, for the command that runs it and for the one that looks at it.
struct RunOptions: ParsableArguments {
    @OptionGroup var broker: BrokerOptions

    @Option(name: [.short, .long], help: SettingKeys.Definitions.definitions.flagHelp)
    var definitions: [String] = []

    @Option(SettingKeys.Bridge.prefix) var prefix: String?
    @Option(SettingKeys.Store.path) var store: String?

    @Option(help: "The partition to run: 0 to partitions − 1.")
    var partition: Int?

    /// The given values besides those of the broker, by names of settings.
    var settings: [String: WrittenSetting] {
        var settings: [String: WrittenSetting] = [:]
        if !definitions.isEmpty {
            let name = SettingKeys.Definitions.definitions.name
            settings[name] = WrittenSetting(definitions, option: "--definitions")
        }
        settings.add(SettingKeys.Bridge.prefix, prefix)
        settings.add(SettingKeys.Store.path, store)
        settings[SettingsPartitions.own] = partition.map { WrittenSetting("\($0)", option: "--partition") }
        return settings
    }
}
