import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

/// The memory of a broker: the messages that it should retain for a bridge, and those that it does, on each connection.
///
/// The retained messages below the prefix may be older than the last publications (the broker crashed), newer (the store is
/// an older copy), or another bridge's. This compares them, and decides whether the bridge may use its prefix. It
/// publishes nothing: its verbs return what was found.
///
/// See docs/decisions/0022-read-back.md and docs/decisions/0023-rivals.md.
struct ReadBack {
    private let sink: MQTTSink
    private let partition: Partition?
    private let takesOver: Bool
    /// The place of the bridge at the broker.
    private let claim: BridgeClaim
    /// The last publication id before this process, as far as the store knows.
    private let foundNumber: UInt64

    /// The messages that the broker should retain, for a broker that lost them.
    private(set) var retained: [ExactText: Publication] = [:]
    /// The progress on this connection.
    private(set) var progress: ReadBackProgress
    /// The epochs that the revisions of this store had before.
    private(set) var formerEpochs: [Int64]
    /// Other clients that write to the bridge's own topics.
    private var rivalry = Rivalry()
    /// True if nothing may be published yet, because another bridge may be online.
    private(set) var isHeldBack = false
    /// True if the bridge has found that it may be the one of its prefix.
    private(set) var isAdmitted = false
    /// True if the bridge has found that another one has its place, and takes nothing in any more.
    private(set) var isRefused = false
    /// True if another client has the session, or may have: the broker said so when the last connection ended, or a bridge with
    /// this client id and another store had announced itself when it began.
    private var isThrownOff = false
    /// True if the retained messages have been compared with the store.
    private(set) var hasCompared = false

    /// Begins with the state of the last process.
    init(after state: StoredState, epoch: Int64, options: BridgeOptions, sink: MQTTSink, at start: Timestamp)
    {
        self.sink = sink
        partition = options.engine.partition
        takesOver = options.takesOver
        claim = BridgeClaim(options, state.progress)
        foundNumber = state.progress?.told ?? 0
        formerEpochs = state.formerEpochs(before: epoch)
        progress = ReadBackProgress(isDue: state.isBehind || state.progress?.seeksStrays ?? false, at: start)
    }

    /// The mark of the store, by which the bridge recognises its own messages.
    var owner: String { claim.owner }

    /// The present step.
    var stage: ReadBackProgress.Stage { progress.stage }

    /// The moment at which the step ends even without an echo; nil if none is under way.
    var end: Timestamp? { progress.end }

    /// The moment at which the bridge writes its own where others have written; nil if they haven't.
    var rivalsDue: Timestamp? { rivalry.due }

    /// True if the store turns out to be older than what readers have.
    var findsOlderStore: Bool { progress.isBehind && !hasCompared }

    // MARK: What the broker should retain

    /// Expects a retained publication of the bridge at the broker from now on, or, if it is empty, nothing on its topic.
    mutating func expect(_ publication: Publication) {
        assert(publication.isRetained, "only what is retained can be expected")
        retained[ExactText(publication.topic)] = publication.payload.isEmpty ? nil : publication
    }

    /// Expects the retained messages of all devices, where none is expected yet, and their announcements.
    mutating func expect(_ engine: Engine, announcements: [Publication]) {
        engine.forEachDevice { kind, device in
            for publication in sink.retained(of: device, kind: kind)
            where retained[ExactText(publication.topic)] == nil {
                retained[ExactText(publication.topic)] = publication
            }
        }
        for announcement in announcements { retained[ExactText(announcement.topic)] = announcement }
        engine.forEachTimeline { kind, device, timeline in
            let publication = sink.timeline(timeline, of: device, kind: kind)
            if retained[ExactText(publication.topic)] == nil {
                retained[ExactText(publication.topic)] = publication
            }
        }
    }

    /// The expected messages, by topic.
    var expected: [Publication] { retained.values.sorted { $0.topic < $1.topic } }

    /// Records that the broker gets a publication now: the end of the comparison must not publish it a second time.
    mutating func sent(_ publication: Publication) {
        if publication.isRetained, !progress.missing.isEmpty {
            progress.missing.remove(ExactText(publication.topic))
        }
    }

