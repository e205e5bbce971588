import SkerryGateway
import SkerryValues

extension RequestDesk {
    /// `GET /pair`: a page that asks for the admin token, unless an administrator has signed in.
    func askForToken(_ request: Request) -> Response {
        Self.page(PairPage.question(asksForToken: caller(request).role != .administrator))
    }

    /// `POST /pair`: the page with a code, for administrators.
    func showCode(_ request: Request) throws(Problem) -> Response {
        let form = PercentCoding.form(String(decoding: request.body, as: UTF8.self))
        let isSignedIn = caller(request).role == .administrator
        let token = form.first { $0.name == "token" }?.value
        guard isSignedIn || token.map({ caller(token: $0) == .admin }) ?? false else {
            return Self.page(PairPage.question(.wrongToken), status: .forbidden)
        }
        guard let person = Self.person(inForm: form.first { $0.name == "person" }?.value ?? "") else {
            return Self.page(
                PairPage.question(.wrongPerson, asksForToken: !isSignedIn),
                status: .badRequest
            )
        }
        let offer = offerPairing(person: person.isEmpty ? nil : person)
        let url = phoneURL(request)
        return Self.page(
            PairPage.code(
                offer.text,
                link: Self.link(to: url, code: offer.text),
                url: url,
                isReachable: Self.isReachable(url),
                minutes: Pairings.lifetime.roundedSeconds / 60
            ),
            status: .created
        )
    }

    private static func page(_ html: String, status: Status = .ok) -> Response {
        var response = Response(json: Array(html.utf8), status: status)
        response.headers["Content-Type"] = "text/html; charset=utf-8"
        response.headers["Content-Security-Policy"] = PairPage.policy
        // Not `no-referrer`: browsers then send the form with `Origin: null`, which is refused.
        response.headers["Referrer-Policy"] = "same-origin"
        return response
    }
}
