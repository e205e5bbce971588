import SkerryCommand
import SkerryDashboard
import SkerryFiles
import SkerryValues

/// The addresses of the HTTP API, under `http:`.
struct SettingsHTTP {
    /// Its behaviour; nil without an HTTP API.
    var options: DashboardOptions?
    /// True if the address was named: then the bridge does not run without it.
    var isDemanded: Bool
    private let hasPartitions: Bool
    /// The computers that may have the gateways of partitions; empty for this one.
    private let partitionHosts: [String]
    private let tokenFile: String?
    private let metricsTokenFile: String?

    /// The address of the page for links to it; nil without one, and without an HTTP API: nothing would answer.
    var page: String? { options?.publicURL }

    private typealias HTTP = SettingKeys.HTTP

    private static let tokenName = "admin-token"

    /// Reads them.
    ///
    /// - Parameters:
    ///   - reader: The settings.
    ///   - partitions: The partitions of all devices, each of which has ports of its own.
    /// - Throws: a `SettingFault` when one is wrong.
    init(_ reader: SettingsReader, _ partitions: SettingsPartitions?) throws(SettingFault) {
        isDemanded = reader.isSet(HTTP.address)
        hasPartitions = partitions != nil
        tokenFile = try reader[HTTP.adminTokenFile]
        metricsTokenFile = try reader[HTTP.metricsTokenFile]
        let url = try reader[HTTP.url]
        let allowsEditing = try reader[HTTP.allowsEditing]
        let requests = try reader[HTTP.requestsPerMinute]
        let hosts = try reader[HTTP.hosts]
        for host in hosts where HTTPAddress(host)?.host != host {
            throw reader.fault(HTTP.hosts, "'\(host)' is not a host name such as skerry.example.org")
        }
        partitionHosts = try Self.partitionHosts(reader)
        let proxies = try reader[HTTP.proxies].map { proxy throws(SettingFault) in
            guard let address = IPAddress.canonical(proxy) else {
                throw reader.fault(HTTP.proxies, "'\(proxy)' is not an IP address such as 127.0.0.1 or ::1")
            }
            return address
        }
        if let url {
            let start = ["https://", "http://"].first { url.hasPrefix($0) }
            guard let start, url.utf8.count > start.utf8.count, url.utf8.count <= 128, !url.hasSuffix("/"),
                url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") })
            else {
                throw reader.fault(
                    HTTP.url,
                    "'\(url)' is not an address such as https://skerry.example.org, without a slash at its end"
                )
            }
        }
        let (basePath, ingress) = (try Self.basePath(reader), try Self.ingress(reader))
        let named = try reader[HTTP.address]
        if named == "none" { return }
        guard let address = HTTPAddress(named) else {
            throw reader.fault(
                HTTP.address,
                "'\(named)' is neither 'none' nor an address such as 127.0.0.1:\(HTTPAddress.usualPort) or [::]:80"
            )
        }
        var options = DashboardOptions(address: address, publicURL: url)
        options.requestsPerMinute = requests
        options.allowsEditing = allowsEditing
        options.version = Version.current
        options.hosts = hosts
        options.proxies = Set(proxies)
        options.basePath = basePath
        options.ingress = ingress
        options.secure = try Self.secure(reader)
        if let number = partitions?.number {
            options.address.port = try Self.port(options.address.port, ofPartition: number)
            if let port = options.secure?.address.port {
                options.secure?.address.port = try Self.port(port, ofPartition: number)
            }
        }
        if options.secure != nil { isDemanded = true }
        self.options = options
    }

    private static func basePath(_ reader: SettingsReader) throws(SettingFault) -> String {
        guard let path = try reader[HTTP.basePath], path != "/" else { return "" }
        if BasePath.isPath(path) { return path }
        throw reader.fault(
            HTTP.basePath,
            "'\(path)' is not a path such as /skerry, without a slash at its end"
        )
    }

    private static func ingress(_ reader: SettingsReader) throws(SettingFault) -> String? {
        guard let text = try reader[HTTP.ingress] else { return nil }
        if let address = IPAddress.canonical(text) { return address }
        throw reader.fault(HTTP.ingress, "'\(text)' is not an IP address such as 172.30.32.2")
    }

    private static func partitionHosts(_ reader: SettingsReader) throws(SettingFault) -> [String] {
        let hosts = try reader[HTTP.partitionHosts]
        for host in hosts where IPAddress.canonical(host) == nil && HTTPAddress(host)?.host != host {
            throw reader.fault(
                HTTP.partitionHosts,
                "'\(host)' is neither a host name such as gateway-a.example nor an address, without a port"
            )
        }
        return hosts
    }

    /// The address of the front of all partitions; nil without partitions.
    var frontAddress: HTTPAddress? {
        guard hasPartitions, var address = options?.address, address.port > PartitionPlaces.portStep else {
            return nil
        }
        address.port -= PartitionPlaces.portStep
        return address
    }

