import SkerryFiles
import SkerryValues
import Synchronization

/// The found devices that somebody does not want to see, kept in a file that people can read: `kind/device` on each line.
package final class HiddenDevices: Sendable {
    /// The number of devices that are kept.
    private static let limit = 1000
    /// The longest line, in bytes.
    private static let lengthLimit = 512

    private let file: KeptText?
    private let lines: Mutex<[String]>

    /// Reads the file, if it is there.
    ///
    /// - Parameter path: The file; nil to keep nothing over a restart.
    package init(_ path: String?) {
        file = path.map { KeptText($0, limit: Self.limit * (Self.lengthLimit + 1)) }
        lines = Mutex((file?.text ?? "").split(separator: "\n").map(String.init))
    }

    /// Returns whether a device is hidden.
    func has(kind: String, device: String) -> Bool {
        let line = "\(kind)/\(device)"
        return lines.withLock { $0.contains { $0.hasSameCodePoints(as: line) } }
    }

    /// Hides a device, or shows it again.
    ///
    /// - Throws: the reason why it can't be kept; then nothing has changed.
    func hide(_ isHidden: Bool, kind: String, device: String) throws(FileError) {
        let line = "\(kind)/\(device)"
        try lines.withLock { lines throws(FileError) in
            var changed = lines.filter { !$0.hasSameCodePoints(as: line) }
            if isHidden {
                guard changed.count < Self.limit, line.utf8.count <= Self.lengthLimit,
                    !line.utf8.contains(where: { $0 < 0x20 })
                else {
                    throw FileError(
                        path: "the list of hidden devices",
                        reason: "at most \(Self.limit) devices, each a line of up to "
                            + "\(Self.lengthLimit) bytes"
                    )
                }
                changed.append(line)
            }
            try file?.replace(with: changed.map { $0 + "\n" }.joined())
            lines = changed
        }
    }
}
