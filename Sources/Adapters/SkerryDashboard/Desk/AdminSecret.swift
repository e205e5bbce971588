import Glibc
import SkerryFiles

/// The secret that allows pairing phones; reading its file is the right to pair.
package struct AdminSecret: Sendable {
    /// The secret as it is sent.
    package let text: String
    /// True if others than its owner may read its file.
    package let isReadableByOthers: Bool

    /// The fewest characters that a secret may have.
    private static let shortest = 16
    private static let longest = 1024

    /// Why there is no secret.
    package struct Fault: Error, Sendable {
        /// The fault and its remedy, in one line.
        package var message: String
    }

    /// Makes a secret that only this process knows, so that it lets no one in.
    package init() {
        text = Secret.make()
        isReadableByOthers = false
    }

    /// Reads the secret from a file.
    package init(readFrom path: String) throws(Fault) {
        let bytes: [UInt8]
        do throws(FileError) {
            (bytes, isReadableByOthers) = try FileBytes.secret(path, limit: Self.longest)
        } catch {
            throw Fault(message: "\(error)")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let text = String(decoding: lines.first ?? [], as: UTF8.self)
        guard bytes.count <= Self.longest, text.utf8.count >= Self.shortest,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw Fault(
                message: """
                    \(path): its first line is no secret of \(Self.shortest) to \(Self.longest) visible characters: \
                    openssl rand -hex 32 makes one
                    """
            )
        }
        self.text = text
    }

    /// Reads the secret from a file, which is made with a new one when it is not there.
    package init(keptIn path: String) throws(Fault) {
        if access(path, F_OK) != 0 { try Self.make(path) }
        try self.init(readFrom: path)
    }

    /// Makes a file with a secret; another process that did it at the same time wins.
    private static func make(_ path: String) throws(Fault) {
        let bytes = Array((Secret.make() + "\n").utf8)
        let draft = "\(path).\(getpid())"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw fault(draft) }
        defer { unlink(draft) }
        let count = write(file, bytes, bytes.count)
        let isSafe = fsync(file) == 0
        close(file)
        guard count == bytes.count, isSafe else { throw fault(draft) }
        // Unlike renaming, linking never replaces the secret that another process has just made.
        guard link(draft, path) == 0 || errno == EEXIST else { throw fault(path) }
    }

    /// The fault that the last system call left in `errno`.
    private static func fault(_ path: String) -> Fault {
        Fault(message: "\(path): \(String(cString: strerror(errno)))")
    }
}
