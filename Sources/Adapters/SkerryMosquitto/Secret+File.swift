import Glibc
package import SkerryGateway

extension MosquittoOptions {
    /// These options with the name and the password that can be read only once, as from a pipe, already read.
    ///
    /// Waits for the writer of a pipe: call it while a signal still ends the process.
    ///
    /// - Throws: ``BusFault`` when one of the two can't be read.
    package func readingSecrets() throws(BusFault) -> MosquittoOptions {
        var options = self
        options.username = try username?.readOnce()
        options.password = try password?.readOnce()
        _ = try options.username?.read()
        _ = try options.password?.read()
        return options
    }
}

extension MosquittoOptions.Secret {
    private static let sizeLimit = 4096

    /// The text; for a file its content now, without the line ends at its end.
    func read() throws(BusFault) -> String {
        switch self {
        case .text(let text): return text
        case .file(let path):
            var bytes = try Self.content(of: path)
            while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
                bytes.removeLast()
            }
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                throw BusFault(.configuration, "\(path) is not UTF-8 text")
            }
            if bytes.isEmpty {
                throw BusFault(.configuration, "\(path) is empty: write the name or the password into it")
            }
            return text
        }
    }

    /// This secret, or its text when it comes from a pipe, which can be read only once.
    ///
    /// A regular file stays a file: its content may change between two connections.
    fileprivate func readOnce() throws(BusFault) -> Self {
        guard case .file(let path) = self else { return self }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return self }
        return .text(try read())
    }

    private static func content(of path: String) throws(BusFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: sizeLimit + 1)
        while bytes.count <= sizeLimit {
            let length = part.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else {
                throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))")
            }
            if length == 0 { return bytes }
            bytes += part.prefix(length)
        }
        throw BusFault(.configuration, "\(path) has more than \(sizeLimit) bytes: is it the right file?")
    }
}
