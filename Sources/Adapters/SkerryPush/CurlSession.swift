import CCurl
import SkerryValues

/// libcurl's handle with its open connections; used by one thread.
final class CurlSession {
    /// The reason why libcurl can't be used, nil if it can; the first call loads it.
    ///
    /// The file's number is that of the interface, the same since 2006; the name without it comes with the headers only.
    static let libraryFault = load("libcurl.so.4")

    /// Loads libcurl and looks whether it has the features that the service requires.
    ///
    /// - Parameter file: The library's name for the loader.
    /// - Returns: the reason why it can't be used; nil if it can.
    static func load(_ file: String) -> WebFault? {
        var reason: UnsafePointer<CChar>?
        guard skerry_curl_load(file, &reason) else {
            let words = reason.map { String(cString: $0) } ?? file
            return WebFault(
                .unreachable,
                "requests need libcurl, which can't be loaded: \(words): install it, as with apt-get install libcurl4"
            )
        }
        guard skerry_curl_global_init() == CURLE_OK, let info = skerry_curl_version_info(),
            info.pointee.features & CURL_VERSION_HTTP2 != 0, info.pointee.features & CURL_VERSION_SSL != 0
        else { return WebFault(.notHTTP2, "this libcurl lacks HTTP/2 or TLS: install one with both") }
        return nil
    }

