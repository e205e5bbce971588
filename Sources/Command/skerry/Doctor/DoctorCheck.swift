import Glibc
import SkerryCommand
import SkerryDashboard
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryPush
import SkerryValues

/// The judgement of 'skerry doctor' about one thing.
struct DoctorFinding: Sendable {
    /// The kinds of judgements.
    enum Verdict: String, Sendable {
        case well, warning, wrong
        /// It could not be asked, or nothing is set that would have to be asked.
        case skipped

        /// The sign at the beginning of the line.
        var sign: String {
            switch self {
            case .well: "✓"
            case .warning: "!"
            case .wrong: "✗"
            case .skipped: "–"
            }
        }

        /// The escape sequence of the sign's colour.
        var colour: String {
            switch self {
            case .well: "\u{1B}[32m"
            case .warning: "\u{1B}[33m"
            case .wrong: "\u{1B}[31m"
            case .skipped: "\u{1B}[2m"
            }
        }
    }

    let verdict: Verdict
    /// The text: what is there, or what is wrong and what to do; there is never a secret in it.
    let text: String

    static func well(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .well, text: text) }
    static func warning(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .warning, text: text) }
    static func wrong(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .wrong, text: text) }
    static func skipped(_ text: String) -> DoctorFinding { DoctorFinding(verdict: .skipped, text: text) }
}

/// The evidence for the checks: the settings, and what was read and asked once for all of them.
struct DoctorEvidence: Sendable {
    let settings: Settings
    /// The reader of the settings, which knows where each was written.
    let reader: SettingsReader
    /// The beginning of the topics of the bridge itself.
    let bridge: String
    /// The database of the bridge; nil if it keeps nothing.
    let storePath: String?
    /// The time to wait for the bridge.
    let patience: Duration
    /// The definitions with what was chosen on the page and has no effect; or why they can't be had.
    var definitions = Result<(files: CompiledFiles, ignored: [String]), DoctorFault>.failure(.init(text: ""))
    var broker = BrokerAnswers()
}

/// Why something can't be had.
struct DoctorFault: Error {
    let text: String
}

/// One thing that 'skerry doctor' looks at.
struct DoctorCheck: Sendable {
    /// The name, as the line and `--only` have it.
    let name: String
    /// The question, for people.
    let question: String
    /// True if it needs the answers of the broker.
    let asksBroker: Bool
    /// Finds out how it stands.
    let examine: @Sendable (DoctorEvidence) async -> DoctorFinding

    init(
        _ name: String,
        _ question: String,
        asksBroker: Bool = false,
        examine: @escaping @Sendable (DoctorEvidence) async -> DoctorFinding
    ) {
        self.name = name
        self.question = question
        self.asksBroker = asksBroker
        self.examine = examine
    }

    /// All checks, in the order in which they are shown: what others depend on comes first.
    static let all: [DoctorCheck] = [
        settings, secrets, definitions, clock, folder, store, broker, tls, login, acl, bridge, heard, unread,
        http, phones, appleKey, homeAssistant, sinks,
    ]

    /// The names of all with their questions, a line for each.
    static var list: String {
        let width = all.map(\.name.count).max() ?? 0
        return all.map { check in
            "  \(check.name)\(String(repeating: " ", count: width - check.name.count))  \(check.question)"
        }.joined(separator: "\n")
    }
}

// The checks of the broker, and of the bridge that is connected to it.

extension DoctorCheck {
    static let broker = DoctorCheck("broker", "the broker answers", asksBroker: true) { evidence in
        let mqtt = evidence.settings.mqtt
        let address = mqtt.address
        return switch evidence.broker.fault?.kind {
        case .unknownHost?, .unreachable?: .wrong(evidence.broker.fault?.message ?? "")
        case .configuration?: .skipped(DoctorCheck.unasked)
        case nil where !evidence.broker.isConnected:
            .wrong(BridgeAbsence.silence(of: address))
        default: .well(address)
        }
    }

