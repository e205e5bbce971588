import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
public import SkerryValues

/// The loop of the gateway, which lives on the thread of the bus: messages in, engine, commit, publications out.
///
/// It decides nothing about devices. Everything it does is a reaction to a call of the bus, so a test or a
/// simulation can call it as the bus does.
public final class Bridge<Storage: Store, Clock: GatewayClock>: BusHandler {
    var engine: Engine
    var store: Storage
    var clock: Clock
    let options: BridgeOptions
    let sink: MQTTSink
    /// The announcements to Home Assistant; nil when they are turned off.
    let homeAssistant: HomeAssistant?
    /// The queues of further sinks.
    let sinks: [SinkQueue]
    /// The common beginning of command topics.
    let commandStart: [UInt8]
    /// The topics under which the broker gives this partition the messages of its devices; nil if it doesn't.
    let ownShare: PartitionShare?
    let mailbox: DefinitionMailbox
    /// The questions of other threads.
    let inquiries: QuestionMailbox
    /// The process around the bridge, for requests that need it.
    let surroundings: BridgeSurroundings?
    /// Requests to read definitions again that wait for their answer.
    var reloads: [BridgeRequest] = []
    /// The lists that were published last, by topic.
    var lists: [String: [UInt8]] = [:]
    /// The time for which messages are kept.
    var recordLength: Interval
    /// The last messages of each device; nil when none are kept.
    var tapes: MessageTapes?
    let logger: Logger
    let decisions: @Sendable (_ kind: String, _ device: String) -> [PhoneDecision]
    let watch: @Sendable (BridgeEvent) -> Void
    let wantsTimelines: @Sendable () -> Bool
    /// True if those who watch wanted timelines the last time.
    var tellsTimelines = false

    var outbox: Outbox
    /// The changes for the next commit.
    var changes: StoreChanges
    /// The index in the changes of an activity's deliveries, which are consecutive, one for each sink.
    var deliveryPlaces: [ExactText: Int] = [:]
    /// Stored deliveries whose alerts were told, for the next commit.
    var toldDeliveries: [Delivery] = []
    /// The progress of the recovery.
    var recovery = RecoveryMark()
    /// The progress of the last process's recovery.
    var suspect = RecoveryMark()
    /// True if the sinks have to be shown all activities with the next commit.
    var showsActivities = false
    var lastID: UInt64
    /// The publications that the store holds, by their ids.
    var stored: Set<UInt64> = []
    /// Publications that had to go before the store took them.
    var dropped: UInt64 = 0
    /// The messages that the broker should retain, for a broker that lost them.
    var retained: [ExactText: Publication] = [:]
    var health: BridgeHealth
    var traffic = TrafficLog()
    var repeated = RepeatedNotes()
    /// The moments of its own tasks.
    var alarms = BridgeAlarms()
    var isConnected = false
    /// The moment from which ``isConnected`` is as it is; nil for the start.
    var connectionSince: Timestamp?
    /// Why there is no connection, and what to do, as the log has it; nil with one, and before the first attempt has failed.
    var connectionFault: String?
    /// Filters that definitions had while there was no connection; the session may still have them.
    var abandoned: Set<String> = []
    /// The comparison of the retained messages with the expected ones.
    var readBack: ReadBack
    /// The topic prefix of earlier announcements to Home Assistant, as far as the retained `bridge/info` names it.
    var formerAnnouncements: String? {
        didSet { announcementStarts = Self.starts(of: announcementPrefixes, for: sink) }
    }
    /// The beginnings of the topics of all announcements that may be this bridge's own.
    private(set) var announcementStarts: [[UInt8]] = []
    /// Other clients that write to the bridge's own topics.
    var rivalry = Rivalry()
    /// True if nothing may be published yet, because another bridge may be online.
    var isHeldBack = false
    /// The mark at which this partition ends, once it has met it; nothing behind it is handled.
    var cut: Int64?
    /// True if it has found that it may be the bridge of its prefix.
    var isAdmitted = false
    /// True if it has found that another bridge has its place, and takes nothing in any more.
    var isRefused = false
    /// True if another client has the session, or may have: the broker said so when the last connection ended, or a bridge with
    /// this client id and another store had announced itself when it began.
    var isThrownOff = false
    /// True if the retained messages have been compared with the store.
    var hasCompared = false
    /// True if foreign or unreadable topics have been reported.
    var hasToldOfOthers = false
    /// The last publication id before this process, as far as the store knows.
    let foundNumber: UInt64
    /// Its place at the broker.
    let claim: BridgeClaim
    /// The epochs that the revisions of this store had before.
    var formerEpochs: [Int64]
    /// The messages handled last, to recognise repetitions.
    var handled: HandledMessages
    /// The number of further questions of this batch that will be answered.
    var questionsLeft = 0
    /// Those who sent a message over HTTP, and wait for its commit.
    var unconfirmed: [@Sendable (BridgeReply) -> Void] = []

