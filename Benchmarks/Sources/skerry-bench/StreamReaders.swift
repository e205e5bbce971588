import Glibc
import SkerryGateway
import Synchronization

/// Readers of the page's stream, all on one thread of their own.
final class StreamReaders: Sendable {
    /// A diff, by the beginning of its JSON: `{"id":"…","rev":…`.
    typealias Diff = [UInt8]

    /// The number of readers that have their snapshot.
    private let snapshots = Atomic<Int>(0)
    /// The number of diffs that all readers together have.
    private let diffs = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let arrivals = Mutex<[Diff: [UInt64]]?>(nil)
    private let count: Int

    /// Opens streams, and returns once each has its snapshot.
    init(count: Int, port: Int) throws(BenchFailure) {
        self.count = count
        var files: [Int32] = []
        for _ in 0..<count { files.append(try Self.open(port)) }
        guard runOnThread(named: "readers", { [self, files] in read(files) }) else {
            throw BenchFailure("the system has no thread left")
        }
        guard waitUntil(seconds: 30, { snapshots.load(ordering: .relaxed) == count }) else {
            throw BenchFailure("not every reader of the stream has a snapshot")
        }
    }

    /// Asks for the stream on a connection of its own; the answer is plain bytes, as HTTP 1.0 has them.
    ///
    /// - Parameters:
    ///   - port: The port of the bridge on this machine.
    ///   - buffer: The bytes that the system takes for the reader; nil for the usual number.
    /// - Returns: The socket.
    /// - Throws: ``BenchFailure`` if there is no connection.
    static func open(_ port: Int, buffer: Int32? = nil) throws(BenchFailure) -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var buffer {
            setsockopt(file, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        // A bridge may be connected to its broker before its page listens.
        let isConnected = waitUntil(seconds: 10) {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        let head = Array("GET /v1/stream HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
        guard isConnected, send(file, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
            throw BenchFailure("no connection to the page on port \(port)")
        }
        return file
    }

    /// Closes the streams, once all have a number of diffs or no more come for five seconds.
    ///
    /// - Returns: the moments at which readers had each diff.
    func end(after expected: Int) -> [Diff: [UInt64]] {
        var last = -1
        while diffs.load(ordering: .relaxed) < expected * count {
            let now = diffs.load(ordering: .relaxed)
            if now == last { break }
            last = now
            _ = waitUntil(seconds: 5) { diffs.load(ordering: .relaxed) >= expected * count }
        }
        isOver.store(true, ordering: .relaxed)
        _ = waitUntil(seconds: 30) { arrivals.withLock { $0 != nil } }
        return arrivals.withLock { $0 ?? [:] }
    }

    private func read(_ files: [Int32]) {
        var found: [Diff: [UInt64]] = [:]
        var entries = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var unread = [[UInt8]](repeating: [], count: files.count)
        var piece = [UInt8](repeating: 0, count: 65_536)
        while !isOver.load(ordering: .relaxed) {
            guard poll(&entries, nfds_t(entries.count), 50) > 0 else { continue }
            for index in entries.indices where entries[index].revents != 0 {
                let size = recv(entries[index].fd, &piece, piece.count, Int32(MSG_DONTWAIT))
                // poll passes over a negative file.
                if size == 0 { entries[index].fd = -1 }
                guard size > 0 else { continue }
                let now = wallTime()
                unread[index] += piece[..<size]
                take(&unread[index]) { found[$0, default: []].append(now) }
            }
        }
        for file in files { close(file) }
        arrivals.withLock { $0 = found }
    }

    private static let end = Array("\n\n".utf8)
    private static let snapshot = Array("event: snapshot\n".utf8)
    private static let diff = Array("event: diff\ndata: ".utf8)
    private static let previous = Array(",\"prev\"".utf8)

    /// Takes all complete events from the bytes of a reader.
    private func take(_ bytes: inout [UInt8], _ found: (Diff) -> Void) {
        var start = 0
        while let end = Self.place(of: Self.end, in: bytes[start...]) {
            let event = bytes[start..<end]
            if let place = Self.place(of: Self.diff, in: event) {
                let json = event[(place + Self.diff.count)...]
                found(Array(json[..<(Self.place(of: Self.previous, in: json) ?? json.endIndex)]))
                diffs.add(1, ordering: .relaxed)
            } else if Self.place(of: Self.snapshot, in: event) != nil {
                snapshots.add(1, ordering: .relaxed)
            }
            start = end + Self.end.count
        }
        bytes.removeFirst(start)
    }

    /// The beginning of a diff, without what follows its revision.
    static func diff(in payload: [UInt8]) -> Diff {
        Array(payload[..<(place(of: previous, in: payload[...]) ?? payload.endIndex)])
    }

    private static func place(of text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { bytes -> Int? in
            guard bytes.count >= text.count, let begin = bytes.baseAddress else { return nil }
            var start = 0
            while let found = memchr(begin + start, Int32(text[0]), bytes.count - text.count + 1 - start) {
                let place = UnsafeRawPointer(found) - begin
                if memcmp(found, text, text.count) == 0 { return place }
                start = place + 1
            }
            return nil
        }
        .map { bytes.startIndex + $0 }
    }
}