    // MARK: The connection

    /// Begins with a new connection; nothing is published before it shows whether another bridge is online.
    mutating func begin(_ session: BusSession) {
        isHeldBack = true
        progress.begin(session, expecting: retained.keys)
        assert(stage == .meeting, "a connection begins with another step than with who is online")
    }

    /// Ends with the connection.
    ///
    /// - Parameter isTakenOver: Whether another client has taken the session over.
    mutating func stop(isTakenOver: Bool) {
        if isTakenOver { isThrownOff = true }
        progress.stop()
        assert(stage == .apart)
    }

    /// Records the broker's answer to the filters of this step; if it refused all, the step ends now.
    mutating func asked(isGranted: Bool, at now: Timestamp) {
        if isGranted {
            progress.asked(at: now)
        } else {
            // No echo will come.
            progress.postpone(until: now)
        }
    }

    /// The payload of the echo that has to be sent now; nil if none has.
    mutating func takeEcho() -> String? { progress.takeEcho().map { "\(owner) \($0)" } }

    /// Has messages of the last processes looked for that nobody knows any more: a device could not be restored.
    mutating func seekStrays() { progress.isDue = true }

    /// Moves all moments by a step of the wall clock.
    mutating func clockMoved(by length: Interval) {
        progress.clockMoved(by: length)
        rivalry.clockMoved(by: length)
    }

    // MARK: What is found

    /// Something that a message on one of the bridge's own topics shows.
    enum Finding: Equatable {
        /// The echo of this step came back.
        case echo
        /// The last process announced devices to Home Assistant below this prefix; nil for none.
        case announces(String?)
        /// Another bridge has started with this prefix.
        case otherBridge(name: String)
        /// Another client has written on one of the topics.
        case rival
        /// No device publishes on this topic any more: its message is to be deleted.
        case stray(String)
        /// No device is announced on this topic any more.
        case strayAnnouncement(String)
    }

    /// Compares a message on a topic on which only this bridge should write.
    ///
    /// Changes the progress, and what is known of rivals and of earlier epochs.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - topic: The meaning of its topic.
    ///   - epoch: The epoch of all revisions.
    ///   - now: The time now.
    ///   - isKept: Returns whether a topic belongs to a device that was set aside and may come back.
    /// - Returns: what it shows; nil if nothing is to be done.
    mutating func meet(
        _ message: MessageBatch.Message,
        on topic: OwnTopic,
        epoch: Int64,
        at now: Timestamp,
        isKept: (ExactText) -> Bool
    ) -> Finding? {
        switch topic {
        case .echo:
            guard message.payload.elementsEqual("\(owner) \(progress.echo)".utf8) else { return nil }
            progress.echoCame(at: now)
            return .echo
        case .health:
            guard stage == .meeting, message.isRetained else { return nil }
            progress.heard(at: now)
            progress.number = BridgeHealth.number(message.payload) ?? 0
            return nil
        case .announcement: return compareAnnouncement(message, at: now, isKept: isKept)
        case .state: return meetState(message, at: now)
        case .info: return meetInfo(message, at: now)
        case .device(let kind):
            let text = ExactText(String(decoding: message.topic, as: UTF8.self))
            if message.isRetained {
                guard stage == .comparing else { return nil }
                progress.heard(at: now)
                return compare(message, text, kind, epoch: epoch, isKept: isKept)
            }
            // An own message comes back from a broker without No Local, and is not news.
            guard stage == .watching, let own = retained[text], !own.payload.elementsEqual(message.payload)
            else { return nil }
            rivalry.add(text, at: now)
            return .rival
        }
    }

    private mutating func meetState(_ message: MessageBatch.Message, at now: Timestamp) -> Finding? {
        let state = String(decoding: message.payload, as: UTF8.self)
        if stage == .meeting, message.isRetained {
            progress.heard(at: now)
            progress.state = state
        } else if stage != .meeting, !message.isRetained, state != "online" {
            // `online` says the same as this bridge. Anything else, such
            // as the late Will of an earlier connection, is answered.
            rivalry.add(ExactText(sink.stateTopic), at: now)
            return .rival
        }
        return nil
    }

