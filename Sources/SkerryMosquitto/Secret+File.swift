import Glibc
import SkerryGateway

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
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw BusFault(.configuration, "\(path) is not UTF-8 text")
            }
            return text
        }
    }

    private static func content(of path: String) throws(BusFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        let length = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        guard length >= 0 else { throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))") }
        guard length <= sizeLimit else {
            throw BusFault(.configuration, "\(path) has more than \(sizeLimit) bytes: is it the right file?")
        }
        return Array(bytes.prefix(length))
    }
}
