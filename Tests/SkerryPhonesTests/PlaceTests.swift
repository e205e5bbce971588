import SkerryActivity
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPhones

/// Who has one of the five places on a phone, while ends and starts are on their way.
@Suite struct PlaceTests {
    @Test func `one that is more relevant ends one card, and only one`() {
        var street = PlaceStreet()
        for number in 0..<5 { street.show(number, relevance: 10) }
        street.settle()
        street.show(5, relevance: 90)
        street.settle()
        #expect(street.ends.count == 1)
        #expect(street.starts.count == 6)
        #expect(street.cards.contains(PlaceStreet.id(5)))
    }

    @Test func `an end without an answer is sent again, and no other card goes instead`() {
        for isLost in [true, false] {
            var street = PlaceStreet()
            for number in 0..<5 { street.show(number, relevance: 10) }
            street.settle()
            street.show(5, relevance: 90)
            street.loses = { push in push.event == .end ? isLost : nil }
            street.pass(.seconds(3))
            street.restart()
            street.pass(.minutes(2))
            street.loses = { _ in nil }
            street.settle()
            #expect(street.ends.count == 1)
            #expect(street.starts.count == 6)
        }
    }

    @Test func `a card whose end may have arrived is ended for certain, and comes back`() {
        for isLost in [true, false] {
            var street = PlaceStreet()
            for number in 0..<5 { street.show(number, relevance: 10) }
            street.settle()
            street.show(5, relevance: 90)
            street.loses = { push in push.event == .end ? isLost : nil }
            street.pass(.seconds(3))
            street.restart()
            // The one that it went for does not need the place any more.
            street.show(5, relevance: 90, phase: .ended)
            street.loses = { _ in nil }
            street.settle()
            #expect(street.ends == [PlaceStreet.id(4)])
            #expect(street.cards == Set((0..<5).map { PlaceStreet.id($0) }))
        }
    }

    @Test func `several that are more relevant end as many, each time the least relevant`() {
        var street = PlaceStreet()
        for number in 0..<5 { street.show(number, relevance: Double(10 + number)) }
        street.settle()
        for number in 5..<8 { street.show(number, relevance: 50) }
        street.show(8, relevance: 11.5)
        street.settle()
        #expect(street.ends.sorted() == (0..<3).map { PlaceStreet.id($0) })
        #expect(street.cards == Set((3..<8).map { PlaceStreet.id($0) }))
    }

    @Test func `one that ends anyway makes room`() {
        var street = PlaceStreet()
        for number in 0..<5 { street.show(number, relevance: 10) }
        street.settle()
        street.show(3, relevance: 10, phase: .ended)
        street.show(5, relevance: 90)
        street.settle()
        #expect(street.ends == [PlaceStreet.id(3)])
        #expect(street.starts.count == 6)
    }

    @Test func `one whose start is refused keeps its place for a while, and then nobody goes for it`() {
        var street = PlaceStreet()
        for number in 0..<5 { street.show(number, relevance: 10) }
        street.settle()
        street.show(5, relevance: 90)
        street.refuses = { push in
            push.activity == PlaceStreet.id(5) && push.event == .start
                ? .unavailable(reason: "500", retryAfter: nil) : nil
        }
        street.pass(.minutes(14))
        #expect(street.ends.count == 1 && street.starts.count == 5)
        street.pass(.hours(4))
        // It was tried again, and the card that went for it is back once.
        #expect(street.ends.count == 1)
        #expect(street.cards == Set((0..<5).map { PlaceStreet.id($0) }))
        #expect(street.starts.count { $0 != PlaceStreet.id(5) } == 6)
    }

    @Test func `nobody goes for a start that the budget does not allow`() {
        var street = PlaceStreet(startBudget: 5)
        for number in 0..<5 { street.show(number, relevance: 10) }
        street.settle()
        street.show(5, relevance: 90)
        street.pass(.minutes(20))
        #expect(street.ends.isEmpty)
        street.pass(.minutes(20))
        #expect(street.ends.count == 1)
        #expect(street.cards.contains(PlaceStreet.id(5)))
    }

    @Test(arguments: 0..<60)
    func `where activities only come, nothing goes without need, and nothing comes back`(seed: UInt64) {
        var street = PlaceStreet(seed: seed)
        var relevances: [Double] = []
        for number in 0..<12 {
            relevances.append(Double(street.random.below(20)) * 5)
            street.show(number, relevance: relevances[number])
            if street.random.chance(1, of: 2) { street.pass(.milliseconds(Int64(street.random.below(5000)))) }
            if street.random.chance(1, of: 4) { street.restart() }
        }
        street.settle()
        let best = relevances.sorted(by: >).prefix(5)
        #expect(street.cards.map { street.relevance(of: $0) }.sorted(by: >) == Array(best))
        #expect(Set(street.starts).count == street.starts.count, "nothing is started twice")
        #expect(street.ends.count == street.starts.count - 5, "a card goes for each that comes")
    }

