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
    var document: String {
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
