/// The first line and the fields of a request.
struct RequestHead: Sendable {
    /// The method, such as `GET`.
    var method: String
    /// The target as it was sent: a path with its query, or a URL.
    var target: String
    var headers: HeaderFields = [:]

    /// The most bytes that the target and all fields may have together.
    static let byteLimit = 8192
    /// The most fields.
    static let fieldLimit = 64

    /// The announced length of the body; nil if there is none or the body comes in chunks.
    var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }

    /// Refuses a head that is too large, and one that two programs could read in two ways.
    ///
    /// If a proxy sees another end of a request than this bridge does, a stranger can smuggle a request into the connection
    /// that the proxy uses for somebody else (RFC 9112, section 11.2).
    func check() throws(Problem) {
        let size = headers.entries.reduce(target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size <= Self.byteLimit, headers.entries.count <= Self.fieldLimit else {
            throw Problem(
                status: .headTooLarge,
                code: "head-too-large",
                detail: "a head may have \(Self.byteLimit) bytes and \(Self.fieldLimit) fields",
                headers: ["Connection": "close"]
            )
        }
        for field in headers.entries {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isInToken) else {
                throw .malformed("a field has no name, or one that is none")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .malformed("the field \(field.name) has control characters")
            }
        }
        guard method.utf8.allSatisfy(\.isInToken), target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .malformed("the first line is none of HTTP")
        }
        guard headers.values("Host").count <= 1 else { throw .malformed("there are several Host fields") }
        try checkLength()
    }

    private func checkLength() throws(Problem) {
        let lengths = headers.values("Content-Length")
        let codings = headers.values("Transfer-Encoding")
        if codings.isEmpty {
            guard lengths.count <= 1, lengths.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) && Int($0) != nil })
            else { throw .malformed("Content-Length is no number, or there are several") }
        } else {
            guard lengths.isEmpty, codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw .malformed("Transfer-Encoding is not chunked, or comes with Content-Length")
            }
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// True for the bytes of field names and methods (RFC 9110, section 5.6.2).
    fileprivate var isInToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
