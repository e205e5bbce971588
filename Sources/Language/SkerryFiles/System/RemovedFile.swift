#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are no longer wanted.
package enum RemovedFile {
    /// Removes a file.
    ///
    /// - Throws: why it can't be removed.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 else { throw FileError.last(path) }
    }
}
