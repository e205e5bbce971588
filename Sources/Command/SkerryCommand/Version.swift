import CVersion

/// The version of this build.
package enum Version {
    /// The version in `skerry --version`, `bridge/info` and the API, as `scripts/version` has it.
    package static let current = String(cString: skerry_version())
}
