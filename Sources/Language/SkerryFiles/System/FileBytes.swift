#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import SkerryValues

/// Why a file can't be read or written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as it was given.
    public var path: String
    /// The system's reason.
    public var reason: String
    /// True if the file system is full.
    package private(set) var isOutOfSpace = false

    /// Makes an error.
    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Both, for people: `day.jsonl: No such file or directory`.
    public var description: String { "\(path.isEmpty ? "''" : path): \(reason)" }

    /// The error that the last system call left in `errno`.
    static func last(_ path: String) -> FileError {
        let code = errno
        var error = FileError(path: path, reason: String(cString: strerror(code)))
        error.isOutOfSpace = code == ENOSPC || code == EDQUOT
        return error
    }
}

/// Files and memory, as the system has them.
public enum FileBytes {
    /// The text of a UTF-8 file of limited size.
    public static func text(_ path: String, limit: Int) throws(FileError) -> String {
        let bytes = try read(path, limit: limit)
        guard bytes.count <= limit else {
            throw FileError(path: path, reason: "it has more than \(limit) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(path: path, reason: "it is not UTF-8")
        }
        return text
    }

    /// The bytes of a file that holds a secret, and whether others than its owner may read it.
    ///
    /// A larger file is cut off, and the count is then above the limit.
    package static func secret(
        _ path: String,
        limit: Int
    ) throws(FileError) -> (bytes: [UInt8], isReadableByOthers: Bool) {
        let bytes = try read(path, limit: limit)
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.last(path) }
        return (Array(bytes.prefix(limit + 1)), status.st_mode & (S_IRGRP | S_IROTH) != 0)
    }

    /// The bytes of a file; a larger file is cut off, and the count is then above the limit.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = try open(path)
        defer { closeFile(descriptor) }
        var bytes: [UInt8] = []
        var count = 1
        while count > 0, bytes.count <= limit {
            bytes += [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
                count = readRetrying(descriptor, UnsafeMutableRawBufferPointer(buffer))
                filled = max(count, 0)
            }
            guard count >= 0 else { throw FileError.last(path) }
        }
        return bytes
    }

    /// The first bytes of compressed files, the names of their formats, and the commands that print their contents.
    private static var compressions: [(start: [UInt8], name: String, tool: String)] {
        [
            ([0x1F, 0x8B], "gzip", "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard", "zstdcat"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz", "xzcat"), (Array("BZh".utf8), "bzip2", "bzcat"),
            (Array("PK\u{3}\u{4}".utf8), "zip", "unzip -p"),
        ]
    }

    /// The format of a compressed file that begins with these bytes, and the command that prints its contents; nil for
    /// another file.
    static func compression(of bytes: some Collection<UInt8>) -> (name: String, tool: String)? {
        compressions.first { bytes.starts(with: $0.start) }.map { ($0.name, $0.tool) }
    }

    /// Reads once, again after a signal; how many bytes, 0 at the end, negative on an error.
    static func readRetrying(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
        return Glibc.open(path, flags)
        #elseif canImport(Musl)
        return Musl.open(path, flags)
        #else
        return Darwin.open(path, flags)
        #endif
    }

    private static func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ size: Int) -> Int
    {
        guard let base else { return 0 }
        #if canImport(Glibc)
        return Glibc.read(descriptor, base, size)
        #elseif canImport(Musl)
        return Musl.read(descriptor, base, size)
        #else
        return Darwin.read(descriptor, base, size)
        #endif
    }

    /// Opens a file for reading, and nothing but a file: a pipe without a writer would keep its reader waiting.
    ///
    /// - Parameters:
    ///   - path: The file; `/dev/null` is an empty one.
    ///   - mayBePipe: Whether pipes and devices are accepted. Then this waits for the writer of a pipe.
    /// - Returns: its descriptor.
    /// - Throws: the reason why it can't be opened, or what it is instead of a file.
    static func open(_ path: String, mayBePipe: Bool = false) throws(FileError) -> Int32 {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (mayBePipe ? 0 : O_NONBLOCK)
        let descriptor = systemOpen(path, flags)
        var status = stat()
        guard descriptor >= 0 else {
            let error = FileError.last(path)
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { throw error }
            throw noFile(path, "a socket")
        }
        guard fstat(descriptor, &status) != 0 || !isReadable(status, mayBePipe) else { return descriptor }
        closeFile(descriptor)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw FileError(path: path, reason: String(cString: strerror(EISDIR)))
        case S_IFIFO: throw noFile(path, "a pipe")
        default: throw noFile(path, "a device")
        }
    }

    private static func isReadable(_ status: stat, _ mayBePipe: Bool) -> Bool {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFDIR: return false
        default:
            var null = stat()
            return mayBePipe || (stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev)
        }
    }

    private static func noFile(_ path: String, _ what: String) -> FileError {
        FileError(path: path, reason: "it is \(what), and only files are read here")
    }

    static func closeFile(_ descriptor: Int32) {
        close(descriptor)
    }

    /// The first position of a byte in a range of bytes; nil if there is none.
    @inline(__always)
    static func position(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty, let base = bytes.baseAddress,
            let found = memchr(base + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The identity of a folder, independent of the paths and symbolic links that lead to it.
    struct FolderIdentity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    /// The folder at a path; nil when there is something else, an error when there is nothing.
    static func folder(_ path: String) throws(FileError) -> FolderIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.last(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return FolderIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }

    /// The names in a folder, in the order of their bytes.
    static func names(inFolder path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw FileError.last(path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.precedesByCodePoints($1) }
    }
}
