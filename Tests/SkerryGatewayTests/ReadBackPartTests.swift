import SkerryValues
import Testing

@testable import SkerryGateway

/// The read-back alone, without a bridge around it: what messages of the broker show.
@Suite("The read-back as a part")
struct ReadBackPartTests {
    static let start = Pier.start
    static let epoch: Int64 = 100

    /// A read-back whose store has the owner's mark `pier`.
    static func readBack(
        isNew: Bool = false,
        isBehind: Bool = false,
        change: (inout BridgeOptions) -> Void = { _ in }
    ) -> ReadBack {
        var options = BridgeOptions(version: "test")
        options.newOwner = "pier"
        change(&options)
        var state = StoredState()
        if !isNew {
            var progress = StoreProgress(aliveAt: start, sequence: 0, lastPublication: 20)
            progress.owner = "pier"
            progress.told = 20
            progress.formerEpochs = [50]
            state.epoch = epoch
            state.progress = progress
            state.mayHaveForgotten = isBehind
        }
        return ReadBack(after: state, epoch: epoch, options: options, sink: options.sink, at: start)
    }

    static func message(_ topic: String, _ payload: String, isRetained: Bool = true) -> MessageBatch.Message {
        MessageBatch.Message(
            topic: Array(topic.utf8)[...],
            payload: Array(payload.utf8)[...],
            isRetained: isRetained,
            quality: .atLeastOnce,
            packet: 1,
            arrival: .zero
        )
    }

    static func snapshot(_ device: String, epoch: Int64 = epoch, rev: Int = 1) -> String {
        #"{"id":"lamp/\#(device)/1","epoch":\#(epoch),"rev":\#(rev)}"#
    }

    /// A message on one of the bridge's own topics.
    func meet(
        _ readBack: inout ReadBack,
        _ topic: String,
        _ payload: String,
        isRetained: Bool = true,
        isKept: Bool = false
    ) -> ReadBack.Finding? {
        let message = Self.message(topic, payload, isRetained: isRetained)
        guard case .own(let own) = InboundTests.classify(topic) else { return nil }
        return readBack.meet(message, on: own, epoch: Self.epoch, at: Self.start) { _ in isKept }
    }

    /// A read-back that compares, after a meeting with what a bridge retains.
    func comparing(
        _ readBack: ReadBack = readBack(),
        info: String? = #"{"owner":"pier","epoch":100}"#,
        state: String = "offline"
    ) -> ReadBack {
        var readBack = readBack
        readBack.begin(BusSession(isResumed: true))
        readBack.asked(isGranted: true, at: Self.start)
        if let info { _ = meet(&readBack, "skerry/bridge/info", info) }
        _ = meet(&readBack, "skerry/bridge/state", state)
        guard case .admitted = readBack.meet(epoch: Self.epoch) else { return readBack }
        readBack.beginComparing()
        return readBack
    }

