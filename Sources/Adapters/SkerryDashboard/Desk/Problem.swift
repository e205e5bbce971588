import SkerryGateway
import SkerryValues

/// Why a request is not answered as it was meant, as RFC 9457 has it.
struct Problem: Error {
    var status: Status
    /// The kind of the problem, for programs; never changes.
    var code: String
    /// The fault and its remedy, for people.
    var detail: String
    /// The place in the body, as a JSON pointer (RFC 6901).
    var path: String?
    /// The problems of a definition, as a JSON array.
    var problems: [UInt8]?
    /// Further headers.
    var headers: HeaderFields = [:]

    var response: Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("status", Int64(status.rawValue))
        writer.member("title", status.phrase)
        writer.member("code", code)
        writer.member("detail", detail)
        if let path { writer.member("path", path) }
        if let problems { writer.member("problems", json: problems) }
        writer.endObject()
        var response = Response(json: writer.bytes, status: status)
        response.headers["Content-Type"] = "application/problem+json"
        response.headers.append(headers)
        return response
    }
}

extension Problem {
    /// There is nothing under this address.
    static let unknownAddress = Problem(
        status: .notFound,
        code: "unknown-address",
        detail: "there is nothing at this address; GET /v1/openapi.yaml describes every address"
    )

    /// A head that breaks the rules of HTTP; the connection ends with it.
    static func malformed(_ detail: String) -> Problem {
        Problem(
            status: .badRequest,
            code: "malformed-head",
            detail: detail,
            headers: ["Connection": "close"]
        )
    }

    /// The method is none of the address.
    static func wrongMethod(allowed: String) -> Problem {
        Problem(
            status: .methodNotAllowed,
            code: "wrong-method",
            detail: "this address takes \(allowed)",
            headers: ["Allow": allowed]
        )
    }

    /// Credentials are missing or wrong.
    static func unauthorized(_ detail: String) -> Problem {
        Problem(
            status: .unauthorized,
            code: "unauthorized",
            detail: detail,
            headers: ["WWW-Authenticate": "Bearer"]
        )
    }

    /// Returns the problem of a body with a value that can't be.
    static func wrongBody(_ code: String, _ detail: String, at path: String? = nil) -> Problem {
        Problem(status: .badRequest, code: code, detail: detail, path: path)
    }

    /// Stores a change for a request; if the store does not take it, that is the problem.
    static func storing<Done>(_ body: () throws(StoreFault) -> Done) throws(Problem) -> Done {
        do throws(StoreFault) {
            return try body()
        } catch {
            throw .notStored(error.message)
        }
    }

    /// The store did not take it.
    static func notStored(_ reason: String) -> Problem {
        Problem(
            status: .serviceUnavailable,
            code: "not-stored",
            detail: "the bridge could not store it: \(reason); nothing has changed, try again",
            headers: ["Retry-After": "30"]
        )
    }
}

extension Problem {
    /// The problem of somebody without a right: who has not signed in may do so, who has may not.
    static func refused(_ role: Role, _ right: Right) -> Problem {
        let holders = right.roles.filter { $0 != .local }.map(\.title)
        let words = holders.dropLast().joined(separator: ", ")
        let list = words.isEmpty ? holders.joined() : "\(words) or \(holders[holders.count - 1])"
        guard role.isProven else {
            return .unauthorized(
                "this is for \(list): sign in with a code on the page, or send a token as bearer"
            )
        }
        return Problem(
            status: .forbidden,
            code: "not-allowed",
            detail: "this is for \(list), not for \(role.title)"
        )
    }
}
