import SkerryDevice
import SkerryValues

/// The file of a broker that an administrator chose on the page: a part of a configuration file, which only its owner may read,
/// because it may hold a password.
///
/// See docs/decisions/0070-broker-on-the-page.md.
package struct BrokerFile: Sendable {
    /// The settings that it has in place of the configuration file.
    package static let keys: [String] =
        address + [
            SettingKeys.MQTT.username.name, SettingKeys.MQTT.password.name,
            SettingKeys.MQTT.passwordFile.name, SettingKeys.MQTT.isInsecure.name,
        ]

    /// Those of them that say which broker it is: where one of them is written at a place of higher rank, the file stands for none.
    package static let address: [String] = [
        SettingKeys.MQTT.host.name, SettingKeys.MQTT.port.name, SettingKeys.MQTT.usesTLS.name,
        SettingKeys.MQTT.authorityFile.name,
    ]

    private static let comment = """
        # The broker that an administrator chose on the page, in place of the one in the configuration file; the bridge writes this file
        # again. It may hold a password. To go back, remove the file and start the bridge again, or do so on the page.

        """

    /// The path of the file, which need not be there yet.
    package let path: String

    /// Makes a file at a path, and reads nothing.
    package init(_ path: String) { self.path = path }

    /// Reads the file.
    ///
    /// - Returns: the settings; nil if it is not there, or nothing is in it: a disk that failed may have emptied it.
    /// - Throws: why it can't be used.
    package func read() throws(FileError) -> SettingsFile? {
        guard (try? ReplacedFile.resolved(path)) != nil else { return nil }
        let file = try SettingsFile(path: path)
        if let problem = file.problems.first {
            let place = "\(path):\(problem.place.line):\(problem.place.column)"
            throw FileError(path: place, reason: problem.message)
        }
        if let other = file.settings.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw FileError(path: path, reason: "'\(other)' belongs into the configuration file")
        }
        return file.isEmpty ? nil : file
    }

    /// Replaces the file as a whole.
    ///
    /// - Throws: why it can't be written; then it is as it was.
    package func write(_ broker: ChosenBroker) throws(FileError) {
        try ReplacedFile.keepSecret(Self.comment + broker.document, in: path)
    }

    /// Removes the file.
    ///
    /// - Throws: why it can't be removed.
    package func remove() throws(FileError) { try RemovedFile.remove(path) }

    /// Writes certificates of an authority beside the file, under a name of their own: a former choice may still use others.
    ///
    /// - Returns: the path of the file with them.
    /// - Throws: why they can't be written.
    package func keepAuthority(_ certificates: String) throws(FileError) -> String {
        let file = "\(path).\(String(certificates.utf8.fingerprint, radix: 16)).pem"
        try ReplacedFile.keepSecret(certificates, in: file)
        return file
    }

    /// Removes the certificates that one broker uses and another does not, if they were written beside the file.
    package func forgetAuthority(of former: ChosenBroker, unlessOf other: ChosenBroker?) {
        guard case .authority(let file) = former.security, file.hasPrefix("\(path)."),
            former.security != other?.security
        else { return }
        try? RemovedFile.remove(file)
    }
}
