import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// Who gets what: phones of two people.
@Suite struct AudienceTests {
    @Test func `a phone keeps its person over a restart, and an image without one is read`() throws {
        var bench = PhoneBench()
        bench.scheduler.pair("anna", name: "anna", person: "Ada", credential: [1], at: bench.now)
        bench.restart()
        #expect(bench.scheduler.pairedPhones.map(\.person) == ["Ada"])
        let isThere = ["anna", "nobody"].map { bench.scheduler.assign("Ben", to: $0, at: PhoneBench.start) }
        #expect(isThere == [true, false])
        bench.restart()
        #expect(bench.scheduler.pairedPhones.map(\.person) == ["Ben"])
        _ = bench.scheduler.assign(nil, to: "anna", at: bench.now)
        // The image of version 2 ends before the marks that say whether activities are allowed, and whether there is a person.
        var old = ImageWriter(capacity: 64)
        old.tag(2)
        for byte in bench.scheduler.phones[0].imageBefore7.dropLast(2) { old.tag(byte) }
        old.seal()
        let image = PhoneImage(id: "phone/anna", bytes: old.bytes)
        let (restored, refused) = PushScheduler.restored(from: [image])
        #expect(refused.isEmpty)
        #expect(restored.pairedPhones.map(\.name) == ["anna"])
        #expect(restored.pairedPhones.map(\.person) == [nil])
    }

    private static let washers = AudiencePolicy(rules: [
        AudiencePolicy.Rule("*", people: ["Ada", "Ben"]), AudiencePolicy.Rule("washer/*", people: ["Ben"]),
        AudiencePolicy.Rule("washer/w", people: ["Ada"]), AudiencePolicy.Rule("washer/none", people: []),
    ])

    @Test func `the most exact rule counts, and nothing said means everybody`() {
        let cases: [(person: String?, kind: String, device: String, isSeen: Bool)] = [
            ("Ada", "washer", "w", true), ("Ben", "washer", "w", false), (nil, "washer", "w", false),
            ("Ada", "washer", "x", false), ("Ben", "washer", "x", true), ("Ben", "washer", "none", false),
            ("Ada", "oven", "w", true), ("Cleo", "oven", "w", false), (nil, "oven", "w", false),
        ]
        for (person, kind, device, isSeen) in cases {
            let isAllowed = Self.washers.allows(person, kind: kind, device: device, attributes: nil)
            #expect(isAllowed == isSeen, "\(person ?? "nobody"): \(kind)/\(device)")
        }
        let open = AudiencePolicy(kinds: [AudiencePolicy.Kind("washer")])
        #expect(open.isOpen && !Self.washers.isOpen)
        #expect(open.allows(nil, kind: "washer", device: "w", attributes: nil))
        #expect(!open.allows("Ada", kind: "oven", device: "o", attributes: nil), "it has no definition")
    }

    @Test func `an attribute names the person, and a table must allow it, too`() {
        let kinds = [AudiencePolicy.Kind("order", attribute: "customer")]
        let policy = AudiencePolicy(rules: [], kinds: kinds)
        let both = AudiencePolicy(rules: [AudiencePolicy.Rule("order/*", people: ["Ada"])], kinds: kinds)
        let run = { (value: Value?) -> ValueMap in
            var map = ValueMap()
            if let value { map.set("customer", to: value) }
            return map
        }
        let cases: [(value: Value?, person: String?, alone: Bool, both: Bool)] = [
            (.string("Ada"), "Ada", true, true), (.string("Ben"), "Ben", true, false),
            (.string("Ada"), "Ben", false, false), (.string("Ada"), nil, false, false),
            (.string(""), nil, false, false), (nil, "Ada", false, false), (.int(1), "1", false, false),
            (.null, nil, false, false),
        ]
        for (value, person, alone, isBoth) in cases {
            for (policy, isSeen) in [(policy, alone), (both, isBoth)] {
                let isAllowed = policy.allows(person, kind: "order", device: "1", attributes: run(value))
                #expect(isAllowed == isSeen, "\(String(describing: value)) for \(person ?? "nobody")")
            }
        }
        #expect(!policy.allows("Ada", kind: "order", device: "1", attributes: nil), "no run is known")
    }

    /// A household of Ada and Ben with a washer for Ada.
    private static func household(channels: Bool = false) -> PhoneBench {
        var settings = PushSchedulerSettings()
        settings.usesChannels = channels
        var bench = PhoneBench(settings: settings)
        bench.scheduler.audience = AudiencePolicy(rules: [AudiencePolicy.Rule("washer/w", people: ["Ada"])])
        bench.pair("anna")
        bench.pair("benno")
        _ = bench.scheduler.assign("Ada", to: "anna", at: bench.now)
        _ = bench.scheduler.assign("Ben", to: "benno", at: bench.now)
        return bench
    }

