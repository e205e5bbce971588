import SkerryDevice
package import SkerryFiles
package import SkerryGateway
package import SkerryValues
import Synchronization

/// Listens for devices that definitions which come with Skerry recognise, as long as somebody asks what it has found.
///
/// It has a connection of its own. What it remembers is bounded for every broker, and gone a minute after the last question.
final class DeviceFinder: Sendable {
    /// The time for which it listens after a question.
    static let patience = Interval.seconds(60)
    /// The time for which an answer is given again.
    private static let pause = Interval.seconds(1)
    /// The number of devices that are told.
    private static let limit = 200

    private struct State {
        /// The search with all messages; nil while nobody asks, and while it is being prepared.
        var search: DeviceSearch?
        var isPreparing = false
        var isListening = false
        var problem: HouseProblem?
        var askedAt = Timestamp.distantPast
        var last: (at: Timestamp, devices: [FoundDevice], topics: [UnknownTopics])?
    }

    private let sources: HouseSources
    private let clock: any GatewayClock
    // One of its own: runs and checks must not wait until all definitions that come with Skerry have been read.
    private let workbench = Workbench()
    private let state = Mutex(State())

    init(_ sources: HouseSources, clock: any GatewayClock) {
        self.sources = sources
        self.clock = clock
    }

    /// Gives the devices found so far; the first question begins to listen.
    ///
    /// Until definitions have been read, each question is answered at once: reading all that come with Skerry may take longer
    /// than a browser waits.
    func answer(_ then: @escaping @Sendable (HouseAnswer) -> Void) {
        let now = clock.now
        let (isNew, isSearching) = state.withLock { state in
            state.askedAt = now
            let isNew = state.search == nil && !state.isPreparing
            if isNew { state.isPreparing = true }
            return (isNew, state.search != nil)
        }
        let tell: @Sendable () -> Void = { [self] in then(.found(state.withLock { report(&$0, at: now) })) }
        if isSearching {
            if !workbench.put(tell) { then(.problem(.tooManyQuestions)) }
        } else if isNew, !workbench.put({ [self] in begin() }) {
            state.withLock { $0.isPreparing = false }
            then(.problem(.tooManyQuestions))
        } else {
            tell()
        }
    }

