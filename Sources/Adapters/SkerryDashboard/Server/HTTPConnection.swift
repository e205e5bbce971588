import CMicroHTTP
import Glibc

/// A connection of the HTTP API, with the request under way on it.
final class HTTPConnection {
    /// The address of the other side.
    let peer: String
    /// The moment at which the connection is cut off, unless it makes progress; nil once it was.
    private(set) var deadline: ContinuousClock.Instant?

    let handle: OpaquePointer
    // The loop has all connections, and outlives them.
    unowned let loop: HTTPLoop
    /// The number of the answer that it waits for; nil if it waits for none.
    var waiting: UInt64?
    /// The answer that it waited for, until it is sent.
    var answer: Response?
    /// The reader of the stream that is being sent.
    var stream: StreamReader?
    /// The stream of a front that is being sent.
    var output: StreamOutput?
    /// True while the connection waits for more of it.
    var isOutputAwaited = false
    /// True if it is counted among the connections of its address.
    var isCounted = true
    /// The socket; libmicrohttpd closes it only after the callback that removes this object from the loop.
    let socket: Int32
    /// The target of the request, from its first line to the end of its answer.
    private var target: String?
    /// The request, once its head is complete.
    private var request: IncomingRequest?
    /// True while an answer is being sent.
    private var isAnswering = false
    /// True if the connection ends with this request.
    private var isLast = false

    /// The memory that libmicrohttpd has for a request and the head of its answer, in bytes.
    static let memoryLimit = 32_768

    init(_ handle: OpaquePointer, peer: String, of loop: HTTPLoop) {
        self.handle = handle
        self.peer = peer
        self.loop = loop
        socket = skerry_mhd_socket(handle)
        deadline = .now + loop.patience
    }

