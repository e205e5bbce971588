import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
import SkerryTesting
import SkerryValues

@testable import SkerryGateway

/// Devices, a real engine, the real desk, APNs and phones with their owners, all made of one seed.
///
/// The engine is told messages at once; what lies between it and the desk has a simulation of its own. Everything from
/// there on can go wrong: restarts of the desk, a store that refuses, every answer of APNs, pushes that are late or come in
/// another order, phones that are off, tokens that rotate, owners who never tap Allow.
final class PhoneWorld {
    /// What may go wrong.
    enum Fault: Hashable, CaseIterable {
        case restarts, store, answers, offline, tokens, lateAllow, noAllow, swipes, clock
    }

    let clocks: WorldClocks
    let faults: Set<Fault>
    let store = FailingPhoneStore()
    private(set) var queue: SinkQueue
    private(set) var desk: PhoneDesk
    var random: SimulatedRandom
    var owners: [PhoneOwner] = []
    /// Pushes that were sent and not answered, and what the answer will be.
    private var flights: [(at: Timestamp, push: Push, answer: PushAnswer)] = []
    /// Pushes on their way to a phone.
    private var deliveries: [(at: Timestamp, owner: Int, push: Push)] = []
    private var engine: Engine
    /// The newest revision of each activity.
    private(set) var bridge: [String: ActivityUpdate] = [:]
    private var kinds: [String: (kind: String, device: String)] = [:]
    private var lastDelivery: UInt64 = 0
    private var deskWakes: Timestamp?
    private(set) var sent: [(at: Timestamp, push: Push)] = []
    /// The ends of activities that phones lost because they were not for their people any more.
    private(set) var withheld = 0
    /// Whether things still go wrong.
    var isBad = true
    private var settings: PushSchedulerSettings
    /// Whose the phones are; nobody's if there are none.
    private let people: [String]
    /// Who gets what.
    private var audience: AudiencePolicy
    var judge = PhoneJudge()

    init(
        seed: UInt64,
        start: Timestamp,
        definitions: [Definition],
        phones: Int = 1,
        faults: Set<Fault> = [],
        settings: PushSchedulerSettings = PushSchedulerSettings(),
        people: [String] = [],
        audience: AudiencePolicy = AudiencePolicy()
    ) throws {
        self.people = people
        self.audience = audience
        random = SimulatedRandom(seed: seed)
        clocks = WorldClocks(start)
        self.faults = faults
        self.settings = settings
        engine = Engine(definitions: definitions, epoch: 1)
        queue = SinkQueue(name: "phones", options: BridgeOptions(version: "test"))
        desk = try PhoneDesk(
            settings: settings,
            audience: audience,
            store: store,
            queue: queue,
            clock: clocks.makeClock(),
            logger: WorldClocks.quiet
        )
        let types = definitions.map { LiveActivityContract.attributesType(ofKind: $0.kind) }
        for number in 0..<phones {
            let owner = PhoneOwner(name: "phone\(number)", types: types, seed: random.next(), start: start)
            let phone = NewPhone(
                id: owner.name,
                name: owner.name,
                person: number < people.count ? people[number] : nil,
                credential: [UInt8(number)]
            )
            try desk.pair(phone, at: start)
            owners.append(owner)
            report(number, after: .zero)
        }
    }

    /// Whether a fault may strike now.
    func allows(_ fault: Fault) -> Bool { isBad && faults.contains(fault) }

    /// Lets devices say what they say, and the world go on until the last of it.
    func play(_ messages: some Sequence<SimulatedMessage>) throws {
        for message in messages {
            try pass(until: message.at)
            tell(
                engine.handle(
                    .message(Message(topic: message.topic[...], payload: message.payload[...])),
                    at: now
                )
            )
            try runDesk()
        }
    }

    /// The time as the gateway has it.
    private var now: Timestamp { clocks.wall }