    /// Bytes of a topic that a note shows; a topic may have 65,535.
    static var notedTopicLimit: Int { 200 }

    /// The mark of the store, by which the bridge recognises its own messages.
    var owner: String { claim.owner }

    /// Makes a bridge without devices, and does nothing yet; ``recover(definitions:store:clock:options:sinks:mailbox:inquiries:surroundings:logger:watch:decisions:)``
    /// goes on from here.
    init(
        _ state: StoredState,
        _ definitions: [Definition],
        _ store: Storage,
        _ clock: Clock,
        _ options: BridgeOptions,
        _ sinks: [SinkQueue],
        _ mailbox: DefinitionMailbox,
        _ inquiries: QuestionMailbox,
        _ surroundings: BridgeSurroundings?,
        _ logger: Logger,
        _ watch: @escaping @Sendable (BridgeEvent) -> Void,
        _ wantsTimelines: @escaping @Sendable () -> Bool,
        _ decisions: @escaping @Sendable (_ kind: String, _ device: String) -> [PhoneDecision]
    ) {
        let start = clock.now
        // See docs/decisions/0013-epochs.md.
        let epoch = state.nextEpoch(at: start, boot: clock.boot)
        let progress = state.progress ?? StoreProgress(aliveAt: start, sequence: 0, lastPublication: 0)
        readBack = ReadBack(isDue: state.isBehind || progress.seeksStrays, at: start)
        foundNumber = progress.told
        claim = BridgeClaim(options, state.progress)
        formerEpochs = state.formerEpochs(before: epoch)
        handled = HandledMessages(progress.handled)
        engine = Engine(
            definitions: definitions,
            epoch: epoch,
            limits: options.engineLimits,
            foretells: options.publishesTimelines,
            resumingAt: progress.sequence,
            newestLostRun: progress.newestLostRun,
            // Names come from the network: with a known seed, thousands could share a place of the table.
            hashSeed: UInt64.random(in: .min ... .max)
        )
        self.store = store
        self.clock = clock
        self.options = options
        self.sinks = sinks
        self.mailbox = mailbox
        self.inquiries = inquiries
        self.surroundings = surroundings
        recordLength = options.recordLength
        tapes = MessageTapes(length: options.recordLength)
        self.logger = logger
        self.decisions = decisions
        self.watch = watch
        self.wantsTimelines = wantsTimelines
        sink = options.sink
        homeAssistant = options.announcer(for: sink)
        commandStart = Array("\(options.prefix)/".utf8)
        ownShare = PartitionShare(options)
        announcementStarts = Self.starts(of: options.homeAssistant.map { [$0.prefix] } ?? [], for: sink)
        outbox = Outbox(limit: options.outboxLimit)
        health = BridgeHealth(startedAt: start)
        changes = StoreChanges(epoch: epoch, progress: progress)
        lastID = progress.lastPublication
        alarms[.checkpoint] = options.checkpointInterval.map { start + $0 }
        alarms[.look] = lookTime
    }

    /// Handles a batch of messages and commits the changes.
    ///
    /// While the store refuses, no further batch is handled: the broker sends it again.
    public func handle(_ batch: MessageBatch) -> BatchOutcome {
        if alarms[.commit] != nil, !commit() { return takeOwn(of: batch) }
        if cut != nil || isRefused { return .ended }
        questionsLeft = Self.questionLimit
        lookAtClock()
        noteOversized(batch.oversizedCount)
        let former = engine.counters
        traffic.note(former, at: clock.now)
        for position in 0..<batch.count {
            let message = batch[position]
            guard handled.add(message) else { continue }
            if meetCut(message) { break }
            // By its arrival, not by now: a slow commit before this batch must not shift the times of its messages.
            takeShared(message, at: clock.moment(sinceBoot: message.arrival))
        }
        tellLimits(since: former, at: clock.now)
        tellRepeated(at: clock.now)
        return commit(all: cut != nil) ? cut == nil ? .committed : .ended : .notCommitted
    }

