import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

@Suite struct SimulatedPhoneTests {
    private static let start = Timestamp(seconds: 1_790_000_000)

    private static func body(
        _ event: String,
        at now: Timestamp,
        _ further: String = "",
        rev: Int = 1
    ) -> [UInt8] {
        let state = #"{"phase":"active","rev":\#(rev),"state":"running"}"#
        return Array(
            #"{"aps":{"timestamp":\#(now.flooredSeconds),"event":"\#(event)","content-state":\#(state)\#(further)}}"#
                .utf8
        )
    }

    private static func startBody(
        at now: Timestamp = start,
        id: String = "washer/laundry/1",
        instance: Int = 1,
        alert: String = #","alert":{"title":"Washer","body":"Started"}"#,
        _ further: String = ""
    ) -> [UInt8] {
        let attributes =
            #","attributes-type":"WasherAttributes","attributes":{"id":"\#(id)","instance":\#(instance)}"#
        return body("start", at: now, attributes + alert + further)
    }

    @Test func aRunAppearsChangesAndGoes() throws {
        var phone = SimulatedPhone()
        #expect(phone.start(Self.startBody(), at: Self.start) == .shown(card: 0))
        var now = Self.start + .seconds(10)
        let update = Self.body("update", at: now, rev: 2)
        #expect(phone.receive(update, for: 0, priority: .considerate, at: now) == .shown(card: 0))
        #expect(phone.lockScreen.map(\.rev) == [2])
        now = now + .seconds(10)
        let gone = now + .minutes(15)
        let end = Self.body("end", at: now, #","dismissal-date":\#(gone.flooredSeconds)"#, rev: 3)
        #expect(phone.receive(end, for: 0, priority: .immediate, at: now) == .shown(card: 0))
        #expect(phone.lockScreen.map(\.rev) == [3] && !phone.cards[0].isLive)
        phone.pass(until: gone)
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.startsUsed(at: now) == 1 && phone.priorityUsed(at: now) == 1)
        #expect(phone.startsUsed(at: now + .hours(1)) == 0)
    }

