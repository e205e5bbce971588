package import SkerryDevice

/// A file of the settings and names that people chose while the bridge ran, in the form of `devices:` and `names:` of a
/// configuration file.
package struct DevicesFile: Sendable {
    /// The path of the file, which need not be there yet.
    package let path: String

    private static let comment = """
        # Chosen on the page or by requests; the bridge writes this file again. Each entry can be moved to 'devices:' or
        # 'names:' of the configuration file, which outranks this one.

        """

    /// Makes a file at a path, and reads nothing.
    package init(_ path: String) { self.path = path }

    /// Reads the file.
    ///
    /// - Returns: The settings and names, and what can't be read as such; neither for a file that is not there.
    /// - Throws: The reason why it can't be read.
    package func read() throws(FileError) -> (devices: WrittenDevices, problems: [DefinitionProblem]) {
        guard (try? ReplacedFile.resolved(path)) != nil else { return (WrittenDevices(), []) }
        return Self.read(try FileBytes.text(path, limit: DefinitionReader.fileSizeLimit))
    }

    private static func read(_ text: String) -> (devices: WrittenDevices, problems: [DefinitionProblem]) {
        var builder = DefinitionBuilder()
        var devices = WrittenDevices()
        let root = YAMLComposer.compose(text, into: &builder.problems)
        if let root, !root.isEmpty,
            let keys = builder.keys(root, of: "the file", allowed: ["devices", "names"])
        {
            if let node = keys["devices"] { devices.readDevices(node, &builder) }
            if let node = keys["names"] { devices.readNames(node, &builder) }
        }
        return (devices, builder.problems.problems.sorted { $0.place < $1.place })
    }

    /// Replaces the file as a whole.
    ///
    /// - Throws: The reason why it can't be written; then it is as it was.
    package func write(_ devices: WrittenDevices) throws(FileError) {
        let text = Self.comment + devices.document
        guard text.utf8.count <= DefinitionReader.fileSizeLimit else {
            throw FileError(
                path: path,
                reason: "it would have more than \(DefinitionReader.fileSizeLimit) bytes"
            )
        }
        // The key of a device whose name has more than 1,000 characters is none for libyaml.
        guard Self.read(text).problems.isEmpty else {
            throw FileError(
                path: path,
                reason: "it could not be read again: the name of a device is too long"
            )
        }
        try ReplacedFile.keep(text, in: path)
    }
}