    /// Counts messages that were left out because of their size.
    private func noteOversized(_ count: Int) {
        if count == 0 { return }
        health.oversized += UInt64(count)
        note(
            .messageOversized,
            "\(count == 1 ? "a message is" : "\(count) messages are") longer than limits.payload and left out; with MQTT 3.1.1 it "
                + "was read whole first, unless the broker bounds it (mosquitto: message_size_limit)",
            kind: "messages longer than limits.payload",
            at: clock.now
        )
    }

    /// Handles the bridge's own topics while the store refuses: otherwise a full disk would keep the bridge from announcing
    /// itself.
    private func takeOwn(of batch: MessageBatch) -> BatchOutcome {
        // Acknowledged here, an oversized message would never be counted.
        var outcome = batch.oversizedCount > 0 ? BatchOutcome.notCommitted : .committed
        for position in 0..<batch.count {
            let message = batch[position]
            if let topic = ownTopic(message.topic) {
                take(message, on: topic, at: clock.now)
            } else {
                outcome = .notCommitted
            }
        }
        return outcome
    }

    /// The time until something is due, whether a device's deadline or a task of the bridge; nil if nothing is.
    ///
    /// No time at all while questions wait.
    public var sleepLimit: Interval? {
        if !inquiries.isEmpty { return .zero }
        var next = Timestamp.distantFuture
        func consider(_ moment: Timestamp?) {
            if let moment, moment < next { next = moment }
        }
        consider(engine.nextDeadline)
        for alarm in BridgeAlarm.allCases where mayRing(alarm) { consider(alarms[alarm]) }
        consider(readBack.end)
        consider(repeated.due)
        if isConnected { consider(rivalry.due) }
        return next == .distantFuture ? nil : clock.timeLeft(until: next)
    }

    /// Takes changed definitions, handles due deadlines and answers questions of other threads.
    public func wake() {
        lookAtClock()
        openMailbox()
        let now = clock.now
        traffic.note(engine.counters, at: now)
        tell(engine.handle(.timePassed, at: now))
        lookForReaders()
        answerInquiries(at: now)
        tellRepeated(at: now)
        if let end = readBack.end, end <= now { finishStep(at: now) }
        if isConnected { answerOthers(at: now) }
        if mayRing(.health), alarms.isDue(.health, at: now) { reportHealth(at: now) }
        if mayRing(.lists), alarms.isDue(.lists, at: now) { announceLists() }
        if mayRing(.announcements), alarms.isDue(.announcements, at: now) { repeatAnnouncements() }
        if mayRing(.idleDevices), alarms.isDue(.idleDevices, at: now) { announceIdleDevices() }
        confirm(commit(all: alarms.isDue(.checkpoint, at: now)))
    }

    /// Returns whether a task is done when its moment comes, or waits for more than that.
    private func mayRing(_ alarm: BridgeAlarm) -> Bool {
        if alarm.needsConnection, !isConnected { return false }
        // A report would replace the one at the broker that shows that the store is older, see `meet`.
        return alarm != .health || !readBack.isBehind
    }

    private func ownTopic(_ topic: ArraySlice<UInt8>) -> OwnTopic? {
        let own = OwnTopic(
            topic,
            start: commandStart,
            bridge: sink.bridgeStart,
            announcements: announcementStarts
        )
        if case .device? = own, topicElsewhere(topic) != nil { return nil }
        return own
    }

