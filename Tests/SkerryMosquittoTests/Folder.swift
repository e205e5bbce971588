import Glibc

/// A folder for the files of one test, gone with it.
final class Folder: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let path: String

    init() throws {
        var template = Array("/tmp/skerry-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = system("rm -rf '\(path)'") }

    /// Where Debian's mosquitto has its plug-in for access control; an ACL file does not refuse subscriptions.
    static let accessPlugins = "/usr/lib/*/mosquitto_dynamic_security.so"

    static var hasAccessPlugin: Bool { system("test -e \(accessPlugins)") == 0 }

    static func hasTool(_ name: String) -> Bool { system("command -v \(name) >/dev/null 2>&1") == 0 }

    func write(_ text: String, to name: String) throws {
        guard let file = fopen("\(path)/\(name)", "w") else {
            throw Failure(description: "cannot write \(name)")
        }
        defer { fclose(file) }
        fputs(text, file)
    }

    /// Runs a shell command in the folder.
    func run(_ command: String) throws {
        let code = system("cd '\(path)' && (\(command)) >/dev/null 2>log.txt")
        guard code == 0 else { throw Failure(description: "\(command) ended with \(code)") }
    }

    func makeAuthority(_ name: String) throws {
        try run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
                + "-subj /CN=\(name) -keyout \(name).key -out \(name).pem"
        )
    }

    func makeCertificate(_ name: String, for host: String, by authority: String) throws {
        try run(
            "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                + "-subj /CN=\(host) -keyout \(name).key -out \(name).csr && "
                + "openssl x509 -req -days 2 -in \(name).csr -CA \(authority).pem -CAkey \(authority).key "
                + "-CAcreateserial -out \(name).pem"
        )
    }
}

/// Takes connections on a loopback port and never says a word.
final class SilentListener: Sendable {
    let port: Int
    private let file: Int32

    init() throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = file
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(file, address, length) == 0 && listen(file, 8) == 0
                    && getsockname(file, address, &length) == 0
            }
        }
        guard isListening else { throw Folder.Failure(description: "no listener") }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { close(file) }
}
