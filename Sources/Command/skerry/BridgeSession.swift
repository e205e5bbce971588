import ArgumentParser
import SkerryCommand
import SkerryDashboard
import SkerryFiles
import SkerryValues

/// The options for finding the bridge on this machine.
struct BridgeOption: ParsableArguments {
    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    @Option(SettingKeys.HTTP.address) var address: String?
    @Option(SettingKeys.HTTP.adminTokenFile, completion: .file()) var tokenFile: String?

    /// The given values, by names of settings.
    var settings: [String: WrittenSetting] {
        var settings: [String: WrittenSetting] = [:]
        settings.add(SettingKeys.HTTP.address, address)
        settings.add(SettingKeys.HTTP.adminTokenFile, tokenFile)
        return settings
    }
}

/// A session with the bridge on this machine, which explains to people what to do if that fails.
struct BridgeSession {
    /// The addresses that are asked: with partitions the front of all, and partition 0 if there is no front.
    private let clients: [DashboardClient]
    private let tokenFile: String

    /// Finds the bridge and its admin token.
    ///
    /// - Throws: an exit code, after reporting the problem.
    init(_ option: BridgeOption) throws {
        let settings = try Settings.loadHTTP(option.config, option.settings)
        guard let options = settings.options else {
            throw Self.complain("the bridge has no HTTP API: http.address is none")
        }
        var faults: [String] = []
        for path in settings.tokenPaths() {
            do throws(AdminSecret.Fault) {
                let secret = try AdminSecret(readFrom: path)
                let front = option.address == nil ? settings.frontAddress : nil
                clients = [front, options.address].compactMap(\.self).map {
                    DashboardClient(address: $0, token: secret.text)
                }
                tokenFile = path
                return
            } catch {
                faults.append(error.message)
            }
        }
        throw Self.complain(
            """
            no readable admin token of a bridge was found:
            \(faults.map { "  \($0)" }.joined(separator: "\n"))
            A bridge creates one when it starts with its HTTP API. Run this as the user of the bridge (sudo for the \
            service), or name the file with --token-file.
            """
        )
    }

    /// Sends a request, and accepts only a successful answer.
    ///
    /// - Returns: the members of the answer.
    /// - Throws: an exit code, after reporting the problem.
    func ask(_ method: String, _ path: String, body: [UInt8] = []) throws -> ValueMap {
        let answer = try answer(method, path, body)
        let map = (try? JSONReader.value(of: answer.body.span))?.members
        switch answer.status {
        case 204: return ValueMap()
        case 200..<300:
            guard let map else { throw confused }
            return map
        case 401:
            throw Self.complain(
                "the bridge on \(address) refuses the token in \(tokenFile): does it belong to another bridge?"
            )
        default:
            throw Self.complain(map?["detail"]?.text.map(Terminal.printable) ?? "status \(answer.status)")
        }
    }

    private func answer(_ method: String, _ path: String, _ body: [UInt8]) throws -> DashboardClient.Answer {
        for client in clients {
            do throws(DashboardClient.Fault) {
                return try client.ask(method, path, body: body)
            } catch {
                if !error.isRefused { throw Self.complain(error.message) }
            }
        }
        throw Self.complain(
            "nothing listens on \(address): is 'skerry run' running here with its HTTP API?"
        )
    }

    /// The address of the bridge, for people.
    private var address: String { clients.last.map { "\($0.address)" } ?? "" }

    /// The exit code for an unexpected answer, after reporting it.
    var confused: ExitCode {
        Self.complain(
            "the program that listens on \(address) is not a bridge, or a bridge of another version"
        )
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

    /// The number without what stands behind its point.
    var whole: Int? { number?.whole }

    var elements: [Value] {
        if case .list(let elements) = self { elements } else { [] }
    }

    var members: ValueMap? {
        if case .map(let map) = self { map } else { nil }
    }
}

extension Double {
    /// The number without what stands behind its point, between -1e15 and 1e15: brokers and devices send any.
    var whole: Int { Int(max(-1e15, min(self, 1e15))) }
}
