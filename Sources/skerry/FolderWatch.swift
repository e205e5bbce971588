import Glibc
import SkerryFiles

/// Waits for changes of the files in folders, as inotify(7) tells them.
///
/// It only tells that something may have changed: whoever waits looks at the files.
final class FolderWatch: Sendable {
    /// What editors do to a file: write it, put another one in its place, take it away.
    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    )

    /// How long folders are left in peace before a change counts as over, and how often that is waited for.
    private static let pause: (milliseconds: Int32, limit: Int) = (50, 40)

    /// The file to poll for; readable after a change.
    let descriptor: Int32

    /// Makes a watch that follows no folder yet.
    init() throws(FileError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw FolderWatch.error("inotify") }
    }

    deinit { close(descriptor) }

    /// Follows folders; those followed already stay so.
    func follow(_ folders: [String]) throws(FileError) {
        for folder in folders where inotify_add_watch(descriptor, folder, Self.events) < 0 {
            throw FolderWatch.error(folder)
        }
    }

    /// Returns after a change, and everything that came with it.
    func wait() throws(FileError) {
        for _ in 0..<Self.pause.limit {
            var buffer = [UInt8](repeating: 0, count: 4096)
            guard read(descriptor, &buffer, buffer.count) >= 0 || errno == EINTR else {
                throw FolderWatch.error("inotify")
            }
            if !hasMore { return }
        }
    }

    private var hasMore: Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, Self.pause.milliseconds) > 0
    }

    private static func error(_ path: String) -> FileError {
        FileError(path: path, reason: String(cString: strerror(errno)))
    }
}
