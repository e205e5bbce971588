package import SkerryValues

/// An irrigation valve that reports as OpenSprinkler does, on `opensprinkler/station/<name>`.
///
/// It says for how long it opens, and that it has closed: nothing between. Each report may come twice, as a
/// controller repeats one that was not acknowledged in time, and the valve closes some seconds off.
public struct SimulatedValve: IteratorProtocol, Sendable {
    private let topic: [UInt8]
    private var random: SimulatedRandom
    private var runsLeft: Int
    private var opens: Timestamp
    /// The messages of the present run that are still to come, the next one last.
    private var waiting: [SimulatedMessage] = []

    /// Makes a valve.
    ///
    /// - Parameters:
    ///   - name: the station, the level of its topic that names it.
    ///   - seed: decides everything that it does.
    ///   - start: when its controller is switched on.
    ///   - runs: after how many waterings it is switched off; nil for never.
    package init(name: String, seed: UInt64, start: Timestamp, runs: Int? = 1) {
        topic = Array("opensprinkler/station/\(name)".utf8)
        random = SimulatedRandom(seed: seed)
        runsLeft = runs ?? .max
        opens = start + .seconds(random.number(in: 60...300))
    }

    /// The next message; nil when all waterings are over.
    public mutating func next() -> SimulatedMessage? {
        if waiting.isEmpty, runsLeft > 0 { water() }
        return waiting.popLast()
    }

    private mutating func water() {
        runsLeft -= 1
        let planned = 60 * random.number(in: 10...20)
        let open = planned + random.number(in: -4...4)
        let closes = opens + .seconds(open)
        report(at: opens, "{\"state\":1,\"duration\":\(planned)}")
        let flow = Double(random.number(in: 80...160)) / 100
        report(at: closes, "{\"state\":0,\"duration\":\(open),\"flow\":\(flow)}")
        waiting.reverse()
        opens = closes + .seconds(random.number(in: 600...1200))
    }

    private mutating func report(at moment: Timestamp, _ text: String) {
        let payload = Array(text.utf8)
        waiting.append(SimulatedMessage(at: moment, topic: topic, payload: payload))
        guard random.oneIn(2) else { return }
        waiting.append(SimulatedMessage(at: moment + .seconds(2), topic: topic, payload: payload))
    }
}