    /// Lets time pass, and everything happen that is due, in order.
    func pass(until end: Timestamp) throws {
        while true {
            var next = end
            if let due = engine.nextDeadline { next = min(next, due - clocks.error) }
            if let deskWakes { next = min(next, deskWakes) }
            for flight in flights { next = min(next, flight.at) }
            for delivery in deliveries { next = min(next, delivery.at) }
            for owner in owners { next = min(next, owner.nextMoment) }
            clocks.pass(until: next)
            try step()
            if next >= end { return }
        }
    }

    private func step() throws {
        let truth = clocks.truth
        if let due = engine.nextDeadline, due <= now { tell(engine.handle(.timePassed, at: now)) }
        deliver(at: truth)
        let answered = flights.filter { $0.at <= truth }
        flights.removeAll { $0.at <= truth }
        for flight in answered { desk.answered(flight.push, flight.answer) }
        for index in owners.indices {
            for report in owners[index].dueReports(at: truth) {
                if (try? desk.report(report, of: owners[index].name, at: now)) == nil {
                    owners[index].again(report, at: truth)
                }
            }
        }
        try misfortune()
        try runDesk()
        try judge.look(at: self)
    }

    private func tell(_ effects: [Effect]) {
        for effect in effects {
            guard case .update(let update) = effect.what else { continue }
            bridge[update.id] = update
            kinds[update.id] = (effect.kind, effect.device)
            lastDelivery += 1
            var delivery = Delivery(
                id: lastDelivery,
                sink: queue.name,
                kind: effect.kind,
                device: effect.device,
                update: update
            )
            if let earlier = queue.unsettled(of: update.id) { delivery.takeOver(earlier) }
            queue.put([delivery])
        }
    }

    /// Does what a sender does.
    private func runDesk() throws {
        var count = 0
        while true {
            switch desk.next() {
            case .push(let push):
                count += 1
                try judgeAudience(of: push)
                guard count < 200 else { throw PhoneJudge.Complaint("the desk never rests") }
                sent.append((clocks.truth, push))
                send(push)
            case .wait(let length):
                deskWakes = length.map { clocks.truth + max(.milliseconds(1), $0) }
                return
            }
        }
    }
}

extension PhoneWorld {
    /// Takes a push as APNs does, and decides what comes of it.
    private func send(_ push: Push) {
        let truth = clocks.truth
        if allows(.answers), random.chance(1, of: 12) {
            let answer: PushAnswer =
                switch random.below(6) {
                case 0: .unavailable(reason: "503", retryAfter: nil)
                case 1: .busy(retryAfter: .seconds(Int64(random.below(100))))
                case 2: .notSent(reason: "no route", retryAfter: nil)
                case 3: .providerToken(reason: "ExpiredProviderToken", retryAfter: .seconds(60))
                case 4: .noAnswer(reason: "time-out")
                default: push.event == .start ? .senderFault(reason: "BadTopic") : .busy(retryAfter: nil)
                }
            if case .noAnswer = answer, random.chance(1, of: 2) { _ = forward(push) }
            flights.append((truth + .milliseconds(Int64(random.below(3000))), push, answer))
            return
        }
        flights.append((truth + .milliseconds(Int64(20 + random.below(200))), push, forward(push)))
    }

    /// Sends a push on to the phone that its token belongs to.
    private func forward(_ push: Push) -> PushAnswer {
        let token: String
        switch push.route {
        case .start(let start): token = start
        case .token(let update), .app(let update), .widgets(let update): token = update
        case .channel, .createChannel, .deleteChannel, .listChannels:
            return .senderFault(reason: "FeatureNotEnabled")
        }
        for index in owners.indices {
            switch owners[index].knows(token) {
            case .never: continue
            case .since(let gone): return .tokenGone(since: gone)
            case .now:
                // Priority 5 comes when it suits the phone, and so sometimes after what was sent later.
                let delay = Int64(
                    push.priority == .immediate
                        ? random.below(400) : 100 + random.below(allows(.answers) ? 20_000 : 1000)
                )
                deliveries.append((clocks.truth + .milliseconds(delay), index, push))
                return .accepted
            }
        }
        return .badToken
    }

