import Glibc
import SkerryGateway

/// A file of certificates or keys as text (RFC 7468).
enum PEMFile {
    /// The required content of a file.
    enum Content: String {
        /// `CERTIFICATE`, `TRUSTED CERTIFICATE` or `X509 CERTIFICATE`.
        case certificate = "CERTIFICATE"
        /// `PRIVATE KEY`, `EC PRIVATE KEY` and others.
        case privateKey = "PRIVATE KEY"
    }

    /// Authorities of a whole system take some 300 KiB.
    private static let sizeLimit = 16 << 20

    /// Refuses a file without any certificate or key in it.
    ///
    /// OpenSSL would name a line of its own source instead, and only when the broker is reached.
    static func require(_ content: Content, in path: String) throws(BusFault) {
        let bytes = try bytes(of: path)
        let mark = Array("\(content.rawValue)-----".utf8)
        let begin = Array("-----BEGIN ".utf8)
        let hasMark = bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            let words = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return words.starts(with: begin) && words.suffix(mark.count).elementsEqual(mark)
        }
        if hasMark { return }
        let (what, tool) =
            switch content {
            case .certificate: ("certificate", "x509")
            case .privateKey: ("private key", "pkey")
            }
        // The outermost part of DER is a sequence.
        let isDER = bytes.first == 0x30
        let remedy =
            isDER
            ? "it looks like DER: openssl \(tool) -inform der -in \(path) -out \(path).pem makes PEM of it"
            : "it must be PEM and have a line '-----BEGIN \(content.rawValue)-----'"
        throw BusFault(.configuration, "there is no \(what) in \(path): \(remedy)")
    }

    private static func bytes(of path: String) throws(BusFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < sizeLimit {
            let length = part.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard length >= 0 else {
                throw BusFault(.configuration, "cannot read \(path): \(errorText(errno))")
            }
            if length == 0 { break }
            bytes += part.prefix(length)
        }
        return bytes
    }
}
