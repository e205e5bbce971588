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

    /// Eleven hours, in which five machines go on and a more relevant one comes, two pause and one is done.
    @Test(arguments: [false, true])
    func `in the morning each card is true or gone, and nothing has rung twice`(restarts: Bool) {
        var night = Night()
        for (number, device) in ["a", "b", "c", "d", "e"].enumerated() {
            night.show("running", rev: 1, device: device, relevance: Double(10 + number))
        }
        night.pass(.minutes(30))
        #expect(night.screen == ["a running", "b running", "c running", "d running", "e running"])
        // What makes room for it arrives, and so does its start; the answers are lost.
        night.losesAnswers = true
        night.show("running", rev: 1, device: "f", relevance: 90)
        night.pass(.minutes(1))
        night.losesAnswers = false
        night.pass(.minutes(9))
        night.show("running", rev: 2, device: "e", relevance: 14, alert: "e needs you")
        night.pass(.minutes(20))
        #expect(night.screen == ["b running", "c running", "d running", "e running", "f running"])
        night.isOff = true
        night.pass(.hours(2))
        night.show("paused", rev: 2, device: "b", relevance: 11)
        night.pass(.minutes(10))
        night.show("paused", rev: 2, device: "c", relevance: 12)
        if restarts { night.bench.restart() }
        night.pass(.hours(2))
        night.show("done", rev: 2, device: "d", phase: .ended, relevance: 13, alert: "d is done")
        night.pass(.minutes(410))
        night.switchOn()
        night.open()
        night.pass(.minutes(2))
        night.open()
        night.pass(.hours(1))
        #expect(night.screen == ["a running", "b paused", "c paused", "e running", "f running"])
        // What was done hours ago wakes nobody.
        #expect(night.rings == ["e needs you": 1])
        // What is over is gone for those who open the app a day later, too.
        for device in ["a", "b", "c", "e", "f"] { night.show("done", rev: 3, device: device, phase: .ended) }
        night.pass(.hours(24))
        #expect(night.screen == [])
    }

    @Test(arguments: [true, false])
    func `an app that was killed for a day shows what is true once it is opened`(isOver: Bool) {
        var night = Night()
        night.isKilled = true
        night.bench.report(allowsNotifications: true, notificationToken: .known("a0"))
        night.show("running", rev: 1)
        night.pass(.minutes(10))
        // The start needs no app; without one, nobody has the token of the card, and an alert is a notification.
        #expect(night.screen == ["w running"])
        night.show("paused", rev: 2, alert: "look")
        night.pass(.hours(20))
        if isOver { night.show("done", rev: 3, phase: .ended) }
        night.pass(.hours(4))
        night.isKilled = false
        night.open()
        night.pass(.minutes(2))
        night.open()
        night.pass(.minutes(30))
        #expect(night.screen == (isOver ? [] : ["w paused"]))
        #expect(night.rings == ["look": 1])
    }

    /// A household with a phone, as Apple's service reaches it.
    private struct Night {
        var bench = PhoneBench()
        var phone = SimulatedPhone()
        var isOff = false
        /// True while iOS does not launch the app, because its user has ended it.
        var isKilled = false
        /// True while pushes arrive, and their answers do not.
        var losesAnswers = false
        /// The number of times that each alert was told.
        private(set) var rings: [String: Int] = [:]
        private var alerts: Set<String> = []
        private var kept: Push?
        private var tokens: [String: Int] = [:]

        init() { bench.pair() }

        /// The devices on the Lock Screen with what their cards say.
        var screen: [String] {
            phone.lockScreen.map { "\($0.id.split(separator: "/")[1]) \($0.stateName)" }.sorted()
        }

        mutating func show(
            _ state: String,
            rev: Int64,
            device: String = "w",
            phase: ActivityPhase = .active,
            relevance: Double = 50,
            alert: String? = nil
        ) {
            let dismissAt = phase == .ended ? bench.now + .minutes(15) : nil
            if let alert { alerts.insert(alert) }
            bench.show(
                state,
                rev: rev,
                device: device,
                phase: phase,
                relevance: relevance,
                dismissAt: dismissAt,
                alert: alert.map { ActivityAlert(title: $0, body: "") }
            )
        }

        mutating func pass(_ length: Interval) {
            let end = bench.now + length
            while true {
                deliver()
                guard let due = bench.scheduler.nextDeadline(at: bench.now), due < end else { break }
                bench.now = max(due, bench.now)
            }
            bench.now = end
            deliver()
        }

        private mutating func deliver() {
            let answer: PushAnswer = losesAnswers ? .noAnswer(reason: "time-out") : .accepted
            for push in bench.deliver(answer) { receive(push) }
            phone.pass(until: bench.now)
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
            for card in live where !tokens.values.contains(card.number) { tell(card.number) }
            let shown = PhoneReport.Shown(
                type: PhoneBench.type,
                activities: live.map { .init(id: $0.id, instance: $0.instance, rev: $0.rev) }
            )
            bench.report(shows: [shown])
        }

        /// The app tells the token of a card.
        private mutating func tell(_ card: Int) {
            let token = "c\(card)"
            tokens[token] = card
            bench.token(token, of: phone.cards[card].id, instance: phone.cards[card].instance)
        }

        private mutating func receive(_ push: Push) {
            if isOff {
                kept = push
                return
            }
            if case .map(let alert)? = push.aps["alert"], case .string(let title)? = alert["title"],
                alerts.contains(title)
            {
                rings[title, default: 0] += 1
            }
            switch push.route {
            case .start:
                guard case .shown(let card) = phone.start(push.payload, at: bench.now) else { return }
                if !isKilled { tell(card) }
            case .token(let token):
                guard let card = tokens[token] else { return }
                _ = phone.receive(push.payload, for: card, priority: push.priority, at: bench.now)
                phone.pass(until: bench.now)
            case .app, .widgets, .channel, .createChannel, .deleteChannel, .listChannels: break
            }
        }
    }
}
