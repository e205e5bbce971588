import ArgumentParser
import Glibc
import SkerryDevice
import SkerryFiles

/// What is looked at before settings are read: keys that nobody reads are errors.
enum SettingsFile {
    /// Refuses a configuration file with unknown keys or values where groups belong.
    ///
    /// Tells places, but shows no lines: there may be a password in them.
    ///
    /// - Returns: whether there is a file with anything set.
    /// - Throws: a `ValidationError` with all problems.
    static func check(_ path: String, mayBeMissing: Bool) throws -> Bool {
        let found: SettingsCheck
        do throws(FileError) {
            found = try SettingsCheck(path: path)
        } catch {
            if mayBeMissing, access(path, F_OK) != 0 { return false }
            throw ValidationError("\(error)")
        }
        let lines = found.problems.map { problem in
            let remedy = problem.remedy.map { "; \($0)" } ?? ""
            return "\(path):\(problem.place.line):\(problem.place.column): \(problem.message)\(remedy)"
        }
        if !lines.isEmpty { throw ValidationError(lines.joined(separator: "\n")) }
        return !found.isEmpty
    }
}