    private mutating func meetInfo(_ message: MessageBatch.Message, at now: Timestamp) -> Finding? {
        let signature = BridgeSignature(message.payload)
        if stage == .meeting, message.isRetained {
            progress.heard(at: now)
            progress.signature = signature
            return signature?.owner == owner ? .announces(signature?.announces) : nil
        }
        guard stage != .meeting, !message.isRetained, let signature, !claim.isOwn(signature) else {
            return nil
        }
        return .otherBridge(name: signature.name)
    }

    /// Records that a retained message has come that is about a device of another partition.
    mutating func heardElsewhere(at now: Timestamp) { progress.heard(at: now) }

    /// Records what another bridge with this prefix retains about itself.
    ///
    /// - Returns: false for a message that is none of that.
    mutating func meet(
        _ message: MessageBatch.Message,
        of bridge: String,
        _ topic: Incoming.OtherBridgeTopic
    ) -> Bool {
        guard stage == .meeting, message.isRetained else { return false }
        switch topic {
        case .state:
            progress.others[bridge, default: OtherBridge()].isOnline = message.payload.elementsEqual(
                "online".utf8
            )
        case .info:
            progress.others[bridge, default: OtherBridge()].partitions =
                BridgeSignature(message.payload)?.partitions
        }
        return true
    }

    // MARK: Comparing

    /// Compares the retained message of a topic with the expected one.
    private mutating func compare(
        _ message: MessageBatch.Message,
        _ topic: ExactText,
        _ kind: OwnTopic.DeviceTopic,
        epoch: Int64,
        isKept: (ExactText) -> Bool
    ) -> Finding? {
        guard let own = retained[topic] else {
            return isKept(topic) ? nil : meetStray(message, topic, kind, epoch: epoch)
        }
        if own.payload.elementsEqual(message.payload) {
            progress.missing.remove(topic)
            return nil
        }
        // Only the first comparison tells about the store; later,
        // an older message is the broker's and is published again.
        if hasCompared { return nil }
        guard let there = RevisionMark(message.payload), let here = RevisionMark(own.payload) else {
            return nil
        }
        switch kind {
        case .activity: if there.isNews(to: here) { progress.isBehind = true }
        // A timeline computed at the start has the same content as the one that was sent.
        case .timeline: if own.id == 0, there == here { progress.missing.remove(topic) }
        case .availability: break
        }
        return nil
    }

    /// Decides about a retained message for a device that no longer exists.
    ///
    /// Messages that another bridge may have published are left alone, and counted.
    private mutating func meetStray(
        _ message: MessageBatch.Message,
        _ topic: ExactText,
        _ kind: OwnTopic.DeviceTopic,
        epoch: Int64
    ) -> Finding? {
        if message.payload.isEmpty { return nil }
        let mark = RevisionMark(message.payload)
        let isOwn =
            switch kind {
            case .activity, .timeline: mark.map { isOwnEpoch($0.epoch, beside: epoch) } ?? false
            // It bears no mark, so the bridge that was here last counts.
            case .availability: progress.signature?.owner == owner
            }
        guard isOwn || progress.claims else {
            progress.left = (
                progress.left.count + 1, progress.left.count == 0 ? topic.text : progress.left.example
            )
            return nil
        }
        progress.takenAway += 1
        // A broker that crashes may retain another one of this epoch again.
        if let mark { own(mark.epoch, beside: epoch) }
        return .stray(topic.text)
    }

    /// Compares a retained announcement with the expected one.
    private mutating func compareAnnouncement(
        _ message: MessageBatch.Message,
        at now: Timestamp,
        isKept: (ExactText) -> Bool
    ) -> Finding? {
        guard stage == .comparing, message.isRetained, !message.payload.isEmpty else { return nil }
        progress.heard(at: now)
        let topic = ExactText(String(decoding: message.topic, as: UTF8.self))
        if let own = retained[topic] {
            if own.payload.elementsEqual(message.payload) {
                progress.missing.remove(topic)
            } else {
                // The last process announced the device with entities that are no more.
                let former = Array(message.payload)
                retained[topic] = HomeAssistant.retracting(own, after: former, keepsRetracted: false)
            }
            return nil
        }
        guard HomeAssistant.isAnnouncement(message.payload, by: sink),
            progress.signature?.owner == owner || progress.claims, !isKept(topic)
        else { return nil }
        progress.takenAway += 1
        return .strayAnnouncement(topic.text)
    }

