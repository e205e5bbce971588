import SkerryValues
import Synchronization

/// The events of all partitions for one reader, as one stream.
///
/// The id of an event has the positions in all partitions, so that a reader goes on in each of them. A partition that another
/// gateway takes over begins again with its snapshot, which replaces the devices of that partition only.
final class FrontStream: Sendable {
    private let front: PartitionFront
    private let fields: HeaderFields
    private let watched: String?
    private let output: StreamOutput
    private let state: Mutex<State>

    /// The longest event of a partition, a snapshot of all its devices.
    private static let eventLimit = PartitionLink.sizeLimit

    fileprivate struct State {
        var parts: [Part]
    }

    /// The stream of one partition.
    fileprivate struct Part {
        /// The id of the last event.
        var last = ""
        /// The beginning of an event whose rest is missing.
        var rest: [UInt8] = []
        /// The number of attempts to open the stream since the last that worked.
        var attempts = 0
        /// True if it refused the reader: it is not asked again.
        var isRefused = false
        /// True if the reader was told that it does not answer.
        var isMissing = false
    }

    /// Opens the streams of all partitions.
    ///
    /// - Parameters:
    ///   - request: The request of the reader.
    ///   - front: The partitions.
    ///   - output: The way to the reader.
    init(_ request: Request, _ front: PartitionFront, _ output: StreamOutput) {
        self.front = front
        self.output = output
        fields = front.fields(of: request)
        watched = request.parameter("device")
        var parts = [Part](repeating: Part(), count: front.places.count)
        let last = request.headers["Last-Event-ID"] ?? request.parameter("last") ?? ""
        let ids = last.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        if ids.count == parts.count {
            for (number, id) in ids.enumerated() where StreamPosition(id) != nil { parts[number].last = id }
        }
        state = Mutex(State(parts: parts))
        output.put(StreamText.beginning)
        for number in front.all { open(number, attempt: 0) }
    }

    private func open(_ number: Int, attempt: Int) {
        var fields = fields
        let last = state.withLock { state in
            state.parts[number].rest = []
            return state.parts[number].last
        }
        if !last.isEmpty { fields.append("Last-Event-ID", last) }
        let device = watched.flatMap { $0.split(separator: "/").last }.map(String.init)
        let isWatched = device.map { front.partition(of: $0) == number } ?? false
        let query = isWatched ? "?" + PercentCoding.query([(name: "device", value: watched ?? "")]) : ""
        let question = FrontQuestion(target: "/v1/stream\(query)", fields: fields)
        front.open(number, question, attempt: attempt) { [self] piece in
            take(piece, from: number)
        } then: { [self] refusal in
            ended(number, refusal)
        }
    }

    /// Takes bytes of a partition, and passes whole events on.
    private func take(_ piece: UnsafeRawBufferPointer, from number: Int) -> PieceOutcome {
        if output.isFull { return .kept }
        let events = state.withLock { state -> [UInt8]? in
            state.parts[number].attempts = 0
            var text = state.take(piece, from: number)
            if state.parts[number].isMissing {
                state.parts[number].isMissing = false
                text = Self.notice(of: number, answers: true) + text
            }
            return state.parts[number].rest.count > Self.eventLimit ? nil : text
        }
        guard let events else {
            output.end()
            return .refused
        }
        output.put(events)
        return output.isOpen ? .taken : .refused
    }

    /// Opens the stream of a partition again, after a moment.
    private func ended(_ number: Int, _ refusal: Response?) {
        guard output.isOpen else { return }
        let isRefused = [.unauthorized, .forbidden].contains(refusal?.status)
        let (attempt, isOver, isNews) = state.withLock { state in
            state.parts[number].attempts += 1
            state.parts[number].isRefused = isRefused
            // A gateway also ends a stream in good order, and grants the next one.
            let isNews = state.parts[number].attempts == 2 && !isRefused
            if isNews { state.parts[number].isMissing = true }
            return (state.parts[number].attempts, state.parts.allSatisfy(\.isRefused), isNews)
        }
        if isOver { return output.end() }
        // Also a sign of life, which finds out whether somebody still reads.
        output.put(isNews ? Self.notice(of: number, answers: false) : StreamText.heartbeat)
        if !isRefused { open(number, attempt: attempt) }
    }

