import Glibc

/// What standard output and standard error are attached to, and writing there.
enum Terminal {
    /// Whether people read standard output.
    static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether people read standard error.
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether colours are welcome on a stream: a terminal, and `NO_COLOR` is not set (no-color.org).
    static func takesColours(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && getenv("NO_COLOR") == nil
    }

    /// Writes all bytes to standard output; ends the process quietly when nobody reads any more.
    static func write(_ bytes: [UInt8]) {
        write(bytes, to: STDOUT_FILENO)
    }

    /// Writes text to standard error.
    static func complain(_ text: String) {
        write(Array(text.utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    exit(errno == EPIPE ? 0 : 1)
                }
                rest = rest.dropFirst(count)
            }
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress.map { $0 + startIndex } }
}
