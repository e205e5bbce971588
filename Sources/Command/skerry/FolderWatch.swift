import Glibc
import SkerryFiles
import Synchronization

/// Waits for changes of the files in folders, as inotify(7) tells them.
///
/// It only reports that something may have changed; the caller reads the files. The folders on the way to them are
/// watched as well, because any of them may be replaced.
final class FolderWatch: Sendable {
    /// The entries of a folder that are of interest.
    private enum Interest {
        /// All its files.
        case all
        /// Only the entries with these names.
        case only(Set<String>)

        /// The names of interest; none when all are.
        var names: Set<String> { if case .only(let names) = self { names } else { [] } }
    }

    /// The events of editing a file: write, replace, remove, allow to read; and the same for folders.
    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF
    )

    /// The events of a watched folder that was removed or moved.
    private static let endings = UInt32(IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF)

    /// The quiet time after which a change counts as complete, and the limit of such pauses.
    private static let pause: (milliseconds: Int32, limit: Int) = (50, 40)

    /// The file to poll for; readable after a change.
    let descriptor: Int32
    private let interests = Mutex<[Int32: Interest]>([:])

    /// Makes a watch that follows no folder yet.
    init() throws(FileError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw FolderWatch.error("inotify") }
    }

    deinit { close(descriptor) }

    /// Watches the paths of the definitions, and no others.
    ///
    /// A missing path is watched for its appearance.
    ///
    /// - Throws: the first folder that can't be watched; all others are.
    func follow(_ paths: [String]) throws(FileError) {
        var found: [Int32: Interest] = [:]
        var fault: FileError?
        for path in paths {
            for (folder, name) in FolderWatch.way(to: path) {
                let number = inotify_add_watch(descriptor, folder, Self.events)
                // A folder on the way may be closed to this user: only those of the definitions have to be watched.
                if number >= 0 { found[number] = .only((found[number]?.names ?? []).union([name])) }
            }
        }
        for folder in DefinitionFiles.folders(paths) {
            let number = inotify_add_watch(descriptor, folder, Self.events)
            if number >= 0 {
                found[number] = .all
            } else if errno != ENOENT, fault == nil {
                fault = FolderWatch.error(folder)
            }
        }
        interests.withLock { interests in
            for number in interests.keys where found[number] == nil { inotify_rm_watch(descriptor, number) }
            interests = found
        }
        if let fault { throw fault }
    }

    /// Returns after a change, and everything that came with it.
    ///
    /// - Returns: whether it was one of something that is followed.
    func wait() throws(FileError) -> Bool {
        var isOfInterest = false
        for _ in 0..<Self.pause.limit {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { throw FolderWatch.error("inotify") }
            if hasInterest(in: buffer.prefix(max(count, 0))) { isOfInterest = true }
            if !hasMore(isOfInterest ? Self.pause.milliseconds : 0) { break }
        }
        return isOfInterest
    }

    /// Looks through events as the system writes them: watch, mask, cookie, length of the name, the name.
    private func hasInterest(in events: ArraySlice<UInt8>) -> Bool {
        interests.withLock { interests in
            var rest = events
            while rest.count >= 16 {
                let head = rest.prefix(16).withUnsafeBytes { bytes in
                    (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
                }
                let name = rest.dropFirst(16).prefix(Int(head[3])).prefix { $0 != 0 }
                rest = rest.dropFirst(16 + Int(head[3]))
                if head[1] & UInt32(IN_Q_OVERFLOW) != 0 { return true }
                switch interests[Int32(bitPattern: head[0])] {
                case .all: return true
                case .only where head[1] & Self.endings != 0: return true
                case .only(let names) where names.contains(String(decoding: name, as: UTF8.self)):
                    return true
                case .only, nil: continue
                }
            }
            return false
        }
    }

    private func hasMore(_ milliseconds: Int32) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, milliseconds) > 0
    }

    /// The folders that lead to a path, each with the name that leads on.
    private static func way(to path: String) -> [(folder: String, name: String)] {
        var folder = path.hasPrefix("/") ? "/" : "."
        return path.split(separator: "/").map { part in
            defer { folder += (folder.hasSuffix("/") ? "" : "/") + part }
            return (folder, String(part))
        }
    }

    private static func error(_ path: String) -> FileError {
        FileError(path: path, reason: String(cString: strerror(errno)))
    }
}
