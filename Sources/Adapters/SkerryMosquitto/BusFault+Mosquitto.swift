import CMosquitto
import Glibc
import SkerryGateway

/// The system's words for one of its errors.
func errorText(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

/// The library's words for one of its codes.
func libraryText(_ code: Int32) -> String {
    mosquitto_strerror(code).map { trimmed(String(cString: $0)) } ?? "error \(code)"
}

/// MQTT's words for a reason code.
func reasonText(_ code: Int32) -> String {
    mosquitto_reason_string(code).map { trimmed(String(cString: $0)) } ?? "reason \(code)"
}

/// The words of MQTT 3.1.1 for the refusal of a connection.
private func refusalText(_ code: Int32) -> String {
    let text = mosquitto_connack_string(code).map { trimmed(String(cString: $0)) } ?? "reason \(code)"
    return text.split(separator: ": ").last.map(String.init) ?? text
}

private func trimmed(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

extension BusFault {
    /// The words for a connection that could not be made.
    static func connecting(
        _ options: MosquittoOptions,
        code: Int32,
        system: Int32,
        logged: String
    ) -> BusFault {
        let address = options.address
        switch mosq_err_t(code) {
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
            return BusFault(
                .unknownHost,
                "unknown host \(options.host): is the name right, and does DNS work?"
            )
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
            return .security(options, logged: logged)
        case MOSQ_ERR_ERRNO where system == ECONNREFUSED:
            return BusFault(.unreachable, "connection refused: is a broker listening on \(address)?")
        case MOSQ_ERR_ERRNO where system == ETIMEDOUT:
            return BusFault(
                .unreachable,
                "no answer from \(address): is the host up, and does a firewall let us through?"
            )
        case MOSQ_ERR_ERRNO where system == EPROTO:
            return .security(options, logged: logged)
        case MOSQ_ERR_ERRNO:
            return BusFault(.unreachable, "cannot connect to \(address): \(errorText(system))")
        default:
            return BusFault(.unreachable, "cannot connect to \(address): \(libraryText(code))")
        }
    }

    /// The words for a secure connection that could not be made.
    static func security(_ options: MosquittoOptions, logged: String) -> BusFault {
        let authority = options.tls?.authorityFile ?? "the system's authorities"
        let certificate = options.tls?.certificateFile ?? "the certificate"
        let key = options.tls?.keyFile ?? "the key"
        let remedy: String
        switch logged {
        case let text where text.contains("host name verification failed"):
            remedy =
                "the broker's certificate is not for \(options.host): set mqtt.host to a name that it has, or give it this one"
        case let text where text.contains("certificate verify failed"):
            let file = options.tls?.authorityFile.map { " -CAfile '\($0)'" } ?? ""
            remedy =
                "the broker's certificate is not signed by one of \(authority), or its time has run out or not begun: "
                + "openssl s_client -connect \(options.address)\(file) says which"
        case let text where text.contains("wrong version number") || text.contains("packet length too long"):
            remedy = "\(options.address) does not speak TLS; the usual port for it is 8883"
        case let text where text.contains("unexpected eof"):
            remedy =
                "the broker ended it at once: does \(options.address) speak TLS (the usual port is 8883), and does "
                + "the broker want a certificate of ours?"
        case let text where text.contains("alert"):
            remedy = "the broker refused our certificate or wants one"
        case let text where text.contains("Unable to load CA"):
            remedy = "a certificate in \(authority) is damaged: check it with openssl x509 -in \(authority)"
        case let text where text.contains("Unable to load client certificate"):
            remedy = "\(certificate) is damaged: check it with openssl x509 -in \(certificate)"
        case let text where text.contains("Unable to load client key"):
            remedy = "\(key) is damaged, encrypted, or not the key of \(certificate)"
        case let text where text.contains("client certificate/key are inconsistent"):
            remedy = "\(key) is not the key of \(certificate)"
        case "" where options.tls?.certificateFile == nil:
            remedy =
                "the broker ended it: does it want a certificate of ours (mqtt.tls.certificate), "
                + "and does \(options.address) speak TLS?"
        case "":
            remedy = "check the authority file, and that \(options.address) speaks TLS"
        default:
            remedy = logged.split(separator: "\n").last.map { String($0) } ?? logged
        }
        return BusFault(.security, "no secure connection to \(options.address): \(remedy)")
    }

    /// The words for a CONNECT that the broker refused.
    static func greeting(_ options: MosquittoOptions, _ greeting: Inbox.Greeting) -> BusFault {
        var words = greeting.code < 0x80 ? refusalText(greeting.code) : reasonText(greeting.code)
        if !greeting.reason.isEmpty { words += " (\(greeting.reason))" }
        let refusal = "the broker at \(options.address) refused the connection: \(words)"
        switch greeting.code {
        case 0x86, 0x87, 0x8A, 0x8C, 4, 5:
            let user =
                options.username == nil ? "it wants a user name and a password" : "check name and password"
            return BusFault(.notAuthorized, "\(refusal); \(user)")
        case 0x84, 1:
            let other = MosquittoOptions.Version.allCases.first { $0 != options.version } ?? options.version
            return BusFault(.refused, "\(refusal); try mqtt.version: \(other.rawValue)")
        case 0x85:
            return BusFault(.refused, "\(refusal); choose a client id other than \"\(options.clientID)\"")
        default:
            return BusFault(.refused, refusal)
        }
    }

    /// The words for a plain connection that ended before the broker answered CONNECT.
    static func unanswered(_ options: MosquittoOptions, code: Int32) -> BusFault {
        let what =
            switch mosq_err_t(code) {
            case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET:
                "\(options.address) answers with something other than MQTT"
            default: "\(options.address) closed the connection before it answered"
            }
        return BusFault(
            .connectionLost,
            "\(what): does it want TLS (--tls, or --ca with the file of its authority)?"
        )
    }

    /// The words for a connection that stood and ended.
    static func lost(_ options: MosquittoOptions, code: Int32, reason: Int32?) -> BusFault {
        let address = options.address
        switch (reason, mosq_err_t(code)) {
        case (0x8E?, _):
            return BusFault(
                .takenOver,
                "another client took over the session: is a second one with client id \"\(options.clientID)\" running? "
                    + "(--client-id gives it its own)"
            )
        case (let reason?, _) where reason >= 0x80:
            return BusFault(
                .connectionLost,
                "the broker at \(address) disconnected us: \(reasonText(reason))"
            )
        case (_, MOSQ_ERR_KEEPALIVE):
            return BusFault(.connectionLost, "the broker at \(address) fell silent")
        case (_, MOSQ_ERR_CONN_LOST), (_, MOSQ_ERR_SUCCESS), (_, MOSQ_ERR_NO_CONN):
            return BusFault(
                .connectionLost,
                "the broker at \(address) closed the connection: it ended, or client id "
                    + "\"\(options.clientID)\" is in use twice"
            )
        default:
            return BusFault(.connectionLost, "lost the connection to \(address): \(libraryText(code))")
        }
    }
}
