import CCurl
import Glibc
import SkerryGateway
import Synchronization

/// A request to one gateway.
struct PartitionRequest: Sendable {
    var question: FrontQuestion
    /// The address of the gateway.
    var address: String
    /// The moment before which it is not sent.
    var notBefore = ContinuousClock.now
    /// Takes the pieces of an answer without an end; nil for an answer as a whole.
    var take: (@Sendable (UnsafeRawBufferPointer) -> PieceOutcome)?
    /// Called once with the answer, on the thread of the link.
    var then: @Sendable (Result<Response, PartitionFault>) -> Void
}

/// The outcome of a piece of an answer.
enum PieceOutcome {
    case taken
    /// There is no room now: the piece comes again in a moment, and the gateway waits.
    case kept
    /// Nobody wants the answer any more.
    case refused
}

/// The reason why a gateway gave no answer.
struct PartitionFault: Error {
    /// The reason in a few words.
    var message: String
    /// True if the request can't have arrived, so that it may be sent elsewhere.
    var isUnsent = false
}

/// Requests to gateways by libcurl, all on one thread of its own.
///
/// A connection is used again for reading only: libcurl repeats a request on its own when an old connection turns out to
/// be closed, and an event must not arrive twice.
final class PartitionLink: Sendable {
    /// The time limit for making a connection: a gateway on the same network answers within milliseconds.
    private static let connectLimit = 2000
    /// The time limit for an answer, in milliseconds: a little more than a gateway takes for one that is late.
    private static let answerLimit = 22_000
    /// The longest answer in bytes; that of a replay may have 24 MiB.
    static let sizeLimit = 33_554_432
    /// The time without a sign of life after which a stream counts as lost; a gateway gives one every 15 s.
    private static let silenceLimit = Duration.seconds(40)
    /// The connections to one gateway: fewer than it takes from one address until it knows that the front asks.
    private static let connectionLimit = 24
    /// The connections for streams: as many as a gateway has.
    static let streamLimit = 512

    private let signal = WakeSignal()
    private let arrivals = Mutex<[PartitionRequest]>([])

    /// Starts the thread.
    ///
    /// - Throws: ``PartitionFault`` when the system has no libcurl, or no thread.
    init(forStreams isForStreams: Bool) throws(PartitionFault) {
        var reason: UnsafePointer<CChar>?
        guard skerry_curl_load("libcurl.so.4", &reason), skerry_curl_global_init() == CURLE_OK else {
            throw PartitionFault(
                message: "requests to partitions need libcurl: apt-get install libcurl4 "
                    + "(\(reason.map { String(cString: $0) } ?? "it can't be used"))"
            )
        }
        let limit = isForStreams ? Self.streamLimit : Self.connectionLimit
        let isStarted = runOnThread(named: "skerry-front") { [signal, weak self] in
            guard let multi = skerry_curl_multi_init(limit) else { return }
            let exchanges = PartitionExchanges(multi)
            while !signal.isStopping {
                exchanges.add(self?.take() ?? [])
                exchanges.run()
                skerry_curl_multi_sleep(multi, signal.file, exchanges.sleepLimit)
                signal.drain()
            }
            exchanges.close()
        }
        guard isStarted else { throw PartitionFault(message: "the system has no thread left") }
    }

    deinit { signal.stop() }

    func send(_ request: PartitionRequest) {
        arrivals.withLock { $0.append(request) }
        signal.ring()
    }

    private func take() -> [PartitionRequest] {
        arrivals.withLock { arrivals in
            defer { arrivals = [] }
            return arrivals
        }
    }

