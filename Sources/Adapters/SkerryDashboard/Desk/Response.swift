/// An answer to a request.
struct Response: Sendable {
    var status = Status.ok
    var headers: HeaderFields = [:]
    var body: [UInt8] = []
    /// The body if it has no end and comes from elsewhere.
    var stream: StreamOutput?
}

extension Response {
    /// A response of JSON that no cache keeps.
    init(json bytes: [UInt8], status: Status = .ok) {
        self.init(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: bytes
        )
    }
}

/// The statuses of HTTP that this API uses.
enum Status: Int, Sendable {
    case ok = 200
    case created = 201
    case accepted = 202
    case noContent = 204
    case notModified = 304
    case permanentRedirect = 308
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case conflict = 409
    case preconditionFailed = 412
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case misdirectedRequest = 421
    case tooManyRequests = 429
    case headTooLarge = 431
    case serviceUnavailable = 503

    /// The status in words, as RFC 9110 and RFC 6585 have them.
    var phrase: String {
        switch self {
        case .ok: "OK"
        case .created: "Created"
        case .accepted: "Accepted"
        case .noContent: "No Content"
        case .notModified: "Not Modified"
        case .permanentRedirect: "Permanent Redirect"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .misdirectedRequest: "Misdirected Request"
        case .tooManyRequests: "Too Many Requests"
        case .headTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        }
    }
}
