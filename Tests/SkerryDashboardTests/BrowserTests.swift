import Foundation
import Logging
import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryDashboard

/// Browsers that are let in by a code, and what each may do.
@Suite struct BrowserTests {
    private static let far = "X-Real-IP: 10.0.0.1"
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func role(_ server: RunningServer, _ cookie: String) async throws -> String? {
        let answer = try await server.ask("GET", "/v1/session", [far, cookie]).answer
        return answer.firstMatch(of: /"role":"([a-z]+)"/).map { String($0.output.1) }
    }

    private static func enter(_ server: RunningServer, _ code: String) async throws -> (String, String) {
        try await server.ask("POST", "/v1/session", [far], body: #"{"code":"\#(code)"}"#)
    }

    @Test(arguments: ["viewer", "member", "admin"])
    func `a code lets one browser in, in the role that the administrator chose`(role: String) async throws {
        try await RunningServer.use { server in
            let offer = try await server.admin.asked(
                "POST",
                "/v1/pairings",
                body: Array(#"{"role":"\#(role)","name":"Kitchen wall"}"#.utf8)
            ).json
            let code = try #require(offer["code"].text)
            #expect(offer["link"].text?.hasSuffix("/#/sign-in/\(code)") == true)
            #expect(offer["qr"].text?.hasPrefix("<svg") == true)
            let typed = "\(code.prefix(4).lowercased())-\(code.dropFirst(4))"
            let (status, answer) = try await Self.enter(server, typed)
            #expect(status == "204")
            #expect(answer.contains("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict\r\n"))
            let cookie = try RunningServer.cookie(answer)
            #expect(try await Self.role(server, cookie) == role)
            let pairing = try await server.admin.asked("GET", "/v1/pairings/\(offer["pairing"].text ?? "")")
                .json
            #expect(pairing["state"].text == "paired" && pairing["name"].text == "Kitchen wall")
            let again = try await Self.enter(server, code)
            #expect(again.0 == "403" && again.1.contains("wrong-code"))
        }
    }

    @Test func `a code for a phone is none for a browser, nor the other way round`() async throws {
        try await RunningServer.use { server in
            let phone = try await server.browserCode("{}")
            #expect(try await Self.enter(server, phone).0 == "403")
            let browser = try await server.browserCode(#"{"role":"viewer"}"#)
            let body = Array(#"{"code":"\#(browser)"}"#.utf8)
            #expect(try await server.client().asked("POST", "/v1/pair", body: body).problem == "wrong-code")
            #expect(try await Self.enter(server, browser).0 == "204")
            for role in ["none", "guest", "phone", "local", "administrator", ""] {
                let wish = Array(#"{"role":"\#(role)"}"#.utf8)
                let answer = try await server.admin.asked("POST", "/v1/pairings", body: wish)
                #expect(answer.status == 400, "\(role)")
            }
        }
    }

    @Test func `who sends ten wrong codes has to wait, also with a right one`() async throws {
        try await RunningServer.use { server in
            let code = try await server.browserCode(#"{"role":"viewer"}"#)
            for _ in 0..<Pairings.tries { #expect(try await Self.enter(server, "AAAAAAAA").0 == "403") }
            let (status, answer) = try await Self.enter(server, code)
            #expect(status == "429" && answer.contains("too-many-codes") && answer.contains("Retry-After: "))
        }
    }

    @Test func `a session outlives the process, and the store has no token`() async throws {
        let store = MemoryPhoneStore()
        var cookie = ""
        let former = try BrowserDesk(store, logger: Self.quiet)
        try await RunningServer.use(browsers: former) { server in
            cookie = try await server.signIn(#"{"role":"viewer","name":"Kitchen wall"}"#)
        }
        let token = try #require(cookie.split(separator: ".").last)
        #expect(store.load().count == 1)
        for image in store.load() {
            #expect(!String(decoding: image.bytes, as: UTF8.self).contains(token))
        }
        // The desk of the phones takes browsers for none of its own.
        let phones = try PhoneDesk(
            store: store,
            queue: SinkQueue(name: "phones", options: BridgeOptions(version: "test")),
            clock: SystemClock(),
            logger: Self.quiet
        )
        #expect(phones.phones().isEmpty)
        let browsers = try BrowserDesk(store, logger: Self.quiet)
        try await RunningServer.use(browsers: browsers) { server in
            #expect(try await Self.role(server, cookie) == "viewer", "not even another admin token ends it")
            let list = try await server.admin.asked("GET", "/v1/browsers").text
            #expect(list.contains(#""name":"Kitchen wall","role":"viewer""#))
            #expect(!list.contains("credential") && !list.contains(cookie.suffix(64)))
        }
    }

    @Test func `a session that an administrator ends is over at once, with its streams`() async throws {
        var options = RunningServer.options
        options.heartbeat = .hours(1)
        try await RunningServer.use(options: options) { server in
            for role in ["viewer", "member", "admin"] {
                let cookie = try await server.signIn(#"{"role":"\#(role)"}"#)
                let stream = try StreamClient(server, "/v1/stream", [Self.far, cookie])
                #expect(await stream.next()?.name == "snapshot")
                let answer = try await server.admin.asked("GET", "/v1/browsers").json
                let id = try #require(answer["browsers"].elements.last?["browser"].text)
                #expect(try await server.admin.asked("DELETE", "/v1/browsers/\(id)").status == 204)
                #expect(await stream.next() == nil)
                #expect(try await server.ask("GET", "/v1/devices", [Self.far, cookie]).status == "401")
                #expect(try await Self.role(server, cookie) == "none")
                #expect(
                    try await server.admin.asked("DELETE", "/v1/browsers/\(id)").problem == "unknown-browser"
                )
            }
        }
    }

    @Test func `who signs out is forgotten, and who signs in again has one session`() async throws {
        try await RunningServer.use { server in
            let wall = try await server.signIn(#"{"role":"viewer","name":"Wall"}"#)
            let code = try await server.browserCode(#"{"role":"admin","name":"Wall"}"#)
            let body = #"{"code":"\#(code)"}"#
            let again = try await server.ask("POST", "/v1/session", [Self.far, wall], body: body)
            let boss = try RunningServer.cookie(again.answer)
            #expect(try await Self.role(server, wall) == "none")
            let list = try await server.ask("GET", "/v1/browsers", [Self.far, boss]).answer
            #expect(list.contains(#""name":"Wall","role":"admin""#) && list.contains(#""isOwn":true"#))
            #expect(list.matches(of: /"browser":/).count == 1)
            let end = try await server.ask("DELETE", "/v1/session", [Self.far, boss])
            #expect(end.answer.contains("skerry-session=; Path=/; Max-Age=0;"))
            #expect(try await Self.role(server, boss) == "none")
            #expect(try await server.admin.asked("GET", "/v1/browsers").text.contains(#""browsers":[]"#))
        }
    }

    @Test func `a browser that came by the admin token is listed as any other`() async throws {
        try await RunningServer.use { server in
            for _ in 0..<2 {
                let body = #"{"token":"\#(server.admin.token ?? "")"}"#
                let answer = try await server.ask("POST", "/v1/session", [Self.far], body: body).answer
                #expect(try await Self.role(server, RunningServer.cookie(answer)) == "admin")
            }
            let names = try await server.admin.asked("GET", "/v1/browsers").json["browsers"].elements
            #expect(names.map { $0["name"].text } == ["Browser", "Browser 2"])
        }
    }

    /// A browser is called what the code was made for, else what it calls itself.
    @Test(arguments: [(#""name":"Wall","#, "Wall"), ("", "Firefox, Android")])
    func `a browser names itself where the code names nobody`(_ wish: String, _ name: String) async throws {
        try await RunningServer.use { server in
            let code = try await server.browserCode("{\(wish)\"role\":\"viewer\"}")
            let body = #"{"code":"\#(code)","name":"Firefox, Android"}"#
            #expect(try await server.ask("POST", "/v1/session", [Self.far], body: body).status == "204")
            let names = try await server.admin.asked("GET", "/v1/browsers").json["browsers"].elements
            #expect(names.map { $0["name"].text } == [name])
        }
    }

    @Test func `a store that refuses leaves the code good and the session on`() async throws {
        let store = FailingPhoneStore()
        let browsers = try BrowserDesk(store, logger: Self.quiet)
        try await RunningServer.use(browsers: browsers) { server in
            let code = try await server.browserCode(#"{"role":"viewer"}"#)
            store.refuses = true
            #expect(try await Self.enter(server, code).0 == "503")
            store.refuses = false
            let (status, answer) = try await Self.enter(server, code)
            #expect(status == "204")
            let cookie = try RunningServer.cookie(answer)
            store.refuses = true
            let list = try await server.admin.asked("GET", "/v1/browsers").json["browsers"].elements
            let id = list[0]["browser"].text ?? ""
            #expect(try await server.admin.asked("DELETE", "/v1/browsers/\(id)").status == 503)
            #expect(try await Self.role(server, cookie) == "viewer")
        }
    }

    @Test func `a browser sees what its person may see, an administrator's sees everything`() async throws {
        let phones = NotedPhones()
        phones.set(
            AudiencePolicy(
                rules: [AudiencePolicy.Rule("washer/*", people: ["Ada"])],
                kinds: [AudiencePolicy.Kind("washer")]
            )
        )
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        try await RunningServer.use(phones, log: log) { server in
            for (wish, sees) in [
                (#"{"role":"viewer"}"#, false), (#"{"role":"viewer","person":"Ada"}"#, true),
                (#"{"role":"member","person":"Ben"}"#, false), (#"{"role":"admin"}"#, true),
            ] {
                let cookie = try await server.signIn(wish)
                let path = "/v1/activities/washer/laundry"
                let status = try await server.ask("GET", path, [Self.far, cookie]).status
                #expect(status == (sees ? "200" : "404"), "\(wish)")
            }
        }
    }

    @Test func `a member chooses the name of a device by its own right, which may not see it`() async throws {
        let phones = NotedPhones()
        let policy = AudiencePolicy(
            rules: [AudiencePolicy.Rule("washer/*", people: ["Ada"])],
            kinds: [AudiencePolicy.Kind("washer")]
        )
        phones.set(policy)
        var options = RunningServer.options
        options.allowsEditing = true
        let house = NotedHouse()
        try await RunningServer.use(phones, options: options, house: house) { server in
            let cookie = try await server.signIn(#"{"role":"member","person":"Ben"}"#)
            let id = try #require(cookie.firstMatch(of: /=([^.]+)\./)).output.1
            let path = "/v1/devices/washer/laundry/settings"
            _ = try await server.ask("PUT", path, [Self.far, cookie], body: #"{"name":"Mine"}"#)
            #expect(house.viewers == [.phone(String(id), person: "Ben", policy)])
        }
    }

    @Test(arguments: [("admin", "200"), ("member", "401")])
    func `a guest's link outlives the session of an administrator, and no other`(
        role: String,
        status: String
    ) async throws {
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        try await RunningServer.use(log: log) { server in
            let fields = [Self.far, try await server.signIn(#"{"role":"\#(role)"}"#)]
            let body = #"{"device":"washer/laundry"}"#
            let link = try await server.ask("POST", "/v1/guests", fields, body: body)
            let secret = try #require(link.answer.firstMatch(of: /guest=([\w.-]+)/)).output.1
            let path = "/v1/activities/washer/laundry?guest=\(secret)"
            #expect(try await server.ask("GET", path, [Self.far]).status == "200")
            #expect(try await server.ask("DELETE", "/v1/session", fields).status == "204")
            #expect(try await server.ask("GET", path, [Self.far]).status == status)
        }
    }

    @Test func `a stream ends when the session is over because of the time`() async throws {
        let phones = NotedPhones()
        var options = RunningServer.options
        options.heartbeat = .milliseconds(50)
        try await RunningServer.use(phones, options: options) { server in
            let fields = [Self.far, try await server.signIn(#"{"role":"admin"}"#)]
            let stream = try StreamClient(server, "/v1/stream", fields)
            #expect(await stream.next()?.name == "snapshot")
            phones.state.withLock { $0.now = RunningServer.now + .hours(24 * 30) }
            #expect(await stream.next() == nil)
        }
    }

    @Test func `who signs out loses the cookie, even if the store refuses`() async throws {
        let store = FailingPhoneStore()
        try await RunningServer.use(browsers: BrowserDesk(store, logger: Self.quiet)) { server in
            let cookie = try await server.signIn(#"{"role":"member"}"#)
            store.refuses = true
            let (status, answer) = try await server.ask("DELETE", "/v1/session", [Self.far, cookie])
            #expect(status == "503" && answer.contains("an administrator can end"))
            #expect(answer.contains("skerry-session=; Path=/; Max-Age=0;"))
            #expect(try await Self.role(server, cookie) == "member", "the session is still listed")
        }
    }

    @Test func `names are texts, whatever they look like`() async throws {
        let name = #"<img src=x onerror=alert(1)>"'&"#
        try await RunningServer.use { server in
            let written = name.replacing("\"", with: "\\\"")
            _ = try await server.signIn(#"{"role":"viewer","name":"\#(written)"}"#)
            let list = try await server.admin.asked("GET", "/v1/browsers").json["browsers"].elements
            #expect(list.map { $0["name"].text } == [name])
            for wrong in [#"\u0000"#, #"a\nb"#, "  ", String(repeating: "x", count: 65)] {
                let body = Array(#"{"role":"viewer","name":"\#(wrong)"}"#.utf8)
                #expect(try await server.admin.asked("POST", "/v1/pairings", body: body).status == 400)
            }
        }
    }

    @Test func `a wall may stay away for more than a year, an administrator for a month`() throws {
        let start = RunningServer.now
        for (role, days) in [(Role.viewer, 400), (.member, 400), (.administrator, 30)] as [(Role, Int64)] {
            let desk = BrowserDesk()
            let browser = Browser(
                id: "1",
                name: "Wall",
                role: role,
                person: nil,
                credential: Secret.digest("token"),
                pairedAt: start,
                seenAt: start
            )
            #expect(try desk.add(browser, at: start))
            let half = start + .hours(12 * days)
            desk.see("1", at: half)
            #expect(desk.browser("1", at: half + .hours(24 * days) - .seconds(1)) != nil)
            #expect(desk.browser("1", at: half + .hours(24 * days)) == nil)
        }
    }

    private static func browser(_ number: Int, _ seenAt: Timestamp, isExpendable: Bool = false) -> Browser {
        Browser(
            id: "\(number)",
            name: "\(number)",
            role: .viewer,
            person: nil,
            credential: [],
            pairedAt: seenAt,
            seenAt: seenAt,
            isExpendable: isExpendable
        )
    }

    @Test func `those that came by the token give way when there are too many, the one longest away first`()
        throws
    {
        let desk = BrowserDesk()
        let now = RunningServer.now
        for number in 0..<BrowserDesk.limit {
            let browser = Self.browser(number, now, isExpendable: (3...4).contains(number))
            #expect(try Browser(image: browser.image) == browser)
            #expect(try desk.add(browser, at: now))
        }
        let later = now + .minutes(1)
        desk.see("3", at: later)
        for number in [1000, 1001] { #expect(try desk.add(Self.browser(number, later), at: later)) }
        #expect(try !desk.add(Self.browser(1002, later), at: later))
        let ids = Set(desk.browsers(at: later).map(\.id))
        #expect(ids.count == BrowserDesk.limit && ids.isDisjoint(with: ["3", "4", "1002"]))
    }

    @Test func `tokens do not fill the list of browsers`() async throws {
        let browsers = BrowserDesk()
        for number in 1..<BrowserDesk.limit {
            #expect(try browsers.add(Self.browser(number, RunningServer.now), at: RunningServer.now))
        }
        try await RunningServer.use(browsers: browsers) { server in
            let body = #"{"token":"\#(server.admin.token ?? "")"}"#
            for _ in 0..<2 {
                #expect(try await server.ask("POST", "/v1/session", [Self.far], body: body).status == "204")
            }
            _ = try await server.signIn(#"{"role":"viewer"}"#)
            #expect(try await server.ask("POST", "/v1/session", [Self.far], body: body).status == "409")
        }
    }

    @Test func `a clock that runs ahead ends no session for good, and makes none longer`() throws {
        let store = MemoryPhoneStore()
        let isRight = Mutex(false)
        let desk = try BrowserDesk(store, logger: Self.quiet) { isRight.withLock { $0 } }
        let now = RunningServer.now
        let ahead = now + .hours(24 * 1000)
        #expect(try desk.add(Self.browser(1, now), at: now))
        #expect(try desk.add(Self.browser(2, ahead), at: ahead))
        #expect(desk.browser("1", at: now) != nil && store.load().count == 2)
        isRight.withLock { $0 = true }
        desk.see("2", at: now)
        #expect(desk.browser("2", at: now)?.seenAt == now)
        #expect(desk.browser("2", at: ahead) == nil)
        let stored = try BrowserDesk(store, logger: Self.quiet)
        #expect(stored.browser("2", at: now)?.seenAt == now)
    }

    @Test func `a browser that came before the clock was right goes on, also after a restart`() throws {
        let store = MemoryPhoneStore()
        let now = RunningServer.now
        do {
            let desk = try BrowserDesk(store, logger: Self.quiet)
            #expect(try desk.add(Self.browser(1, now), at: now))
        }
        let isRight = Mutex(false)
        let desk = try BrowserDesk(store, logger: Self.quiet) { isRight.withLock { $0 } }
        let before = now - .hours(24 * 1000)
        #expect(try desk.add(Self.browser(2, before), at: before))
        // It was here later than this clock says.
        desk.see("1", at: before)
        isRight.withLock { $0 = true }
        desk.clockMoved(by: .hours(24 * 1000))
        let stored = try BrowserDesk(store, logger: Self.quiet)
        for desk in [desk, stored] {
            let moments = desk.browsers(at: now).map { [$0.pairedAt, $0.seenAt] }
            #expect(moments == [[now, now], [now, now]])
        }
    }

    @Test func `there are so many browsers and no more`() throws {
        let desk = BrowserDesk()
        let now = RunningServer.now
        for number in 0..<BrowserDesk.limit { #expect(try desk.add(Self.browser(number, now), at: now)) }
        #expect(try !desk.add(Self.browser(1000, now), at: now))
        #expect(try desk.add(Self.browser(1000, now), inPlaceOf: "7", at: now))
        let later = now + .hours(24 * 401)
        #expect(try desk.add(Self.browser(1001, later), at: later), "those that are long gone make room")
        #expect(desk.browsers(at: later).map(\.id) == ["1001"])
    }
}
