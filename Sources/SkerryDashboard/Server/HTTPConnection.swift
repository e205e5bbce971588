import CMicroHTTP
import Glibc

/// A connection of the HTTP API, and the request that is under way on it.
final class HTTPConnection {
    /// The address of the other side.
    let peer: String
    /// When it is cut off, unless it gets on; nil once it was.
    private(set) var deadline: ContinuousClock.Instant?

    private let handle: OpaquePointer
    /// libmicrohttpd closes it after it has told of the end of the connection, so it is open as long as this is used.
    private let socket: Int32
    private let patience: Duration
    private let desk: RequestDesk
    /// What is asked for, from the first line of a request to the end of its answer.
    private var target: String?
    /// The request, from the end of its head on.
    private var request: IncomingRequest?
    /// Whether a request was answered, and the answer is not sent as a whole yet.
    private var isAnswering = false
    /// Whether no further request is answered.
    private var isLast = false

    /// How many bytes libmicrohttpd keeps of a request that has not been handed over, and of the head of its answer.
    static let memoryLimit = 32_768

    init(_ handle: OpaquePointer, peer: String, patience: Duration, desk: RequestDesk) {
        self.handle = handle
        self.peer = peer
        self.patience = patience
        self.desk = desk
        socket = skerry_mhd_socket(handle)
        deadline = .now + patience
    }

    /// Whether the other side has said all that it will, and waits for no answer.
    ///
    /// libmicrohttpd hears of the end of input as of an event of its own. One that comes together with the last bytes is
    /// none.
    var hasHungUp: Bool {
        guard !isAnswering, deadline != nil else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    /// The first line of a request has come.
    func begin(_ target: String) { self.target = target }

    /// Takes what has come of a request: first its head, then its body in pieces, and nothing at its end.
    ///
    /// - Returns: false to cut the connection.
    func take(_ method: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        if request == nil { return takeHead(method) }
        if bytes.isEmpty, let request { return send(request.response()) }
        return request?.take(bytes) ?? false
    }

    private func takeHead(_ method: String) -> Bool {
        getOn()
        let head = RequestHead(method: method, target: target ?? "", headers: headers)
        do throws(Problem) {
            request = try IncomingRequest(head, from: peer, to: desk)
            return true
        } catch {
            return send(error.response)
        }
    }

    private var headers: HeaderFields {
        var fields = HeaderFields()
        withUnsafeMutablePointer(to: &fields) { fields in
            let take: MHD_KeyValueIterator = { fields, _, name, value in
                let value = value.map { String(cString: $0) } ?? ""
                let end = value.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }
                fields?.assumingMemoryBound(to: HeaderFields.self).pointee.append(
                    name.map { String(cString: $0) } ?? "",
                    end.map { String(value[...$0]) } ?? ""
                )
                return .YES
            }
            _ = MHD_get_connection_values(handle, .HEADER_KIND, take, fields)
        }
        return fields
    }

    private func send(_ response: Response) -> Bool {
        getOn()
        let made = response.body.withUnsafeBytes {
            let start = UnsafeMutableRawPointer(mutating: $0.baseAddress)
            return MHD_create_response_from_buffer($0.count, start, .RESPMEM_MUST_COPY)
        }
        guard let made else { return false }
        defer { MHD_destroy_response(made) }
        var headers = response.headers
        headers.append("X-Content-Type-Options", "nosniff")
        if isLast { headers["Connection"] = "close" }
        for field in headers.entries { _ = MHD_add_response_header(made, field.name, field.value) }
        isAnswering = MHD_queue_response(handle, UInt32(response.status.rawValue), made) == .YES
        return isAnswering
    }

    /// An answer was sent, or given up.
    func finish() {
        target = nil
        request = nil
        isAnswering = false
        if isLast { cutOff() } else { getOn() }
    }

    /// Ends after the request that is under way, if there is one.
    func end() {
        isLast = true
        if target == nil { cutOff() }
    }

    /// Ends at once: what libmicrohttpd reads next is the end, so that it closes the connection.
    func cutOff() {
        deadline = nil
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// A further step has as long as the one before.
    private func getOn() { deadline = .now + patience }
}
