import SkerryValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are written, and rewritten, by a program only.
package enum GeneratedFile {
    package enum Outcome: Hashable, Sendable {
        /// It was not there, or was another.
        case written
        /// It was there as it is now.
        case unchanged
        /// It was there, and belongs to somebody else.
        case kept
    }

    /// Writes a file, replacing an earlier one of this program.
    ///
    /// - Parameters:
    ///   - text: the contents.
    ///   - path: the file.
    ///   - mark: the text by which generated files are recognised; nil for a file that is not this program's any more
    ///     once it is written.
    /// - Returns: whether it was written.
    /// - Throws: the reason why it can't be written, or that it was written by hand.
    package static func write(
        _ text: String,
        to path: String,
        mark: String?
    ) throws(FileError) -> Outcome {
        guard access(path, F_OK) == 0 else {
            try NewFile.write(text, to: path)
            return .written
        }
        guard let mark else {
            // It may have become something else than text, such as a property list that Xcode has rewritten.
            let former = try? FileBytes.text(path, limit: 1 << 20)
            return former?.hasSameCodePoints(as: text) == true ? .unchanged : .kept
        }
        let former = try FileBytes.text(path, limit: 1 << 20)
        if former.hasSameCodePoints(as: text) { return .unchanged }
        guard former.contains(mark) else {
            throw FileError(path: path, reason: "it is not a generated file, so it is left as it is")
        }
        let new = path + ".new"
        unlink(new)
        try NewFile.write(text, to: new)
        guard rename(new, path) == 0 else { throw FileError.last(path) }
        return .written
    }
}
