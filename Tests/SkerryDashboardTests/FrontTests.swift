import SkerryEngine
import SkerryGateway
import SkerryPhones
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryDashboard

/// One page and one API for several partitions, whose gateways are in this process.
@Suite struct FrontTests {
    /// A gateway of a partition.
    private struct Gateway {
        let log = EventLog { RunningServer.now }
        let phones = NotedPhones()
        let browsers = BrowserDesk()
        let house: NotedHouse

        init(_ devices: [String]) {
            let list = devices.map { #"{"kind":"washer","device":"\#($0)"}"# }.joined(separator: ",")
            house = NotedHouse { question in
                switch question {
                case .devices: .found(Array("{\"devices\":[\(list)]}".utf8))
                case .runs(_, _, let before, let limit): .found(Self.runs(devices, before, limit))
                default: NotedHouse.usual(question)
                }
            }
            for device in devices { log.take(StreamTests.beginning(of: device)) }
        }

        /// Runs that ended one second after the other, in the order of their devices backwards.
        private static func runs(_ devices: [String], _ before: String?, _ limit: Int) -> [UInt8] {
            let ids = devices.reversed().map { "washer/\($0)/1" }
            let rest = before.flatMap { ids.firstIndex(of: $0) }.map { Array(ids[($0 + 1)...]) } ?? ids
            let page = rest.prefix(limit).map { id in
                #"{"id":"\#(id)","start":0,"end":\#(id.split(separator: "/")[1].dropFirst()),"ended":true}"#
            }
            let next = page.count < rest.count ? #""next":"\#(rest[limit - 1])","# : ""
            return Array("{\(next)\"runs\":[\(page.joined(separator: ","))]}".utf8)
        }

        /// Serves while `body` runs.
        func serve(
            on host: String = "127.0.0.1",
            at port: Int,
            _ secret: AdminSecret,
            _ body: (RunningServer) async throws -> Void
        ) async throws {
            var options = RunningServer.options
            options.address = HTTPAddress(host: host, port: port)
            options.heartbeat = .milliseconds(100)
            try await RunningServer.use(
                phones,
                browsers: browsers,
                options: options,
                log: log,
                house: house,
                secret: secret,
                body
            )
        }
    }

    /// Names of devices by their partition.
    private static let shares = (0..<2).map { number in
        (0..<9).map { "d\($0)" }.filter { Partition.number(of: $0, among: 2) == number }
    }

    private let gateways = Self.shares.map { Gateway($0) }
    private let secret: AdminSecret
    private let places: PartitionPlaces

    init() throws {
        secret = try RunningServer.secret()
        let port = try Broker.findFreePorts(2, distance: PartitionPlaces.portStep)
        places = PartitionPlaces(count: 2, hosts: ["127.0.0.1", "127.0.0.2"], port: port, isSecure: false)
    }

    private func useFirst(_ body: () async throws -> Void) async throws {
        try await gateways[0].serve(at: places.port, secret) { _ in try await body() }
    }

    private func useSecond(on host: String = "127.0.0.1", _ body: () async throws -> Void) async throws {
        let port = places.port + PartitionPlaces.portStep
        try await gateways[1].serve(on: host, at: port, secret) { _ in try await body() }
    }

    /// Runs both partitions and the front.
    private func use(_ body: (RunningServer) async throws -> Void) async throws {
        try await useFirst {
            try await useSecond {
                try await RunningServer.useFront(of: places, secret: secret, body)
            }
        }
    }

    private static func names(_ answer: DashboardClient.Answer, _ list: String, _ name: String) -> [String] {
        answer.json[list].elements.compactMap { $0[name].text }
    }

