import SkerryDashboard
import SkerryFiles

/// Where the HTTP API is, under `http:`.
struct SettingsHTTP {
    /// How it behaves; nil when there is none.
    var options: DashboardOptions?
    /// Whether the address was named: then the bridge does not run without it.
    var isDemanded: Bool
    private let tokenFile: String?

    /// Where the packaged service keeps what it has to remember.
    private static let serviceFolder = "/var/lib/skerry"
    private static let tokenName = "admin-token"

    /// Reads them.
    ///
    /// - Throws: a `SettingFault` when one is wrong.
    init(_ reader: SettingsReader) throws(SettingFault) {
        let named = reader.text("http.address")
        isDemanded = named != nil
        tokenFile = reader.text("http.admin-token-file")
        let url = reader.text("http.url")
        let allowsEditing = try reader.truth("http.edit") ?? false
        let requests = try reader.number("http.requests-per-minute", in: 1...1_000_000)
        let hosts = reader.texts("http.hosts") ?? []
        for host in hosts where HTTPAddress(host)?.host != host {
            throw reader.fault("http.hosts", "'\(host)' is not a host name such as skerry.example.org")
        }
        let proxies = try (reader.texts("http.proxies") ?? []).map { proxy throws(SettingFault) in
            guard let address = IPAddress.canonical(proxy) else {
                throw reader.fault("http.proxies", "'\(proxy)' is not an IP address such as 127.0.0.1 or ::1")
            }
            return address
        }
        if let url {
            let start = ["https://", "http://"].first { url.hasPrefix($0) }
            guard let start, url.utf8.count > start.utf8.count, url.utf8.count <= 128, !url.hasSuffix("/"),
                url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") })
            else {
                throw reader.fault(
                    "http.url",
                    "'\(url)' is not an address such as https://skerry.example.org, without a slash at its end"
                )
            }
        }
        if named == "none" { return }
        var address = HTTPAddress.usual
        if let named {
            guard let read = HTTPAddress(named) else {
                throw reader.fault(
                    "http.address",
                    "'\(named)' is neither 'none' nor an address such as 127.0.0.1:\(HTTPAddress.usualPort) or [::]:80"
                )
            }
            address = read
        }
        var options = DashboardOptions(address: address, publicURL: url)
        if let requests { options.requestsPerMinute = requests }
        options.allowsEditing = allowsEditing
        options.version = Version.current
        options.hosts = hosts
        options.proxies = Set(proxies)
        self.options = options
    }

    /// The file of the admin token for the bridge itself: as named, else in the folder of what is kept.
    func tokenPath() throws(ServiceFault) -> String {
        if let path = tokenFile ?? Self.usualPaths.first { return path }
        throw ServiceFault(
            message:
                "http.admin-token-file: there is no HOME to keep it in: name a file, or http.address: none"
        )
    }

    /// Where a bridge on this machine may keep its admin token, for those who want to talk to it.
    func tokenPaths() -> [String] {
        if let tokenFile { return [tokenFile] }
        let service = "\(Self.serviceFolder)/\(Self.tokenName)"
        return Self.usualPaths.filter { $0 != service } + [service]
    }

    private static var usualPaths: [String] {
        SettingsStore.stateFolder.map { ["\($0)/\(tokenName)"] } ?? []
    }
}