    /// Makes libcurl's handle for a request; nil if it can't be sent.
    fileprivate static func handle(
        for request: PartitionRequest,
        _ exchange: PartitionExchange
    ) -> UnsafeMutableRawPointer? {
        guard let curl = skerry_curl_easy_init() else { return nil }
        let (question, isReading) = (request.question, request.question.isReading)
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_CONNECTTIMEOUT_MS, connectLimit),
            (CURLOPT_TIMEOUT_MS, request.take == nil ? answerLimit : 0),
            (CURLOPT_FRESH_CONNECT, isReading ? 0 : 1), (CURLOPT_FORBID_REUSE, isReading ? 0 : 1),
            // A gateway closes a connection that is idle for ten seconds.
            (CURLOPT_MAXAGE_CONN, 5), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ]
        for (option, number) in numbers { _ = skerry_curl_set_long(curl, option, number) }
        _ = skerry_curl_set_text(curl, CURLOPT_NOPROXY, "*")
        _ = skerry_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = skerry_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, question.method)
        if question.method == "HEAD" { _ = skerry_curl_set_long(curl, CURLOPT_NOBODY, 1) }
        if !isReading {
            _ = skerry_curl_set_long(curl, CURLOPT_POSTFIELDSIZE, question.body.count)
            _ = question.body.withUnsafeBytes {
                skerry_curl_set_pointer(curl, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            }
        }
        var list: UnsafeMutablePointer<curl_slist>?
        let named = question.fields.entries.map { "\($0): \($1)" }
        for line in ["Accept:", "Content-Type:", "Expect:"] + named {
            list = skerry_curl_slist_append(list, line) ?? list
        }
        exchange.fields = list
        _ = skerry_curl_set_pointer(curl, CURLOPT_HTTPHEADER, list)
        _ = skerry_curl_set_text(curl, CURLOPT_URL, request.address + question.target)
        skerry_curl_set_functions(
            curl,
            { _, _, _, _ in 0 },
            { bytes, size, count, context in
                PartitionExchange.of(context).takeField(
                    UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                return size * count
            },
            { bytes, size, count, context in
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                switch PartitionExchange.of(context).take(piece) {
                case .taken: return piece.count
                case .kept: return Int(CURL_WRITEFUNC_PAUSE)
                case .refused: return 0
                }
            },
            { _, _, _, _, _ in 0 },
            Unmanaged.passUnretained(exchange).toOpaque()
        )
        return curl
    }

    /// The exchanges that go on, used by the thread of a link.
    private final class PartitionExchanges {
        private let multi: UnsafeMutableRawPointer
        private var exchanges: [UnsafeMutableRawPointer: PartitionExchange] = [:]
        private var waiting: [PartitionRequest] = []

        init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

        /// The longest time to sleep, in milliseconds.
        var sleepLimit: Int32 {
            if exchanges.values.contains(where: \.isPaused) { return 100 }
            guard let next = waiting.map(\.notBefore).min() else { return 1000 }
            return Int32(clamping: Int64((max(.zero, next - .now) / .milliseconds(1)).rounded(.up)))
        }

        /// Takes requests on, and begins those whose time has come.
        func add(_ requests: [PartitionRequest]) {
            waiting += requests
            let now = ContinuousClock.now
            for request in waiting where request.notBefore <= now { begin(request) }
            waiting.removeAll { $0.notBefore <= now }
        }

        private func begin(_ request: PartitionRequest) {
            let exchange = PartitionExchange(request)
            guard let curl = PartitionLink.handle(for: request, exchange) else {
                return exchange.end(
                    .failure(PartitionFault(message: "libcurl has no memory", isUnsent: true))
                )
            }
            exchanges[curl] = exchange
            _ = skerry_curl_multi_add(multi, curl)
        }

        /// Goes on with all exchanges.
        func run() {
            for (curl, exchange) in exchanges where exchange.isPaused {
                exchange.isPaused = false
                skerry_curl_easy_resume(curl)
            }
            var code = CURLE_OK
            while let curl = skerry_curl_multi_run(multi, &code) {
                guard code != CURLE_OK else {
                    var status = 0
                    _ = skerry_curl_get_long(curl, CURLINFO_RESPONSE_CODE, &status)
                    end(curl, nil, status)
                    continue
                }
                // Zero until the connection is made and the request is about to be sent.
                var readyAt: curl_off_t = 0
                _ = skerry_curl_get_offset(curl, CURLINFO_PRETRANSFER_TIME_T, &readyAt)
                let words = String(cString: skerry_curl_easy_strerror(code))
                end(curl, PartitionFault(message: words, isUnsent: readyAt == 0))
            }
            let limit = ContinuousClock.now - PartitionLink.silenceLimit
            for (curl, exchange) in exchanges where exchange.request.take != nil && exchange.heardAt < limit {
                end(curl, PartitionFault(message: "it is silent"))
            }
        }

        private func end(_ curl: UnsafeMutableRawPointer, _ fault: PartitionFault?, _ status: Int = 0) {
            skerry_curl_multi_remove(multi, curl)
            skerry_curl_easy_cleanup(curl)
            guard let exchange = exchanges.removeValue(forKey: curl) else { return }
            exchange.response.status = Status(rawValue: status) ?? .serviceUnavailable
            exchange.end(fault.map { .failure($0) } ?? .success(exchange.response))
        }

        /// Gives everything up.
        func close() {
            for curl in exchanges.keys { end(curl, PartitionFault(message: "the front ends")) }
            skerry_curl_multi_cleanup(multi)
        }
    }
}

/// One request on its way.
private final class PartitionExchange {
    let request: PartitionRequest
    var response = Response()
    var fields: UnsafeMutablePointer<curl_slist>?
    /// The moment at which something came, at first that of its beginning.
    private(set) var heardAt = ContinuousClock.now
    private var isFound = false
    /// True while there is no room for the next piece.
    var isPaused = false

    /// The fields that belong to the connection to a gateway, or that the front adds by itself.
    private static let ownFields: Set = [
        "connection", "content-length", "date", "keep-alive", "transfer-encoding", "x-content-type-options",
    ]

    init(_ request: PartitionRequest) { self.request = request }

    deinit { skerry_curl_slist_free_all(fields) }

    static func of(_ context: UnsafeMutableRawPointer?) -> PartitionExchange {
        guard let context else { preconditionFailure("libcurl lost the context that it was given") }
        return Unmanaged<PartitionExchange>.fromOpaque(context).takeUnretainedValue()
    }

    func takeField(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // After `100 Continue` another head follows.
            response.headers = [:]
            isFound = text.split(separator: " ").dropFirst().first == "200"
            return
        }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = String(text[..<colon])
        guard !Self.ownFields.contains(name.lowercased()) else { return }
        let value = text[text.index(after: colon)...].drop { $0.isWhitespace }
        response.headers.append(name, String(value.reversed().drop { $0.isWhitespace }.reversed()))
    }

    func take(_ piece: UnsafeRawBufferPointer) -> PieceOutcome {
        heardAt = .now
        if isFound, let take = request.take {
            let outcome = take(piece)
            isPaused = outcome == .kept
            return outcome
        }
        guard response.body.count + piece.count <= PartitionLink.sizeLimit else { return .refused }
        response.body += piece
        return .taken
    }

    func end(_ result: Result<Response, PartitionFault>) { request.then(result) }
}
