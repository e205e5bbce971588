/// The settings of a configuration file, by the parts of their names.
enum SettingsTree: Sendable {
    case setting(SettingDeclaration)
    case group([(key: String, tree: SettingsTree)])

    /// The whole file.
    static let file = SettingsTree(SettingKeys.all)

    /// Groups settings whose names have a beginning in common.
    init(_ settings: [SettingDeclaration], below start: String = "") {
        var members: [(key: String, tree: SettingsTree)] = []
        for setting in settings where setting.name.hasPrefix(start) {
            let rest = setting.name.dropFirst(start.count)
            let key = String(rest.prefix { $0 != "." })
            guard !members.contains(where: { $0.key == key }) else { continue }
            let isWhole = key.count == rest.count
            members.append((key, isWhole ? .setting(setting) : Self(settings, below: "\(start)\(key).")))
        }
        self = .group(members)
    }
}
