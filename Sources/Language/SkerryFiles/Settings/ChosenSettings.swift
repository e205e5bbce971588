package import SkerryDevice

/// The settings of single devices in force, from both places where people choose them.
///
/// The configuration file outranks the page.
package struct ChosenSettings: Sendable {
    /// The place where a setting of a device was chosen.
    package enum Origin: String, Sendable {
        /// The configuration file.
        case file
        case page
    }

    /// The settings and names in the configuration file.
    package var file: WrittenDevices
    /// The configuration file; nil when there is none.
    package var path: String?
    /// The settings and names that were chosen on the page, or by requests, whether or not they have an effect.
    package var page: WrittenDevices

    /// Puts both together.
    package init(
        file: WrittenDevices = WrittenDevices(),
        path: String? = nil,
        page: WrittenDevices = WrittenDevices()
    ) {
        self.file = file
        self.path = path
        self.page = page
    }

    /// The settings of a device that do not have their defaults because somebody chose so.
    ///
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - definition: The definition of its kind.
    /// - Returns: The names of the settings in the order of the definition, each with where it was chosen.
    package func origins(of device: String, in definition: Definition) -> [(setting: String, origin: Origin)]
    {
        let file = file.settings(of: device, kind: definition.kind)
        let page = page.settings(of: device, kind: definition.kind)
        return definition.settings.compactMap { setting in
            if file.contains(where: { $0.isOf(setting.name) }) { return (setting.name, .file) }
            let isChosen = page.contains { written in
                written.isOf(setting.name) && (try? written.choice(in: definition)) != nil
            }
            return isChosen ? (setting.name, .page) : nil
        }
    }

    /// The place where the name of a device was chosen; nil if it has none, or messages tell it.
    package func nameOrigin(of device: String, kind: String) -> Origin? {
        if file.name(of: device, kind: kind) != nil { return .file }
        return page.name(of: device, kind: kind) == nil ? nil : .page
    }
}