    @Test func startsThatIOSDrops() {
        let flat = #","alert":{"title-loc-key":"T","loc-key":"B","title":"x"}"#
        let past = #","stale-date":\#(Self.start.flooredSeconds - 1)"#
        let cases: [(body: [UInt8], reason: String)] = [
            (Self.startBody(alert: ""), "a start without an alert"),
            (Self.startBody(alert: #","alert":{"body":"no title"}"#), "a start without an alert"),
            (Self.startBody(alert: flat), "an alert with a flat title-loc-key"),
            (Self.startBody(past), "its stale-date has passed: it is never shown"),
            (Self.startBody(at: Self.start + .hours(9)), "a timestamp more than 8 hours ahead"),
            (Self.body("update", at: Self.start), "event update at a push-to-start token"),
            (Self.body("start", at: Self.start), "no attributes-type"),
            (Array("{}".utf8), "no JSON object with aps"), ([], "no JSON object with aps"),
        ]
        for (body, reason) in cases {
            var phone = SimulatedPhone()
            #expect(phone.start(body, at: Self.start) == .dropped(reason))
            #expect(phone.lockScreen.isEmpty && phone.notes.map(\.isDropped) == [true])
        }
    }

    @Test func updatesThatIOSDrops() {
        let later = Self.start + .seconds(5)
        let cases: [(body: [UInt8], reason: String)] = [
            (Self.body("update", at: Self.start), "a timestamp that is not newer"),
            (Self.body("update", at: later + .hours(9)), "a timestamp more than 8 hours ahead"),
            (Array(#"{"aps":{"timestamp":1790000005,"event":"update"}}"#.utf8), "no content-state"),
            (Array(#"{"aps":{"timestamp":"1790000005","event":"update"}}"#.utf8), "no whole timestamp"),
        ]
        for (body, reason) in cases {
            var phone = SimulatedPhone()
            _ = phone.start(Self.startBody(), at: Self.start)
            #expect(phone.receive(body, for: 0, priority: .considerate, at: later) == .dropped(reason))
        }
    }

    @Test func budgetsAreKept() {
        var phone = SimulatedPhone()
        phone.liveLimit = 100
        for number in 0..<10 {
            #expect(phone.start(Self.startBody(id: "\(number)"), at: Self.start) == .shown(card: number))
        }
        #expect(
            phone.start(Self.startBody(id: "11"), at: Self.start) == .dropped("push-to-start budget exceeded")
        )
        var now = Self.start
        for push in 1...16 {
            now = now + .seconds(1)
            let body = Self.body("update", at: now)
            let expected: SimulatedPhone.Outcome =
                push <= 15 ? .shown(card: 0) : .dropped("budget of priority 10 exceeded")
            #expect(phone.receive(body, for: 0, priority: .immediate, at: now) == expected)
        }
        now = now + .seconds(1)
        let free = Self.body("update", at: now)
        #expect(phone.receive(free, for: 0, priority: .considerate, at: now) == .shown(card: 0))
    }

    @Test func atMostFiveGoOn() {
        var phone = SimulatedPhone()
        for number in 0..<5 { _ = phone.start(Self.startBody(id: "\(number)"), at: Self.start) }
        let sixth = phone.start(Self.startBody(id: "6"), at: Self.start)
        #expect(sixth == .dropped("5 activities of this app go on already"))
        phone.dismiss(2, at: Self.start)
        #expect(phone.start(Self.startBody(id: "6"), at: Self.start) == .shown(card: 5))
        #expect(phone.lockScreen.count == 5)
    }

    @Test func theSystemEndsAnActivityAfterEightHours() {
        var phone = SimulatedPhone()
        _ = phone.start(Self.startBody(), at: Self.start)
        let end = Self.start + .hours(8)
        phone.pass(until: end)
        #expect(!phone.cards[0].isLive && phone.lockScreen.count == 1)
        let late = phone.receive(
            Self.body("update", at: end, rev: 2),
            for: 0,
            priority: .immediate,
            at: end
        )
        #expect(late == .dropped("the activity is over"))
        phone.pass(until: Self.start + .hours(12))
        #expect(phone.lockScreen.isEmpty)
    }

    @Test func theMostRelevantIsFirst() {
        var phone = SimulatedPhone()
        for (number, relevance) in [10, 50, 50].enumerated() {
            _ = phone.start(
                Self.startBody(id: "\(number)", #","relevance-score":\#(relevance)"#),
                at: Self.start
            )
        }
        #expect(phone.lockScreen.map(\.id) == ["1", "2", "0"])
    }

    @Test func aCountdownAtZeroIsSeen() {
        var phone = SimulatedPhone()
        let end = Self.start.flooredSeconds + 60
        let state =
            #"{"content":{"cycle":{"start":1790000000,"end":\#(end)}},"phase":"active","rev":1,"state":"running"}"#
        let head = #"{"aps":{"timestamp":1790000000,"event":"start","attributes-type":"A","#
        let tail = #""attributes":{"id":"a","instance":1},"alert":{"title":"t"},"stale-date":\#(end + 2),"#
        let body = Array((head + tail + #""content-state":\#(state)}}"#).utf8)
        #expect(phone.start(body, at: Self.start) == .shown(card: 0))
        #expect(phone.cards[0].timeAtZero(at: Self.start + .seconds(60)) == .zero)
        #expect(phone.cards[0].timeAtZero(at: Self.start + .seconds(61)) == .seconds(1))
        #expect(phone.cards[0].isStale(at: Self.start + .seconds(62)))
        #expect(phone.cards[0].timeAtZero(at: Self.start + .seconds(62)) == .zero)
    }

    @Test func whatDoesNotDecodeIsDropped() {
        var phone = SimulatedPhone { type, state in
            state["rev"] == nil ? "\(type) without rev" : nil
        }
        let body = Array(
            #"{"aps":{"timestamp":1790000000,"event":"start","attributes-type":"A","attributes":{"id":"a","instance":1},"alert":{"title":"t"},"content-state":{}}}"#
                .utf8
        )
        #expect(phone.start(body, at: Self.start) == .dropped("does not decode: A without rev"))
    }
}