    private var curl: UnsafeMutableRawPointer?
    private let options: WebClientOptions
    private let exchange = CurlExchange()
    /// The first error of an exchange in libcurl's words, which it writes there; empty without one.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ options: WebClientOptions) {
        self.options = options
    }

    deinit { words.deallocate() }

    /// Closes all connections; the next request makes one.
    func close() {
        if let curl { skerry_curl_easy_cleanup(curl) }
        curl = nil
    }

    /// True if libcurl sends a PING at once; before 8.1 it keeps it until the next request, when it is of no use.
    static let sendsPings: Bool = {
        guard libraryFault == nil, let info = skerry_curl_version_info() else { return false }
        return info.pointee.version_num >= 0x08_01_00
    }()

    /// Sends a PING on connections that have been idle for some time.
    func keepAlive() {
        guard let curl, Self.sendsPings else { return }
        _ = skerry_curl_easy_upkeep(curl)
    }

    /// Sends a request and waits for its answer.
    func perform(_ job: RequestJob) -> RequestJob.Outcome {
        let outcome = exchanged(job)
        switch outcome {
        // A connection that does not answer any more, or whose end is announced, would take the next request, too.
        case .failure(let fault) where fault.kind == .timeout: close()
        case .success(let response) where response.status == 503: close()
        case .success, .failure: break
        }
        return outcome
    }

    private func exchanged(_ job: RequestJob) -> RequestJob.Outcome {
        if curl == nil { curl = skerry_curl_easy_init() }
        guard let curl else { return .failure(WebFault(.unreachable, "libcurl has no memory")) }
        guard !job.isCancelled else { return .failure(.cancelled) }
        exchange.begin(job)
        defer { exchange.job = nil }
        let headers = list(of: job.request)
        defer { skerry_curl_slist_free_all(headers) }
        configure(curl, job.request, headers)
        if job.request.method == .post {
            _ = skerry_curl_set_long(curl, CURLOPT_POST, 1)
            _ = skerry_curl_set_long(curl, CURLOPT_POSTFIELDSIZE, job.request.body.count)
        }
        let code = skerry_curl_easy_perform(curl)
        guard code == CURLE_OK else { return .failure(fault(code, job)) }
        if job.request.demandsHTTP2 {
            var version = 0
            _ = skerry_curl_get_long(curl, CURLINFO_HTTP_VERSION, &version)
            guard version == CURL_HTTP_VERSION_2_0 else { return .failure(.notHTTP2(job.request.host)) }
        }
        var status = 0
        _ = skerry_curl_get_long(curl, CURLINFO_RESPONSE_CODE, &status)
        exchange.response.status = status
        return .success(exchange.response)
    }

    private func list(of request: WebRequest) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        // An empty one takes a header away that libcurl adds on its own.
        for line in ["accept:", "content-type:", "expect:"] {
            list = skerry_curl_slist_append(list, line) ?? list
        }
        for header in request.headers {
            list = skerry_curl_slist_append(list, "\(header.name): \(header.value)") ?? list
        }
        return list
    }

    private func configure(
        _ curl: UnsafeMutableRawPointer,
        _ request: WebRequest,
        _ headers: UnsafeMutablePointer<curl_slist>?
    ) {
        // This forgets the options of the last request, and keeps the connections.
        skerry_curl_easy_reset(curl)
        let numbers: [(CURLoption, Int)] = [
            // With threads, libcurl must not use signals for its time limits.
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_DNS_CACHE_TIMEOUT, 0),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(options.connectLimit.microseconds / 1000)),
            (CURLOPT_TIMEOUT_MS, Int(options.requestLimit.microseconds / 1000)),
            // By default, libcurl gives up connections after two minutes of silence.
            (CURLOPT_MAXAGE_CONN, 7 * 86_400),
            // Routers forget connections on which nothing moves, and a push into such a one would be lost.
            (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_TCP_KEEPIDLE, 240), (CURLOPT_TCP_KEEPINTVL, 30),
            // The thread decides when; libcurl would leave out connections younger than this.
            (CURLOPT_UPKEEP_INTERVAL_MS, 1),
        ]
        for (option, number) in numbers { _ = skerry_curl_set_long(curl, option, number) }
        _ = skerry_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, request.demandsHTTP2 ? "https" : "https,http")
        words.pointee = 0
        _ = skerry_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, words)
        _ = skerry_curl_set_text(curl, CURLOPT_URL, request.address)
        _ = skerry_curl_set_pointer(curl, CURLOPT_HTTPHEADER, headers)
        if let file = options.authorityFile { _ = skerry_curl_set_text(curl, CURLOPT_CAINFO, file) }
        if request.method == .delete { _ = skerry_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, "DELETE") }
        skerry_curl_set_functions(
            curl,
            onUpload,
            onHeader,
            onBody,
            onProgress,
            Unmanaged.passUnretained(exchange).toOpaque()
        )
        skerry_curl_set_trace(curl, onTrace, Unmanaged.passUnretained(exchange).toOpaque())
    }

    private func fault(_ code: CURLcode, _ job: RequestJob) -> WebFault {
        if exchange.isOldHTTP { return .notHTTP2(job.request.host) }
        // Zero until the connection is made and the request is about to be sent.
        var readyAt: curl_off_t = 0
        _ = skerry_curl_get_offset(curl, CURLINFO_PRETRANSFER_TIME_T, &readyAt)
        var fault = Self.fault(code, host: job.request.host)
        let hasLeft = job.request.body.isEmpty ? readyAt > 0 : exchange.sentCount > 0
        fault.mayHaveArrived = hasLeft && !wasRefused(code)
        if fault.kind == .connectionLost, !fault.mayHaveArrived {
            fault.message = "the connection to \(job.request.host) ended before the request was taken"
        }
        return fault
    }

    /// Returns whether the service said that it did not look at the request: by REFUSED_STREAM, or by a GOAWAY whose last stream
    /// comes before.
    ///
    /// See docs/decisions/0033-failed-pushes.md.
    private func wasRefused(_ code: CURLcode) -> Bool {
        switch code {
        // After REFUSED_STREAM libcurl would begin again, and can't. It would do so after a connection was lost, too, but
        // then that is the first error.
        case CURLE_SEND_FAIL_REWIND: String(cString: words).contains("rewind")
        case CURLE_HTTP2: exchange.isAfterLastStream
        default: false
        }
    }

    private static func fault(_ code: CURLcode, host: String) -> WebFault {
        let words = String(cString: skerry_curl_easy_strerror(code))
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: return .cancelled
        case CURLE_COULDNT_RESOLVE_HOST:
            return WebFault(
                .unreachable,
                "unknown host \(host): does DNS work, and is there a way to the internet?"
            )
        case CURLE_COULDNT_CONNECT:
            return WebFault(
                .unreachable,
                "no connection to \(host): is there a way to the internet, and does a firewall let the port through?"
            )
        case CURLE_OPERATION_TIMEDOUT: return WebFault(.timeout, "no answer from \(host) in time")
        case CURLE_PEER_FAILED_VERIFICATION:
            return WebFault(
                .security,
                "the certificate of \(host) is not to be trusted: is the clock right, and are the system's "
                    + "authorities (ca-certificates) there?"
            )
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
            return WebFault(.security, "no secure connection to \(host): \(words)")
        default:
            return WebFault(.connectionLost, "the connection to \(host) ended before an answer: \(words)")
        }
    }
}

