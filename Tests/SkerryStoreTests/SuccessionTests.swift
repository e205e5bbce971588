import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// Processes that end one after the other: what one of them forgave or lost, the next one must know.
@Suite("Succession")
struct SuccessionTests {
    private typealias Gateway = RecoveryTests.Gateway

    private static let start = RecoveryTests.start

    /// A device that nothing moves but silence.
    private static let lamp = """
        skerry: 1
        kind: oven
        sources:
          - topic: oven/{device}/state
            signals: { on: payload.on }
        machine:
          initial: cold
          states:
            cold:
              always: { guard: on, target: hot }
            hot:
              always: { quiet: 2h, target: lost }
            lost: {}
        activity:
          starts: hot
          ends: [lost]
          content: { status: state }
          stale: 1h
        """

    private static let otherKind = lamp.replacing("oven", with: "kiln")

    @Test(
        "the silence of a downtime is forgiven by the next process and by the one after it",
        arguments: Backing.all
    )
    func forgivenTwice(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do { try Gateway(folder, at: Self.start, Self.lamp).send(#"{"on":true}"#) }
        do {
            let second = try Gateway(folder, at: Self.start + .hours(3), Self.lamp)
            // A commit, which tells the store that somebody listens.
            second.send(#"{"on":true}"#, by: "other")
        }
        let third = try Gateway(folder, at: Self.start + .hours(6), Self.lamp)
        _ = third.published()
        third.clock.move(by: .minutes(59))
        third.bridge.wake()
        #expect(third.published() == [])
        third.clock.move(by: .minutes(1))
        third.bridge.wake()
        #expect(third.published().contains { $0.contains("oven/a/") && $0.contains(#""phase":"stale""#) })
        third.clock.move(by: .hours(1))
        third.bridge.wake()
        #expect(third.states == ["lost"])
    }

    @Test("the image of a device that waits for silence is never older than a checkpoint")
    func heard() throws {
        let draft = try #require(DefinitionReader.read(text: Self.lamp).draft)
        let definition = try #require(Definition.compile(draft).definition)
        var limits = EngineLimits()
        limits.heardAge = .minutes(10)
        var engine = Engine(definitions: [definition], epoch: 1, limits: limits)
        func images(after minutes: Int64, _ payload: String) -> Int {
            let message = Message(topic: Array("oven/a/state".utf8)[...], payload: Array(payload.utf8)[...])
            _ = engine.handle(.message(message), at: Self.start + .minutes(minutes))
            return engine.takeImages(all: false).count
        }
        #expect(images(after: 0, #"{"on":false}"#) == 1)
        #expect(images(after: 15, #"{"on":false}"#) == 0, "nothing becomes of it when it is silent")
        #expect(images(after: 16, #"{"on":true}"#) == 1)
        #expect(images(after: 25, "{}") == 0)
        #expect(images(after: 26, "{}") == 1)
        #expect(images(after: 35, "{}") == 0)
        #expect(images(after: 40, "{}") == 1)
        #expect(images(after: 49, "{}") == 0)
    }

    @Test(
        "a kind that was removed reuses no number of an earlier run, even if the clock stood still",
        arguments: [false, true]
    )
    func lostRuns(isGoneAtStart: Bool) throws {
        let folder = try Folder()
        do {
            let first = try Gateway(folder, at: Self.start, Self.lamp)
            first.send(#"{"on":true}"#)
            if !isGoneAtStart { first.change(to: []) }
        }
        if isGoneAtStart { _ = try Gateway(folder, at: Self.start, Self.otherKind) }
        do { _ = try Gateway(folder, at: Self.start, Self.otherKind) }
        let last = try Gateway(folder, at: Self.start, Self.lamp)
        _ = last.published()
        last.send(#"{"on":true}"#)
        let news = try #require(last.published().first { $0.hasPrefix("skerry/oven/a/activity {") })
        #expect(news.contains(#""id":"oven/a/1772355601","rev":1,"#), "\(news)")
    }

    @Test("a device whose image can't be read reuses no number of an earlier run")
    func unreadable() throws {
        let draft = try #require(DefinitionReader.read(text: Self.lamp).draft)
        let definition = try #require(Definition.compile(draft).definition)
        var former = Engine(definitions: [definition], epoch: 1)
        let message = Message(
            topic: Array("oven/a/state".utf8)[...],
            payload: Array(#"{"on":true}"#.utf8)[...]
        )
        _ = former.handle(.message(message), at: Self.start)
        var image = try #require(former.takeImages(all: true).first)
        image.bytes.removeLast()
        var restoration = EngineRestoration(
            of: Engine(definitions: [definition], epoch: 1),
            after: Downtime(start: Self.start, end: Self.start)
        )
        var effects: [Effect] = []
        let layout = former.imageLayouts()[0]
        let outcome = restoration.restore(image, layout: layout, effects: &effects)
        guard case .refused = outcome else {
            Issue.record("\(outcome)")
            return
        }
        var engine = restoration.finish().engine
        _ = engine.handle(.message(message), at: Self.start)
        #expect(engine.device(kind: "oven", named: "a")?.device.activity?.id == "oven/a/1772355601")
    }

    @Test("no two stores begin with the same epoch, whatever the wall clock shows")
    func epochs() {
        func epoch(_ boot: String, _ elapsed: Interval, at start: Timestamp = Self.start) -> Int64 {
            StoredState().nextEpoch(at: start, boot: BootMoment(id: boot, elapsed: elapsed))
        }
        let epochs = (0..<100).flatMap { number in
            [epoch("boot \(number)", .seconds(30)), epoch("a", .milliseconds(Int64(number)))]
        }
        #expect(Set(epochs).count == epochs.count)
        #expect(epochs.allSatisfy { $0 / 1_000_000 == Self.start.flooredSeconds })
        #expect(epoch("a", .zero, at: Self.start + .seconds(1)) > epochs.max() ?? 0)
        #expect(StoredState().nextEpoch(at: Self.start, boot: nil) == Self.start.flooredSeconds)
    }

    @Test(
        "the epoch stays the same, unless commits may be missing: then the next one is greater",
        arguments: [1, -1]
    )
    func nextEpoch(step: Int64) {
        let boot = BootMoment(id: "a", elapsed: .zero)
        var state = StoredState()
        state.epoch = StoredState().nextEpoch(at: Self.start, boot: boot)
        let later = Self.start + .hours(step)
        #expect(state.nextEpoch(at: later, boot: boot) == state.epoch)
        state.mayHaveForgotten = true
        #expect(state.nextEpoch(at: later, boot: boot) > state.epoch ?? 0)
    }
}
