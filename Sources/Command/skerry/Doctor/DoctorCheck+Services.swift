import SkerryDashboard
import SkerryFiles
import SkerryPush
import SkerryValues

// The checks of the page, of phones and of further services.

extension DoctorCheck {
    static let http = DoctorCheck("http", "the page and the HTTP API are there") { evidence in
        let options: DashboardOptions
        do throws(ServiceFault) {
            guard let read = try evidence.settings.http.readingOptions() else {
                return .skipped("http.address is none")
            }
            options = read
        } catch {
            return .wrong(error.message)
        }
        switch PageAnswer(options.address) {
        case .ours: return .well("a bridge listens on \(options.address)")
        case .foreign(let reason):
            return .wrong(
                "another program listens on \(options.address) (\(reason)): end it, or name another http.address"
            )
        case .nobody:
            do throws(DashboardServer.BindFault) {
                try options.demandAddresses()
            } catch {
                return .wrong("\(error.message): name another address")
            }
            let runs = evidence.broker.bridge.answers
            return .warning(
                "no bridge listens on \(options.address), \(runs ? "although one runs: see its log" : "and nobody else does: start one")"
            )
        }
    }

    static let phones = DoctorCheck("phones", "paired phones can be reached") { evidence in
        guard let options = evidence.settings.http.options else { return .skipped("http.address is none") }
        guard case .ours = PageAnswer(options.address) else { return .skipped("no bridge listens") }
        var faults: [String] = []
        var secret: AdminSecret?
        for path in evidence.settings.http.tokenPaths() where secret == nil {
            do throws(AdminSecret.Fault) {
                secret = try AdminSecret(readFrom: path)
            } catch {
                faults.append(error.message)
            }
        }
        guard let secret else {
            return .wrong(
                "the bridge can't be asked: \(faults.joined(separator: "; ")): run this as the user of the bridge (sudo for the service)"
            )
        }
        do throws(DashboardClient.Fault) {
            let client = DashboardClient(address: options.address, token: secret.text)
            return Self.phones(try client.ask("GET", "/v1/phones"), pushes: evidence.settings.push != nil)
        } catch {
            return .wrong(error.message)
        }
    }

    /// Judges the phones that the bridge lists.
    private static func phones(_ answer: DashboardClient.Answer, pushes: Bool) -> DoctorFinding {
        if answer.status == 401 {
            return .wrong(
                "the bridge refuses the admin token: does the file belong to another bridge (http.admin-token-file)?"
            )
        }
        let members = (try? JSONReader.value(of: answer.body.span))?.members
        guard answer.status == 200, let list = members?["phones"]?.elements.compactMap(\.members) else {
            return .wrong("the bridge answers \(answer.status) when it is asked for its phones")
        }
        guard !list.isEmpty else { return .skipped("none is paired") }
        let text = count(list.count, "phone")
        if !pushes { return .warning("\(text), and no pushes: name a key (push.apns.key)") }
        let silent = list.filter { $0["pushToStart"]?.elements.isEmpty != false }
        if silent.isEmpty { return .well(text) }
        return .warning(
            "\(text), and \(silent.count) of them without a token to start activities: open the app there (skerry phones)"
        )
    }

    static let appleKey = DoctorCheck("apple-key", "Apple's key for pushes is right") { evidence in
        guard let push = evidence.settings.push else { return .skipped("no key (push.apns.key)") }
        for app in push.apps {
            do throws(ProviderKey.Fault) {
                _ = try ProviderKey(path: app.keyFile)
            } catch {
                return .wrong("\(app.place).key: \(error.message)")
            }
            if let named = SettingsPush.App.keyID(in: app.keyFile), named != app.keyID {
                return .warning(
                    "\(app.place).key-id is \(app.keyID), and the file is that of the key \(named): leave key-id out, or name the other file"
                )
            }
        }
        return .well(
            push.apps.map { "\($0.bundleID), team \($0.teamID), key \($0.keyID)" }.joined(separator: "; ")
        )
    }

    static let homeAssistant = DoctorCheck("home-assistant", "Home Assistant accepts its token") { evidence in
        guard let sink = evidence.settings.sinks.first(where: { $0.name == "home-assistant" }) else {
            return .skipped("not set (sinks.home-assistant)")
        }
        do {
            let access = try sink.access()
            return try await Self.homeAssistant(access)
        } catch let fault as ServiceFault {
            return .wrong(fault.message)
        } catch let fault as WebFault {
            return .wrong("sinks.home-assistant.url: \(fault.message)")
        } catch {
            return .wrong("\(error)")
        }
    }

    private static func homeAssistant(_ access: SinkAccess) async throws(WebFault) -> DoctorFinding {
        var options = WebClientOptions()
        options.authorityFile = access.authorityFile
        options.requestLimit = .seconds(10)
        let client = try WebClient(options, threads: "skerry-doctor")
        let request = WebRequest(
            .get,
            address: "\(access.address)/api/",
            host: access.host,
            headers: access.token.map { [.init("authorization", "Bearer \($0)")] } ?? []
        )
        let result: Result<WebResponse, WebFault>
        do throws(WebFault) {
            result = .success(try await client.perform(request))
        } catch {
            result = .failure(error)
        }
        await client.stop()
        let status = try result.get().status
        return switch status {
        case 200: .well(access.host)
        case 401, 403:
            .wrong(
                "\(access.host) refuses the token: make a new one (Home Assistant: your profile, Security) and put it into sinks.home-assistant.token-file"
            )
        default:
            .wrong(
                "\(access.host) answers \(status): is sinks.home-assistant.url the address of Home Assistant?"
            )
        }
    }

    static let sinks = DoctorCheck("sinks", "the secrets of further services can be read") { evidence in
        let others = evidence.settings.sinks.filter { $0.name != "home-assistant" }
        for sink in others {
            do throws(ServiceFault) {
                _ = try sink.access()
            } catch {
                return .wrong(error.message)
            }
        }
        return others.isEmpty ? .skipped("none is set") : .well(others.map(\.name).joined(separator: ", "))
    }
}

/// Who answers where the page should be.
private enum PageAnswer {
    case ours
    case nobody
    case foreign(String)

    init(_ address: HTTPAddress) {
        var client = DashboardClient(address: address)
        client.patience = 3
        do throws(DashboardClient.Fault) {
            let answer = try client.ask("GET", "/healthz")
            let isOurs = answer.status == 200 && answer.body == Array("ok\n".utf8)
            self = isOurs ? .ours : .foreign("it answers \(answer.status)")
        } catch {
            self = error.isRefused ? .nobody : .foreign(error.message)
        }
    }
}