    func take(_ message: MessageBatch.Message, at now: Timestamp) {
        if let topic = ownTopic(message.topic) {
            take(message, on: topic, at: now)
            return
        }
        if homeAssistant != nil { hearHomeAssistant(message, at: now) }
        if message.topic.starts(with: commandStart), isForBridge(message, at: now) { return }
        // Except for a device that is new, as with a new definition: of that, the session had no messages.
        if message.isRetained, readBack.ignoresRetained, engine.hasDevices(of: message.topic) { return }
        let input = Message(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
        let effects = engine.handle(.message(input), at: now)
        // After the engine: the message may have made its device.
        if tapes != nil { keep(message, at: now) }
        if !effects.isEmpty { tell(effects, of: message.topic) }
    }

    /// Takes a message of a device that came over HTTP, as if the broker had sent it.
    func take(_ payload: [UInt8], of device: DeviceKey, key: String?, at now: Timestamp) -> BridgeReply {
        // As in `handle`: while the store refuses, nothing more is taken.
        if alarms[.commit] != nil { return .notStored }
        if let partition = options.engine.partition, !partition.owns(device.name) {
            let number = Partition.number(of: device.name, among: partition.count)
            return .refused(
                "'\(device.name)' belongs to partition \(number), and this is partition \(partition.number)"
            )
        }
        guard let definition = engine.definitions.first(where: { $0.kind.hasSameCodePoints(as: device.kind) })
        else { return .refused("there is no definition of the kind '\(device.kind)'") }
        let topic = definition.topic(of: payload[...], forDevice: device.name).map { Array($0.utf8)[...] }
        guard let topic, ownTopic(topic) == nil, !topic.starts(with: commandStart) else {
            return .refused("no source of '\(device.kind)' reads this as a message of '\(device.name)'")
        }
        let message = MessageBatch.Message(
            topic: topic,
            payload: payload[...],
            isRetained: false,
            quality: .atLeastOnce,
            packet: 0,
            arrival: .zero
        )
        if let key, handled.contain(message, key: key) { return .done }
        let former = engine.counters
        take(message, at: now)
        tellLimits(since: former, at: now)
        if engine.device(kind: device.kind, named: device.name) == nil {
            return .refused("the limits of this bridge allow no further device")
        }
        // Before the commit, so that a process that ends after it knows.
        if let key { handled.insert(message, key: key) }
        return .done
    }

    /// Takes a question, a request or a command.
    ///
    /// - Returns: True if it was one, also one that is refused.
    private func isForBridge(_ message: MessageBatch.Message, at now: Timestamp) -> Bool {
        if let topic = topicElsewhere(message.topic) {
            relay(message, on: topic, at: now)
            return true
        }
        if hearOtherBridge(message) { return true }
        // A retained question or request would be answered, or carried out, once more at each connection.
        if let question = Question(topic: message.topic, start: commandStart) {
            if !message.isRetained { take(question, at: now) }
            return true
        }
        if let request = BridgeRequest(
            topic: message.topic,
            payload: message.payload,
            start: sink.bridgeStart
        ) {
            if !message.isRetained { take(request, at: now) }
            return true
        }
        do throws(Command.Refusal) {
            if let command = try Command(
                topic: message.topic,
                payload: message.payload,
                start: commandStart
            ) {
                take(command, isRetained: message.isRetained, at: now)
                return true
            }
        } catch {
            let topic = String(decoding: message.topic, as: UTF8.self)
            note(.commandRefused, "\(topic): \(error.message)", kind: "commands: \(error.message)", at: now)
            return true
        }
        return false
    }

    private func take(_ command: Command, isRetained: Bool, at now: Timestamp) {
        let device = "\(command.kind)/\(command.device)"
        if isRetained {
            note(
                .commandRefused,
                "\(device): a retained command is ignored, because it is not an event of this moment",
                kind: "retained commands",
                at: now
            )
        } else if engine.device(kind: command.kind, named: command.device) == nil {
            note(
                .commandRefused,
                "\(device): a command for an unknown device",
                kind: "commands for unknown devices",
                at: now
            )
        } else {
            do throws(Command.Refusal) {
                try take(command, at: now)
            } catch {
                note(
                    .commandRefused,
                    "\(device): a command is refused: \(error.message)",
                    kind: "\(command.kind): commands with events that nobody may send",
                    at: now
                )
            }
        }
    }

    /// Hands a command to its device.
    ///
    /// - Throws: why its event may not come from outside.
    func take(_ command: Command, at now: Timestamp) throws(Command.Refusal) {
        guard let definition = engine.device(kind: command.kind, named: command.device)?.definition else {
            return
        }
        guard definition.accepts(event: command.event) else {
            throw Command.Refusal(of: command.event, by: definition)
        }
        let input = Input.event(kind: command.kind, device: command.device, name: command.event)
        tell(engine.handle(input, at: now))
    }
}