    private static func notice(of number: Int, answers: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("partition", number)
        writer.member("answers", answers)
        writer.endObject()
        return StreamText.event("partition", writer.bytes)
    }
}

extension FrontStream.State {
    /// Takes bytes of a partition.
    ///
    /// - Returns: the whole events, with ids that have the positions in all partitions.
    fileprivate mutating func take(_ piece: UnsafeRawBufferPointer, from number: Int) -> [UInt8] {
        var text = parts[number].rest
        // The end of an event may be split: its first line feed is the last byte there was.
        var index = max(0, text.count - 1)
        text += piece
        var start = 0
        var events: [UInt8] = []
        while index + 1 < text.count {
            guard text[index] == UInt8(ascii: "\n"), text[index + 1] == UInt8(ascii: "\n") else {
                index += 1
                continue
            }
            append(text[start..<index + 2], from: number, to: &events)
            index += 2
            start = index
        }
        parts[number].rest = Array(text[start...])
        return events
    }

    private mutating func append(_ event: ArraySlice<UInt8>, from number: Int, to events: inout [UInt8]) {
        // The front has said this already.
        if event.starts(with: "retry:".utf8) { return }
        var event = event
        if event.starts(with: "id: ".utf8), let end = event.firstIndex(of: UInt8(ascii: "\n")) {
            parts[number].last = String(decoding: event[(event.startIndex + 4)..<end], as: UTF8.self)
            events += "id: \(parts.map(\.last).joined(separator: "_"))\n".utf8
            event = event[(end + 1)...]
        }
        let snapshot = Array("event: snapshot\ndata: {".utf8)
        if event.starts(with: snapshot) {
            events += snapshot
            events += "\"partition\":\(number),\"partitions\":\(parts.count),".utf8
            event = event.dropFirst(snapshot.count)
        }
        events += event
    }
}

/// The bytes of a stream on their way from the thread that has them to the connection of the reader.
final class StreamOutput: Sendable {
    /// The bytes for a slow reader beyond which partitions have to wait; they treat it as a slow reader of their own.
    private static let lagLimit = 1_048_576

    private struct State {
        var bytes: [UInt8] = []
        /// The number of them that the reader has.
        var start = 0
        var isOpen = true
        var isAwaited = false
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// True until one of the two sides ends it.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// True if the reader is so far behind that it should get nothing more now.
    var isFull: Bool { state.withLock { $0.isOpen && $0.bytes.count - $0.start > Self.lagLimit } }

    /// Adds bytes, as long as the stream is open.
    func put(_ bytes: [UInt8]) { if !bytes.isEmpty { change { $0.bytes += bytes } } }

    /// Ends the stream behind what is there.
    func end() { change { $0.isOpen = false } }

    private func change(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            if state.isOpen { change(&state) }
            defer { state.isAwaited = false }
            return state.isAwaited ? state.wake : nil
        }
        wake?()
    }

    /// Has a function called, from any thread, when there is something after ``take(_:)`` found nothing.
    func onNews(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Moves bytes into a buffer.
    ///
    /// - Returns: their number, zero if there are none yet; nil at the end.
    func take(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            let count = min(buffer.count, state.bytes.count - state.start)
            buffer.copyBytes(from: state.bytes[state.start..<state.start + count])
            state.start += count
            if state.start == state.bytes.count { (state.bytes, state.start) = ([], 0) }
            state.isAwaited = count == 0 && state.isOpen
            return count == 0 && !state.isOpen ? nil : count
        }
    }
}

extension FrontDesk {
    /// `GET /v1/stream`: opens a stream of all partitions, if one of them grants it.
    func open(_ request: Request, _ then: @escaping Then) {
        front.ask(front.all, front.question(request, "HEAD")) { [front] answers in
            let answers = FrontAnswers(answers)
            then(
                answers.merged { _ in
                    var response = Response(headers: RequestDesk.streamHeaders)
                    if request.method == "HEAD" { return response }
                    let output = StreamOutput()
                    _ = FrontStream(request, front, output)
                    response.stream = output
                    return response
                }
            )
        }
    }
}
