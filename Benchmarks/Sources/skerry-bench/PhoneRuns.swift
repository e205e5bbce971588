import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryPhones
import SkerryValues

/// Measurements of the push scheduler: a shop whose customers have a phone and an order each, and see only their own.
struct PhoneRuns {
    private let counts: [Int]

    init(_ house: House) { counts = house.options.isQuick ? [150] : [150, 1000] }

    func run() throws(BenchFailure) {
        Table.section("Phones")
        for count in counts {
            let shop = try Shop(count)
            for (what, isNew) in [("start", true), ("state", false)] {
                let time = try shop.pushed(isNew: isNew)
                Table.row(
                    "\(what) of an order on one of \(count) phones",
                    Table.number(time),
                    "µs",
                    target: .atMost(500, time)
                )
            }
        }
    }
}

/// A shop: an engine whose orders have a customer, and the phones of the customers.
private final class Shop {
    private static let order = """
        skerry: 1
        kind: order
        sources: [{ topic: "order/{device}", signals: { customer: payload.customer, stage: payload.stage } }]
        machine:
          states:
            waiting: { always: { guard: stage > 0, target: kitchen } }
            kitchen: { always: { guard: stage > 1, target: courier } }
            courier: {}
        activity:
          starts: kitchen
          ends: waiting
          audience: customer
          attributes: { customer: customer }
          content: { status: state }

        """

    private let count: Int
    private var engine: Engine
    private var scheduler: PushScheduler
    private var now = Timestamp(seconds: 1_772_323_200)

    /// Pairs the phones; each has a token to start orders.
    init(_ count: Int) throws(BenchFailure) {
        let files = CompiledFiles([DefinitionFile(path: "order.yaml", bytes: Array(Self.order.utf8))])
        guard let definition = files.definitions.first else {
            throw BenchFailure(files.report(DiagnosticPrinter(usesColours: false)))
        }
        self.count = count
        engine = Engine(definitions: [definition], epoch: 1)
        let audience = AudiencePolicy(rules: [], kinds: [AudiencePolicy.Kind("order", attribute: "customer")])
        scheduler = PushScheduler(audience: audience)
        for number in 0..<count {
            let id = "phone-\(number)"
            scheduler.pair(id, name: id, person: "customer-\(number)", credential: [], at: now)
            let token = PhoneReport.StartToken(type: "OrderAttributes", token: .known("a\(number)"))
            _ = scheduler.report(Self.report(at: now, starts: [token]), of: id, at: now)
        }
        now = now + .minutes(1)
    }

    private static func report(
        at now: Timestamp,
        starts: [PhoneReport.StartToken] = [],
        activities: [PhoneReport.Activity] = []
    ) -> PhoneReport {
        PhoneReport(
            confirmedAt: now,
            environment: .production,
            systemVersion: "18.2",
            startTokens: starts,
            activities: activities,
            shows: []
        )
    }

    /// The processor time of a push in microseconds: the news, the decision, its answer and what is made durable.
    func pushed(isNew: Bool) throws(BenchFailure) -> Double {
        var (time, pushes) = (UInt64(0), 0)
        for number in 0..<count {
            now = now + .seconds(2)
            let payload = #"{"customer":"customer-\#(number)","stage":\#(isNew ? 1 : 2)}"#
            let message = Message(
                topic: ArraySlice("order/\(number)".utf8),
                payload: ArraySlice(payload.utf8)
            )
            let effects = engine.handle(.message(message), at: now)
            let start = processorTime()
            for case .update(let update) in effects.map(\.what) {
                scheduler.show(update, kind: "order", device: "\(number)", at: now)
            }
            var sent: [Push] = []
            while let push = scheduler.nextPush(at: now, clockIsKnown: true) {
                keep(scheduler.takeChanges())
                scheduler.answered(push, .accepted, at: now)
                keep(scheduler.takeChanges())
                keep(scheduler.takeNews())
                sent.append(push)
            }
            keep(scheduler.nextDeadline(at: now))
            time += processorTime() - start
            pushes += sent.count
            guard isNew else { continue }
            for push in sent {
                let token = PhoneReport.Activity(id: push.activity, instance: 1, token: .known("b\(number)"))
                _ = scheduler.report(Self.report(at: now, activities: [token]), of: push.phone ?? "", at: now)
            }
        }
        guard pushes >= count else { throw BenchFailure("\(pushes) pushes for \(count) orders") }
        return Double(time) / Double(pushes) / 1000
    }
}
