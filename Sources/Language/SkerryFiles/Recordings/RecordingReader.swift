import SkerryValues

/// Reads recordings: files with one MQTT message a line.
///
/// It reads what `mosquitto_sub -F '%j'` of mosquitto 2.0 and 2.1 prints, `%J` (where the payload is a JSON value,
/// taken by its letters), the keys `timestamp` and `ts` for `tst`, times as RFC 3339 or as numbers since the epoch, and
/// lines of the form `timestamp topic payload`. A line that can't be used is counted and passed over. Messages come
/// in the order of the file; steps back in time are counted.
public final class RecordingReader {
    /// The longest line: a payload of 256 KiB with every byte escaped, and its frame.
    package static let lineLimit = 6 * 256 * 1024 + 64 * 1024
    /// About how many bytes of lines are read at once.
    static let chunkSize = 256 * 1024

    /// The report so far.
    public private(set) var report = RecordingReport()

    private var buffer: [UInt8]
    private var start = 0
    private var end: Int
    private let descriptor: Int32?
    private let path: String
    private let closesDescriptor: Bool
    private var isAtEnd: Bool
    private var isSkippingLine = false
    private var hasEmbeddedPayloads = false
    private var latest = Timestamp.distantPast
    private var pending = RecordedMessages()
    private var pendingIndex = 0

    /// Reads a recording in memory.
    public init(bytes: [UInt8]) {
        buffer = bytes
        end = bytes.count
        descriptor = nil
        path = ""
        closesDescriptor = false
        isAtEnd = true
    }

    /// Reads an open file or pipe, such as standard input; it stays open.
    public init(descriptor: Int32) {
        buffer = [UInt8](repeating: 0, count: RecordingReader.chunkSize)
        end = 0
        self.descriptor = descriptor
        path = "file descriptor \(descriptor)"
        closesDescriptor = false
        isAtEnd = false
    }

    /// Reads a file, or a pipe that has a name.
    public init(path: String) throws(FileError) {
        if try FileBytes.folder(path) != nil {
            throw FileError(path: path, reason: "is a folder: name the recordings in it")
        }
        buffer = [UInt8](repeating: 0, count: RecordingReader.chunkSize)
        end = 0
        descriptor = try FileBytes.open(path, mayBePipe: true)
        self.path = path
        closesDescriptor = true
        isAtEnd = false
    }

    deinit {
        if closesDescriptor, let descriptor { FileBytes.closeFile(descriptor) }
    }

    /// The next message; nil at the end.
    ///
    /// From a pipe it comes as soon as its line is complete.
    public func next() throws(FileError) -> RecordedMessage? {
        while pendingIndex >= pending.count {
            pendingIndex = 0
            guard try read(into: &pending) else { return nil }
        }
        pendingIndex += 1
        return pending[pendingIndex - 1]
    }

    /// Replaces the contents of `messages` by the next messages, at least one line's worth.
    ///
    /// Faster than one at a time: given the same list again it allocates nothing, unless slices of its messages live on.
    /// - Returns: false at the end; the list may also be empty before, when lines could not be used.
    public func read(into messages: inout RecordedMessages) throws(FileError) -> Bool {
        guard try provideLine() else {
            messages.reset(capacity: 0)
            return false
        }
        if report.bytes == 0 { try readMarks() }
        let available = end - start
        let first = buffer.withUnsafeBufferPointer { FileBytes.position(of: 0x0A, in: $0, start..<end) }
        let firstLength = first.map { $0 - start } ?? available
        messages.reset(capacity: max(firstLength, min(available, RecordingReader.chunkSize)))
        readLines(into: &messages)
        return true
    }

    /// Passes over the mark that Windows puts before UTF-8, and refuses what is not UTF-8 at all.
    private func readMarks() throws(FileError) {
        let bytes = buffer[start..<end]
        if let (name, tool) = FileBytes.compression(of: bytes) {
            throw FileError(path: path, reason: "is compressed by \(name): \(tool) FILE | skerry replay -")
        }
        if bytes.starts(with: [0xFF, 0xFE]) {
            let reason = "is UTF-16, as PowerShell writes it: iconv -f UTF-16 -t UTF-8 FILE >NEW"
            throw FileError(path: path, reason: reason)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            start += 3
            report.bytes += 3
        }
    }

    private func readLines(into messages: inout RecordedMessages) {
        let capacity = messages.arena.count
        let batchStart = start
        var entries = messages.entries
        messages.entries = []
        var position = start
        messages.arena.withUnsafeMutableBufferPointer { arena in
            buffer.withUnsafeBufferPointer { bytes in
                var parser = RecordingLine(bytes: bytes, arena: arena, hasEmbedded: hasEmbeddedPayloads)
                while position < end {
                    let lineFeed = FileBytes.position(of: 0x0A, in: bytes, position..<end)
                    guard lineFeed != nil || isAtEnd else { break }
                    let lineEnd = lineFeed ?? end
                    // A line puts at most its own length into the arena, and the arena
                    // holds the first line: the parser's unchecked writes stay within it.
                    guard lineEnd - batchStart <= capacity || position == batchStart else { break }
                    read(position..<lineEnd, by: &parser, into: &entries)
                    position = lineFeed.map { $0 + 1 } ?? end
                }
                hasEmbeddedPayloads = parser.hasEmbedded
            }
        }
        assert(batchStart...end ~= position, "more is read than there is")
        messages.entries = entries
        report.bytes += position - start
        start = position
    }

    @inline(__always)
    private func read(
        _ range: Range<Int>,
        by parser: inout RecordingLine,
        into entries: inout [RecordedMessages.Entry]
    ) {
        report.lines += 1
        if isSkippingLine {
            isSkippingLine = false
            report.refuse(.lineTooLong)
            return
        }
        guard range.count <= RecordingReader.lineLimit else {
            report.refuse(.lineTooLong)
            return
        }
        do throws(RecordingProblem) {
            guard let entry = try parser.message(in: range) else {
                report.emptyLines += 1
                return
            }
            if entry.at < latest { report.backwardSteps += 1 }
            latest = entry.at
            report.messages += 1
            entries.append(entry)
        } catch {
            report.refuse(error)
        }
    }

    /// Reads on until there is a whole line, or the rest of the file; false at the end.
    private func provideLine() throws(FileError) -> Bool {
        var searched = start
        while !isAtEnd {
            let found = buffer.withUnsafeBufferPointer { bytes in
                FileBytes.position(of: 0x0A, in: bytes, searched..<end)
            }
            if found != nil { return true }
            if end - start > RecordingReader.lineLimit {
                report.bytes += end - start
                start = end
                isSkippingLine = true
            }
            searched = end - start
            try readMore()
        }
        return start < end || isSkippingLine && closeSkippedLine()
    }

    /// Counts a line that was too long and ended with the file; there is nothing after it.
    private func closeSkippedLine() -> Bool {
        isSkippingLine = false
        report.lines += 1
        report.refuse(.lineTooLong)
        return false
    }

    /// Moves the rest to the front of the buffer and fills the space after it.
    private func readMore() throws(FileError) {
        guard let descriptor else { return }
        let left = end - start
        if left == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
        let count = buffer.withUnsafeMutableBytes { bytes -> Int in
            guard let base = bytes.baseAddress else { return 0 }
            if start > 0, left > 0 { base.copyMemory(from: base + start, byteCount: left) }
            return FileBytes.readRetrying(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[left...]))
        }
        start = 0
        end = left + max(0, count)
        guard count >= 0 else { throw FileError.last(path) }
        isAtEnd = count == 0
    }
}