    /// The answer for those who may not see topics that no definition reads.
    static var nothing: [UInt8] {
        let problem = "Only those who see every device are told what was found."
        let start = #"{"listening":false,"problem":"\#(problem)""#
        return Array((start + #","messages":0,"found":[],"unknown":[]}"#).utf8)
    }

    /// A first text for the definition of a kind, from the messages heard so far.
    func proposal(kind: String, filter: String) -> HouseAnswer {
        let survey = state.withLock { try? $0.search?.survey.matching(filter) }
        guard let survey, let text = DefinitionProposal.text(kind: kind, from: survey, file: "the broker")
        else {
            return .problem(.notHeard)
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.member("source", text)
        writer.endObject()
        return .found(writer.bytes)
    }

    // MARK: Listening

    private func begin() {
        let own = sources.files()
        let others = sources.shelf(nil).filter { file in
            !own.contains { $0.definition?.kind == file.definition?.kind }
        }
        let search = DeviceSearch(own + others, prefix: sources.sink.prefix)
        let filters = ["#"] + search.brokerFilters
        state.withLock { state in
            state.search = search
            state.isPreparing = false
        }
        do throws(BusFault) {
            let bus = sources.makeBus()
            try bus.start(FinderHandler(self, filters: filters) { bus.stop() })
        } catch {
            end(with: TopicSurvey.unreachable(error.message))
        }
    }

    fileprivate func take(_ batch: MessageBatch) {
        state.withLock { state in
            for position in 0..<batch.count {
                state.search?.add(RecordedMessage(batch[position], at: clock.now))
            }
        }
    }

    fileprivate func listens() {
        state.withLock { state in
            state.isListening = true
            state.problem = nil
        }
    }

    /// Forgets what was found.
    fileprivate func end(with problem: HouseProblem?) {
        state.withLock { state in
            state.search = nil
            state.last = nil
            state.isListening = false
            state.problem = problem
        }
    }

    /// The time until nobody has asked for long enough.
    fileprivate var timeLeft: Interval {
        clock.timeLeft(until: state.withLock { $0.askedAt } + Self.patience)
    }

    // MARK: Telling

    private func report(_ state: inout State, at now: Timestamp) -> [UInt8] {
        let kinds = Set(sources.files().compactMap { $0.definition?.kind })
        if let search = state.search, state.last.map({ now - $0.at >= Self.pause }) ?? true {
            state.last = (now, search.devices(at: now), search.unknownTopics(besides: kinds))
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.member("listening", state.isListening)
        if let problem = state.problem { writer.member("problem", problem.detail) }
        writer.member("messages", state.search?.messages ?? 0)
        let found = (state.last?.devices ?? []).filter { !kinds.contains($0.definition.kind) }
        writer.objects("found", found.prefix(Self.limit)) { writer, device in
            tell(device, of: state.search?.files ?? [], besides: kinds, to: &writer)
        }
        writer.objects("unknown", state.last?.topics ?? []) { writer, topics in
            writer.member("filter", topics.filter)
            writer.array("devices", topics.devices.prefix(8)) { $0.string($1) }
            writer.member("messages", topics.messages)
            if let kind = topics.like ?? topics.named { writer.member("like", kind) }
        }
        writer.endObject()
        return writer.bytes
    }

    private func tell(
        _ found: FoundDevice,
        of files: [CompiledFiles.File],
        besides kinds: Set<String>,
        to writer: inout JSONWriter
    ) {
        writer.member("kind", found.definition.kind)
        writer.member("device", found.device)
        if let name = found.name { writer.member("name", name) }
        writer.member("called", found.definition.name)
        writer.member("topic", found.topic)
        writer.member("certain", found.certainty == .certain)
        writer.member("hidden", sources.hidden.has(kind: found.definition.kind, device: found.device))
        writer.objects("alternatives", found.alternatives.filter { !kinds.contains($0) }) { writer, kind in
            writer.member("kind", kind)
            writer.member("called", files.file(ofKind: kind)?.definition?.name ?? kind)
        }
        if let shown = found.shown {
            writer.member("state", shown.state)
            if let title = shown.title { writer.member("title", title) }
            if let content = shown.content { writer.member("content", .map(content)) }
        }
    }
}

extension HouseProblem {
    /// Nothing was heard that a definition could be made from.
    static let notHeard = HouseProblem(
        .notFound,
        code: "nothing-heard",
        detail:
            "Nothing was heard on such topics in the last minutes: ask for what was found, wait for a message, and try again."
    )
}

/// Hands every message of a broker to a finder, until nobody asks it any more.
private final class FinderHandler: BusHandler {
    private let finder: DeviceFinder
    private let filters: [String]
    private let stop: @Sendable () -> Void
    private var problem: HouseProblem?
    private var isStopped = false

    init(_ finder: DeviceFinder, filters: [String], stop: @escaping @Sendable () -> Void) {
        self.finder = finder
        self.filters = filters
        self.stop = stop
    }

    // Stopping takes a moment, and a time that is past would have the bus wake this again and again.
    var sleepLimit: Interval? { isStopped ? nil : max(finder.timeLeft, .zero) }

    func wake() { if !isStopped, finder.timeLeft <= .zero { end() } }

    private func end() {
        isStopped = true
        stop()
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        finder.take(batch)
        return .committed
    }

    func subscriptionPlan() -> SubscriptionPlan {
        // As own topics, because these are asked for with QoS 0 and with what the broker retains.
        SubscriptionPlan(filters: [], own: filters, wantsRetained: true)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        if let refusal = outcomes.first(where: { $0.filter == "#" && $0.granted == nil }) {
            problem = TopicSurvey.unreachable("it refuses the subscription to '#': \(refusal.reason)")
            end()
        } else {
            finder.listens()
        }
    }

    func disconnected(_ fault: BusFault) {
        if isStopped { return }
        problem = TopicSurvey.unreachable(fault.message)
        end()
    }

    func ended() { finder.end(with: problem) }
}

extension RecordedMessage {
    /// Takes a message of the broker down.
    package init(_ message: MessageBatch.Message, at moment: Timestamp) {
        self.init(
            at: moment,
            topic: message.topic,
            payload: message.payload,
            qos: message.quality.rawValue,
            isRetained: message.isRetained
        )
    }
}
