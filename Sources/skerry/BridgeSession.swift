#if Dashboard
import ArgumentParser
import SkerryCommand
import SkerryDashboard
import SkerryValues

/// How to find the bridge that runs here.
struct BridgeOption: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: "The configuration file of the bridge (default: skerry.yaml, if it is there)."
    )
    var config: String?

    @Option(help: "Where the HTTP API of the bridge listens (default: http.address).")
    var address: String?

    @Option(help: "The file with the admin token (default: http.admin-token-file).", completion: .file())
    var tokenFile: String?

    /// What was given, by the keys of the configuration.
    var values: [(key: String, value: SettingValue)] {
        [("http.address", address), ("http.admin-token-file", tokenFile)].compactMap { key, text in
            text.map { (key, .text($0)) }
        }
    }
}

/// Talks to the bridge that runs here, and tells people what to do when that does not work.
struct BridgeSession {
    private let client: DashboardClient
    private let tokenFile: String

    /// Finds the bridge and its admin token.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    init(_ option: BridgeOption) async throws {
        let settings = try await Settings.loadHTTP(option.config, option.values)
        guard let options = settings.options else {
            throw Self.complain("the bridge has no HTTP API: http.address is none")
        }
        var faults: [String] = []
        for path in settings.tokenPaths() {
            do throws(AdminSecret.Fault) {
                let secret = try AdminSecret(readFrom: path)
                client = DashboardClient(address: options.address, token: secret.text)
                tokenFile = path
                return
            } catch {
                faults.append(error.message)
            }
        }
        throw Self.complain(
            """
            there is no admin token of a bridge that can be read:
            \(faults.map { "  \($0)" }.joined(separator: "\n"))
            A bridge makes one when it starts with its HTTP API. Run this as the user of the bridge (sudo for the \
            service), or name the file with --token-file.
            """
        )
    }

    /// Asks, and takes only an answer that is no problem.
    ///
    /// - Returns: the members of the answer.
    /// - Throws: an exit code, after saying what is wrong.
    func ask(_ method: String, _ path: String, body: [UInt8] = []) throws -> ValueMap {
        let answer: DashboardClient.Answer
        do throws(DashboardClient.Fault) {
            answer = try client.ask(method, path, body: body)
        } catch {
            throw Self.complain(
                error.isRefused
                    ? "nothing listens on \(client.address): is 'skerry run' running here with its HTTP API?"
                    : error.message
            )
        }
        let map = (try? JSONReader.value(of: answer.body.span))?.members
        switch answer.status {
        case 204: return ValueMap()
        case 200..<300:
            guard let map else { throw confused }
            return map
        case 401:
            throw Self.complain(
                "the bridge on \(client.address) does not take the token in \(tokenFile): is that another bridge's?"
            )
        default:
            throw Self.complain(map?["detail"]?.text.map(Terminal.printable) ?? "status \(answer.status)")
        }
    }

    /// What to throw for an answer that says something else than it should, after saying so.
    var confused: ExitCode {
        Self.complain("what listens on \(client.address) is no bridge, or one of another version")
    }

    static func complain(_ message: String) -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return .unavailable
    }
}

extension Value {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var truth: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    var elements: [Value] {
        if case .list(let elements) = self { elements } else { [] }
    }

    var members: ValueMap? {
        if case .map(let map) = self { map } else { nil }
    }
}
#endif
