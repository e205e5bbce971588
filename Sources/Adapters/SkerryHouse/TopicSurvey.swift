import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues
import Synchronization

/// The topics that a broker has and no definition reads, as a few seconds of listening show them.
final class TopicSurvey: BusHandler {
    /// The time of listening.
    static let length = Interval.seconds(3)
    /// The time for the connection.
    static let patience = Interval.seconds(10)
    /// The number of topics that are told.
    static let limit = 500
    /// The number of topics that are remembered because a definition reads them, so that each is compared once.
    private static let readLimit = 5000

    private struct Topic {
        var name: [UInt8]
        var messages = 0
        var payload: String
    }

    private let filters: [TopicFilter]
    private let own: [UInt8]
    private let clock: any GatewayClock
    private let stop: @Sendable () -> Void
    private let then: @Sendable (HouseAnswer) -> Void
    private var topics: [[UInt8]: Topic] = [:]
    private var read: Set<[UInt8]> = []
    private var end: Timestamp
    private var isListening = false
    private var problem: HouseProblem?

    /// Makes a survey.
    ///
    /// - Parameters:
    ///   - definitions: The definitions in force.
    ///   - prefix: The common beginning of the bridge's own topics.
    ///   - clock: The time.
    ///   - stop: Ends the connection.
    ///   - then: Called once with the answer.
    init(
        _ definitions: [Definition],
        prefix: String,
        clock: any GatewayClock,
        stop: @escaping @Sendable () -> Void,
        then: @escaping @Sendable (HouseAnswer) -> Void
    ) {
        filters = definitions.flatMap { $0.sources.map(\.filter) }
        own = Array("\(prefix)/".utf8)
        self.clock = clock
        self.stop = stop
        self.then = then
        end = clock.now + Self.patience
    }

    var sleepLimit: Interval? { clock.timeLeft(until: end) }

    func wake() {
        guard clock.timeLeft(until: end) <= .zero else { return }
        if !isListening { problem = problem ?? Self.unreachable("it does not answer") }
        // Stopping takes a moment, and a time that is past would have the bus wake this again and again.
        end = clock.now + Self.patience
        stop()
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count { take(batch[position]) }
        return .committed
    }

    private func take(_ message: MessageBatch.Message) {
        if message.topic.starts(with: own) || message.topic.first == UInt8(ascii: "$") { return }
        let topic = Array(message.topic)
        if topics[topic] == nil {
            guard topics.count < Self.limit, !read.contains(topic) else { return }
            if filters.contains(where: { $0.matches(message.topic) }) {
                if read.count < Self.readLimit { read.insert(topic) }
                return
            }
            topics[topic] = Topic(name: topic, payload: "")
        }
        topics[topic]?.messages += 1
        topics[topic]?.payload = PayloadExcerpt.text(of: message.payload)
    }

    func subscriptionPlan() -> SubscriptionPlan {
        // As own topics, because these are asked for with QoS 0 and with what the broker retains.
        SubscriptionPlan(filters: [], own: ["#"], wantsRetained: true)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        if let refusal = outcomes.first(where: { $0.granted == nil }) {
            problem = Self.unreachable("it refuses the subscription to '#': \(refusal.reason)")
            stop()
        } else {
            isListening = true
            end = clock.now + Self.length
        }
    }

    func connected(_ session: BusSession) {}

    func disconnected(_ fault: BusFault) {
        if !isListening { problem = Self.unreachable(fault.message) }
        stop()
    }

    func nextPublication() -> Publication? { nil }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {}

    func farewell() -> Publication? { nil }

    func ended() { then(problem.map { .problem($0) } ?? answer) }

    private var answer: HouseAnswer {
        let found = topics.values.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.objects("topics", found) { writer, topic in
            writer.member("topic", String(decoding: topic.name, as: UTF8.self))
            writer.member("messages", Int64(topic.messages))
            writer.member("payload", topic.payload)
        }
        writer.member("seconds", Self.length.roundedSeconds)
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The answer for those who may not see topics that no definition reads.
    static var nothing: [UInt8] { Array(#"{"topics":[],"seconds":0}"#.utf8) }

    /// The problem of a broker that does not let a survey listen.
    static func unreachable(_ reason: String) -> HouseProblem {
        HouseProblem(
            .unavailable,
            code: "no-broker",
            detail: HouseProblem.sentence("The broker can't be listened to: \(reason)")
        )
    }
}

/// The surveys of topics, one at a time; an answer is good for a few seconds.
final class TopicSurveys: Sendable {
    /// The time for which an answer is given again.
    static let pause = Interval.seconds(10)
    /// The number of readers that may wait for one survey.
    private static let readerLimit = 64

    private struct State {
        var last: (at: Timestamp, answer: HouseAnswer)?
        var waiting: [@Sendable (HouseAnswer) -> Void] = []
    }

    private let sources: HouseSources
    private let clock: any GatewayClock
    private let state = Mutex(State())

    init(_ sources: HouseSources, clock: any GatewayClock) {
        self.sources = sources
        self.clock = clock
    }

    /// Gives the last answer if it is new, or makes a survey.
    func ask(_ then: @escaping @Sendable (HouseAnswer) -> Void) {
        enum Step {
            case answer(HouseAnswer)
            case wait
            case survey
        }
        let now = clock.now
        let step: Step = state.withLock { state in
            if let last = state.last, now - last.at < Self.pause { return .answer(last.answer) }
            guard state.waiting.count < Self.readerLimit else { return .answer(.problem(.tooManyQuestions)) }
            state.waiting.append(then)
            return state.waiting.count == 1 ? .survey : .wait
        }
        switch step {
        case .answer(let answer): then(answer)
        case .wait: break
        case .survey: begin()
        }
    }

    private func begin() {
        do throws(BusFault) {
            let bus = sources.makeBus()
            let survey = TopicSurvey(
                sources.files().compactMap(\.definition),
                prefix: sources.sink.prefix,
                clock: clock,
                stop: { bus.stop() },
                then: { [self] in finish($0) }
            )
            try bus.start(survey)
        } catch {
            finish(.problem(TopicSurvey.unreachable(error.message)))
        }
    }

    private func finish(_ answer: HouseAnswer) {
        let now = clock.now
        let readers = state.withLock { state in
            state.last = (now, answer)
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in readers { reader(answer) }
    }
}
