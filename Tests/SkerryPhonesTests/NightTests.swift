import SkerryActivity
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPhones

/// A phone that is off over night, of whose pushes Apple keeps the last one, for as long as it may.
@Suite struct NightTests {
    @Test func `what ended at night does not go on in the morning`() {
        var night = Night()
        night.show("running", rev: 1)
        night.pass(.minutes(10))
        night.isOff = true
        night.pass(.hours(2))
        night.show("done", rev: 2, phase: .ended)
        night.pass(.hours(5))
        #expect(night.phone.lockScreen.map { $0.stateName } == ["running"])
        night.switchOn()
        #expect(night.phone.lockScreen.isEmpty)
    }

    @Test func `what Apple did not keep comes when the app tells what the phone shows`() {
        var night = Night()
        for device in ["a", "b"] { night.show("running", rev: 1, device: device) }
        night.pass(.minutes(10))
        night.isOff = true
        night.show("paused", rev: 2, device: "a")
        night.pass(.minutes(10))
        night.show("paused", rev: 2, device: "b")
        night.pass(.hours(3))
        night.switchOn()
        #expect(night.phone.lockScreen.map { $0.stateName }.sorted() == ["paused", "running"])
        night.open()
        night.pass(.minutes(1))
        #expect(night.phone.lockScreen.map { $0.stateName } == ["paused", "paused"])
        let sent = night.bench.sent.count
        for _ in 0..<3 {
            night.open()
            night.pass(.minutes(10))
        }
        #expect(night.bench.sent.count == sent)
    }

    /// A household with a phone, as Apple's service reaches it.
    private struct Night {
        var bench = PhoneBench()
        var phone = SimulatedPhone()
        var isOff = false
        private var kept: Push?
        private var tokens: [String: Int] = [:]

        init() { bench.pair() }

        mutating func show(
            _ state: String,
            rev: Int64,
            device: String = "w",
            phase: ActivityPhase = .active
        ) {
            let dismissAt = phase == .ended ? bench.now + .minutes(15) : nil
            bench.show(state, rev: rev, device: device, phase: phase, dismissAt: dismissAt)
        }

        mutating func pass(_ length: Interval) {
            let end = bench.now + length
            while true {
                for push in bench.deliver() { receive(push) }
                guard let due = bench.scheduler.nextDeadline(at: bench.now), due < end else { break }
                bench.now = max(due, bench.now)
            }
            bench.now = end
            for push in bench.deliver() { receive(push) }
        }

        mutating func switchOn() {
            isOff = false
            phone.pass(until: bench.now)
            if let push = kept, push.expiration >= bench.now.flooredSeconds { receive(push) }
            kept = nil
        }

        /// The app comes to the front, and tells what the phone shows.
        mutating func open() {
            let live = phone.cards.filter { $0.isLive }
            let shown = PhoneReport.Shown(
                type: PhoneBench.type,
                activities: live.map { .init(id: $0.id, instance: $0.instance, rev: $0.rev) }
            )
            bench.report(shows: [shown])
        }

        private mutating func receive(_ push: Push) {
            if isOff {
                kept = push
                return
            }
            switch push.route {
            case .start:
                guard case .shown(let card) = phone.start(push.payload, at: bench.now) else { return }
                let token = "c\(card)"
                tokens[token] = card
                bench.token(token, of: push.activity, instance: push.instance)
            case .token(let token):
                guard let card = tokens[token] else { return }
                _ = phone.receive(push.payload, for: card, priority: push.priority, at: bench.now)
                phone.pass(until: bench.now)
            case .app, .widgets, .channel, .createChannel, .deleteChannel, .listChannels: break
            }
        }
    }
}