    private func isOwnEpoch(_ epoch: Int64, beside present: Int64) -> Bool {
        epoch == present || formerEpochs.contains(epoch)
    }

    /// Records that an epoch was one of this bridge.
    private mutating func own(_ epoch: Int64, beside present: Int64) {
        if !isOwnEpoch(epoch, beside: present) { formerEpochs.append(epoch) }
        assert(isOwnEpoch(epoch, beside: present))
    }

    // MARK: The end of a step

    /// The outcome of finding out which bridge is online.
    enum Meeting: Equatable {
        /// The bridge must end, for this reason.
        case refused(String)
        /// The bridge may use its prefix.
        ///
        /// - Parameters:
        ///   - isFirst: Whether it is the first time in this process.
        ///   - rival: A bridge that is online as well.
        ///   - isReadable: Whether the broker lets the bridge read here.
        case admitted(isFirst: Bool, rival: String?, isReadable: Bool)
    }

    /// Decides whether the bridge may use its prefix; the comparison begins with ``beginComparing()``.
    ///
    /// - Parameter epoch: The epoch of all revisions.
    /// - Returns: what was decided.
    mutating func meet(epoch: Int64) -> Meeting {
        assert(stage == .meeting)
        let other = progress.signature.flatMap { claim.isOwn($0) ? nil : $0 }
        let isTaken = claim.isTaken(progress.signature, isOnline: progress.state == "online")
        if !takesOver, let reason = refusal(beside: other) {
            progress.postpone(until: .distantFuture)
            isRefused = true
            assert(isHeldBack, "a bridge that has to end publishes")
            return .refused(reason)
        }
        if let signature = progress.signature, signature.owner == owner, let found = signature.epoch {
            // The broker's report counts further than the store: another copy of it has published since.
            let isLater = found > epoch || found == epoch && progress.number > foundNumber
            if isLater, !hasCompared { progress.isBehind = true }
            // An older store does not know this epoch, but messages of this epoch are this bridge's own.
            own(found, beside: epoch)
        }
        // A store that is older may have forgotten epochs and devices.
        let mayHaveForgotten = progress.isDue || progress.isBehind
        let isForeign = isTaken || other != nil
        progress.claims = mayHaveForgotten && !isForeign || takesOver && !isTaken && !hasCompared
        // A broker that crashes may bring back what the bridge before this one retained, long after it was deleted.
        if progress.claims, let found = progress.signature?.epoch { own(found, beside: epoch) }
        let isFirst = !isAdmitted
        isAdmitted = true
        // Until the comparison the store may turn out to be older, as far as the broker lets that be seen.
        isHeldBack = !hasCompared && progress.isReadable
        let rival = isTaken ? other?.name ?? "another bridge" : nil
        return .admitted(isFirst: isFirst, rival: rival, isReadable: progress.isReadable)
    }

    /// The reason for which this bridge must end; nil if it may go on.
    private mutating func refusal(beside other: BridgeSignature?) -> String? {
        // 0023: only a new process ends; one that was admitted before goes on and answers, unless its session is another's now.
        if isAdmitted {
            let reason = other.flatMap { claim.refusal(ofNamesake: $0) }
            // Without a word of the broker, one that has lost its last hours looks the same; but only once.
            defer { isThrownOff = reason != nil }
            return isThrownOff ? reason : nil
        }
        if let reason = claim.refusal(progress.signature, isOnline: progress.state == "online") {
            return reason
        }
        guard let stranger = bridgeWithSameDevices else { return nil }
        return
            "a bridge that is online (\(stranger)/state) shares the devices out otherwise, and has devices of this "
            + "partition: end it, or give this one a prefix of its own (--prefix)"
    }

    /// The topics of a bridge that is online and has devices that this one has, too; nil if there is none.
    private var bridgeWithSameDevices: String? {
        guard let partition else { return nil }
        let others = progress.others.filter {
            $0.value.isOnline && $0.value.partitions != Int64(partition.count)
        }
        return others.keys.min().map { "\(sink.prefix)/\($0)" }
    }

