import Logging
import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryPush
import SkerryPushTesting
import SkerryTesting
import SkerryValues

/// The phones of the demonstration: a simulated push service in this process, and what is on the screens behind it.
struct DemoPhones: Sendable {
    /// Who has one.
    private static let owners = ["Anna", "Ben"]

    /// The queue of the phones' deliveries.
    let queue: SinkQueue
    let desk: PhoneDesk
    private let shelf: PhoneShelf
    private let service: PushService<SystemClock>
    private let clock: SystemClock
    /// The layouts that the apps on the phones are made from, by the type of their attributes.
    private let layouts: [String: IslandLayout]

    /// Makes the push service and pairs the phones.
    init(_ definitions: [Definition], clock: SystemClock, options: BridgeOptions, logger: Logger) throws {
        let queue = SinkQueue(name: "phones", options: options)
        let desk = try PhoneDesk(store: MemoryPhoneStore(), queue: queue, clock: clock, logger: logger)
        let shelf = PhoneShelf(now: { clock.now }) { phone, report in
            _ = try? desk.report(report, of: phone, at: clock.now)
        }
        let identity = ProviderIdentity(key: ProviderKey(), keyID: "DEMO000KEY", teamID: "DEMO00TEAM")
        let sender = APNSSender(bundleID: "org.example.skerry")
        let judge = PushJudge(
            bundleID: sender.bundleID,
            keyID: identity.keyID,
            teamID: identity.teamID,
            publicKeyPEM: try identity.key.publicPEM
        )
        service = PushService(
            desk: desk,
            apps: [
                PushApp(
                    transport: SimulatedPushService(judge, now: { clock.now }) { shelf.deliver($0) },
                    sender: sender,
                    identity: identity,
                    tokenPath: nil
                )
            ],
            clock: clock,
            clockIsKnown: { queue.clockIsKnown },
            logger: logger
        )
        (self.queue, self.desk, self.shelf, self.clock) = (queue, desk, shelf, clock)
        layouts = Dictionary(
            definitions.compactMap { definition in
                definition.island.map { (LiveActivityContract.attributesType(ofKind: definition.kind), $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        // A phone takes no more types than an app has; those of the simulated devices must be among them.
        let isSimulated = { (definition: Definition) in SimulatedHousehold.kinds.contains(definition.kind) }
        let ordered = definitions.filter(isSimulated) + definitions.filter { !isSimulated($0) }
        for (index, owner) in Self.owners.enumerated() {
            let phone = NewPhone(id: owner, name: "\(owner)'s iPhone", credential: [UInt8(index)])
            try desk.pair(phone, at: clock.now)
            shelf.add(owner, types: ordered.map { LiveActivityContract.attributesType(ofKind: $0.kind) })
        }
    }

    /// Pushes until it is cancelled.
    func run() async { await service.run() }

    /// Returns the screens, and the last pushes with the reason for each.
    func lines(lastPushes: Int) -> [String] {
        var lines: [String] = []
        let now = clock.now
        for owner in Self.owners {
            guard let phone = shelf.phone(owner) else { continue }
            let summary = desk.phones().first { $0.id == owner }
            let budgets = summary?.budgets.map { "\($0.used) of \($0.limit) \($0.name)" } ?? []
            let title = "\(owner)'s Lock Screen and Dynamic Island, budget of this hour"
            lines += ["", "\(title): \(budgets.joined(separator: ", "))"]
            let cards = phone.lockScreen
            lines += cards.isEmpty ? ["  nothing"] : cards.map { "  " + row($0, at: now) }
        }
        lines += ["", "The last pushes"]
        lines += shelf.arrivals.suffix(lastPushes).map(Self.row)
        return lines
    }

    /// The number of pushes, and those that were dropped.
    var totals: String {
        let arrivals = shelf.arrivals
        let urgent = arrivals.count { $0.event != "start" && $0.priority == .immediate }
        let starts = arrivals.count { $0.event == "start" }
        let dropped = arrivals.count { if case .dropped = $0.outcome { true } else { false } }
        return
            "\(arrivals.count) pushes to \(Self.owners.count) phones: \(starts) starts, \(urgent) urgent, \(dropped) dropped by a phone"
    }

    private func row(_ card: PhoneCard, at now: Timestamp) -> String {
        guard let layout = layouts[card.type] else { return card.id }
        let drawing = PhoneDrawing(card, layout, at: now)
        let texts = drawing.lockRow.filter { if case .symbol = $0.drawn { false } else { true } }
        let lock = (texts + drawing.lockBars).map(Self.text).joined(separator: "  ")
        let island = (drawing.compactLeading + drawing.compactTrailing).map(Self.text)
        let note = !card.isLive ? "over" : card.isStale(at: now) ? "may be out of date" : ""
        return Self.cells([
            (lock, 52), (card.isLive ? "(\(island.joined(separator: " ")))" : "", 24), (note, 0),
        ])
    }

    private static func text(_ view: PhoneDrawing.View) -> String {
        switch view.drawn {
        case .symbol(let text), .title(let text), .text(let text), .caption(let text), .clock(let text):
            return text
        case .bar(let share):
            let filled = Int((share * 12).rounded())
            return String(repeating: "█", count: filled) + String(repeating: "░", count: 12 - filled)
        case .row(let cells):
            return cells.map { $0.map(Self.text).joined(separator: " ") }.joined(separator: " | ")
        case .steps(let filled, let steps):
            return String(repeating: "■", count: filled) + String(repeating: "□", count: steps - filled)
        }
    }

    private static func row(_ arrival: PhoneShelf.Arrival) -> String {
        let reason =
            switch (arrival.event, arrival.priority) {
            case ("start", _): "a run begins: starts are scarce, so one for each run"
            case ("end", _): "the run is over"
            case (_, .immediate): "another state: sent at once, counts against the hourly budget"
            case (_, .considerate): "a better estimate: not urgent, costs nothing"
            }
        let outcome: String =
            switch arrival.outcome {
            case .shown: reason
            case .notified: "no card can carry this alert"
            case .redrawn: "widgets ask for their timelines"
            case .dropped(let fault): "dropped by the phone: \(fault)"
            }
        let clock =
            RecordingTime.text(arrival.at).split(separator: " ").last.map { String($0.prefix(8)) } ?? ""
        return cells([
            ("  " + clock, 12), (arrival.phone, 6), (arrival.event, 13),
            ("priority \(arrival.priority.rawValue)", 13), ("\(arrival.size) bytes", 12), (outcome, 0),
        ])
    }

    private static func cells(_ cells: [(text: String, width: Int)]) -> String {
        cells.map { text, width in
            text + String(repeating: " ", count: max(width == 0 ? 0 : 1, width - text.count))
        }.joined()
    }
}
