/// A setting as written: its default and its bounds.
public struct SettingDraft: Sendable {
    /// The name, as in `settings.<name>`.
    package var name: SourceText
    /// The value for devices that have no other.
    package var standard: SettingValue
    /// The smallest value allowed; nil when there is none.
    package var least: SettingValue?
    /// The greatest value allowed; nil when there is none.
    package var greatest: SettingValue?
    /// The purpose of the setting, for people.
    package var text: String?

    /// Makes a setting without bounds.
    package init(name: SourceText, standard: SettingValue) {
        self.name = name
        self.standard = standard
    }
}
