import SkerryDevice
import SkerryValues

/// A broker as settings name it.
package struct ChosenBroker: Hashable, Sendable {
    /// The source of a password.
    package enum Password: Hashable, Sendable {
        /// The password itself.
        case text(String)
        /// A file that holds it.
        case file(String)
    }

    /// Who has to vouch for the broker.
    package enum Security: Hashable, Sendable {
        /// Nobody: the connection is not encrypted.
        case none
        /// An authority that the system trusts.
        case system
        /// An authority in a PEM file.
        case authority(file: String)
    }

    /// Its name or address.
    package var host: String
    /// Its TCP port.
    package var port: Int
    /// The user; nil for none.
    package var username: String?
    /// The password; nil for none.
    package var password: Password?
    /// Who vouches for it.
    package var security: Security

    package init(
        host: String,
        port: Int,
        username: String? = nil,
        password: Password? = nil,
        security: Security = .none
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.security = security
    }

    /// Returns why a text is neither the name nor the address of a host, with what to write in its place; nil if it can be one.
    package static func problem(ofHost text: String) -> String? {
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound] }
        var host = text[(text.firstRange(of: "://")?.upperBound ?? text.startIndex)...]
        host = host[..<(host.firstIndex(of: "/") ?? host.endIndex)]
        host = host[(host.lastIndex(of: "@").map { host.index(after: $0) } ?? host.startIndex)...]
        var port: Substring?
        if let end = host.lastIndex(of: ":"), let first = host.firstIndex(of: ":"),
            first == end || host[..<end].hasSuffix("]")
        {
            port = host[host.index(after: end)...]
            host = host[..<end]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isHost = !host.isEmpty && host.allSatisfy { !$0.isWhitespace && $0 != "[" && $0 != "]" }
        if isHost, host.utf8.count == text.utf8.count { return nil }
        guard isHost else { return "'\(text)' is no name or address of a host" }
        let isSecure = scheme.map { ["mqtts", "ssl", "tls"].contains($0.lowercased()) } ?? false
        let advice = port.flatMap { UInt16($0) }.map { ", and the port, \($0), on its own" } ?? ""
        return "'\(text)' is more than the name or address of a host: write '\(host)'\(advice)"
            + (isSecure ? ", and turn TLS on" : "")
    }

    /// The broker as a configuration file has it.
    fileprivate var document: String {
        func line(_ name: String, _ text: String) -> String {
            "  \(name): \(YAMLScalarText.line(text, isFlow: false, isLabel: true))\n"
        }
        var text = "mqtt:\n" + line("host", host) + "  port: \(port)\n"
        if let username { text += line("username", username) }
        switch password {
        case .text(let password)?: text += line("password", password)
        case .file(let file)?: text += line("password-file", file)
        case nil: break
        }
        switch security {
        case .none: text += "  tls: { enabled: false }\n"
        case .system: text += "  tls: { enabled: true }\n"
        case .authority(let file): text += "  tls:\n    enabled: true\n  " + line("ca", file)
        }
        return text
    }
}

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
