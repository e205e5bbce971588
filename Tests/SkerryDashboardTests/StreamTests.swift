import Foundation
import SkerryActivity
import SkerryDashboard
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// The stream of events, as its readers see it.
@Suite struct StreamTests {
    private static let start = RunningServer.now

    /// Something that happens in a device.
    private static func effect(_ what: DeviceEffect, of device: String = "laundry") -> BridgeEvent {
        .effect(Effect(at: start, kind: "washer", device: device, what: what))
    }

    /// A move to a state whose name is a number.
    private static func move(_ number: Int, of device: String = "laundry") -> BridgeEvent {
        effect(.moved(from: "\(number - 1)", to: "\(number)"), of: device)
    }

    /// An activity that has just begun.
    private static func activity(_ device: String = "laundry") -> (Activity, ActivityUpdate) {
        Activity.start(
            ActivityPlan(kind: "washer", fields: [ActivityPlan.Field(name: "status")]),
            device: device,
            run: 1,
            epoch: 5,
            state: "running",
            attributes: ValueMap(),
            content: [.value(.string("Rinsing"))],
            at: start
        )
    }

    /// A move to a state with any name.
    static func move(to state: String, of device: String) -> BridgeEvent {
        effect(.moved(from: "", to: state), of: device)
    }

    /// The beginning of an activity, as a bridge tells it.
    static func beginning(of device: String) -> BridgeEvent {
        effect(.update(activity(device).1), of: device)
    }

    private static func position(_ event: ReceivedEvent?) -> Int? {
        event?.id?.split(separator: "-").last.flatMap { Int($0) }
    }

