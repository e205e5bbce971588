import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// Phones with apps of several teams.
@Suite struct SeveralAppsTests {
    private static let own = "org.example.own"
    private static let shop = "com.example.shop"

    /// Anna's phone has the usual app and does not tell so, Shopper's the app of a customer.
    private static func bench(channels: Bool = false) -> PhoneBench {
        var settings = PushSchedulerSettings()
        settings.bundleID = own
        settings.usesChannels = channels
        settings.otherApps = [.init(bundleID: shop, usesChannels: channels)]
        var bench = PhoneBench(settings: settings)
        bench.pair("anna")
        bench.pair("shopper")
        bench.tell(shop, "shopper")
        return bench
    }

    @Test func `each push names the app of its phone, over a restart, too`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        #expect(bench.deliver().map { "\($0.phone ?? "") \($0.app)" } == ["anna ", "shopper \(Self.shop)"])
        bench.tell(Self.own, "anna")
        bench.report(
            "shopper",
            allowsNotifications: true,
            notificationToken: .known("a0"),
            widgetToken: .known("d0")
        )
        bench.restart()
        bench.token("aa")
        bench.token("bb", phone: "shopper")
        bench.show("paused", rev: 2)
        let pushes = bench.pass(.minutes(2))
        #expect(
            pushes.map { "\($0.event?.name ?? "") \($0.app)" } == [
                "update ", "update \(Self.shop)", "widgets \(Self.shop)",
            ]
        )
    }

    @Test func `a key that Apple refuses stops the pushes of its app alone, and the reason names the app`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            if push.app.isEmpty {
                bench.accept(push)
            } else {
                bench.scheduler.answered(
                    push,
                    .providerToken(reason: "InvalidProviderToken", retryAfter: nil),
                    at: bench.now
                )
            }
        }
        bench.token("aa")
        bench.show("paused", rev: 2)
        #expect(bench.pass(.seconds(30)).map(\.phone) == ["anna"])
        let texts = bench.scheduler.decisions(kind: "washer", device: "w").map(\.text)
        #expect(texts.contains("APNs refuses the provider token of \(Self.shop): InvalidProviderToken"))
        bench.restart()
        #expect(bench.pass(.minutes(4)).isEmpty, "the pause is kept")
        #expect(bench.pass(.minutes(5)).map(\.phone) == ["shopper"])
    }

    @Test func `each app has channels of its own`() {
        var bench = Self.bench(channels: true)
        bench.show("running", rev: 1)
        let first = bench.pass(.seconds(1))
        for app in ["", Self.shop] {
            let routes = first.filter { $0.app == app }.map(\.route)
            #expect(routes.contains(.listChannels) && routes.contains(.createChannel))
        }
        bench.restart()
        bench.show("paused", rev: 2)
        let told = bench.pass(.seconds(2)).filter { if case .channel = $0.route { true } else { false } }
        #expect(Set(told.map(\.app)) == ["", Self.shop] && told.count == 2)
    }

    @Test func `without a key for its app any more, a phone is held and told why, and the others go on`() {
        var bench = Self.bench()
        bench.report("shopper", widgetToken: .known("d0"))
        var settings = bench.scheduler.settings
        settings.otherApps = []
        for phone in bench.scheduler.phones { bench.scheduler.touch(phone: phone.id) }
        let images = bench.scheduler.takeChanges().images
        bench.scheduler = PushScheduler.restored(from: images, settings: settings).scheduler
        bench.show("running", rev: 1)
        #expect(bench.pass(.hours(1)).map(\.phone) == ["anna"])
        let held = bench.scheduler.decisions(kind: "washer", device: "w").filter { $0.phone == "shopper" }
        #expect(held.map(\.kind) == [.tokenMissing, .tokenMissing])
        #expect(held.allSatisfy { $0.text.contains("no key for the app \(Self.shop)") })
    }

    @Test func `without any key, and before it told, a phone has the usual app`() {
        var settings = PushSchedulerSettings()
        #expect(settings.bundleIDs == [] && settings.app(Self.shop) == "")
        settings.bundleID = Self.own
        settings.otherApps = [.init(bundleID: Self.shop, usesChannels: true)]
        #expect(settings.bundleIDs == [Self.own, Self.shop])
        #expect([nil, Self.own, Self.shop, "a.b"].map { settings.app($0) } == ["", "", Self.shop, "a.b"])
        #expect(["", Self.shop, "a.b"].map { settings.hasKey(of: $0) } == [true, true, false])
        #expect(["", Self.shop, "a.b"].map { settings.usesChannels(of: $0) } == [false, true, false])
    }

    @Test func `the state of services from before there were several is read`() throws {
        var writer = ImageWriter(capacity: 64)
        var service = PushScheduler.Service()
        service.pushes.pause(for: .hours(1), "trouble", at: PhoneBench.start)
        writer.list([PushScheduler.Service(), service]) { $1.write(to: &$0) }
        writer.seal()
        var reader = try ImageReader(sealed: writer.bytes[...])
        let services = try PushServices(from: &reader, version: 8)
        #expect(services["", .development].pushes.reason == "trouble")
        #expect(
            services["", .production].pushes.until == nil
                && services[Self.shop, .development].pushes.until == nil
        )
    }
}

extension PhoneBench {
    /// The phone tells which app it has.
    fileprivate mutating func tell(_ bundleID: String, _ phone: String) {
        var report = PhoneReport(confirmedAt: now)
        report.bundleID = bundleID
        _ = scheduler.report(report, of: phone, at: now)
    }
}
