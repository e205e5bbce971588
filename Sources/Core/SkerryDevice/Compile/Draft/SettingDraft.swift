/// A setting as written: its default and its bounds.
public struct SettingDraft: Sendable {
    /// The name, as in `settings.<name>`.
    public var name: SourceText
    /// The value for devices that have no other.
    public var standard: SettingValue
    /// The smallest value allowed; nil when there is none.
    public var least: SettingValue?
    /// The greatest value allowed; nil when there is none.
    public var greatest: SettingValue?
    /// The purpose of the setting, for people.
    public var text: String?

    /// Makes a setting without bounds.
    public init(name: SourceText, standard: SettingValue) {
        self.name = name
        self.standard = standard
    }
}