    struct Encounter: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var isNew = false
        var info: String?
        var state = "offline"
        var takesOver = false
        /// The rival of an admitted bridge; nil for one that is refused.
        var rival: String??
    }

    @Test(
        "a bridge is admitted where no other one is online",
        arguments: [
            Encounter(testDescription: "an empty broker", isNew: true, rival: .some(nil)),
            Encounter(
                testDescription: "its own process",
                info: #"{"owner":"pier"}"#,
                state: "online",
                rival: .some(nil)
            ),
            Encounter(
                testDescription: "another one, offline",
                info: #"{"owner":"x","client":"c"}"#,
                rival: .some(nil)
            ),
            Encounter(
                testDescription: "another one, online",
                info: #"{"owner":"x","client":"c"}"#,
                state: "online"
            ),
            Encounter(
                testDescription: "a stranger, online, beside a new store",
                isNew: true,
                state: "online"
            ),
            Encounter(testDescription: "a namesake, offline", info: #"{"owner":"x","client":"skerry"}"#),
            Encounter(
                testDescription: "another one, online, that is taken over",
                info: #"{"owner":"x","client":"c"}"#,
                state: "online",
                takesOver: true,
                rival: .some("a bridge with client id 'c'")
            ),
        ]
    )
    func meeting(encounter: Encounter) {
        var readBack = Self.readBack(isNew: encounter.isNew) { $0.takesOver = encounter.takesOver }
        readBack.begin(BusSession(isResumed: false))
        #expect(readBack.isHeldBack)
        if let info = encounter.info { _ = meet(&readBack, "skerry/bridge/info", info) }
        _ = meet(&readBack, "skerry/bridge/state", encounter.state)
        switch (readBack.meet(epoch: Self.epoch), encounter.rival) {
        case (.admitted(let isFirst, let rival, let isReadable), let expected?):
            #expect(isFirst && isReadable)
            #expect(rival == expected)
            #expect(readBack.isAdmitted && !readBack.isRefused)
        case (.refused, nil): #expect(readBack.isRefused && !readBack.isAdmitted)
        case (let meeting, _): Issue.record("\(meeting)")
        }
    }

    @Test("nothing is published before the first comparison, and everything where nothing can be read")
    func heldBack() {
        var readBack = comparing()
        #expect(readBack.isHeldBack)
        readBack.release()
        #expect(!readBack.isHeldBack)
        var blind = Self.readBack()
        blind.begin(BusSession(isResumed: false))
        #expect(blind.meet(epoch: Self.epoch) == .admitted(isFirst: true, rival: nil, isReadable: false))
        #expect(!blind.isHeldBack)
    }

    @Test("what the broker lacks, or has otherwise, is missing, in the order in which it was made")
    func missing() {
        var readBack = Self.readBack()
        for (id, device) in ["c", "a", "b"].enumerated() {
            readBack.expect(
                Publication(
                    id: UInt64(id + 1),
                    topic: "skerry/lamp/\(device)/activity",
                    payload: Array(Self.snapshot(device).utf8),
                    isRetained: true
                )
            )
        }
        readBack = comparing(readBack)
        #expect(meet(&readBack, "skerry/lamp/a/activity", Self.snapshot("a")) == nil)
        #expect(meet(&readBack, "skerry/lamp/b/activity", Self.snapshot("b", rev: 0)) == nil)
        #expect(!readBack.findsOlderStore)
        #expect(
            readBack.missing { _ in false }.map(\.topic) == [
                "skerry/lamp/c/activity", "skerry/lamp/b/activity",
            ]
        )
        #expect(
            readBack.missing { $0.text.hasSuffix("c/activity") }.map(\.topic) == ["skerry/lamp/b/activity"]
        )
    }

    @Test("a later revision at the broker shows that the store is older, once")
    func olderStore() {
        var readBack = Self.readBack()
        let own = Publication(
            id: 1,
            topic: "skerry/lamp/a/activity",
            payload: Array(Self.snapshot("a", rev: 2).utf8),
            isRetained: true
        )
        readBack.expect(own)
        readBack = comparing(readBack)
        #expect(meet(&readBack, "skerry/lamp/a/activity", Self.snapshot("a", rev: 3)) == nil)
        #expect(readBack.findsOlderStore)
        readBack.leave(epoch: Self.epoch)
        #expect(readBack.retained.isEmpty)
        #expect(readBack.formerEpochs == [50, 100])
        readBack.publishedAnew()
        readBack.compared()
        #expect(!readBack.findsOlderStore)
        readBack.beginWatching()
        #expect(readBack.stage == .watching)
    }

    @Test(
        "a retained message of no device is deleted if it is the bridge's own",
        arguments: [
            ("skerry/lamp/a/activity", snapshot("a"), true),
            ("skerry/lamp/a/activity", snapshot("a", epoch: 50), true),
            ("skerry/lamp/a/activity", snapshot("a", epoch: 51), false),
            ("skerry/lamp/a/activity", "?", false),
            ("skerry/lamp/a/availability", "online", true), ("skerry/lamp/a/timeline", "", false),
        ] as [(String, String, Bool)]
    )
    func strays(topic: String, payload: String, isOwn: Bool) {
        var readBack = comparing()
        #expect(meet(&readBack, topic, payload, isKept: true) == nil)
        #expect(meet(&readBack, topic, payload) == (isOwn ? .stray(topic) : nil))
        #expect(readBack.progress.takenAway == (isOwn ? 1 : 0))
        #expect(readBack.progress.left.count == (isOwn || payload.isEmpty ? 0 : 1))
    }

    @Test("another client that writes is answered ever more seldom; an own message is not news")
    func rivals() {
        var readBack = Self.readBack()
        readBack.expect(
            Publication(id: 1, topic: "skerry/lamp/a/activity", payload: [1], isRetained: true)
        )
        readBack = comparing(readBack)
        readBack.compared()
        readBack.beginWatching()
        #expect(meet(&readBack, "skerry/lamp/a/activity", "\u{1}", isRetained: false) == nil)
        #expect(readBack.rivalsDue == nil)
        #expect(meet(&readBack, "skerry/lamp/a/activity", "x", isRetained: false) == .rival)
        #expect(meet(&readBack, "skerry/bridge/state", "offline", isRetained: false) == .rival)
        #expect(meet(&readBack, "skerry/bridge/state", "online", isRetained: false) == nil)
        let rivals = readBack.takeRivals(at: Self.start)
        #expect(rivals.count == 2)
        #expect(meet(&readBack, "skerry/bridge/state", "offline", isRetained: false) == .rival)
        #expect(readBack.rivalsDue == Self.start + .seconds(1))
        readBack.clockMoved(by: .hours(1))
        #expect(readBack.rivalsDue == Self.start + .hours(1) + .seconds(1))
    }

    @Test("the echo ends a step, and only the one of this step")
    func echo() {
        var readBack = Self.readBack()
        readBack.begin(BusSession(isResumed: false))
        readBack.asked(isGranted: true, at: Self.start)
        let echo = readBack.takeEcho() ?? ""
        let again = readBack.takeEcho()
        #expect(echo.hasPrefix("pier ") && again == nil)
        #expect(readBack.end == Self.start + .seconds(3))
        #expect(meet(&readBack, "skerry/bridge/echo", "pier 1", isRetained: false) == nil)
        #expect(meet(&readBack, "skerry/bridge/echo", echo, isRetained: false) == .echo)
        #expect(readBack.end == Self.start)
        readBack.stop(isTakenOver: false)
        #expect(readBack.end == nil)
        readBack.begin(BusSession(isResumed: false))
        readBack.asked(isGranted: false, at: Self.start + .seconds(9))
        let none = readBack.takeEcho()
        #expect(none == nil)
        #expect(readBack.end == Self.start + .seconds(9))
    }
}
