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
                switch answer {
                case .found(let bytes):
                    if let status = try? JSONReader.value(of: bytes.span) {
                        reason = Self.trouble(status) ?? ""
                    }
                case .problem(let problem): reason = problem.detail
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
        let viewer = readsMetrics(request) ? .unrestricted : try viewer(request)
        // What reaches whose phone is nothing for other phones.
        let pushes = viewer == .unrestricted ? phones.phones().pushFigures : MetricsText()
        return ask(.metrics, for: viewer) { bytes in
            var response = Self.text(String(decoding: bytes, as: UTF8.self) + pushes.text)
            response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }

    /// Returns whether somebody asks for numbers who has the token for them, which opens nothing else.
    func readsMetrics(_ request: Request) -> Bool {
        guard request.path == ["metrics"], let token = request.bearer, let metricsKey else { return false }
        return Secret.areEqual(Secret.digest(token), metricsKey)
    }

    private static func text(_ text: String) -> Response {
        var response = Response(json: Array(text.utf8))
        response.headers["Content-Type"] = "text/plain; charset=utf-8"
        return response
    }
}

extension [PhoneSummary] {
    /// The pushes to each phone by events; nothing without phones.
    fileprivate var pushFigures: MetricsText {
        let results: [(family: MetricFamily, count: KeyPath<PushCounts.Count, UInt64>)] = [
            (.pushesSent, \.sent), (.pushesAccepted, \.accepted), (.pushesRefused, \.refused),
        ]
        var text = MetricsText()
        for (family, count) in results {
            let samples = flatMap { phone in
                Push.Event.allCases.map { event in
                    (labels: [phone.name, event.name], number: phone.counts[event][keyPath: count])
                }
            }
            text.add(family, samples)
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

    fileprivate func truth(_ place: String...) -> Bool? {
        if case .bool(let truth)? = member(at: place) { truth } else { nil }
    }
}
