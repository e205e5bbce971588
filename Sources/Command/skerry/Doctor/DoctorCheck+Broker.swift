import Glibc
import SkerryCommand
import SkerryGateway
import SkerryMosquitto
import SkerryValues

// The checks of the broker, and of the bridge that is connected to it.

extension DoctorCheck {
    static let broker = DoctorCheck("broker", "the broker answers", asksBroker: true) { evidence in
        let mqtt = evidence.settings.mqtt
        let address = "\(mqtt.host):\(mqtt.port)"
        return switch evidence.broker.fault?.kind {
        case .unknownHost?, .unreachable?: .wrong(evidence.broker.fault?.message ?? "")
        case .configuration?: .skipped(DoctorCheck.unasked)
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
        if let tls = mqtt.tls {
            if tls.isInsecure {
                return .warning(
                    "a certificate for any host is accepted: leave mqtt.tls.insecure out when the broker has its own"
                )
            }
            return .well("trusts \(tls.authorityFile ?? "the system's authorities")")
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
            return .well(hasName ? "with name and password" : "without a name")
        }
    }

    static let acl = DoctorCheck("acl", "the broker lets the bridge publish and subscribe", asksBroker: true)
    {
        evidence in
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
        if broker.isHeard { return .well("a message on \(broker.topic) came back") }
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
            let reason = BridgeAbsence.reason(
                state: found.state,
                topic: "\(evidence.bridge)/state",
                broker: "\(mqtt.host):\(mqtt.port)",
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
                "\(count(aside.count, "device")) set aside, such as \(first): skerry forget \(first)"
            )
        }
        let devices = count(Int(health["devices"]?.number ?? 0), "device")
        return .well(
            "\(version), \(devices), \(count(Int(health["problems"]?.number ?? 0), "problem")) since the start"
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
        let refused = Int(found.health["messages"]?.members?["refused"]?.number ?? 0)
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