    private func deliver(at truth: Timestamp) {
        let due = deliveries.filter { $0.at <= truth }.sorted { $0.at < $1.at }
        deliveries.removeAll { $0.at <= truth }
        for delivery in due {
            owners[delivery.owner].receive(delivery.push, allow: allowDelay(), at: truth)
        }
    }

    /// How long the owner takes to tap Allow; nil for never.
    private func allowDelay() -> Interval? {
        if allows(.noAllow), random.chance(1, of: 8) { return nil }
        if allows(.lateAllow), random.chance(1, of: 4) { return .seconds(Int64(random.below(3600))) }
        return .milliseconds(500)
    }

    /// What goes wrong now.
    private func misfortune() throws {
        let truth = clocks.truth
        if allows(.restarts), random.chance(1, of: 400) { try restart() }
        store.refuses = allows(.store) && random.chance(1, of: 40)
        for index in owners.indices {
            if allows(.offline), random.chance(1, of: 600) {
                owners[index].goOffline(until: truth + .seconds(Int64(random.below(3000))))
            }
            if allows(.tokens), random.chance(1, of: 500) { owners[index].rotateTokens(at: truth) }
            if allows(.swipes), random.chance(1, of: 1500) { owners[index].swipe(at: truth) }
        }
        if allows(.clock), random.chance(1, of: 2000) {
            let error = clocks.error == .zero ? Interval.seconds(Int64(random.below(7200)) - 3600) : .zero
            let step = error - clocks.error
            clocks.error = error
            tell(engine.clockSet(by: step, at: now))
        }
    }

    /// Replaces the policy, as a change of the settings does.
    func set(_ audience: AudiencePolicy) throws {
        self.audience = audience
        desk.setAudience(audience, quiet: QuietHours())
        try runDesk()
    }

    /// Whether a phone may see an activity.
    func isFor(_ phone: String, _ activity: String) -> Bool {
        guard let number = owners.firstIndex(where: { $0.name == phone }), let kind = kinds[activity] else {
            return true
        }
        return audience.allows(
            number < people.count ? people[number] : nil,
            kind: kind.kind,
            device: kind.device,
            attributes: bridge[activity]?.attributes
        )
    }

    /// A phone gets no more of what is not for its person than the end of it.
    private func judgeAudience(of push: Push) throws {
        guard let phone = push.phone, !isFor(phone, push.activity) else { return }
        let text = String(decoding: push.payload, as: UTF8.self)
        guard push.event == .end, !text.contains("content-state"), !text.contains("alert") else {
            throw PhoneJudge.Complaint("\(phone) gets \(push.activity), which is not for it: \(text)")
        }
        withheld += 1
    }

    /// The process ends at any point, and another one begins with what was stored.
    private func restart() throws {
        let old = queue
        store.refuses = false
        flights = []
        queue = SinkQueue(name: "phones", options: BridgeOptions(version: "test"))
        for (id, update) in bridge.sorted(by: { $0.key < $1.key }) {
            guard let kind = kinds[id] else { continue }
            var delivery = old.unsettled(of: id)
            if delivery == nil, update.phase != .ended {
                lastDelivery += 1
                delivery = Delivery(
                    id: lastDelivery,
                    sink: queue.name,
                    kind: kind.kind,
                    device: kind.device,
                    update: update
                )
                delivery?.update.alert = nil
            }
            if let delivery { queue.put([delivery]) }
        }
        desk = try PhoneDesk(
            settings: settings,
            audience: audience,
            store: store,
            queue: queue,
            clock: clocks.makeClock(),
            logger: WorldClocks.quiet
        )
    }

    /// Everything that was broken is repaired: phones are on, Allow is tapped, apps are opened.
    func repair() throws {
        isBad = false
        store.refuses = false
        if clocks.error != .zero {
            tell(engine.clockSet(by: .zero - clocks.error, at: clocks.truth))
            clocks.error = .zero
        }
        for index in owners.indices {
            owners[index].comeBack(at: clocks.truth)
            report(index, after: .zero)
        }
    }

    private func report(_ index: Int, after delay: Interval) {
        owners[index].tellAll(at: clocks.truth + delay)
    }
}
