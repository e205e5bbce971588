import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerryPhones

/// Activities that show a person that a phone is reached.
@Suite struct TestActivityTests {
    private static let washer = LiveActivityContract(
        kind: "washer",
        attributes: [LiveActivityContract.Field(name: "program", type: .string)],
        content: [
            LiveActivityContract.Field(name: "title", type: .any),
            LiveActivityContract.Field(name: "left", type: .time),
            LiveActivityContract.Field(name: "level", type: .double, whole: 8),
            LiveActivityContract.Field(name: "spins", type: .int),
            LiveActivityContract.Field(name: "parts", type: .structure),
        ],
        states: ["washing", "done"],
        longestState: 10
    )
    private static let oven = LiveActivityContract(
        kind: "oven",
        attributes: [],
        content: [],
        states: nil,
        longestState: 10
    )

    /// Begins a test, and returns its id.
    private static func begin(_ bench: inout PhoneBench, on phone: String = "anna") throws -> String {
        let outcome = bench.scheduler.test([oven, washer], on: phone, at: bench.now)
        guard case .begun(let activity, let end) = outcome else {
            Issue.record("\(outcome)")
            return ""
        }
        #expect(end == bench.now + .minutes(1))
        return activity
    }

    @Test
    func `it fills each place of the layout, is shown by one phone alone, and is removed after a minute`()
        throws
    {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.pair("ben")
        let id = try Self.begin(&bench)
        let pushes = bench.deliver()
        #expect(pushes.map(\.phone) == ["anna"])
        #expect(pushes.map(\.event) == [.start])
        let second = PhoneBench.start.flooredSeconds
        guard case .map(let state)? = pushes[0].aps["content-state"],
            case .map(let content)? = state["content"]
        else {
            Issue.record("no content")
            return
        }
        let timer = #"{"end":\#(second + 60),"start":\#(second)}"#
        var writer = JSONWriter()
        writer.value(.map(content))
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"{"left":\#(timer),"level":4,"spins":50,"title":"Test"}"#)
        #expect(pushes[0].state == "washing")
        #expect(pushes[0].number("stale-date") == second + 62)

        bench.token("aa", of: id)
        let after = bench.pass(.minutes(2))
        #expect(after.map(\.event) == [.end])
        #expect(after[0].number("dismissal-date") == second + 59, "at once")
        #expect(bench.decisions("skerry-test").contains(.notAudience) == false)
    }

    @Test func `it goes on over a restart, and ends on its phone alone`() throws {
        var bench = PhoneBench()
        bench.pair()
        let id = try Self.begin(&bench)
        bench.deliver()
        bench.restart()
        bench.pair("ben")
        bench.token("aa", of: id)
        let pushes = bench.pass(.minutes(2))
        #expect(pushes.map(\.phone) == ["anna"])
        #expect(pushes.map(\.event) == [.end])
    }

    @Test func `a phone that belongs to somebody else's audience is tested, too`() throws {
        var bench = PhoneBench()
        bench.pair()
        bench.scheduler.audience = AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])])
        _ = try Self.begin(&bench)
        #expect(bench.deliver().map(\.event) == [.start])
    }

    @Test func `what can't be tested is told at once`() throws {
        var bench = PhoneBench()
        bench.pair()
        #expect(bench.scheduler.test([Self.washer], on: "ben", at: bench.now) == .unknownPhone)
        #expect(bench.scheduler.test([Self.oven], on: "anna", at: bench.now) == .noToken)
        _ = try Self.begin(&bench)
        bench.deliver()
        bench.now = bench.now + .seconds(30)
        #expect(bench.scheduler.test([Self.washer], on: "anna", at: bench.now) == .running)
        bench.pass(.minutes(1))
        _ = try Self.begin(&bench)
        bench.report(allowsActivities: false)
        #expect(bench.scheduler.test([Self.washer], on: "anna", at: bench.now) == .disabled)
    }

    @Test func `a device's activity is not ended for a test, also where the phone is full`() throws {
        var settings = PushSchedulerSettings()
        settings.places = 1
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.show("washing", rev: 1)
        bench.deliver()
        bench.token("aa")
        _ = try Self.begin(&bench)
        #expect(bench.deliver().isEmpty && bench.pass(.minutes(2)).isEmpty)
        #expect(bench.decisions("skerry-test") == [.yielded])
    }
}
