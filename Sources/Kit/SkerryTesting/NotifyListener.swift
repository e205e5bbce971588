import Glibc

/// A service manager's ear: a datagram socket for `NOTIFY_SOCKET`.
package final class NotifyListener: Sendable {
    /// Why there is nothing to hear.
    package struct Failure: Error, CustomStringConvertible {
        /// The awaited message, and the one that came instead.
        package var description: String
    }

    /// The value for `NOTIFY_SOCKET`.
    package let name: String
    private let file: Int32

    /// Listens under a name of its own, which nothing else on the machine has.
    ///
    /// - Parameter isAbstract: Whether the socket has no file; one with a file lies in `/tmp`.
    /// - Throws: ``Failure`` when the system gives no socket.
    package init(isAbstract: Bool = false) throws {
        var template = Array("/tmp/skerry-notify-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder for a socket") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        name = isAbstract ? "@\(folder)/socket" : "\(folder)/socket"
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        if isAbstract { path[0] = 0 } else { path.append(0) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let file = file
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) == 0 }
        }
        guard isBound else { throw Failure(description: "no socket \(name)") }
    }

    deinit {
        close(file)
        let path = name.hasPrefix("@") ? String(name.dropFirst()) : name
        unlink(path)
        rmdir(String(path.dropLast("/socket".count)))
    }

    /// The notices that wait to be read.
    package func waiting() -> [String] {
        var notices: [String] = []
        while let notice = receive(Int32(MSG_DONTWAIT)) { notices.append(notice) }
        return notices
    }

    /// Reads notices until one of them is wanted; the bound is for a broken service only.
    ///
    /// - Returns: all that came, the wanted one last.
    /// - Throws: ``Failure`` when nothing more comes.
    @discardableResult
    package func wait(for what: String, until isWanted: (String) -> Bool) throws -> [String] {
        var notices: [String] = []
        while true {
            var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 30_000) == 1, let notice = receive(0) else {
                throw Failure(description: "waited in vain for \(what): \(notices)")
            }
            notices.append(notice)
            if isWanted(notice) { return notices }
        }
    }

    private func receive(_ flags: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(file, &bytes, bytes.count, flags)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