/// The data for libcurl's callbacks, for one exchange after the other.
private final class CurlExchange {
    var job: RequestJob?
    var response = WebResponse(status: 0)
    private(set) var sentCount = 0
    /// True if the other end was found to speak an older HTTP: it gets no body then.
    private(set) var isOldHTTP = false
    /// The number of its stream, and of the last one that a GOAWAY named; nil as long as libcurl has not told.
    private var stream: Int?
    private var lastStream: Int?

    /// True if the service announced to serve only earlier streams.
    var isAfterLastStream: Bool {
        guard let stream, let lastStream else { return false }
        return lastStream < stream
    }

    func begin(_ job: RequestJob) {
        assert(self.job == nil, "two requests are under way on one handle")
        self.job = job
        response = WebResponse(status: 0)
        sentCount = 0
        isOldHTTP = false
        (stream, lastStream) = (nil, nil)
    }

    /// Reads what libcurl tells of streams; it has no other way to ask for their numbers.
    func look(at text: String) {
        if let number = Self.number(after: "Using Stream ID: ", in: text) { stream = number }
        if let number = Self.number(after: "last_stream=", in: text) { lastStream = number }
    }

    private static func number(after words: String, in text: String) -> Int? {
        text.firstRange(of: words).flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
    }

    /// Reads the head of an outgoing request; that to a proxy begins differently.
    func look(at head: UnsafeRawBufferPointer) {
        guard let request = job?.request, request.demandsHTTP2 else { return }
        let method = request.method.rawValue
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard line.hasPrefix("\(method) /") else { return }
        isOldHTTP = line.hasSuffix(" HTTP/1.1") || line.hasSuffix(" HTTP/1.0")
    }

    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let rest = job?.request.body.dropFirst(sentCount).prefix(buffer.count) else { return 0 }
        buffer.copyBytes(from: rest)
        sentCount += rest.count
        return rest.count
    }

    func take(header line: UnsafeRawBufferPointer) {
        // The few headers that are read are shorter.
        guard line.count <= 512 else { return }
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        guard WebResponse.readHeaders.contains(name) else { return }
        let value = text[text.index(after: colon)...].drop { $0.isWhitespace }
        response.headers[name] = String(value.reversed().drop { $0.isWhitespace }.reversed())
    }

    func take(body part: UnsafeRawBufferPointer) {
        response.body.append(contentsOf: part.prefix(WebClient.bodyLimit - response.body.count))
        assert(response.body.count <= WebClient.bodyLimit, "an answer is longer than what is kept of it")
    }
}

private func exchange(of context: UnsafeMutableRawPointer?) -> CurlExchange? {
    context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
}

/// The body of a request, from a function that can't begin again: libcurl repeats a request on its own when a connection
/// ends before the answer, and a start must not arrive twice.
private func onUpload(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let exchange = exchange(of: context), !exchange.isOldHTTP else { return Int(CURL_READFUNC_ABORT) }
    return exchange.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private func onTrace(
    _: UnsafeMutableRawPointer?,
    _ kind: curl_infotype,
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
    switch kind {
    case CURLINFO_HEADER_OUT: exchange(of: context)?.look(at: buffer)
    case CURLINFO_TEXT: exchange(of: context)?.look(at: String(decoding: buffer.prefix(200), as: UTF8.self))
    default: break
    }
    return 0
}

private func onHeader(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    exchange(of: context)?.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func onBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    exchange(of: context)?.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    // As if all had been kept: with a smaller number libcurl would end the exchange.
    return size * count
}

/// libcurl calls it once a second at least; another answer than 0 ends the exchange.
private func onProgress(
    _ context: UnsafeMutableRawPointer?,
    _: curl_off_t,
    _: curl_off_t,
    _: curl_off_t,
    _: curl_off_t
) -> Int32 {
    exchange(of: context)?.job?.isCancelled == true ? 1 : 0
}

extension WebFault {
    static let cancelled = WebFault(.cancelled, "the request was given up")

    static func notHTTP2(_ host: String) -> WebFault {
        WebFault(.notHTTP2, "\(host) does not speak HTTP/2: is that Apple's push service, or a proxy?")
    }
}
