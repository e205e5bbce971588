import Foundation
import SkerryActivity
import SkerryPhones
import SkerryPushStandIn
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPush

/// The whole way from what a device says to what a phone shows.
@Suite(.enabled(if: Broker.isAvailable, "needs a mosquitto: scripts/install-dependencies"))
struct PushServiceTests {
    @Test func whatADeviceSaysIsSeenOnThePhone() async throws {
        let harbour = try Harbour()
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        for (state, text) in [("wash", "Washing"), ("rinse", "Rinsing"), ("off", "Laundry is done")] {
            try harbour.say(state)
            await harbour.shows(text)
        }
        pushing.cancel()
        await pushing.value
        await harbour.end()
        let arrivals = harbour.shelf.arrivals
        #expect(arrivals.map(\.event) == ["start", "update", "end"])
        #expect(arrivals.map(\.outcome) == Array(repeating: .shown(card: 0), count: 3))
        #expect(harbour.standIn.connectionCount == 1)
        // One provider token for all, and an id of its own for each.
        #expect(Set(harbour.standIn.received.map(\.providerToken)).count == 1)
        #expect(Set(harbour.standIn.received.map { $0.headers["apns-id"] }).count == 3)
    }

    @Test func anAlertWithoutACardComesAsANotification() async throws {
        let harbour = try Harbour()
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        try harbour.say("wash")
        await harbour.shows("Washing")
        // Live Activities are switched off: iOS ends the card.
        let card = try #require(harbour.shelf.phone(Harbour.phone)?.cards.first)
        try harbour.report { report in
            report.allowsActivities = false
            report.activities = [.init(id: card.id, end: .ended)]
        }
        for state in ["rinse", "off"] { try harbour.say(state) }
        await harbour.notifies(["Take the laundry out"])
        pushing.cancel()
        await pushing.value
        await harbour.end()
        #expect(harbour.standIn.received.count == 2)
        let push = try #require(harbour.standIn.received.last)
        #expect(push.headers["apns-push-type"] == "alert")
        #expect(push.headers["apns-topic"] == Quay.bundleID)
        #expect(push.headers["apns-collapse-id"] != nil)
        let notice = try #require(harbour.shelf.phone(Harbour.phone)?.notices.first)
        #expect(notice.level == "time-sensitive" && notice.hasSound)
        #expect(notice.thread.hasPrefix("washer/laundry/"))
    }

    @Test(arguments: [PushReply.refuse, .goAway("Shutdown")])
    func aStartThatWasNotLookedAtGoesAgainOnce(reply: PushReply) async throws {
        let harbour = try Harbour()
        harbour.standIn.answer(reply)
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        try harbour.say("wash")
        await harbour.shows("Washing")
        try harbour.say("rinse")
        await harbour.shows("Rinsing")
        pushing.cancel()
        await pushing.value
        await harbour.end()
        #expect(harbour.shelf.arrivals.map(\.event) == ["start", "update"])
        #expect(harbour.standIn.received.count == 3)
    }

    @Test func withChannelsOnePushIsForAll() async throws {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        let harbour = try Harbour(settings: settings)
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        for (state, text) in [("wash", "Washing"), ("rinse", "Rinsing"), ("off", "Laundry is done")] {
            try harbour.say(state)
            await harbour.shows(text)
        }
        pushing.cancel()
        await pushing.value
        await harbour.end()
        let paths = harbour.standIn.received.map { $0.path.split(separator: "/").dropFirst().first ?? "" }
        // Which channels are there, and one more; then the start.
        #expect(paths.prefix(4) == ["apps", "apps", "device", "broadcasts"])
        #expect(harbour.shelf.phone(Harbour.phone)?.cards.first?.channel != nil)
    }

    /// What the manager of channels refuses stops no push.
    @Test func withoutChannelsPhonesAreReachedByTheirTokens() async throws {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        let harbour = try Harbour(settings: settings)
        harbour.standIn.answer(.raw(200, body: #"{"channels":[]}"#), .reason(403, "Forbidden"))
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        for (state, text) in [("wash", "Washing"), ("rinse", "Rinsing")] {
            try harbour.say(state)
            await harbour.shows(text)
        }
        pushing.cancel()
        await pushing.value
        await harbour.end()
        #expect(harbour.shelf.phone(Harbour.phone)?.cards.map(\.channel) == [nil])
    }

    @Test func aRestartGoesOnWithTheProviderToken() async throws {
        let harbour = try Harbour()
        let token = FileManager.default.temporaryDirectory.appending(
            path: "skerry-token-\(UUID().uuidString)"
        ).path
        defer { for name in [token, token + ".copy"] { try? FileManager.default.removeItem(atPath: name) } }
        for (state, text) in [("wash", "Washing"), ("rinse", "Rinsing")] {
            let service = try harbour.service(tokenPath: token)
            let pushing = Task { await service.run() }
            try harbour.say(state)
            await harbour.shows(text)
            pushing.cancel()
            await pushing.value
        }
        await harbour.end()
        #expect(harbour.standIn.connectionCount == 2)
        #expect(Set(harbour.standIn.received.map(\.providerToken)).count == 1)
    }

    /// Twenty minutes are a second here.
    @Test func anExpiredProviderTokenIsReplacedAndThePushComesThrough() async throws {
        let harbour = try Harbour(rate: 1000)
        harbour.standIn.answer(.reason(403, "ExpiredProviderToken"))
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        try harbour.say("wash")
        await harbour.shows("Washing")
        pushing.cancel()
        await pushing.value
        await harbour.end()
        let tokens = harbour.standIn.received.map(\.providerToken)
        #expect(tokens.count >= 2 && tokens[0] != tokens[1])
        #expect(harbour.shelf.phone(Harbour.phone)?.cards.count == 1)
    }

    @Test func endingGivesUpAPushThatIsNotAnswered() async throws {
        let harbour = try Harbour()
        harbour.standIn.answer(.silence)
        let service = try harbour.service()
        let pushing = Task { await service.run() }
        try harbour.say("wash")
        await harbour.standIn.received(1)
        pushing.cancel()
        await pushing.value
        await harbour.end()
        #expect(harbour.standIn.received.count == 1)
    }
}