    @Test func `a stream begins with everything and goes on with each event`() async throws {
        let log = EventLog { Self.start }
        log.take(.connected)
        var (activity, first) = Self.activity()
        log.take(Self.effect(.update(first)))
        try await RunningServer.use(log: log) { server in
            let reader = try StreamClient(server)
            let head = try await reader.head()
            #expect(head.contains("Content-Type: text/event-stream") && head.contains("no-store"))
            let snapshot = try #require(await reader.next())
            #expect(snapshot.name == "snapshot" && Self.position(snapshot) == 2)
            let laundry = String(decoding: first.snapshotJSON(), as: UTF8.self)
            #expect(
                snapshot.data == """
                    {"at":1790000000,"rate":1,"activities":[\(laundry)],"timelines":[],\
                    "devices":[{"kind":"washer","device":"laundry"}],\
                    "broker":{"connected":true,"since":1790000000}}
                    """
            )
            let stale = activity.markStale(at: Self.start + .minutes(1))
            let update = try #require(stale)
            let timeline = ActivityTimeline(of: activity)
            log.take(.entered(kind: "washer", device: "laundry", title: "Spinning"))
            for event in [
                Self.effect(.moved(from: "rinse", to: "spin,locked")), Self.effect(.update(update)),
                Self.effect(.availability(false)),
                .foretold(kind: "washer", device: "laundry", timeline),
                .foretold(kind: "washer", device: "laundry", timeline),
                .foretold(kind: "washer", device: "laundry", nil),
                Self.effect(.dismissed(id: first.id)), Self.effect(.forgotten(toldAvailability: true)),
                .disconnected(BusFault(.connectionLost, "gone")),
                .disconnected(BusFault(.connectionLost, "gone")),
            ] { log.take(event) }
            let events = await reader.next(8)
            let diff = try #require(update.diffJSON())
            #expect(
                events.map(\.data) == [
                    """
                    {"kind":"washer","device":"laundry","at":1790000000,"from":"rinse","to":"spin,locked",\
                    "title":"Spinning","states":["spin","locked"]}
                    """,
                    String(decoding: diff, as: UTF8.self),
                    #"{"kind":"washer","device":"laundry","available":false}"#,
                    String(decoding: timeline.json(), as: UTF8.self),
                    #"{"kind":"washer","device":"laundry","entries":[]}"#,
                    #"{"kind":"washer","device":"laundry","id":"washer/laundry/1"}"#,
                    #"{"kind":"washer","device":"laundry"}"#, #"{"connected":false,"since":1790000000}"#,
                ]
            )
            #expect(
                events.map(\.name) == [
                    "moved", "diff", "availability", "timeline", "timeline", "dismissed", "forgotten",
                    "broker",
                ]
            )
            #expect(events.map(Self.position) == Array(3...10))
        }
    }

    @Test func `an alert comes before its update, and readers hear of new definitions`() async throws {
        let log = EventLog { Self.start }
        var (activity, first) = Self.activity()
        log.take(Self.effect(.update(first)))
        try await RunningServer.use(log: log) { server in
            let reader = try StreamClient(server)
            #expect(await reader.next()?.name == "snapshot")
            let stale = activity.markStale(at: Self.start + .minutes(1))
            var update = try #require(stale)
            update.alert = ActivityAlert(title: "laundry: Finished", body: "", level: .passive)
            for event in [Self.effect(.update(update)), .redefined] { log.take(event) }
            let events = await reader.next(3)
            #expect(events.map(\.name) == ["alert", "diff", "definitions"])
            let alert = try #require(update.alertJSON())
            #expect(events.map(\.data).first == String(decoding: alert, as: UTF8.self))
            #expect(events.last?.data == "{}")
            #expect(events.map(Self.position) == [2, 3, 4])
        }
    }

    @Test func `a reader that comes back gets what it missed, once`() async throws {
        let log = EventLog { Self.start }
        try await RunningServer.use(log: log) { server in
            let first = try StreamClient(server)
            #expect(await first.next()?.name == "snapshot")
            log.take(Self.move(1))
            let last = try #require(await first.next()?.id)
            for number in 2...40 { log.take(Self.move(number)) }
            for target in ["/v1/stream", "/v1/stream?last=\(last)"] {
                let fields = target.contains("last") ? [] : ["Last-Event-ID: \(last)"]
                let again = try StreamClient(server, target, fields)
                let events = await again.next(39)
                #expect(events.map { $0.json["to"].text } == (2...40).map { "\($0)" }, "\(target)")
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a reader that can't be brought up to date gets everything anew`(number: Int) async throws {
        let log = EventLog { Self.start }
        try await RunningServer.use(log: log) { server in
            let first = try StreamClient(server)
            let id = try #require(await first.next()?.id)
            let process = id.split(separator: "-")[0]
            for number in 1...(3 * EventLog.entryLimit) { log.take(Self.move(number)) }
            let last = ["\(process)-0", "other-1", "\(process)-99999", "nonsense"][number]
            let again = try StreamClient(server, "/v1/stream", ["Last-Event-ID: \(last)"])
            let event = try #require(await again.next())
            #expect(event.name == "snapshot")
            #expect(Self.position(event) == 3 * EventLog.entryLimit)
        }
    }

    /// Everything that is held for a slow reader is one piece: it gets a snapshot in place of what it missed.
    @Test func `a slow reader is brought up to date by a snapshot, and delays nobody`() async throws {
        let log = EventLog { Self.start }
        try await RunningServer.use(log: log) { server in
            let slow = try StreamClient(server, buffer: 4096)
            let fast = try StreamClient(server)
            #expect(await slow.next()?.name == "snapshot")
            #expect(await fast.next()?.name == "snapshot")
            // More than the system keeps for a connection.
            let long = String(repeating: "x", count: 65_536)
            let count = 200
            for number in 1...count {
                log.take(Self.effect(.moved(from: long, to: "\(number)")))
                #expect(await fast.next()?.json["to"].text == "\(number)")
            }
            var (events, snapshots, last) = (0, 0, 0)
            while last < count, let event = await slow.next() {
                let position = try #require(Self.position(event))
                // No gap but by a snapshot, and nothing twice.
                if event.name == "snapshot" { snapshots += 1 } else { #expect(position == last + 1) }
                #expect(position > last)
                (events, last) = (events + 1, position)
            }
            #expect(last == count && snapshots > 0 && events < count)
        }
    }

    @Test func `a quiet stream shows that it is alive`() async throws {
        var options = RunningServer.options
        options.heartbeat = .milliseconds(20)
        try await RunningServer.use(options: options) { server in
            let reader = try StreamClient(server)
            #expect(await reader.next()?.name == "snapshot")
            for _ in 0..<3 { #expect(await reader.heartbeat()) }
        }
    }

    @Test func `a watched device is explained again only when something changed`() async throws {
        var options = RunningServer.options
        options.watchPause = .milliseconds(5)
        let house = NotedHouse()
        house.change { [unowned house] question in
            guard case .device = question else { return NotedHouse.usual(question) }
            let number = house.questions.count
            let state = number < 20 ? "idle" : "running"
            return .found(Array(#"{"kind":"washer","at":\#(number),"states":["\#(state)"]}"#.utf8))
        }
        try await RunningServer.use(options: options, house: house) { server in
            let reader = try StreamClient(server, "/v1/stream?device=washer/laundry")
            let events = await reader.next(3)
            #expect(events.map(\.name) == ["snapshot", "device", "device"])
            #expect(events.map { $0.json["states"].elements.first?.text } == [nil, "idle", "running"])
            #expect(events[1].id == nil, "an explanation has no place among the events")
            #expect(house.questions.contains(.device(DeviceKey(kind: "washer", name: "laundry"))))
        }
    }

    @Test func `a house that does not answer still has a stream`() async throws {
        let house = NotedHouse { _ in nil }
        try await RunningServer.use(house: house) { server in
            let reader = try StreamClient(server)
            _ = try await reader.head()
            house.release(.problem(HouseProblem(.unavailable, code: "busy", detail: "")))
            // The question may come after the first release.
            house.change { _ in .problem(HouseProblem(.unavailable, code: "busy", detail: "")) }
            house.release(.problem(HouseProblem(.unavailable, code: "busy", detail: "")))
            let snapshot = try #require(await reader.next())
            #expect(snapshot.json["devices"].elements.isEmpty)
        }
    }

    @Test func `a packed stream is the same`() async throws {
        let log = EventLog { Self.start }
        var bytes: [UInt8] = []
        try await RunningServer.use(log: log) { server in
            let plain = try StreamClient(server)
            let packed = try RawConnection(server.address)
            packed.send(
                "GET /v1/stream HTTP/1.0\r\nHost: \(server.address)\r\nAccept-Encoding: br, gzip;q=1.0\r\n\r\n"
            )
            #expect(await plain.next()?.name == "snapshot")
            while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil { bytes += await packed.some() }
            while try !Self.unpacked(bytes).contains("event: snapshot") { bytes += await packed.some() }
            for number in 1...50 { log.take(Self.move(number)) }
            #expect(await plain.next(50).count == 50)
            log.take(.connected)
            var text = ""
            while !text.hasSuffix("\"since\":1790000000}\n\n") {
                bytes += await packed.some()
                text = try Self.unpacked(bytes)
            }
            #expect(text.matches(of: /event: moved/).count == 50)
            #expect(String(decoding: bytes, as: UTF8.self).contains("Content-Encoding: gzip"))
        }
    }

    /// The text of an answer whose packed body has no end yet.
    private static func unpacked(_ answer: [UInt8]) throws -> String {
        let head = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/bin/gzip")
        program.arguments = ["-dcq"]
        let (input, output) = (Pipe(), Pipe())
        program.standardInput = input
        program.standardOutput = output
        program.standardError = FileHandle.nullDevice
        try program.run()
        input.fileHandleForWriting.write(Data(answer[head.upperBound...]))
        try input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a guest sees one device, until its run is no longer shown`() async throws {
        let log = EventLog { Self.start }
        for device in ["laundry", "dryer"] {
            log.take(Self.effect(.update(Self.activity(device).1), of: device))
        }
        try await RunningServer.use(log: log) { server in
            let offer = try await server.client().asked(
                "POST",
                "/v1/guests",
                body: Array(#"{"device":"washer/laundry"}"#.utf8)
            )
            let url = try #require(offer.json["url"].text)
            let secret = try #require(url.split(separator: "=").last)
            let guest = try StreamClient(server, "/v1/stream?guest=\(secret)")
            let snapshot = try #require(await guest.next())
            #expect(snapshot.json["activities"].elements.map { $0["id"].text } == ["washer/laundry/1"])
            #expect(snapshot.json["devices"].elements.isEmpty)
            log.take(Self.move(1, of: "dryer"))
            log.take(Self.effect(.dismissed(id: "washer/dryer/1"), of: "dryer"))
            log.take(Self.move(2))
            log.take(Self.effect(.dismissed(id: "washer/laundry/1")))
            let events = await guest.next(3)
            #expect(events.map(\.name) == ["moved", "dismissed"], "then the stream ends")
            #expect(events.first?.json["to"].text == "2")
            let late = try await server.client().asked("GET", "/v1/session?guest=\(secret)")
            #expect(late.json["role"].text == "none")
        }
    }

    @Test
    func `the next run of the device is not for the guest, also if nothing said that the last one is gone`()
        async throws
    {
        let log = EventLog { Self.start }
        let (_, first) = Self.activity()
        log.take(Self.effect(.update(first)))
        try await RunningServer.use(log: log) { server in
            let body = Array(#"{"device":"washer/laundry"}"#.utf8)
            let offer = try await server.client().asked("POST", "/v1/guests", body: body)
            let url = try #require(offer.json["url"].text)
            let secret = try #require(url.split(separator: "=").last)
            let guest = try StreamClient(server, "/v1/stream?guest=\(secret)")
            #expect(await guest.next()?.name == "snapshot")
            var second = first
            second.id = "washer/laundry/2"
            log.take(Self.move(2))
            log.take(Self.effect(.update(second)))
            log.take(Self.move(3))
            #expect(await guest.next(3).map(\.name) == ["moved"], "then the stream ends")
        }
    }

    @Test func `streams end with the server`() async throws {
        var reader: StreamClient?
        try await RunningServer.use { server in
            let stream = try StreamClient(server, "/v1/stream?device=washer/laundry")
            #expect(await stream.next()?.name == "snapshot")
            reader = stream
        }
        while await reader?.next() != nil {}
    }

    @Test func `there are only so many streams`() async throws {
        var options = RunningServer.options
        options.streams = 2
        try await RunningServer.use(options: options) { server in
            let readers = [try StreamClient(server), try StreamClient(server)]
            for reader in readers { #expect(await reader.next()?.name == "snapshot") }
            let answer = try await server.client().asked("GET", "/v1/stream")
            #expect(answer.status == 503 && answer.problem == "busy")
        }
    }

    @Test(.timeLimit(.minutes(2))) func `a closed stream gives its place back at once`() async throws {
        var options = RunningServer.options
        options.streams = 1
        options.heartbeat = .hours(1)
        options.requestsPerMinute = 1_000_000
        try await RunningServer.use(options: options) { server in
            var reader = try StreamClient(server)
            #expect(await reader.next()?.name == "snapshot")
            // The first attempts may be faster than the end of the former stream.
            for _ in 1...3 {
                repeat { reader = try StreamClient(server) } while await reader.next()?.name != "snapshot"
            }
        }
    }

    /// 500 readers, one of them stalled, and one who speaks no HTTP: every other reader gets every event.
    @Test func `five hundred readers`() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 4096)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let log = EventLog { Self.start }
        try await RunningServer.use(log: log) { server in
            var readers: [StreamClient] = []
            for _ in 0..<500 { readers.append(try StreamClient(server)) }
            let stalled = try StreamClient(server)
            let rude = try RawConnection(server.address)
            rude.send("STREAM ME\r\n\r\n")
            for reader in readers { #expect(await reader.next()?.name == "snapshot") }
            for number in 1...10 { log.take(Self.move(number)) }
            for reader in readers { #expect(await reader.next(10).last?.json["to"].text == "10") }
            #expect(await stalled.next()?.name == "snapshot")
        }
    }
}
