import CMicroHTTP
import SkerryGateway

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
        let context = Unmanaged.passRetained(reader).toOpaque()
        let made = MHD_create_response_from_callback(.max, Self.blockSize, read, context, free)
        guard let made else {
            Unmanaged<StreamReader>.fromOpaque(context).release()
            return false
        }
        var headers = RequestDesk.streamHeaders
        if wish.takesGzip { headers.append("Content-Encoding", "gzip") }
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