    @Test func `only phones of the audience get pushes, and explain says for whom it is not`() {
        var bench = Self.household()
        bench.show("running", rev: 1)
        let starts = bench.deliver()
        #expect(starts.map(\.phone) == ["anna"])
        bench.token("a1")
        bench.show("paused", rev: 2, alert: ActivityAlert(title: "Paused", body: "Open the door"))
        bench.restart()
        let updates = bench.pass(.minutes(1))
        #expect(updates.map(\.phone) == ["anna"])
        bench.show("done", rev: 3, phase: .ended)
        let ends = bench.pass(.hours(5))
        #expect(ends.map(\.phone) == ["anna"])
        var told = Self.household()
        told.show("running", rev: 1)
        told.deliver()
        let refusal = told.scheduler.decisions(kind: "washer", device: "w").filter { $0.phone == "benno" }
        #expect(refusal.map(\.kind) == [.notAudience] && refusal.map(\.text) == ["not for Ben"])
    }

    @Test(arguments: ["person", "table", "attribute"])
    func `a phone that loses an activity gets its end at once, without content`(way: String) throws {
        var bench = Self.household()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("a1")
        bench.pass(.minutes(1))
        bench.show("secret", rev: 2, alert: ActivityAlert(title: "Secret", body: "Secret"))
        switch way {
        case "person": _ = bench.scheduler.assign("Cleo", to: "anna", at: bench.now)
        case "table": bench.scheduler.audience = AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: [])])
        default:
            let kinds = [AudiencePolicy.Kind("washer", attribute: "owner")]
            bench.scheduler.audience = AudiencePolicy(kinds: kinds)
        }
        bench.restart()
        let pushes = bench.pass(.minutes(1))
        #expect(pushes.map(\.phone) == ["anna"] && pushes.map(\.event) == [.end])
        let end = try #require(pushes.first)
        #expect(end.aps["content-state"] == nil && end.aps["alert"] == nil)
        #expect(try #require(end.number("dismissal-date")) < bench.now.flooredSeconds)
        let later = bench.pass(.hours(1))
        #expect(later.isEmpty)
        // Who gets it back sees it again.
        if way == "person" {
            _ = bench.scheduler.assign("Ada", to: "anna", at: bench.now)
            let again = bench.pass(.minutes(1))
            #expect(again.map(\.gist) == ["start 10 secret"])
        }
    }

    @Test func `a token that comes after the loss is used for the end alone`() {
        var bench = Self.household()
        bench.show("running", rev: 1)
        bench.deliver()
        _ = bench.scheduler.assign("Ben", to: "anna", at: bench.now)
        let before = bench.pass(.minutes(1))
        #expect(before.isEmpty)
        bench.token("a1")
        let after = bench.pass(.minutes(1))
        #expect(after.map(\.gist) == ["end 10 -"])
    }

    @Test func `only phones of the audience follow a channel`() {
        var bench = Self.household(channels: true)
        bench.show("running", rev: 1)
        let first = bench.deliver().filter { $0.event == .start }.map(\.phone)
        #expect(first == ["anna"])
        bench.show("running", rev: 1, device: "x")
        let both = bench.pass(.minutes(1)).filter { $0.event == .start }.map(\.phone)
        #expect(Set(both) == ["anna", "benno"], "nothing is said of this washer")
    }

    @Test(arguments: [false, true])
    func `a channel that somebody may not hear any more ends for all, and goes on for the others`(
        isRemoved: Bool
    ) throws {
        var bench = Self.household(channels: true)
        bench.show("running", rev: 1, device: "x")
        bench.deliver()
        bench.pass(.minutes(1))
        if isRemoved {
            _ = bench.scheduler.unpair("benno", at: bench.now)
        } else {
            let rule = AudiencePolicy.Rule("washer/x", people: ["Ada"])
            bench.scheduler.audience = AudiencePolicy(rules: [rule])
        }
        bench.show("secret", rev: 2, device: "x")
        bench.restart()
        let pushes = bench.pass(.minutes(1))
        let old = pushes.filter { $0.route == .channel(id: "channel1") }
        #expect(old.map(\.gist) == ["end 10 -"])
        #expect(try #require(old.first?.number("dismissal-date")) < bench.now.flooredSeconds)
        #expect(pushes.filter { $0.event == .start }.map(\.phone) == ["anna"])
        bench.show("done", rev: 3, device: "x", phase: .ended)
        let last = bench.pass(.minutes(1)).filter { $0.event == .end }
        #expect(last.map(\.route) == [.channel(id: "channel2")] && last.map(\.gist) == ["end 10 done"])
        #expect(bench.scheduler.phones.map(\.id) == (isRemoved ? ["anna"] : ["anna", "benno"]))
    }

    @Test func `an activity that only a phone has reported is not judged before the bridge tells of it`() {
        var bench = Self.household()
        bench.scheduler.audience = AudiencePolicy(kinds: [AudiencePolicy.Kind("washer", attribute: "owner")])
        bench.token("a1", of: "washer/w/7")
        let atOnce = bench.deliver()
        #expect(atOnce.isEmpty)
        let later = bench.pass(.minutes(2))
        #expect(later.map(\.gist) == ["end 10 -"])
    }
}
