import SkerryGateway
import SkerryPhones
import SkerryValues

// What programs ask that watch over the bridge.
extension RequestDesk {
    /// `GET /healthz`: the process answers.
    func tellAlive(_ request: Request) -> Response { Self.text("ok\n") }

    /// `GET /readyz`: whether the bridge has its broker and its store.
    func tellReady(_ request: Request) -> Reply {
        .later { [house] then in
            house.ask(.status, for: .unrestricted) { answer in
                var reason = "the bridge does not answer"
                if case .found(let bytes) = answer, let status = try? JSONReader.value(of: bytes.span) {
                    reason = Self.trouble(status) ?? ""
                }
                then(
                    reason.isEmpty
                        ? Self.text("ready\n")
                        : Problem(status: .serviceUnavailable, code: "not-ready", detail: reason).response
                )
            }
        }
    }

    private static func trouble(_ status: Value) -> String? {
        if status.truth("broker", "connected") != true { return "there is no connection to the broker" }
        return status.truth("storing") == false ? "the store takes nothing" : nil
    }

    /// `GET /metrics`: counters and gauges as Prometheus reads them.
    func tellMetrics(_ request: Request) throws(Problem) -> Reply {
        let viewer = try viewer(request)
        // What reaches whose phone is nothing for other phones.
        let pushes = viewer == .unrestricted ? Metrics.text(phones.phones()) : ""
        return ask(.status, for: viewer) { bytes in
            let status = try? JSONReader.value(of: bytes.span)
            var response = Self.text(Metrics.text(status ?? .null) + pushes)
            response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }

    private static func text(_ text: String) -> Response {
        var response = Response(json: Array(text.utf8))
        response.headers["Content-Type"] = "text/plain; charset=utf-8"
        return response
    }
}

/// The numbers of a bridge in the text format of Prometheus.
///
/// See docs/decisions/0043-stream-and-roles.md.
enum Metrics {
    /// The names, the places in `/v1/status`, and a line of help each; names that end in `_total` only rise.
    private static let all: [(name: String, place: [String], help: String)] = [
        ("broker_connected", ["broker", "connected"], "1 while there is a connection to the broker."),
        ("broker_connects_total", ["health", "connects"], "Connections made to the broker."),
        ("uptime_seconds", ["health", "uptime"], "Seconds since the start."),
        ("devices", ["health", "devices"], "Devices heard of."),
        ("phones", ["phones"], "Phones paired."),
        ("messages_total", ["messages"], "Messages taken in."),
        ("messages_unrouted_total", ["health", "messages", "unrouted"], "Messages that no source reads."),
        ("messages_ignored_total", ["health", "messages", "ignored"], "Messages that no source takes."),
        ("messages_refused_total", ["health", "messages", "refused"], "Payloads that can't be read."),
        ("messages_oversized_total", ["health", "messages", "oversized"], "Messages that are too large."),
        ("updates_total", ["updates"], "Revisions of activities."),
        ("values_bytes", ["health", "values", "bytes"], "Storage of all signals and variables."),
        ("publications_waiting", ["health", "waiting"], "Publications that wait for the broker."),
        ("publications_dropped_total", ["health", "dropped"], "Publications dropped at the limit."),
        ("alerts_late_total", ["health", "lateAlerts"], "Alerts that were too late."),
        ("readings_failed_total", ["health", "failedReadings"], "Expressions that failed."),
        ("sinks_sent_total", ["health", "sinks", "sent"], "Requests that further services took."),
        (
            "sinks_failed_total", ["health", "sinks", "failed"],
            "Requests that further services did not take."
        ),
        ("sinks_held", ["health", "sinks", "held"], "Activities whose state waits for further services."),
        ("problems_total", ["health", "problems"], "Problems noted."),
    ]

    /// The pushes to each phone; nothing without phones.
    static func text(_ phones: [PhoneSummary]) -> String {
        let results: [(name: String, help: String, count: KeyPath<PushCounts.Count, UInt64>)] = [
            ("sent", "Pushes handed to the sender.", \.sent),
            ("accepted", "Pushes that Apple took.", \.accepted),
            ("refused", "Pushes that Apple refused, or that did not leave.", \.refused),
        ]
        var text = ""
        for (name, help, count) in phones.isEmpty ? [] : results {
            let name = "skerry_pushes_\(name)_total"
            text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
            for phone in phones {
                let phoneName = String(phone.name.flatMap { "\\\"".contains($0) ? "\\\($0)" : "\($0)" })
                for event in Push.Event.allCases {
                    let labels = "phone=\"\(phoneName)\",event=\"\(event.name)\""
                    text += "\(name){\(labels)} \(phone.counts[event][keyPath: count])\n"
                }
            }
        }
        return text
    }

    /// The text; a number that the status does not have is left out.
    static func text(_ status: Value) -> String {
        var text = ""
        for (name, place, help) in all {
            guard let number = status.number(at: place) else { continue }
            let type = name.hasSuffix("_total") ? "counter" : "gauge"
            text += "# HELP skerry_\(name) \(help)\n# TYPE skerry_\(name) \(type)\nskerry_\(name) \(number)\n"
        }
        return text
    }
}

extension Value {
    private func member(at place: [String]) -> Value? {
        place.reduce(Optional(self)) { value, key in
            if case .map(let map)? = value { map[key] } else { nil }
        }
    }

    /// The number at a place, as text; true counts as 1.
    fileprivate func number(at place: [String]) -> String? {
        switch member(at: place) {
        case .int(let number): "\(number)"
        case .uint(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): truth ? "1" : "0"
        default: nil
        }
    }

    fileprivate func truth(_ place: String...) -> Bool? {
        if case .bool(let truth)? = member(at: place) { truth } else { nil }
    }
}
