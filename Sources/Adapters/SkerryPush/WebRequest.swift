import CCurl
import SkerryValues

/// One request over HTTP.
public struct WebRequest: Hashable, Sendable {
    /// The method of a request.
    public enum Method: String, Hashable, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends or creates.
        case post = "POST"
        /// Removes.
        case delete = "DELETE"
    }

    /// A header; its name is in lower case, as HTTP/2 demands.
    public struct Header: Hashable, Sendable {
        /// The name in lower case.
        package var name: String
        package var value: String

        /// Makes a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: Method
    /// The whole address, which begins with `https://` or `http://`.
    package var address: String
    /// The headers in the order in which they are sent.
    package var headers: [Header]
    /// The body; empty for reading and removing.
    package var body: [UInt8]
    /// True if only HTTP/2 over TLS will do; another server then gets no body.
    package var demandsHTTP2: Bool

    package init(
        _ method: Method,
        address: String,
        headers: [Header],
        body: [UInt8] = [],
        demandsHTTP2: Bool = false
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.demandsHTTP2 = demandsHTTP2
    }

    /// Host and port, as faults name them.
    var host: String { Self.host(of: address) }

    /// Host and port of an address.
    static func host(of address: String) -> String {
        let rest = address.split(separator: "//", maxSplits: 1).last ?? ""
        return String(rest.prefix { $0 != "/" && $0 != "?" }.split(separator: "@").last ?? "")
    }

    /// True if address and headers can go into a request as they are: ASCII that is seen, and spaces in values of headers.
    ///
    /// Parts of them come from devices and phones, and a line break would begin a header of its own.
    var isWellFormed: Bool {
        let isPlain: (UInt8) -> Bool = { (0x21...0x7E).contains($0) }
        return address.utf8.allSatisfy(isPlain)
            && headers.allSatisfy { header in
                !header.name.isEmpty && header.name.utf8.allSatisfy(isPlain)
                    && header.value.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: " ") }
            }
    }
}

/// The answer to a request over HTTP.
public struct WebResponse: Hashable, Sendable {
    /// The status of HTTP, such as 200 or 410.
    package var status: Int
    /// The headers that somebody reads, by their names in lower case.
    package var headers: [String: String] = [:]
    /// The body, at most ``WebClient/bodyLimit`` bytes of it.
    package var body: [UInt8] = []

    /// The seconds to wait before another attempt, `retry-after` of RFC 9110, section 10.2.3; nil without it.
    ///
    /// A date counts from the one of the answer itself, and is nothing without it: the service's clock made both, and that
    /// of a gateway may be wrong by years. The scheduler bounds the pause.
    var retryAfter: Int? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds }
        guard let end = Self.seconds(ofDate: text), let now = headers["date"].flatMap(Self.seconds(ofDate:))
        else { return nil }
        return max(0, end - now)
    }

    /// The pause before another attempt, of `retry-after`, or of `x-ratelimit-reset` where a limit is reached.
    var retryPause: Interval? {
        var seconds = retryAfter
        if seconds == nil, status == 429, let reset = headers["x-ratelimit-reset"].flatMap({ Int($0) }),
            let now = headers["date"].flatMap(Self.seconds(ofDate:)), reset > now
        {
            seconds = reset - now
        }
        return seconds.map { .seconds(Int64(clamping: max(0, $0))) }
    }

    /// The seconds since 1970 of a date in a header; nil if it is none.
    ///
    /// It was read by libcurl, so libcurl is loaded.
    private static func seconds(ofDate text: String) -> Int? {
        let seconds = skerry_curl_getdate(text)
        return seconds < 0 ? nil : seconds
    }

    /// The names of the headers that somebody reads.
    static let readHeaders: Set = [
        "apns-id", "apns-unique-id", "apns-channel-id", "retry-after", "x-ratelimit-reset", "date",
    ]
}
