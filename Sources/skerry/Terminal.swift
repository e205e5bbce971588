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

    /// Opens standard streams that whoever started us has closed, on nothing.
    ///
    /// Else the next file opened, such as the connection to the broker, would get their numbers and what is written to
    /// them.
    static func openStandardStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all bytes to standard output; ends the process when that is not possible, quietly when nobody reads any
    /// more.
    static func write(_ bytes: [UInt8]) {
        let failure = write(bytes, to: STDOUT_FILENO)
        if failure == 0 { return }
        if failure == EPIPE { exit(0) }
        complain("skerry: can't write to standard output: \(String(cString: strerror(failure)))\n")
        exit(1)
    }

    /// Text without control characters: what devices say must neither steer a terminal nor look like a line of its own.
    static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(0xFFFD) ?? " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Empties the terminal that standard output is.
    static func clear() { write(Array("\u{1B}[H\u{1B}[2J\u{1B}[3J".utf8)) }

    /// Writes text to standard error; goes on when that is not possible: a full disk must not end a bridge.
    static func complain(_ text: String) {
        _ = write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// - Returns: the system's number of what went wrong, else 0.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress.map { $0 + startIndex } }
}
