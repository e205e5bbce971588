import Glibc

/// The address of the HTTP API.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address of this machine.
    package var host: String
    /// The TCP port; 0 for any that is free.
    package var port: Int

    /// The port that is taken when none is named.
    package static let usualPort = 7537
    /// The port with TLS that is taken when none is named.
    package static let usualSecurePort = 7538
    /// The default address, on this machine only.
    package static let usual = HTTPAddress(host: "127.0.0.1", port: usualPort)

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`; nil when a text is none of these.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - usualPort: The port of an address without one.
    package init?(_ text: String, usualPort: Int = usualPort) {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[..<end].dropFirst()
            let rest = text[end...].dropFirst()
            if !rest.isEmpty {
                guard rest.first == ":" else { return nil }
                port = rest.dropFirst()
            }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[colon...].dropFirst()
        }
        // Digits alone are a port without a host.
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }),
            !host.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        self.host = String(host)
        guard let port else {
            self.port = usualPort
            return
        }
        guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(port),
            (0...65_535).contains(number)
        else { return nil }
        self.port = number
    }

    /// True if only this machine reaches it.
    package var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// True if it stands for all addresses of this machine.
    package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// The address as addresses on the web have it.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension HTTPAddress {
    /// The reason why there is no socket for an address.
    struct SocketFault: Error {
        /// The text of the system.
        var message: String
        /// The number of the error; zero if the host name has no address.
        var number: Int32
    }

    /// Tries the addresses of the host one after another, and returns the first socket that works.
    ///
    /// - Parameters:
    ///   - flags: Flags of `getaddrinfo`.
    ///   - kind: Flags of the socket, besides `SOCK_CLOEXEC`.
    ///   - attempt: Uses a socket; returns zero, or -1 with the reason in `errno`.
    /// - Returns: the socket, which the caller closes.
    /// - Throws: the reason of the last attempt.
    func socket(
        flags: Int32 = 0,
        kind: Int32 = 0,
        _ attempt: (_ socket: Int32, _ place: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32
    ) throws(SocketFault) -> Int32 {
        var wish = addrinfo()
        wish.ai_socktype = Int32(SOCK_STREAM.rawValue)
        wish.ai_flags = flags
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, "\(port)", &wish, &found)
        guard failure == 0 else {
            throw SocketFault(message: "\(host): \(String(cString: gai_strerror(failure)))", number: 0)
        }
        defer { freeaddrinfo(found) }
        var reason = EADDRNOTAVAIL
        var next = found
        while let place = next?.pointee {
            next = place.ai_next
            let type = place.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | kind
            let socket = Glibc.socket(place.ai_family, type, 0)
            guard socket >= 0, let address = place.ai_addr else {
                reason = errno
                continue
            }
            if attempt(socket, address, place.ai_addrlen) == 0 { return socket }
            reason = errno
            close(socket)
        }
        throw SocketFault(message: String(cString: strerror(reason)), number: reason)
    }

    /// Opens a non-blocking socket that listens on this address.
    ///
    /// - Returns: the socket, which the caller closes.
    /// - Throws: the reason why the address can't be taken.
    func listeningSocket() throws(SocketFault) -> Int32 {
        try socket(flags: AI_PASSIVE, kind: Int32(SOCK_NONBLOCK.rawValue)) { socket, place, size in
            // Without it, connections of a process that has just ended keep the address for a minute.
            var yes: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            return bind(socket, place, size) == 0 ? listen(socket, Self.backlog) : -1
        }
    }

    /// The number of connections that the kernel keeps until they are accepted.
    private static let backlog: Int32 = 256

    static func port(of socket: Int32) -> Int? {
        // The address of IPv4 has its port at the same offset.
        var place = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        return status == 0 ? Int(UInt16(bigEndian: place.sin6_port)) : nil
    }

    /// The address to connect to: for a wildcard, this machine.
    package var reachable: HTTPAddress {
        guard isWildcard else { return self }
        return HTTPAddress(host: host == "::" ? "::1" : "127.0.0.1", port: port)
    }
}