    static let tls = DoctorCheck("tls", "the connection to the broker is secure", asksBroker: true) {
        evidence in
        let mqtt = evidence.settings.mqtt
        let fault = evidence.broker.fault
        switch fault?.kind {
        case .security?: return .wrong(fault?.message ?? "")
        case .connectionLost? where !evidence.broker.isConnected: return .wrong(fault?.message ?? "")
        case .configuration? where mqtt.tls != nil && !evidence.secretsAreAtFault:
            return .wrong(fault?.message ?? "")
        case .unknownHost?, .unreachable?, .configuration?: return .skipped(unasked)
        default: break
        }
        guard evidence.broker.isConnected || fault != nil else { return .skipped(unasked) }
        if let tls = mqtt.tls {
            if tls.isInsecure {
                return .warning(
                    "a certificate for any host is accepted: leave mqtt.tls.insecure out when the broker has its own"
                )
            }
            return .well("trusts \(tls.authorityFile ?? "the system's authorities")")
        }
        let files = [
            SettingKeys.MQTT.authorityFile, SettingKeys.MQTT.certificateFile, SettingKeys.MQTT.keyFile,
        ]
        let isSwitchedOff = (try? evidence.reader[SettingKeys.MQTT.usesTLS]) == false
        if isSwitchedOff, let unused = files.first(where: { evidence.reader.isSet($0) }) {
            return .warning(
                "mqtt.tls.enabled is false, so \(unused.name) does nothing: leave mqtt.tls.enabled out"
            )
        }
        let isHere = ["localhost", "127.0.0.1", "::1"].contains(mqtt.host)
        if mqtt.password != nil, !isHere {
            return .warning(
                "the password goes to \(mqtt.host) unencrypted: set mqtt.tls.enabled, if the broker speaks TLS"
            )
        }
        return .skipped("not used (mqtt.tls)")
    }

    static let login = DoctorCheck("login", "the broker accepts name and password", asksBroker: true) {
        evidence in
        let fault = evidence.broker.fault
        switch fault?.kind {
        case .notAuthorized?, .refused?: return .wrong((fault?.message ?? "") + evidence.adviceOnPasswords)
        case .configuration? where evidence.settings.mqtt.tls == nil || evidence.secretsAreAtFault:
            return .wrong(fault?.message ?? "")
        case _ where !evidence.broker.isConnected: return .skipped(unasked)
        default:
            let hasName = evidence.settings.mqtt.username != nil
            if !hasName, evidence.settings.mqtt.password != nil {
                return .warning("a password without a name: set mqtt.username")
            }
            return .well(hasName ? "with name and password" : "without a name")
        }
    }

    static let acl = DoctorCheck(
        "acl",
        "the broker lets the bridge publish, and refuses no filter",
        asksBroker: true
    ) { evidence in
        let broker = evidence.broker
        guard broker.isConnected else { return .skipped(unasked) }
        let prefix = evidence.settings.prefix
        let remedy = "allow this user to read and write \(prefix)/# in the broker's access list"
        if let refusal = broker.refusal {
            return .wrong("the broker refused to publish \(refusal): \(remedy)")
        }
        if let refused = broker.refused.first {
            let isOwn = refused.filter.hasPrefix("\(prefix)/")
            return .wrong(
                "the broker refused the subscription to \(refused.filter): \(refused.reason): "
                    + (isOwn ? remedy : "allow this user to read it in the broker's access list")
            )
        }
        // What a broker hides without a word, as mosquitto does, can't be known.
        if broker.isHeard {
            return .well("a message on \(broker.topic) came back, no subscription was refused")
        }
        guard broker.isPublished else {
            return .wrong(
                "\(broker.fault?.message ?? "no acknowledgement came"), after a message on \(broker.topic): \(remedy)"
            )
        }
        return .wrong("a message on \(broker.topic) did not come back: \(remedy)")
    }

    static let bridge = DoctorCheck("bridge", "the bridge runs, and is well", asksBroker: true) { evidence in
        guard evidence.broker.isConnected else { return .skipped(unasked) }
        let found = evidence.broker.bridge
        if let fault = found.fault { return .wrong(fault) }
        let mqtt = evidence.settings.mqtt
        guard found.answers else {
            if let path = evidence.storePath, let fault = StoreFolder(of: path).shortage {
                return .wrong("no bridge answers, and one that can't store does not: \(fault)")
            }
            let reason = BridgeAbsence.reason(
                state: found.state,
                topic: "\(evidence.bridge)/state",
                broker: mqtt.address,
                patience: evidence.patience
            )
            let advice = "start it (systemctl start skerry, or skerry run), and look at its log"
            return .wrong(reason.hasSuffix("?") ? "\(reason) If it is, \(advice)" : "\(reason): \(advice)")
        }
        let health = found.health
        if let store = health["store"]?.members {
            return .wrong("the store takes nothing: \(store["message"]?.text ?? "")")
        }
        let version = found.info["version"]?.text ?? "an unknown version"
        if version != Version.current {
            return .warning(
                "\(version) runs, and this is \(Version.current): restart it (systemctl restart skerry)"
            )
        }
        if health["clock"]?.text == ClockState.unknown.rawValue {
            return .warning("the bridge does not know the time: timedatectl set-ntp true")
        }
        let aside = health["setAside"]?.elements.compactMap(\.text) ?? []
        if let first = aside.first {
            return .warning(
                "\(count(aside.count, "device")) set aside, such as \(first): skerry forget \(Terminal.shellWord(first))"
            )
        }
        let devices = count(health["devices"]?.whole ?? 0, "device")
        return .well(
            "\(version), \(devices), \(count(health["problems"]?.whole ?? 0, "problem")) since the start"
        )
    }

    static let heard = DoctorCheck("heard", "each definition has a device", asksBroker: true) { evidence in
        let found = evidence.broker.bridge
        guard found.answers else { return .skipped("no bridge answers") }
        let unheard = found.health["unheard"]?.elements.compactMap(\.text) ?? []
        let files = (try? evidence.definitions.get().files.files) ?? []
        if let known = found.info["definitions"]?.elements.compactMap({ $0.members?["kind"]?.text }),
            let strange = files.compactMap({ $0.definition?.kind }).first(where: { !known.contains($0) })
        {
            return .warning(
                "the bridge that answers has no definition of \(strange), and these settings do: have it read them again (systemctl reload skerry), or see whether it is another one"
            )
        }
        if unheard.isEmpty { return .well("all of them") }
        let shown = unheard.prefix(3).map { kind in
            let definition = files.first { $0.definition?.kind == kind }?.definition
            var topics: [String] = []
            for source in definition?.sources ?? [] where !topics.contains(source.filter.subscription) {
                topics.append(source.filter.subscription)
            }
            let rest = topics.count > 3 ? " and \(topics.count - 3) more" : ""
            return topics.isEmpty ? kind : "\(kind) (\(topics.prefix(3).joined(separator: ", "))\(rest))"
        }
        let others = unheard.count > shown.count ? ", and of \(unheard.count - shown.count) more" : ""
        return .warning(
            "nothing was heard yet of \(shown.joined(separator: ", "))\(others): skerry discover shows what is sent; topics are matched letter by letter, and the broker's access list may hide them"
        )
    }

    static let unread = DoctorCheck("unread", "messages of devices are read", asksBroker: true) { evidence in
        let found = evidence.broker.bridge
        guard found.answers else { return .skipped("no bridge answers") }
        let unread = found.health["unread"]?.elements.compactMap(\.members) ?? []
        let kinds = Set(unread.compactMap { $0["kind"]?.text }).sorted()
        if !kinds.isEmpty {
            return .warning(
                "parts of messages are not read by \(kinds.joined(separator: ", ")): skerry status --json | jq .health.unread shows them"
            )
        }
        let refused = found.health["messages"]?.members?["refused"]?.whole ?? 0
        if refused > 0 {
            return .warning(
                "\(count(refused, "message")) could not be read: skerry explain, for the device, says why"
            )
        }
        return .well("all of them")
    }

    private static let unasked = "the broker could not be asked"
}

extension DoctorEvidence {
    /// True if name and password can't be read.
    fileprivate var secretsAreAtFault: Bool {
        do throws(BusFault) {
            _ = try settings.mqtt.readingSecrets()
            return false
        } catch {
            return true
        }
    }

    /// The advice where the service has a password that this program does not have.
    fileprivate var adviceOnPasswords: String {
        let file = "/etc/skerry/environment"
        guard settings.mqtt.password == nil, settings.file == Settings.serviceFile, access(file, F_OK) == 0
        else { return "" }
        return " (only the service has what is in \(file): sudo sh -c 'set -a; . \(file); skerry doctor')"
    }
}

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
