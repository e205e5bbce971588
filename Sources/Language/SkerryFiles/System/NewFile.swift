#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are written as a whole.
public enum NewFile {
    /// Writes a file; one that is there is left as it is.
    ///
    /// - Parameters:
    ///   - text: What is to stand in it.
    ///   - path: The file.
    ///   - isOverwriting: Whether a file that is there is replaced instead.
    /// - Throws: why it can't be written, or that it is there.
    public static func write(
        _ text: String,
        to path: String,
        overwriting isOverwriting: Bool = false
    ) throws(FileError) {
        try write(Array(text.utf8), to: path, overwriting: isOverwriting)
    }

    /// Writes a file of bytes; one that is there is left as it is.
    ///
    /// - Parameters:
    ///   - bytes: What is to stand in it.
    ///   - path: The file.
    ///   - isOverwriting: Whether a file that is there is replaced instead.
    /// - Throws: why it can't be written, or that it is there.
    public static func write(
        _ bytes: [UInt8],
        to path: String,
        overwriting isOverwriting: Bool = false
    ) throws(FileError) {
        var status = stat()
        let isThere = lstat(path, &status) == 0
        // As a whole where that can be: not where the folder is closed, or the file is mounted, a pipe or a link such as /dev/stdout.
        let isRegular = isThere && status.st_mode & S_IFMT == S_IFREG
        if isRegular, isOverwriting {
            do throws(FileError) {
                return try ReplacedFile.write(bytes, to: path)
            } catch {
                // Written again where it is, it would lose what it has.
                if error.isOutOfSpace { throw error }
            }
        }
        guard let file = fopen(path, isOverwriting ? "we" : "wxe") else { throw FileError.last(path) }
        let count = fwrite(bytes, 1, bytes.count, file)
        // The rest of the buffer is written now, which may fail.
        guard fclose(file) == 0, count == bytes.count else {
            let fault = FileError.last(path)
            // A half of it would be taken for the whole.
            if !isThere { unlink(path) }
            throw fault
        }
    }
}