    @Test func `lists have the devices of all partitions, a page at a time`() async throws {
        try await use { front in
            let devices = try await front.admin.asked("GET", "/v1/devices")
            #expect(devices.status == 200 && devices.fields["skerry-missing"] == nil)
            #expect(Self.names(devices, "devices", "device") == (0..<9).map { "d\($0)" })
            var ids: [String] = []
            var after = ""
            while ids.count < 20 {
                let page = try await front.admin.asked("GET", "/v1/activities?limit=2\(after)")
                ids += Self.names(page, "activities", "id")
                guard let next = page.json["next"].text else { break }
                after = "&after=\(next)"
            }
            #expect(ids == (0..<9).map { "washer/d\($0)/1" })
            var runs: [String] = []
            var target = "/v1/runs?limit=4"
            while runs.count < 20 {
                let page = try await front.admin.asked("GET", target)
                runs += Self.names(page, "runs", "id")
                guard let link = page.fields["link"] else { break }
                target = "/v1/runs" + link.dropFirst().prefix { $0 != ">" }
            }
            #expect(runs == (0..<9).reversed().map { "washer/d\($0)/1" })
            #expect(try await front.admin.asked("GET", "/v1/runs?before=washer/d1/1").status == 400)
            let status = try await front.admin.asked("GET", "/v1/status")
            #expect("\(status.json["messages"])" == "\(Value.int(6))")
            let metrics = try await front.admin.asked("GET", "/metrics").text
            let samples = metrics.split(separator: "\n").filter { $0.hasPrefix("skerry_messages_total") }
            #expect(samples == (0..<2).map { "skerry_messages_total{partition=\"\($0)\"} 3" })
            let all = metrics.split(separator: "\n")
            let histogram = try #require(
                all.firstIndex(of: "# TYPE skerry_commit_duration_seconds histogram")
            )
            #expect(all[(histogram + 1)...].allSatisfy { $0.hasPrefix("skerry_commit_duration_seconds_") })
            #expect(all.contains(#"skerry_commit_duration_seconds_bucket{partition="1",le="+Inf"} 2"#))
            #expect(try await front.client().asked("GET", "/readyz").status == 200)
        }
    }

