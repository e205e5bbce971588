import SkerryExpressions

/// The settings in the environment of a process: `mqtt.tls.ca` is the variable `SKERRY_MQTT_TLS_CA`.
package struct SettingsEnvironment: Sendable {
    private static let start = "SKERRY_"

    /// The values, by names such as `mqtt.tls.ca`.
    let settings: [String: WrittenSetting]
    /// The advice about variables that look like misspelt settings, sorted; empty when there are none.
    ///
    /// Other programs may have variables that begin like ours, so only what is near a setting is reported.
    package let advice: [String]

    /// Reads the settings of an environment.
    ///
    /// - Parameter variables: The variables by their names.
    package init(_ variables: [String: String]) {
        var settings: [String: WrittenSetting] = [:]
        let known = SettingsFile.keys.map { Self.variable($0) }
        for (key, name) in zip(SettingsFile.keys, known) {
            settings[key] = variables[name].map { value in
                WrittenSetting(text: value, list: Self.elements(of: value), place: name)
            }
        }
        self.settings = settings
        advice = variables.keys.sorted().compactMap { name in
            guard name.hasPrefix(Self.start), !known.contains(name),
                let near = nearestName(
                    to: String(name.dropFirst(Self.start.count)),
                    among: known.map { String($0.dropFirst(Self.start.count)) }
                )
            else { return nil }
            return "nothing reads the variable \(name); did you mean \(Self.start)\(near)?"
        }
    }

    /// The name of the variable for a setting.
    private static func variable(_ key: String) -> String {
        start + key.uppercased().map { $0 == "." || $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The elements of a list with commas between them, without the spaces around each.
    private static func elements(of text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { element in
            let rest = element.drop { $0.isWhitespace }
            return String(rest.reversed().drop { $0.isWhitespace }.reversed())
        }
    }
}
