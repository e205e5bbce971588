#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are replaced as a whole: a reader finds the former text or the new one.
package enum ReplacedFile {
    /// The path of a file without symbolic links.
    package static func resolved(_ path: String) throws(FileError) -> String {
        guard let found = realpath(path, nil) else { throw FileError.last(path) }
        defer { free(found) }
        return String(cString: found)
    }

    /// Replaces the text of a file that is there; its owner, its group and its permissions stay.
    ///
    /// - Throws: the reason why it can't be replaced; then the file is as it was.
    package static func write(_ text: String, to path: String) throws(FileError) {
        try write(Array(text.utf8), to: path)
    }

    /// Replaces the bytes of a file, as ``write(_:to:)-(String,_)`` does with text.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileError.last(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path: path, reason: "it is not a regular file")
        }
        try replace(path, with: bytes) { descriptor in
            let isOwn = status.st_uid == geteuid() && status.st_gid == getegid()
            guard isOwn || fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return false }
            return fchmod(descriptor, status.st_mode & 0o7777) == 0
        }
    }

    /// Replaces the text of a file that only its owner may read and that may not be there yet.
    ///
    /// - Throws: the reason why it can't be replaced; then the file is as it was.
    package static func keepSecret(_ text: String, in path: String) throws(FileError) {
        try replace(path, with: Array(text.utf8)) { _ in true }
    }

    /// Replaces the text of a file that may not be there yet.
    ///
    /// - Throws: the reason why it can't be replaced; then the file is as it was, or empty.
    package static func keep(_ text: String, in path: String) throws(FileError) {
        guard let file = try? resolved(path) else {
            try NewFile.write("", to: path)
            return try write(text, to: path)
        }
        try write(text, to: file)
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Puts a new file in the place of a path; `finish` gives it its owner and permissions, or fails with `errno`.
    private static func replace(
        _ path: String,
        with bytes: [UInt8],
        finish: (Int32) -> Bool
    ) throws(FileError) {
        // A name that begins with a dot is no definition, so a half-written one is never read.
        let new = folder(of: path) + "/.skerry-\(getpid())-\(UInt32.random(in: .min ... .max)).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError.last(path) }
        let isWhole = fill(descriptor, with: bytes) && finish(descriptor) && fsync(descriptor) == 0
        let fault = isWhole ? nil : FileError.last(path)
        close(descriptor)
        if let fault {
            unlink(new)
            throw fault
        }
        guard rename(new, path) == 0 else {
            let fault = FileError.last(path)
            unlink(new)
            throw fault
        }
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { writeBytes($0, to: descriptor) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            written += count
        }
        return true
    }
}

/// Outside of the type, whose own `write` would hide the system's.
private func writeBytes(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// Files that are no longer wanted.
package enum RemovedFile {
    /// Removes a file.
    ///
    /// - Throws: why it can't be removed.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 else { throw FileError.last(path) }
    }
}
