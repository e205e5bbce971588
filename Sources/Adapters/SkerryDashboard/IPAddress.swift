import Glibc

/// Addresses of the internet protocol, as text.
package enum IPAddress {
    /// The canonical text of an address, with an IPv4 address within IPv6 as IPv4; nil if it is not an address.
    package static func canonical(_ text: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        var family = AF_INET
        if inet_pton(AF_INET, text, &bytes) != 1 {
            // A zone (fe80::1%eth0) is a name of this machine's.
            guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 else { return nil }
            if bytes.starts(with: mapped) {
                bytes.removeFirst(mapped.count)
            } else {
                family = AF_INET6
            }
        }
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &name, socklen_t(name.count)) != nil else { return nil }
        return self.text(name)
    }

    /// Returns whether a canonical address is one of this machine only.
    static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address of the other side of a connection; nil for one that has none.
    static func canonical(_ place: UnsafePointer<sockaddr>) -> String? {
        let size =
            Int32(place.pointee.sa_family) == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failure = getnameinfo(
            place,
            socklen_t(size),
            &name,
            socklen_t(name.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        return failure == 0 ? canonical(text(name)) : nil
    }

    private static func text(_ name: [CChar]) -> String {
        String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
