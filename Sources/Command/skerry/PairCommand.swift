import ArgumentParser
import SkerryCommand
import SkerryDashboard
import SkerryValues

/// `skerry pair`: pairs a phone, or lets a browser in.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair an iPhone with the bridge that runs here, or let a browser in.",
        discussion: """
            Shows a code, also as a QR code for the app's camera, and waits until a phone has used it. A code is valid \
            for 10 minutes and one phone. Ctrl-C stops waiting; the code stays valid.

            With --browser the code is for a browser: open the page and choose Sign in, or scan the QR code, which has the \
            address of the page and the code. The browser is let in as an administrator, unless --role says otherwise.

              skerry pair --browser
              skerry pair --browser --role viewer --name "Kitchen wall"

            It asks the running bridge over its HTTP API (http.address), with the admin token that the bridge keeps in \
            a file: http.admin-token-file, by default $STATE_DIRECTORY/admin-token, ~/.local/state/skerry/admin-token, \
            or /var/lib/skerry/admin-token for the packaged service, whose file only root can read: sudo skerry pair.

            Phones reach the API at http.url. With the default http.address, only this machine can reach it: see \
            docs/pairing.md.

            Exit status: 0 when a phone or a browser was let in, 1 when the code expired first, 64 for wrong settings, 69 when no \
            bridge answers or it refuses the token.
            """
    )

    @Option(help: "A name for the phone or the browser (default: the name it reports, or 'Browser').")
    var name: String?

    @Option(help: "The person that it belongs to, as in the setting 'audience'.")
    var person: String?

    @Flag(help: "Let a browser in, not a phone.")
    var browser = false

    @Option(help: "The role of the browser: viewer, member or admin (default: admin).")
    var role: BrowserRole?

    @Flag(help: "Show the code and exit.")
    var noWait = false

    @OptionGroup var bridge: BridgeOption

    /// The role of a browser, by the word for it in the HTTP API.
    enum BrowserRole: String, ExpressibleByArgument, CaseIterable {
        case viewer, member, admin
    }

    func validate() throws {
        if role != nil, !browser {
            throw ValidationError("--role is the role of a browser: give --browser, too")
        }
    }

    func run() async throws {
        let session = try BridgeSession(bridge)
        var writer = JSONWriter()
        writer.beginObject()
        let role = browser ? (role ?? .admin).rawValue : nil
        for case (let key, let text?) in [("name", name), ("person", person), ("role", role)] {
            writer.member(key, text)
        }
        writer.endObject()
        let offer = try session.ask("POST", "/v1/pairings", body: writer.bytes)
        guard let code = offer["code"]?.text, let link = offer["link"]?.text, let url = offer["url"]?.text,
            let pairing = offer["pairing"]?.text
        else { throw session.confused }
        show(code: code, link: link, url: url)
        if offer["reachable"]?.truth == false {
            Terminal.complain(
                """
                skerry: \(browser ? "browsers elsewhere" : "phones") can't reach \(url): set http.url to the address that \
                they use for this bridge, and http.address or a reverse proxy so that they get there

                """
            )
        }
        if !noWait { try await wait(for: pairing, session) }
    }

    private func show(code: String, link: String, url: String) {
        var text = "\n"
        if Terminal.outputIsTerminal, let image = QRCode(link) { text += "\(image.terminalText)\n" }
        text += "  code  \(code.prefix(4))-\(code.dropFirst(4))\n  url   \(url)\n  link  \(link)\n\n"
        Terminal.write(Array(text.utf8))
    }

    private func wait(for pairing: String, _ session: BridgeSession) async throws {
        let guest = browser ? "browser" : "phone"
        Terminal.complain("Waiting for the \(guest); Ctrl-C stops waiting, and the code stays valid.\n")
        while true {
            let outcome = try session.ask("GET", "/v1/pairings/\(pairing)")
            switch outcome["state"]?.text {
            case "open": try await Task.sleep(for: .seconds(1))
            case "paired":
                let name = Terminal.printable(outcome["name"]?.text ?? "a \(guest)")
                Terminal.write(Array("\(browser ? "Let in: \(name)" : "Paired with \(name)").\n".utf8))
                return
            case "expired":
                Terminal.complain("skerry: the code has expired: run the command again\n")
                throw ExitCode.badInput
            default:
                Terminal.complain(
                    "skerry: newer codes took the place of this one: run the command again\n"
                )
                throw ExitCode.badInput
            }
        }
    }
}