    @Test func `a device is asked for at its partition, by the right of the one who asks`() async throws {
        try await use { front in
            for device in ["d0", "d1", "d2", "d3"] {
                let answer = try await front.admin.asked(
                    "POST",
                    "/v1/devices/washer/\(device)/events",
                    body: Array(#"{"event":"start"}"#.utf8)
                )
                #expect(answer.status == 202)
                let activity = try await front.admin.asked("GET", "/v1/activities/washer/\(device)")
                #expect(activity.status == 200 && activity.fields["etag"] != nil)
            }
            for (number, gateway) in gateways.enumerated() {
                let devices = gateway.house.questions.compactMap { question in
                    if case .event(let device, _) = question { device.name } else { nil }
                }
                #expect(devices == ["d0", "d1", "d2", "d3"].filter { Self.shares[number].contains($0) })
            }
            // Gateways take programs on their computer for trustworthy; what comes through the front is no such.
            for path in ["/v1/devices", "/v1/devices/washer/d0", "/v1/status", "/v1/stream", "/metrics"] {
                #expect(try await front.client().asked("GET", path).status == 401, "\(path)")
            }
            #expect(try await front.client().asked("GET", "/").text.contains("<html"))
            #expect(try await front.client().asked("GET", "/v1/session").json["role"].text == "none")
            #expect(try await front.admin.asked("GET", "/v1/session").json["role"].text == "admin")
            #expect(try await front.admin.asked("GET", "/v1/nothing").status == 404)
        }
    }

    @Test func `a partition that is away is named, and the rest is there`() async throws {
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                let devices = try await front.admin.asked("GET", "/v1/devices")
                #expect(devices.status == 200 && devices.fields["skerry-missing"] == "1")
                #expect(Self.names(devices, "devices", "device") == Self.shares[0])
                #expect(devices.text.contains(#""missing":[1]"#))
                let lost = try #require(Self.shares[1].first)
                #expect(
                    try await front.admin.asked("GET", "/v1/devices/washer/\(lost)").problem
                        == "partition-missing"
                )
                #expect(try await front.client().asked("GET", "/readyz").status == 503)
            }
        }
    }

    @Test func `a partition with another admin token is refused, with the reason`() async throws {
        try await gateways[0].serve(at: places.port, RunningServer.secret()) { _ in
            try await RunningServer.useFront(of: places, secret: secret) { front in
                let answer = try await front.admin.asked("GET", "/v1/devices")
                #expect(answer.problem == "wrong-front")
            }
        }
    }

    @Test func `a stream has all partitions, goes on after its last event, and survives a take-over`()
        async throws
    {
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                let fields = ["Authorization: Bearer \(secret.text)"]
                var reader = try StreamClient(front, "/v1/stream", fields)
                #expect(try await reader.head().contains("text/event-stream"))
                var last: String?
                try await useSecond {
                    // The one that comes later is noticed, too.
                    var numbers: Set<String> = []
                    while numbers.count < 2, let event = await reader.next() {
                        guard event.name == "snapshot" else { continue }
                        numbers.insert("\(event.json["partition"]) of \(event.json["partitions"])")
                    }
                    #expect(
                        numbers == [
                            "\(Value.int(0)) of \(Value.int(2))", "\(Value.int(1)) of \(Value.int(2))",
                        ]
                    )
                    for (number, gateway) in gateways.enumerated() {
                        gateway.log.take(.redefined)
                        let event = await reader.next()
                        #expect(event?.name == "definitions", "\(number)")
                        last = event?.id
                    }
                    for gateway in gateways { gateway.log.take(.redefined) }
                    reader = try StreamClient(front, "/v1/stream", fields + ["Last-Event-ID: \(last ?? "")"])
                    #expect(await reader.next(2).map(\.name) == ["definitions", "definitions"])
                }
                var event = await reader.next()
                #expect(
                    event?.name == "partition"
                        && "\(event?.json["answers"] ?? .null)" == "\(Value.bool(false))"
                )
                // Another computer takes over.
                try await useSecond(on: "127.0.0.2") {
                    event = await reader.next()
                    #expect("\(event?.json["answers"] ?? .null)" == "\(Value.bool(true))")
                    event = await reader.next()
                    #expect(
                        event?.name == "snapshot"
                            && event?.json["activities"].elements.count == Self.shares[1].count
                    )
                    let devices = try await front.admin.asked("GET", "/v1/devices")
                    #expect(devices.fields["skerry-missing"] == nil)
                }
            }
        }
    }

    @Test func `what was found is asked of partition 0, and no file is changed on one of several computers`()
        async throws
    {
        let wish = Array(#"{"kind":"mill","filter":"mill/{device}"}"#.utf8)
        let decision = Array(#"{"decision":"use"}"#.utf8)
        try await use { front in
            for (method, path) in [("DELETE", "/v1/definitions/washer"), ("PUT", "/v1/found/washer/d0")] {
                let answer = try await front.admin.asked(method, path, body: decision)
                #expect(answer.problem == "several-computers", "\(method) \(path)")
            }
            #expect(try await front.admin.asked("GET", "/v1/found").status == 200)
        }
        try await useSecond {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                #expect(try await front.admin.asked("GET", "/v1/found").problem == "partition-missing")
                let answer = try await front.admin.asked("POST", "/v1/proposals", body: wish)
                #expect(answer.problem == "partition-missing")
            }
        }
        #expect(gateways[1].house.questions.isEmpty)
    }

    @Test func `while partition 0 is away, no phone is told that it is unknown`() async throws {
        try await useSecond {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                let phone = front.client("the token of a phone that only partition 0 knows")
                for path in ["/v1/activities", "/v1/activities/washer/\(Self.shares[1][0])", "/v1/schema"] {
                    let answer = try await phone.asked("GET", path)
                    #expect(answer.status == 503, "\(path)")
                }
            }
        }
    }

    @Test func `partitions wait for a slow reader, who misses nothing`() async throws {
        try await use { front in
            let fields = ["Authorization: Bearer \(secret.text)"]
            let reader = try StreamClient(front, "/v1/stream", fields, buffer: 4096)
            _ = try await reader.head()
            var snapshots = 0
            while snapshots < 2, let event = await reader.next() {
                snapshots += event.name == "snapshot" ? 1 : 0
            }
            // More than the front keeps; a partition has a snapshot for a reader who is too far behind for it.
            let long = String(repeating: "x", count: 50_000)
            for number in 0..<60 {
                gateways[0].log.take(StreamTests.move(to: "\(long)\(number)", of: Self.shares[0][0]))
            }
            gateways[0].log.take(.redefined)
            var isThrough = false
            while !isThrough, let event = await reader.next() {
                isThrough = event.name == "definitions" || event.name == "snapshot"
            }
            #expect(isThrough)
        }
    }

    @Test func `a phone that pairs with the front is known to all, and so are its reports and its end`()
        async throws
    {
        var phone = (id: "", token: "")
        let report = Array(#"{"confirmedAt":1790000000,"bundleId":"org.example.home"}"#.utf8)
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                // The partition that is away gets to know the phone with its next report.
                phone = try await front.pair(person: "Ada")
                let path = "/v1/phones/\(phone.id)"
                let client = front.client(phone.token)
                #expect(
                    try await client.asked("PUT", "\(path)/tokens", body: report).problem
                        == "partition-missing"
                )
                #expect(try await front.stranger.asked("PUT", "\(path)/tokens", body: report).status == 401)
                try await useSecond {
                    #expect(try await front.admin.asked("PUT", "\(path)/tokens", body: report).status == 403)
                    #expect(gateways[1].phones.phones().isEmpty)
                    // The app would forget its pairing if it were told that nobody knows it.
                    let device = "/v1/activities/washer/\(Self.shares[1][0])"
                    #expect(try await client.asked("GET", device).problem == "partition-missing")
                    #expect(try await front.stranger.asked("GET", device).status == 401)
                    let list = try await client.asked("GET", "/v1/activities")
                    #expect(list.status == 200 && list.fields["skerry-missing"] == "1")
                    let answer = try await client.asked("PUT", "\(path)/tokens", body: report)
                    #expect(answer.status == 200 && answer.json["name"].text == "Ada's iPhone")
                    for gateway in gateways {
                        #expect(gateway.phones.phones().map(\.person) == ["Ada"])
                        let last = gateway.phones.state.withLock { $0.reports.last }
                        #expect(last?.bundleID == "org.example.home")
                    }
                    #expect(try await client.asked("GET", "/v1/devices").fields["skerry-missing"] == nil)
                    let phones = try await front.admin.asked("GET", "/v1/phones")
                    #expect(Self.names(phones, "phones", "phone") == [phone.id])
                    let wish = Array(#"{"person":"Ben"}"#.utf8)
                    #expect(try await front.admin.asked("PUT", "\(path)/person", body: wish).status == 200)
                    #expect(gateways.allSatisfy { $0.phones.phones().map(\.person) == ["Ben"] })
                    #expect(try await front.stranger.asked("DELETE", path).status == 401)
                    #expect(gateways.allSatisfy { $0.phones.phones().count == 1 })
                }
                #expect(try await client.asked("DELETE", path).problem == "partition-missing")
                try await useSecond {
                    let removal = try await client.asked("DELETE", path)
                    #expect(removal.status == 204)
                    #expect(gateways.allSatisfy { $0.phones.phones().isEmpty })
                    #expect(try await client.asked("DELETE", path).status == 401)
                }
            }
        }
    }

    @Test
    func `a browser is let in by all partitions, also by one that was away, and its session ends in all`()
        async throws
    {
        let device = "/v1/activities/washer/\(Self.shares[1][0])"
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                let cookie = try await front.signIn(#"{"role":"viewer","name":"Wall"}"#)
                let ask = { (path: String) in try await front.ask("GET", path, [cookie]) }
                try await useSecond {
                    #expect(try await ask(device).answer.contains("partition-missing"))
                    #expect(try await ask("/v1/session").answer.contains(#""role":"viewer""#))
                    #expect(try await ask(device).status == "200")
                    let devices = try await ask("/v1/devices").answer
                    #expect(Self.shares.joined().allSatisfy { devices.contains("\"\($0)\"") })
                    // One that comes now is let in by all at once.
                    let other = try await front.signIn(#"{"role":"member"}"#)
                    #expect(try await front.ask("GET", device, [other]).status == "200")
                    let list = try await front.admin.asked("GET", "/v1/browsers")
                    let id = try #require(list.json["browsers"].elements[0]["browser"].text)
                    #expect(Self.names(list, "browsers", "name") == ["Wall", "Browser"])
                    let path = "/v1/browsers/\(id)"
                    #expect(try await front.ask("DELETE", path, [other]).status == "403")
                    #expect(try await front.admin.asked("DELETE", path).status == 204)
                    #expect(try await ask(device).status == "401")
                    #expect(try await front.ask("DELETE", "/v1/session", [other]).status == "204")
                    #expect(try await front.ask("GET", device, [other]).status == "401")
                    #expect(
                        try await front.admin.asked("GET", "/v1/browsers").text.contains(#""browsers":[]"#)
                    )
                }
            }
        }
    }

    @Test func `a session that ended while a partition was away ends there, too, and does not come back`()
        async throws
    {
        let device = "/v1/activities/washer/\(Self.shares[1][0])"
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                var cookies: [String] = []
                var ids: [String] = []
                try await useSecond {
                    for _ in 0..<2 { cookies.append(try await front.signIn(#"{"role":"member"}"#)) }
                    let list = try await front.admin.asked("GET", "/v1/browsers")
                    ids = Self.names(list, "browsers", "browser")
                    for cookie in cookies {
                        #expect(try await front.ask("GET", device, [cookie]).status == "200")
                    }
                }
                for id in ids {
                    let answer = try await front.admin.asked("DELETE", "/v1/browsers/\(id)")
                    #expect(answer.problem == "partition-missing")
                }
                try await useSecond {
                    let session = try await front.ask("GET", "/v1/session", [cookies[0]])
                    #expect(session.answer.contains(#""role":"none""#))
                    #expect(try await front.ask("GET", device, [cookies[0]]).status == "401")
                    #expect(gateways[1].browsers.browsers(at: RunningServer.now).map(\.id) == [ids[1]])
                    let list = try await front.admin.asked("GET", "/v1/browsers")
                    #expect(Self.names(list, "browsers", "browser").isEmpty)
                    #expect(try await front.ask("GET", device, [cookies[1]]).status == "401")
                }
            }
        }
    }

    @Test func `who signs in again leaves no former session in any partition`() async throws {
        try await use { front in
            let former = try await front.signIn(#"{"role":"viewer"}"#)
            let other = try await front.signIn(#"{"role":"member","name":"Other"}"#)
            let code = try await front.browserCode(#"{"role":"admin","name":"Boss"}"#)
            // The id of another session, with a token that is not its own, ends nothing.
            let wrong = other.prefix { $0 != "." } + ".00"
            let boss = try await front.ask(
                "POST",
                "/v1/session",
                [former],
                body: #"{"code":"\#(code)"}"#
            )
            #expect(boss.status == "204")
            let next = try await front.browserCode(#"{"role":"viewer","name":"Third"}"#)
            let third = try await front.ask(
                "POST",
                "/v1/session",
                [String(wrong)],
                body: #"{"code":"\#(next)"}"#
            )
            #expect(third.status == "204")
            for gateway in gateways {
                let names = gateway.browsers.browsers(at: RunningServer.now).map(\.name)
                #expect(names == ["Other", "Boss", "Third"])
            }
        }
    }

    @Test func `an administrator's browser removes a phone from a partition that does not know the browser`()
        async throws
    {
        try await useFirst {
            try await RunningServer.useFront(of: places, secret: secret) { front in
                var phone = (id: "", token: "")
                try await useSecond { phone = try await front.pair(person: "Ada") }
                let boss = try await front.signIn(#"{"role":"admin"}"#)
                try await useSecond {
                    let path = "/v1/phones/\(phone.id)"
                    let removal = try await front.ask("DELETE", path, [boss])
                    #expect(removal.status == "204")
                    #expect(gateways.allSatisfy { $0.phones.phones().isEmpty })
                }
            }
        }
    }

    @Test func `a browser that may write definitions sends long ones through the front`() async throws {
        try await use { front in
            let body = "{\"source\":\"\(String(repeating: "x", count: 20_000))\"}"
            let far = "X-Real-IP: 10.0.0.1"
            let member = try await front.signIn(#"{"role":"member"}"#)
            let viewer = try await front.signIn(#"{"role":"viewer"}"#)
            for cookie in [member, viewer] { _ = try await front.ask("GET", "/v1/session", [far, cookie]) }
            #expect(try await front.ask("POST", "/v1/check", [far, member], body: body).status == "200")
            #expect(try await front.ask("POST", "/v1/check", [far, viewer], body: body).status == "413")
            #expect(try await front.ask("DELETE", "/v1/session", [far, member]).status == "204")
            #expect(try await front.ask("POST", "/v1/check", [far, member], body: body).status == "413")
        }
    }
}
