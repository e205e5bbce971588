import Glibc

/// Asks a running bridge over its HTTP API, one connection for each question; waits for the answer.
package struct DashboardClient: Sendable {
    /// The address of the bridge; a wildcard means this machine.
    package let address: HTTPAddress
    /// The bearer token of the requests.
    package var token: String?

    /// The time limit for an answer, in seconds.
    package var patience = 10
    /// The longest answer in bytes.
    private static let answerLimit = 16_777_216

    /// The answer of a bridge.
    package struct Answer: Sendable {
        /// The status, such as 200.
        package var status: Int
        /// The fields of the head, their names in small letters.
        package var fields: [String: String]
        package var body: [UInt8]
    }

    /// Why there is no answer.
    package struct Fault: Error, Sendable {
        /// The fault, one line.
        package var message: String
        /// True if the connection was refused.
        package var isRefused = false
    }

    package init(address: HTTPAddress, token: String? = nil) {
        self.address = address
        self.token = token
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - path: The path, escaped.
    ///   - body: JSON, if any.
    /// - Returns: the answer of the bridge, also a refusal.
    /// - Throws: ``Fault`` if there was no readable answer.
    package func ask(_ method: String, _ path: String, body: [UInt8] = []) throws(Fault) -> Answer {
        let socket = try connect()
        defer { close(socket) }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        if !body.isEmpty { head += "Content-Type: application/json\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        try send(Array(head.utf8) + body, to: socket)
        return try Self.answer(try receive(from: socket), hasBody: method != "HEAD")
    }

    private func connect() throws(Fault) -> Int32 {
        do throws(HTTPAddress.SocketFault) {
            return try address.reachable.socket { socket, place, size in
                var time = timeval(tv_sec: patience, tv_usec: 0)
                for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                    setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
                }
                return Glibc.connect(socket, place, size)
            }
        } catch {
            throw Fault(
                message: error.number == 0 ? error.message : "\(address): \(error.message)",
                isRefused: error.number == ECONNREFUSED
            )
        }
    }

    private func send(_ bytes: [UInt8], to socket: Int32) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lastFault() }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(from socket: Int32) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= Self.answerLimit {
            let count = recv(socket, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw lastFault() }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        throw Fault(message: "\(address): its answer is longer than \(Self.answerLimit) bytes")
    }

    private func lastFault() -> Fault {
        let reason = errno == EAGAIN ? "no answer in \(patience) s" : String(cString: strerror(errno))
        return Fault(message: "\(address): \(reason)")
    }

    /// Takes the bytes of an answer apart.
    static func answer(_ bytes: [UInt8], hasBody: Bool) throws(Fault) -> Answer {
        let unreadable = Fault(message: "the answer is no HTTP: is it a bridge that listens there?")
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw unreadable }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw unreadable
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw unreadable }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        let body = Array(bytes[end.upperBound...])
        if let length = fields["content-length"], hasBody, Int(length) != body.count, status != 304 {
            throw Fault(message: "the answer was cut off")
        }
        return Answer(status: status, fields: fields, body: body)
    }
}
