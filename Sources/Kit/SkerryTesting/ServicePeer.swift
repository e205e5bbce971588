import Glibc
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 that stands in for a service: it keeps requests, and answers as a test says.
package final class ServicePeer: Sendable {
    /// A request as it came.
    package struct Request: Hashable, Sendable {
        /// The first line, such as `POST /hook HTTP/1.1`.
        package var line: String
        /// The headers by their names in lower case.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    /// An answer to a request.
    package struct Answer: Hashable, Sendable {
        /// The status, such as 200.
        package var status: Int
        /// Further lines of the head, such as `Retry-After: 1`.
        package var lines: [String]
        package var body: String

        package init(_ status: Int = 200, lines: [String] = [], body: String = "") {
            self.status = status
            self.lines = lines
            self.body = body
        }
    }

    private struct State {
        var requests: [Request] = []
        var connections = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package let port: Int
    private let socket: Int32
    private let answer: @Sendable (Int, Request) -> Answer
    private let state = Mutex(State())

    /// The most bytes of a request that it reads.
    private static let limit = 1 << 20

    /// Starts it.
    ///
    /// - Parameter answer: Returns the answer to a request; its first parameter counts requests from 0.
    package init(_ answer: @escaping @Sendable (Int, Request) -> Answer = { _, _ in Answer() }) {
        let file = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(file, pointer, length) == 0 && listen(file, 16) == 0
                    && getsockname(file, pointer, &length) == 0
            }
        }
        precondition(isBound, "no port of 127.0.0.1 is free")
        socket = file
        port = Int(UInt16(bigEndian: address.sin_port))
        self.answer = answer
    }

    deinit { close(socket) }

    /// Accepts connections one after the other until ``stop()``; call it on a thread of its own.
    package func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            state.withLock { $0.connections += 1 }
            while let request = Self.read(connection) {
                let number = state.withLock { $0.requests.count }
                let answer = answer(number, request)
                let head = ["HTTP/1.1 \(answer.status) Answer", "Content-Length: \(answer.body.utf8.count)"]
                let text = (head + answer.lines + ["", answer.body]).joined(separator: "\r\n")
                let bytes = Array(text.utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                note(request)
                if request.headers["connection"]?.lowercased() == "close" { break }
            }
            close(connection)
        }
    }

    /// Ends ``serve()``.
    package func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// All requests so far.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// The number of connections so far.
    package var connections: Int { state.withLock { $0.connections } }

    /// Returns once so many requests have been answered.
    package func answered(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func note(_ request: Request) {
        let ready = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    /// Reads one request; nil at the end of the connection.
    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            if let request = request(in: bytes) { return request }
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
        }
        return nil
    }

    /// The request that bytes are; nil as long as it is not whole.
    private static func request(in bytes: [UInt8]) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let body = bytes[(place + end.count)...]
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard body.count >= length, let line = lines.first else { return nil }
        return Request(line: String(line), headers: headers, body: Array(body.prefix(length)))
    }
}
