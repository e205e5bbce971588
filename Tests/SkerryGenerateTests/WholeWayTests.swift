import Foundation
import SkerryGateway
import SkerryPhones
import SkerryTesting
import Testing

/// From a washing machine to the app and back: a broker, the bridge with its HTTP API, a stand-in for Apple's service, and
/// the generated reporter as a process of its own.
@Suite(
    .enabled(if: Broker.isAvailable, "needs a mosquitto: scripts/install-dependencies"),
    .timeLimit(.minutes(5))
)
struct WholeWayTests {
    @Test func `a run starts, changes and ends on the phone, and what its user does is known to the bridge`()
        async throws
    {
        let house = try House()
        let server = try await house.serve()
        let workshop = try Workshop()
        try workshop.compileReporter([house.definition], programs: ["Checks", "WholeWay"])
        var phone = try AppProcess(workshop, house)
        try await phone.pair(at: server.address)
        // A start, its token, and an update by it.
        try house.say("Run")
        try await phone.reads("shows start Running")
        await house.knowsToken(1)
        // The app is opened: it asks the gateway for what it shows.
        phone.write("ask")
        try await phone.reads("has washer laundry active Running of laundry, then 1")
        try await phone.reads("ran laundry Running")
        try await phone.reads("an event is refused")
        try await phone.reads("nobody gets noBridge")
        try await phone.reads("a stranger gets unpaired")
        try house.say("Pause")
        try await phone.reads("shows update Paused")
        // The gateway is away while iOS provides another token: the report waits on the disk, over the end of the app.
        await server.stop()
        phone.write("token 01010101")
        try await phone.reads("no answer")
        let again = try await house.serve(at: server.address)
        phone.write("front")
        try await phone.reads("answer 200")
        try house.say("Run")
        try await phone.reads("shows update Running")
        #expect(house.lastToken == "02020202")
        try house.say("Finished")
        try await phone.reads("shows end Laundry is done")
        // The user removes the next one: the bridge sends no more of it.
        try house.say("Run")
        try await phone.reads("shows start Running")
        await house.knowsToken(2)
        let gestures = try await house.gestures(2) {
            phone.write("tap washer/laundry")
            try await phone.reads("answer 200")
            phone.write("dismiss 03030303")
            await house.decides(.muted)
        }
        let laundry = "Ada's iPhone opened washer/laundry/"
        // In any order: a phone that is slow puts both into one report.
        #expect(gestures.sorted() == [laundry.replacing("opened", with: "dismissed"), laundry])
        try house.say("Pause")
        try await switchOff(phone, house)
        try await hide(phone, house)
        #expect(house.events == ["start", "update", "update", "end", "start", "alert", "start", "start"])
        // A new process of the app is the same phone.
        phone.end()
        phone = try AppProcess(workshop, house)
        try await phone.reads("answer 200")
        #expect(house.desk.phones().count == 1)
        phone.end()
        await again.stop()
        await house.end()
    }

    /// The user wants no card of the washing machine on this phone for a while.
    private func hide(_ phone: AppProcess, _ house: House) async throws {
        await house.hears { $0.activities.last?.tokenConfirmedAt != nil }
        phone.write("hide washer/laundry")
        await house.hears { $0.hides == ["washer/laundry"] && $0.activities.last?.tokenConfirmedAt == nil }
        await house.decides(.hidden)
        phone.write("unhide washer/laundry")
        try await phone.reads("shows start Running")
    }

    /// The user switches Live Activities off for a run and a half.
    private func switchOff(_ phone: AppProcess, _ house: House) async throws {
        try house.say("Finished")
        phone.write("allow no")
        await house.hears { $0.allowsActivities == false }
        try house.say("Run")
        await house.decides(.disabled)
        // No card can carry the alert at the end: it comes as a notification, by the token of the app.
        try house.say("Finished")
        try await phone.reads("notifies a0a0a0a0 Laundry is done, Cotton has finished")
        await house.hears { $0.counts[.notification].accepted == 1 }
        try house.say("Run")
        await house.decides(.disabled)
        phone.write("allow yes")
        try await phone.reads("shows start Running")
    }
}
