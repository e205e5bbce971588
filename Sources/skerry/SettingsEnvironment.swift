import FoundationEssentials
import SkerryExpressions
import SkerryFiles

/// Looks for settings in the environment that nobody reads.
enum SettingsEnvironment {
    private static let start = "SKERRY_"

    /// What to say of variables that look like misspelt settings, sorted; empty when there are none.
    static var advice: [String] { advice(on: ProcessInfo.processInfo.environment.keys.sorted()) }

    /// What to say of variables with these names.
    ///
    /// Other programs may have variables that begin like ours, so only what is near a setting is told.
    private static func advice(on names: [String]) -> [String] {
        let known = SettingsCheck.keys.map { key in
            key.uppercased().map { $0 == "." || $0 == "-" ? "_" : String($0) }.joined()
        }
        return names.compactMap { name in
            guard name.hasPrefix(start) else { return nil }
            let setting = String(name.dropFirst(start.count))
            guard !known.contains(setting), let near = nearestName(to: setting, among: known) else {
                return nil
            }
            return "nothing reads the variable \(name); did you mean \(start)\(near)?"
        }
    }
}
