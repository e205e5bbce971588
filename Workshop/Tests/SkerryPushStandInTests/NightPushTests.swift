import SkerryPush
import SkerryPushStandIn
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Testing

/// A phone that is off over night; the service keeps one push for it, as Apple's does.
@Suite(.enabled(if: Broker.isAvailable, "needs a mosquitto: scripts/install-dependencies"))
struct NightPushTests {
    @Test func whatEndedAtNightDoesNotGoOnInTheMorning() async throws {
        try await Self.night { harbour in
            try harbour.say("wash")
            await harbour.shows("Washing")
            harbour.shelf.switchOff(Harbour.phone)
            harbour.pass(.hours(1))
            try harbour.say("rinse")
            await harbour.standIn.received(2)
            harbour.pass(.hours(1))
            try harbour.say("off")
            await harbour.standIn.received(3)
            harbour.pass(.hours(5))
            #expect(harbour.screen == (["Washing"], []))
            harbour.shelf.switchOn(Harbour.phone)
            #expect(harbour.screen.live == [])
            for _ in 0..<3 {
                harbour.shelf.open(Harbour.phone)
                harbour.pass(.minutes(20))
            }
            // The card was ended once; the next wash has its own.
            try harbour.say("wash")
            await harbour.standIn.received(4)
            #expect(harbour.standIn.received.map(Self.event) == ["start", "update", "end", "start"])
        }
    }

    @Test func whatAppleDidNotKeepComesWhenTheAppIsOpened() async throws {
        try await Self.night { harbour in
            for device in ["kitchen", "laundry"] { try harbour.say("wash", device) }
            await harbour.shows(["Washing", "Washing"])
            harbour.shelf.switchOff(Harbour.phone)
            harbour.pass(.hours(1))
            try harbour.say("rinse", "kitchen")
            await harbour.standIn.received(3)
            harbour.pass(.hours(1))
            try harbour.say("rinse", "laundry")
            await harbour.standIn.received(4)
            harbour.pass(.hours(3))
            #expect(harbour.screen == (["Washing", "Washing"], []))
            harbour.shelf.switchOn(Harbour.phone)
            #expect(harbour.screen == (["Rinsing", "Washing"], []))
            harbour.shelf.open(Harbour.phone)
            await harbour.shows(["Rinsing", "Rinsing"])
            for _ in 0..<3 {
                harbour.pass(.minutes(20))
                harbour.shelf.open(Harbour.phone)
            }
            for device in ["kitchen", "laundry"] { try harbour.say("off", device) }
            await harbour.shelf.waits(for: Harbour.phone) { $0.cards.allSatisfy { !$0.isLive } }
            // The card ends before the stand-in has noted its push.
            await harbour.standIn.received(7)
            // What got lost went once more, and no more often.
            let events = harbour.standIn.received.map(Self.event)
            #expect(events == ["start", "start", "update", "update", "update", "end", "end"])
        }
    }

    /// Runs a bridge and its service by a clock that the test moves.
    private static func night(_ body: (Harbour) async throws -> Void) async throws {
        let harbour = try Harbour(steps: StepClock(Quay.now))
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        try await body(harbour)
        pushing.cancel()
        await pushing.value
        await harbour.end()
    }

    /// The event of a push.
    private static func event(_ push: ReceivedPush) -> String {
        guard case .map(let root)? = try? JSONReader.value(of: push.body.span),
            case .map(let aps)? = root["aps"], case .string(let event)? = aps["event"]
        else { return "none" }
        return event
    }
}