    /// The options of the front of all partitions, which is ten ports before the first of them, and where they are.
    func front(of partitions: SettingsPartitions) throws(SettingFault) -> (DashboardOptions, PartitionPlaces)
    {
        guard var options else {
            throw SettingFault(message: "http.address: with 'none' there is no page of partitions")
        }
        // Computers that are named have certificates for their names.
        let isSecure = options.secure != nil && !partitionHosts.isEmpty
        let places = PartitionPlaces(
            count: partitions.count,
            hosts: partitionHosts.isEmpty ? [options.address.reachable.host] : partitionHosts,
            port: isSecure ? options.secure?.address.port ?? 0 : options.address.port,
            isSecure: isSecure
        )
        let ports = [options.address.port, options.secure?.address.port ?? .max]
        let last = places.port + PartitionPlaces.portStep * (partitions.count - 1)
        guard let first = ports.min(), first > PartitionPlaces.portStep, last <= 65_535 else {
            throw SettingFault(
                message:
                    "http.address: the front is on the port ten before that of partition 0, the others are on the "
                    + "ports after it, up to \(last): name a port for which all are there"
            )
        }
        options.address.port -= PartitionPlaces.portStep
        options.secure?.address.port -= PartitionPlaces.portStep
        // A request may be tried at several gateways.
        options.answerPatience = .seconds(40)
        options.streams = 128
        return (options, places)
    }

    private static func port(_ port: Int, ofPartition number: Int) throws(SettingFault) -> Int {
        // 0 stands for any that is free.
        if port == 0 { return 0 }
        let own = port + PartitionPlaces.portStep * number
        if own <= 65_535 { return own }
        throw SettingFault(
            message:
                "http.address: partition \(number) has port \(port) + 10 × \(number), and there is none: name a lower one"
        )
    }

    /// The largest file with certificates or a key, in bytes.
    private static let pemLimit = 262_144

    /// The address with TLS, if a certificate is named.
    private static func secure(
        _ reader: SettingsReader
    ) throws(SettingFault) -> DashboardOptions.SecureAddress? {
        let names = [HTTP.secureAddress.name, HTTP.certificateFile.name, HTTP.keyFile.name]
        guard let named = names.first(where: { reader.text($0) != nil }) else { return nil }
        func pem(_ key: SettingKey<String?>, _ what: String) throws(SettingFault) -> String {
            guard let path = reader.text(key.name) else {
                throw reader.fault(named, "TLS needs \(key.name), too: the path of \(what) in a PEM file")
            }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try FileBytes.secret(path, limit: pemLimit).bytes
            } catch {
                throw reader.fault(key, "\(error)")
            }
            guard bytes.count <= pemLimit, let text = String(validating: bytes, as: UTF8.self),
                text.contains("-----BEGIN ")
            else { throw reader.fault(key, "\(path) is no PEM file") }
            return text
        }
        let certificate = try pem(HTTP.certificateFile, "the certificate, with those that it is signed with,")
        let key = try pem(HTTP.keyFile, "its private key")
        let wish = try reader[HTTP.secureAddress]
        guard let address = HTTPAddress(wish, usualPort: HTTPAddress.usualSecurePort) else {
            throw reader.fault(
                HTTP.secureAddress,
                "'\(wish)' is not an address such as [::]:\(HTTPAddress.usualSecurePort)"
            )
        }
        return DashboardOptions.SecureAddress(address: address, certificate: certificate, key: key)
    }

    /// The file of the admin token for the bridge itself: as named, else in the folder of what is kept.
    func tokenPath() throws(ServiceFault) -> String {
        if let path = tokenFile ?? Self.usualPaths.first { return path }
        throw ServiceFault(
            message:
                "http.admin-token-file: there is no HOME to keep it in: name a file, or http.address: none"
        )
    }

    /// The behaviour with the token for numbers, whose file is read now; nil without an HTTP API.
    func readingOptions() throws(ServiceFault) -> DashboardOptions? {
        guard var options, let metricsTokenFile else { return options }
        do throws(AdminSecret.Fault) {
            options.metricsToken = try AdminSecret(readFrom: metricsTokenFile)
        } catch {
            throw ServiceFault(message: "http.metrics-token-file: \(error.message)")
        }
        return options
    }

    /// Returns the places where a bridge on this machine may keep its admin token, for programs that ask it.
    func tokenPaths() -> [String] {
        if let tokenFile { return [tokenFile] }
        let service = "\(SettingsStore.serviceFolder)/\(Self.tokenName)"
        return Self.usualPaths.filter { $0 != service } + [service]
    }

    private static var usualPaths: [String] {
        SettingsStore.stateFolder.map { ["\($0)/\(tokenName)"] } ?? []
    }
}