    /// True if the client has closed its side and waits for no answer.
    ///
    /// libmicrohttpd misses a close that arrives together with the last bytes: epoll reports both as one event.
    var hasHungUp: Bool {
        guard !isAnswering, waiting == nil, deadline != nil else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    /// The address of the one who asks, also behind a proxy.
    var client: String { request?.sender.address ?? peer }

    /// Begins a request with its first line.
    func begin(_ target: String) { self.target = target }

    /// Takes the next part of a request: first its head, then its body in pieces, and at its end no bytes.
    ///
    /// - Returns: false to cut the connection.
    func take(_ method: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        if request == nil { return takeHead(method) }
        guard bytes.isEmpty, let request else { return request?.take(bytes) ?? false }
        if let answer {
            (self.answer, waiting) = (nil, nil)
            return send(answer)
        }
        if waiting != nil { return true }
        switch request.reply() {
        case .response(let response): return send(response)
        case .later(let make): return wait(for: make)
        case .stream(let wish): return open(wish)
        }
    }

    private func takeHead(_ method: String) -> Bool {
        getOn()
        let head = RequestHead(method: method, target: target ?? "", headers: headers)
        do throws(Problem) {
            let request = try IncomingRequest(
                head,
                from: peer,
                isSecure: skerry_mhd_is_secure(handle) != 0,
                to: loop.desk
            )
            self.request = request
            // A front counts those for whom it asks.
            if request.sender.isFront { loop.uncount(self) }
            return true
        } catch {
            return send(error.response)
        }
    }

    private var headers: HeaderFields {
        var fields = HeaderFields()
        // By a pointer, because a C function captures nothing.
        withUnsafeMutablePointer(to: &fields) { fields in
            let take: MHD_KeyValueIterator = { fields, _, name, value in
                let value = value.map { String(cString: $0) } ?? ""
                // HTTP allows white space behind a value, which is no part of it.
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

    func send(_ response: Response) -> Bool {
        getOn()
        if let output = response.stream { return open(output, response.headers) }
        let made = response.body.withUnsafeBytes {
            let start = UnsafeMutableRawPointer(mutating: $0.baseAddress)
            // Copied, because these bytes are gone before all of them are sent.
            return MHD_create_response_from_buffer($0.count, start, .RESPMEM_MUST_COPY)
        }
        return made.map { queue($0, status: response.status, response.headers) } ?? false
    }

    /// Hands a response over to libmicrohttpd.
    func queue(_ made: OpaquePointer, status: Status, _ fields: HeaderFields) -> Bool {
        // libmicrohttpd counts references, and has one of its own until the answer is sent.
        defer { MHD_destroy_response(made) }
        var headers = fields
        headers.append("X-Content-Type-Options", "nosniff")
        if isLast { headers["Connection"] = "close" }
        for field in headers.entries { _ = MHD_add_response_header(made, field.name, field.value) }
        isAnswering = MHD_queue_response(handle, UInt32(status.rawValue), made) == .YES
        return isAnswering
    }

    /// Ends a request whose answer was sent or given up.
    func finish() {
        target = nil
        request = nil
        isAnswering = false
        if let waiting { loop.forget(waiting) }
        (waiting, answer) = (nil, nil)
        if let stream { loop.streams.remove(stream) }
        stream = nil
        output?.end()
        (output, isOutputAwaited) = (nil, false)
        if isLast { cutOff() } else { getOn() }
    }

    /// Ends the connection after the request under way, if there is one.
    func end() {
        isLast = true
        stream?.end()
        output?.end()
        if target == nil { cutOff() }
    }

    /// Gives up what takes too long.
    func giveUp() { if waiting != nil { answer(Self.lateAnswer) } else { cutOff() } }

    /// Makes sure that it is not suspended, because libmicrohttpd ends no such connection.
    func release() {
        answer(Self.lateAnswer)
        stream?.end()
        output?.end()
        goOn()
    }

    /// True if it is suspended until a stream has more: libmicrohttpd does not look at its socket.
    var waitsForNews: Bool { isOutputAwaited || stream?.isWaiting == true }

    /// Ends a stream whose reader has closed the connection.
    func hangUp() {
        stream?.end()
        output?.end()
        goOn()
        cutOff()
    }

    /// Ends the connection at once: libmicrohttpd reads the end of input next, and closes it.
    func cutOff() {
        deadline = nil
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Starts the time for the next step.
    private func getOn() { setDeadline(loop.patience) }

    /// Sets the time for the next step; nil if it may take as long as it likes.
    func setDeadline(_ patience: Duration?) { deadline = patience.map { .now + $0 } }
}

// Answers that take their time.
extension HTTPConnection {
    /// Opens a stream, or tells why not.
    func open(_ wish: StreamWish) -> Bool {
        do throws(Problem) {
            try loop.streams.check(wish)
        } catch {
            return send(error.response)
        }
        let reader = StreamReader(wish, of: loop.streams) { [unowned self] step in
            loop.hasMoved = true
            setDeadline(step == .waits ? nil : loop.streamPatience)
            switch step {
            case .took: break
            case .waits: MHD_suspend_connection(handle)
            case .goesOn: MHD_resume_connection(handle)
            }
        }
        let read: MHD_ContentReaderCallback = { context, _, bytes, count in
            guard let context else { return -1 }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            return Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue().fill(buffer)
        }
        let free: MHD_ContentReaderFreeCallback = { context in
            if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
        }
        // Retained until libmicrohttpd gives the answer up, which may be after the connection forgot it.
        let context = Unmanaged.passRetained(reader).toOpaque()
        // The largest length means one that is not known: a stream goes on.
        let made = MHD_create_response_from_callback(.max, Self.blockSize, read, context, free)
        guard let made else {
            Unmanaged<StreamReader>.fromOpaque(context).release()
            return false
        }
        var headers = RequestDesk.streamHeaders
        if wish.takesGzip { headers.append("Content-Encoding", "gzip") }
        assert(stream == nil && output == nil, "two streams are sent over one connection")
        loop.streams.add(reader, at: .now)
        loop.uncount(self)
        stream = reader
        return queue(made, status: .ok, headers)
    }

    /// Opens a stream that comes from partitions.
    func open(_ output: StreamOutput, _ headers: HeaderFields) -> Bool {
        guard loop.admitsStream(of: client) else {
            output.end()
            return send(EventStreams.busy("too many streams are open").response)
        }
        let own = ObjectIdentifier(self)
        output.onNews { [arrivals = loop.arrivals] in arrivals.put(.news(of: own)) }
        let read: MHD_ContentReaderCallback = { context, _, bytes, count in
            guard let context else { return -1 }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            return Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue().fill(buffer)
        }
        // The connection outlives the response, as libmicrohttpd has it.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let made = MHD_create_response_from_callback(.max, Self.blockSize, read, context, nil)
        guard let made else { return false }
        self.output = output
        loop.uncount(self)
        return queue(made, status: .ok, headers)
    }

    /// Writes what comes next of a stream, or waits for it.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        loop.hasMoved = true
        guard let count = output?.take(buffer) else { return -1 }
        isOutputAwaited = count == 0
        setDeadline(count == 0 ? nil : loop.streamPatience)
        if count == 0 { MHD_suspend_connection(handle) }
        return count
    }

    /// Goes on with a stream that waited for more.
    func goOn() {
        guard isOutputAwaited else { return }
        isOutputAwaited = false
        loop.hasMoved = true
        setDeadline(loop.streamPatience)
        MHD_resume_connection(handle)
    }

    /// The bytes that libmicrohttpd asks for at a time.
    private static let blockSize = 16_384

    /// Suspends the connection until an answer is there.
    func wait(for make: (_ then: @escaping @Sendable (Response) -> Void) -> Void) -> Bool {
        assert(waiting == nil && answer == nil, "a request waits for two answers")
        guard let number = loop.wait(self) else {
            return send(
                Problem(
                    status: .serviceUnavailable,
                    code: "busy",
                    detail: "too many questions are being answered; ask again in a moment",
                    headers: ["Retry-After": "1"]
                ).response
            )
        }
        waiting = number
        setDeadline(loop.answerPatience)
        MHD_suspend_connection(handle)
        make { [arrivals = loop.arrivals] in arrivals.put(.answer(to: number, $0)) }
        return true
    }

    /// Goes on with the answer that it waited for.
    func answer(_ response: Response) {
        // Both may come: the answer of the house, and the one that says that it is late.
        guard let number = waiting, answer == nil else { return }
        loop.forget(number)
        answer = response
        MHD_resume_connection(handle)
    }

    /// The answer of a house that takes too long.
    static var lateAnswer: Response {
        Problem(
            status: .serviceUnavailable,
            code: "no-answer",
            detail: "the bridge does not answer in time: it is busy, or just starting; ask again",
            headers: ["Retry-After": "5"]
        ).response
    }
}
