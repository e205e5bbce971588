import Glibc
import SkerryValues
import Synchronization

/// Standard output and standard error: their kind, and writing to them.
public enum Terminal {
    /// True if people read standard output.
    package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// True if people read standard error.
    public static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Returns whether colours are welcome on a stream: a terminal that knows them, and `NO_COLOR` is not set (no-color.org).
    package static func takesColours(_ descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1, getenv("NO_COLOR") == nil else { return false }
        return getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? true
    }

    /// Opens closed standard streams on /dev/null.
    ///
    /// Otherwise the next file opened, such as the connection to the broker, would get their numbers and their
    /// output.
    public static func openStandardStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all bytes to standard output; ends the process if that is not possible, quietly if the reader has
    /// closed it.
    public static func write(_ bytes: [UInt8]) {
        let failure = write(bytes, to: STDOUT_FILENO)
        if failure == 0 { return }
        if failure == EPIPE { exit(0) }
        complain("skerry: can't write to standard output: \(String(cString: strerror(failure)))\n")
        exit(1)
    }

    /// Text whose control, format and bidirectional characters are escaped as in JSON, such as `\u202e`.
    ///
    /// Text from the network must neither control a terminal nor hide or reorder other text. JSON in one line stays
    /// the same JSON.
    package static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.rewritten { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                String(scalar).utf16.map { "\\u" + String($0, hexadecimalDigits: 4) }.joined()
            default: nil
            }
        }
    }

    /// Text as one word of a command that people may copy into a shell, in quotes unless it needs none: names of devices and
    /// topics come from anybody.
    package static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "_-./:@%+,".utf8.contains(byte)
            }
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    /// Writes messages as lines of JSON; on a terminal, unprintable characters are escaped.
    package static func writeLines(_ bytes: [UInt8]) {
        guard outputIsTerminal else { return write(bytes) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        write(Array(lines.map { printable(String(decoding: $0, as: UTF8.self)) + "\n" }.joined().utf8))
    }

    /// Empties the terminal that standard output is.
    package static func clear() { write(Array("\u{1B}[H\u{1B}[2J\u{1B}[3J".utf8)) }

    /// Makes lines of a log of what is complained about; nil writes it as it is.
    private static let complaintForm = Mutex<ComplaintForm?>(nil)

    /// Makes lines of a log of a text, which is no more than a warning or says what is wrong.
    package typealias ComplaintForm = @Sendable (_ text: String, _ isWarning: Bool) -> String

    /// Has what is complained about from now on written in another form, or as it is if nil.
    package static func giveComplaints(_ form: ComplaintForm?) {
        complaintForm.withLock { $0 = form }
    }

    /// True if what is complained about is written in another form.
    package static var hasComplaintForm: Bool { complaintForm.withLock { $0 != nil } }

    /// Writes a message to standard error, in the form of the log if there is one.
    public static func complain(_ text: String, isWarning: Bool = false) {
        writeLog(complaintForm.withLock { $0 }?(text, isWarning) ?? text)
    }

    /// Writes text to standard error; continues if that is not possible, because a full disk must not end a bridge.
    package static func writeLog(_ text: String) {
        _ = write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// - Returns: the system's error number, or 0.
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
