import Glibc

extension HTTPAddress {
    /// Why there is no socket for an address.
    struct SocketFault: Error {
        /// What the system says.
        var message: String
        /// The number of the error; zero when the name of the host is the problem.
        var number: Int32
    }

    /// The first socket with which something succeeds, of those for the addresses that a host stands for.
    ///
    /// - Parameters:
    ///   - flags: Those of `getaddrinfo`.
    ///   - kind: Flags of the socket; programs that are started never get it.
    ///   - attempt: Returns zero, or -1 with the reason in `errno`, as system calls do.
    /// - Returns: the socket, which has to be closed.
    /// - Throws: why the last one did not succeed.
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

    /// A socket that listens here; nobody waits for it.
    ///
    /// - Returns: the socket, which has to be closed.
    /// - Throws: why the address can't be taken.
    func listeningSocket() throws(SocketFault) -> Int32 {
        try socket(flags: AI_PASSIVE, kind: Int32(SOCK_NONBLOCK.rawValue)) { socket, place, size in
            // Connections of a process that has just ended must not keep the next one from the address.
            var yes: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            return bind(socket, place, size) == 0 ? listen(socket, Self.backlog) : -1
        }
    }

    /// How many connections wait until they are taken.
    private static let backlog: Int32 = 256

    /// The port that a socket has.
    static func port(of socket: Int32) -> Int? {
        // IPv4 has its port at the same place.
        var place = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        return status == 0 ? Int(UInt16(bigEndian: place.sin6_port)) : nil
    }

    /// The address of this machine that stands for a wildcard.
    var reachable: HTTPAddress {
        guard isWildcard else { return self }
        return HTTPAddress(host: host == "::" ? "::1" : "127.0.0.1", port: port)
    }
}