    /// Goes on from finding out which bridge is online to comparing.
    mutating func beginComparing() {
        assert(isAdmitted && stage == .meeting)
        progress.advance(to: .comparing)
    }

    /// Lets everything be published: the comparison is over.
    mutating func release() {
        assert(isAdmitted, "a bridge publishes that was not admitted")
        isHeldBack = false
    }

    /// Tries the end of this step again later.
    mutating func postpone(until moment: Timestamp) { progress.postpone(until: moment) }

    /// The expected messages that the broker does not have and that do not wait for it, in the order in which they were made.
    ///
    /// - Parameter isWaiting: Returns whether a publication on a topic waits for the broker.
    /// - Returns: the messages to publish again.
    func missing(isWaiting: (ExactText) -> Bool) -> [Publication] {
        // Where nothing can be read everything seems to be missing:
        // then only a lost session is a reason to publish it again.
        guard progress.isReadable || !progress.isResumed else { return [] }
        return progress.missing.filter { !isWaiting($0) }.compactMap { retained[$0] }.sorted {
            $0.id == $1.id ? $0.topic < $1.topic : $0.id < $1.id
        }
    }

    /// Records that what was missing has been published: nothing more is sought.
    mutating func foundAll() {
        assert(stage == .comparing && !findsOlderStore, "nothing is missing that was not compared")
        progress.isDue = false
    }

    /// Records that the retained messages have been compared with the store; from now on others that write are watched.
    mutating func beginWatching() {
        assert(hasCompared && stage == .comparing)
        progress.advance(to: .watching)
    }

    /// Records that the store and the broker have been compared.
    mutating func compared() {
        assert(stage == .comparing, "the store is compared with a broker that was not read")
        hasCompared = true
    }

    // MARK: An older store

    /// The epoch that a new one must be later than.
    func newestEpoch(beside epoch: Int64) -> Int64 {
        max(epoch, progress.signature?.owner == owner ? progress.signature?.epoch ?? 0 : 0)
    }

    /// Begins a new epoch after one: revisions of the former one are expected no more.
    mutating func leave(epoch: Int64) {
        formerEpochs.append(epoch)
        for topic in retained.keys {
            if let old = retained[topic], sink.isOfEpoch(old) { retained[topic] = nil }
        }
    }

    /// Records that everything was published in a new epoch; retained messages of devices may be newer than the store, too.
    mutating func publishedAnew() {
        progress.isBehind = false
        progress.isDue = true
        assert(!findsOlderStore)
    }

    // MARK: Others

    /// Takes the topics on which others have written and that are to be answered now.
    mutating func takeRivals(at now: Timestamp) -> Set<ExactText> { rivalry.takeDue(at: now) }
}

extension BridgeSignature {
    /// It, for people.
    var name: String { client.map { "a bridge with client id '\($0)'" } ?? "another bridge" }
}

extension MQTTSink {
    /// Returns whether a publication contains a revision, and so belongs to an epoch.
    func isOfEpoch(_ publication: Publication) -> Bool {
        !publication.payload.isEmpty
            && ["/activity", "/activity/diff", "/timeline"].contains { publication.topic.hasSuffix($0) }
    }
}

/// The revision of a snapshot or a timeline.
struct RevisionMark: Equatable {
    var id: String
    var epoch: Int64
    var rev: Int64

    /// Reads a payload; nil when it is neither.
    init?(_ payload: some Collection<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span),
            case .string(let id)? = members["id"], case .int(let epoch)? = members["epoch"],
            case .int(let rev)? = members["rev"]
        else { return nil }
        self.id = id
        self.epoch = epoch
        self.rev = rev
    }

    /// The number of the run; later ones have higher numbers.
    private var run: Int64 { id.split(separator: "/").last.flatMap { Int64($0) } ?? .min }

    /// Returns whether it must be later than another revision of the same device and epoch, or is a different one with
    /// the same number.
    func isNews(to known: RevisionMark) -> Bool {
        guard epoch == known.epoch else { return false }
        return id == known.id ? rev >= known.rev : run > known.run
    }
}
