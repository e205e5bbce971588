/// The first line and the fields of a request.
struct RequestHead: Sendable {
    /// The method, such as `GET`.
    var method: String
    /// What is asked for, as it was sent.
    var target: String
    var headers: HeaderFields = [:]

    /// How many bytes the target and all fields may have together.
    static let byteLimit = 8192
    /// How many fields there may be.
    static let fieldLimit = 64

    /// The length of the body that is announced; nil when none is, or the body comes in chunks.
    var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }

    /// Makes sure that the head has bounds, and that everybody agrees where its request ends.
    ///
    /// A proxy that sends the requests of many on one connection may see another end than this bridge does if there are
    /// two ways to read it; then a stranger could put a request before that of another (RFC 9112, section 11.2).
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

    /// Whether a name of a field or a method may have it (RFC 9110, section 5.6.2).
    fileprivate var isInToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