    @Test(arguments: 0..<60)
    func `a card goes for one that is more relevant, and comes back for a place that has become free`(
        seed: UInt64
    ) {
        var street = PlaceStreet(seed: seed)
        var (gone, moves) = (Set<Int>(), 0)
        for number in 0..<10 { street.show(number, relevance: Double(street.random.below(20)) * 5) }
        for _ in 0..<40 {
            street.pass(.milliseconds(Int64(street.random.below(8000))))
            let number = street.random.below(10)
            if gone.contains(number) { continue }
            if street.random.chance(1, of: 8) {
                street.show(number, relevance: 0, phase: .ended)
                gone.insert(number)
            } else {
                street.show(number, relevance: Double(street.random.below(20)) * 5)
            }
            moves += 1
        }
        street.settle()
        let left = (0..<10).filter { !gone.contains($0) }.map { street.relevance(of: PlaceStreet.id($0)) }
        let best = left.sorted(by: >).prefix(5)
        #expect(street.cards.map { street.relevance(of: $0) }.sorted(by: >) == Array(best))
        // Each move changes the rank of one activity, and so who has one place.
        let again = street.starts.count - Set(street.starts).count
        #expect(again <= moves, "\(again) came back after \(moves) moves")
        #expect(street.displaced <= moves + 10, "\(street.displaced) went for \(moves) moves")
    }
}

/// A phone with five places, and a service whose answers take their time and get lost.
struct PlaceStreet {
    var bench: PhoneBench
    var random: SimulatedRandom
    /// The activities that the phone was asked to show, in this order, each instance once.
    private(set) var starts: [String] = []
    /// The activities that were ended, each instance once.
    private(set) var ends: [String] = []
    /// The number of those that go on.
    private(set) var displaced = 0
    /// Whether the answer to a push gets lost, and the push as well; nil to leave it to chance.
    var loses: (Push) -> Bool? = { _ in nil }
    /// What the service says instead.
    var refuses: (Push) -> PushAnswer? = { _ in nil }
    /// The instances on the phone, by the ids of their activities.
    private var screen: [String: Int] = [:]
    private var known: [String: (relevance: Double, rev: Int64, isOver: Bool)] = [:]
    private var flights: [(at: Timestamp, push: Push, answer: PushAnswer)] = []
    private var tokens: [(at: Timestamp, id: String, instance: Int)] = []
    private var ended: Set<String> = []
    /// Whether pushes and answers are left to chance.
    private let isRandom: Bool

    init(seed: UInt64? = nil, startBudget: Int = 1000) {
        var settings = PushSchedulerSettings()
        settings.startBudget = startBudget
        bench = PhoneBench(settings: settings)
        random = SimulatedRandom(seed: seed ?? 1)
        isRandom = seed != nil
        bench.pair()
    }

    static func id(_ number: Int) -> String { "washer/w\(number)/1" }

    var cards: Set<String> { Set(screen.keys) }

    func relevance(of id: String) -> Double { known[id]?.relevance ?? -1 }

    mutating func show(_ number: Int, relevance: Double, phase: ActivityPhase = .active) {
        let id = Self.id(number)
        let rev = (known[id]?.rev ?? 0) + 1
        known[id] = (relevance, rev, phase == .ended)
        bench.show(
            phase == .ended ? "done" : "running",
            rev: rev,
            device: "w\(number)",
            phase: phase,
            isNewState: rev == 1,
            relevance: relevance
        )
    }

    /// The process ends before the answers come.
    mutating func restart() {
        flights = []
        bench.restart()
    }

    mutating func settle() { pass(.minutes(30)) }

    mutating func pass(_ length: Interval) {
        let end = bench.now + length
        while true {
            while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) { send(push) }
            var next = end
            if let due = bench.scheduler.nextDeadline(at: bench.now) { next = min(next, due) }
            for flight in flights { next = min(next, flight.at) }
            for token in tokens { next = min(next, token.at) }
            bench.now = max(bench.now, next)
            answer()
            if next >= end { return }
        }
    }

    private mutating func send(_ push: Push) {
        let delay = Interval.milliseconds(isRandom ? Int64(random.below(4000)) : 300)
        var answer = PushAnswer.accepted
        var arrives = true
        let key = "\(push.activity) \(push.instance)"
        if let refusal = refuses(push) {
            (answer, arrives) = (refusal, false)
        } else if let isLost = loses(push) {
            (answer, arrives) = (.noAnswer(reason: "time-out"), !isLost)
        } else if isRandom, random.chance(1, of: 4) {
            answer = .noAnswer(reason: "time-out")
            arrives = push.event == .start || random.chance(1, of: 2)
        }
        if push.event != .start, screen[push.activity] != push.instance, answer == .accepted {
            (answer, arrives) = (.tokenGone(since: bench.now), false)
        }
        if push.event == .start, refuses(push) == nil { starts.append(push.activity) }
        if push.event == .end, ended.insert(key).inserted {
            ends.append(push.activity)
            if known[push.activity]?.isOver == false { displaced += 1 }
        }
        if arrives { arrive(push) }
        flights.append((bench.now + delay, push, answer))
    }

    private mutating func arrive(_ push: Push) {
        if push.event == .start {
            if screen.count >= 5 { Issue.record("\(push.activity) finds no place") }
            screen[push.activity] = push.instance
            let delay = Interval.milliseconds(isRandom ? Int64(random.below(6000)) : 500)
            tokens.append((bench.now + delay, push.activity, push.instance))
        }
        if push.event == .end { screen[push.activity] = nil }
    }

    private mutating func answer() {
        let now = bench.now
        for token in tokens where token.at <= now && screen[token.id] == token.instance {
            bench.token("\(token.id) \(token.instance)", of: token.id, instance: token.instance)
        }
        tokens.removeAll { $0.at <= now }
        let due = flights.filter { $0.at <= now }
        flights.removeAll { $0.at <= now }
        for flight in due { bench.scheduler.answered(flight.push, flight.answer, at: now) }
    }
}
