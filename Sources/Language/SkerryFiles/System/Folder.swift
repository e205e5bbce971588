#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Folders of the file system.
package enum Folder {
    /// Makes a folder and all folders above it, unless they are there.
    ///
    /// - Throws: why it can't be made.
    package static func make(_ path: String) throws(FileError) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part + "/"
            if part.isEmpty || mkdir(made, 0o777) == 0 { continue }
            let error = FileError.last(path)
            // A folder that is there is refused for different reasons, and that is fine.
            var status = stat()
            guard stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw error }
        }
    }
}
