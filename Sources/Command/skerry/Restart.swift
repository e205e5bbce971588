import ArgumentParser
import Glibc
import SkerryCommand

/// A new beginning of this process: the same program, number, arguments and environment, and nothing else of it.
///
/// The service manager, a container or a shell sees the process that it started go on.
enum Restart {
    /// Puts the program in the place of this process.
    ///
    /// - Throws: an exit code when the system refuses it; a service manager then starts the bridge again.
    static func begin() throws -> Never {
        closeFilesOnTheWay()
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // By its path, so that the process keeps its name in lists; the link serves where an update has replaced the file.
        if readlink("/proc/self/exe", &path, Int(PATH_MAX)) > 0 { execv(path, CommandLine.unsafeArgv) }
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        Terminal.complain("skerry: it can't begin anew: \(String(cString: strerror(errno)))\n")
        throw ExitCode.passing
    }

    /// Has the files closed that libraries left open: sockets and locks would go on in the new program.
    private static func closeFilesOnTheWay() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let file = Int32(name), file > STDERR_FILENO { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        }
    }
}
