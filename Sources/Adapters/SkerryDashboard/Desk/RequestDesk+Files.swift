import SkerryFiles
import SkerryGateway

extension RequestDesk {
    /// `GET /`: the page, and a cookie for a guest, so that the page need not know about guests.
    func tellPage(_ request: Request) throws(Problem) -> Response {
        var response = try tellFile(PageFiles.start, request)
        if let secret = request.parameter("guest"), case .guest = caller(request) {
            let field = SessionCookie.field(
                SessionCookie.guestName,
                secret,
                from: request.sender
            )
            response.headers.append("Set-Cookie", field)
        }
        return response
    }

    /// `GET /page/{file}`: a file of the page.
    func tellFile(_ request: Request) throws(Problem) -> Response {
        var response = try tellFile(request.path[1], request)
        // It is for the whole page, wherever a proxy has that, and not for this folder alone.
        if request.path[1] == PageFiles.worker { response.headers["Service-Worker-Allowed"] = "../" }
        return response
    }

    private func tellFile(_ name: String, _ request: Request) throws(Problem) -> Response {
        guard let file = files[name] else { throw .unknownAddress }
        return Self.response(with: file, to: request)
    }

    /// `GET /v1/openapi.yaml`: the description of this API.
    func tellDescription(_ request: Request) -> Response { Self.response(with: description, to: request) }

    /// `GET /v1/schema`: the JSON Schema of definitions, for editors.
    func tellSchema(_ request: Request) throws(Problem) -> Response {
        var response = Response(json: LanguageSchema.bytes)
        response.headers["Content-Type"] = "application/schema+json"
        return response
    }

    /// A file that is in the program.
    static func response(with file: PageFile, to request: Request) -> Response {
        let packed = request.takesGzip ? file.packed : nil
        let tag = packed == nil ? "\"\(file.tag)\"" : "\"\(file.tag)-gzip\""
        var response = Response.tagged(tag, for: request) {
            Response(headers: ["Content-Type": file.mediaType], body: packed ?? file.bytes)
        }
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = "Accept-Encoding"
        if response.status == .ok, packed != nil { response.headers["Content-Encoding"] = "gzip" }
        // Home Assistant shows the page in a frame of its own.
        response.headers["Content-Security-Policy"] =
            request.sender.isIngress
            ? PageFiles.policy.replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'")
            : PageFiles.policy
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    }
}

extension Request {
    /// True if the client understands gzip.
    var takesGzip: Bool {
        let codings = headers["Accept-Encoding"]?.lowercased().split(separator: ",") ?? []
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return parts.dropFirst().allSatisfy { !$0.hasPrefix("q=") || (Double($0.dropFirst(2)) ?? 0) > 0 }
        }
    }
}

extension Response {
    /// A response with a tag, or the answer that nothing has changed.
    static func tagged(_ tag: String, for request: Request, _ make: () -> Response) -> Response {
        let known = request.headers["If-None-Match"]?.split(separator: ",").map { tag in
            tag.drop { $0 == " " }.replacing("W/", with: "", maxReplacements: 1)
        }
        let isKnown = known.map { $0.contains("*") || $0.contains(tag[...]) } ?? false
        var response = isKnown ? Response(status: .notModified) : make()
        response.headers["ETag"] = tag
        return response
    }
}
