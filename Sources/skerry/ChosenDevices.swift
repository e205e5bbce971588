import SkerryDevice
import SkerryFiles

/// The settings and names of single devices, from a configuration file that can be read again.
struct ChosenDevices {
    /// The configuration file; nil when there is none.
    let path: String?
    private var written: WrittenDevices

    /// Keeps what was read from a file.
    init(_ written: WrittenDevices = WrittenDevices(), path: String? = nil) {
        self.written = written
        self.path = path
    }

    /// Reads a configuration file.
    ///
    /// - Throws: the problems of the file, a line for each.
    init(path: String) throws(SettingFault) {
        self.init(try Settings.file(path)?.devices ?? WrittenDevices(), path: path)
    }

    /// The same file, read again.
    ///
    /// - Throws: the problems of the file, a line for each.
    func renewed() throws(SettingFault) -> ChosenDevices {
        try path.map { path throws(SettingFault) in try ChosenDevices(path: path) } ?? self
    }

    /// The definitions with what people chose for their devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions.
    ///   - former: The definitions until now.
    /// - Returns: The definitions in the same order.
    /// - Throws: the choices that can't be taken, a line for each.
    func choose(
        for definitions: [Definition],
        since former: [Definition] = []
    ) throws(SettingFault) -> [Definition] {
        let chosen = written.choose(for: definitions, since: former)
        if let path, !chosen.problems.isEmpty { throw SettingFault(chosen.problems, in: path) }
        return chosen.definitions
    }
}
