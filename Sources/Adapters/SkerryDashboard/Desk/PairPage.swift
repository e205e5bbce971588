/// The page on which phones are paired: no scripts, and nothing from elsewhere.
enum PairPage {
    /// The content security policy: the page shows its own style and sends its form back, nothing else.
    static let policy = """
        default-src 'none'; style-src 'sha256-\(Secret.textDigest(style))'; form-action 'self'; base-uri 'none'; \
        frame-ancestors 'none'
        """

    private static let style = """
        :root{color-scheme:light dark;--ink:#12222e;--sea:#0a6a8a;--paper:#f4f7f8;--card:#fff;--line:#d5dfe3;--warn:#a33a17}
        @media(prefers-color-scheme:dark){:root{--ink:#e6eef1;--sea:#62c4e3;--paper:#0d161c;--card:#15222a;--line:#2a3b45;--warn:#ff9b73}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:22rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;text-align:center}
        h1{margin:0 0 .25rem;font-size:1.375rem;letter-spacing:-.01em}
        p{margin:.5rem 0 1.25rem;text-wrap:balance}
        svg{display:block;width:100%;border-radius:.75rem}
        .code{margin:1.25rem 0 .25rem;font:600 1.875rem/1.2 ui-monospace,monospace;letter-spacing:.12em;color:var(--sea)}
        .small{margin:0;font-size:.875rem;opacity:.75;overflow-wrap:anywhere}
        .warn{color:var(--warn);font-weight:600}
        form{display:grid;gap:.75rem}
        input,button{font:inherit;padding:.75rem 1rem;border-radius:.75rem;border:1px solid var(--line);background:transparent;color:inherit;width:100%}
        button{background:var(--sea);border-color:var(--sea);color:var(--card);font-weight:600;cursor:pointer}
        :focus-visible{outline:3px solid var(--sea);outline-offset:2px}
        a{color:var(--sea)}
        """

    /// The mistake in the form as it was sent.
    enum Mistake {
        /// The token is not the admin token.
        case wrongToken
        /// The person is no name.
        case wrongPerson

        fileprivate var sentence: String {
            switch self {
            case .wrongToken: "This is not the admin token of this bridge."
            case .wrongPerson:
                "This is no name of a person: write at most 64 bytes without control characters, or nothing."
            }
        }
    }

    /// The page that asks for the admin token, if it is needed, after a mistake with what was wrong.
    static func question(_ mistake: Mistake? = nil, asksForToken: Bool = true) -> String {
        let notice =
            mistake.map { #"<p class="warn" role="alert">\#($0.sentence)</p>"# }
            ?? (asksForToken
                ? """
                <p>Sign in on <a href="./">the page</a> as an administrator, or enter the admin token, which is in the file \
                that <code>skerry pair --help</code> names.</p>
                """
                : "<p>Show a code for one phone.</p>")
        let token =
            asksForToken
            ? """
            <input name="username" autocomplete="username" value="skerry" hidden>
            <input type="password" name="token" required autofocus autocomplete="current-password" \
            aria-label="Admin token" placeholder="Admin token">

            """ : ""
        return page(
            """
            <h1>Pair an iPhone</h1>
            \(notice)
            <form method="post" action="pair">
            \(token)<input name="person" maxlength="64" autocomplete="off" aria-label="Person" \
            placeholder="Person (optional)">
            <button>Show a code</button>
            </form>
            """
        )
    }

    static func code(_ code: String, link: String, url: String, isReachable: Bool, minutes: Int64) -> String {
        let shown = escaped("\(code.prefix(4))-\(code.dropFirst(4))")
        let image = QRCode(link)?.svg ?? ""
        let warning =
            isReachable
            ? ""
            : #"<p class="warn" role="alert">Phones can't reach this address. Set http.url and http.address.</p>"#
        return page(
            """
            <h1>Pair an iPhone</h1>
            <p>Scan this in the app, or type the code.</p>
            \(image)
            <p class="code">\(shown)</p>
            \(warning)
            <p class="small">\(escaped(url))<br>good for \(minutes) minutes and one phone · <a href="pair">another</a></p>
            """
        )
    }

    private static func page(_ content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <title>Skerry: pair an iPhone</title>
        <style>\(style)</style>
        <main>
        \(content)
        </main>
        </html>

        """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
