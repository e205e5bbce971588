import SkerryPhones
import SkerryValues
import Testing

@testable import SkerryDashboard

@Suite struct ReportReaderTests {
    private let now = Timestamp(seconds: 1_790_000_000)

    private func report(_ json: String) throws(Problem) -> PhoneReport {
        try ReportReader.report(Array(json.utf8), at: now)
    }

    @Test func readsAllOfIt() throws {
        let json = """
            {"confirmedAt":1789999990,"bundleId":"org.example.home","environment":"production","iosVersion":"18.2","frequentUpdates":true,"areActivitiesEnabled":false,
             "areNotificationsEnabled":true,"notificationToken":"A0A1A2A3",
             "widgets":{"token":"A4A5A6A7","kinds":["oven"]},
             "hides":["oven","washer/my/room"],"opened":{"device":"oven/kitchen","at":1789999980},
             "pushToStart":{"WasherPlugAttributes":"AB12CD34EF","Printer3DAttributes":null},
             "activities":{
               "washer/laundry/1789990000":{"token":"00ff00ff","instance":2},
               "printer/cube/1789990001":{"token":null,"end":"dismissed"},
               "washer/dryer/1789990002":{"end":"ended","muted":true}},
             "shows":{"WasherPlugAttributes":[{"id":"washer/laundry/1789990000","instance":2},{"id":"washer/a/1"}],
               "Printer3DAttributes":[],"OvenAttributes":null},
             "fromTheFuture":{"a":[1]}}
            """
        var expected = PhoneReport(
            confirmedAt: Timestamp(seconds: 1_789_999_990),
            environment: .production,
            systemVersion: "18.2",
            allowsFrequentUpdates: true,
            allowsActivities: false,
            allowsNotifications: true,
            notificationToken: .known("a0a1a2a3"),
            hides: ["oven", "washer/my/room"],
            opened: .init(device: "oven/kitchen", at: Timestamp(seconds: 1_789_999_980)),
            startTokens: [
                .init(type: "WasherPlugAttributes", token: .known("ab12cd34ef")),
                .init(type: "Printer3DAttributes", token: .removed),
            ],
            activities: [
                .init(id: "washer/laundry/1789990000", instance: 2, token: .known("00ff00ff")),
                .init(id: "printer/cube/1789990001", token: .removed, end: .dismissed),
                .init(id: "washer/dryer/1789990002", end: .ended, isSilent: true),
            ],
            shows: [
                .init(
                    type: "WasherPlugAttributes",
                    activities: [
                        .init(id: "washer/laundry/1789990000", instance: 2), .init(id: "washer/a/1"),
                    ]
                ),
                .init(type: "Printer3DAttributes", activities: []),
            ]
        )
        expected.bundleID = "org.example.home"
        (expected.widgetToken, expected.widgetKinds) = (.known("a4a5a6a7"), ["oven"])
        #expect(try report(json) == expected)
    }

    @Test func anAppWithoutAKeyIsRefused() throws {
        let body = Array(#"{"bundleId":"org.example.home"}"#.utf8)
        for apps in [[], ["org.example.shop", "org.example.home"]] {
            #expect(try ReportReader.report(body, apps: apps, at: now).bundleID == "org.example.home")
        }
        #expect(
            try ReportReader.report(Array("{}".utf8), apps: ["org.example.shop"], at: now).bundleID == nil
        )
        do {
            _ = try ReportReader.report(body, apps: ["org.example.shop", "org.example.app"], at: now)
            Issue.record("it was taken")
        } catch {
            #expect(error.code == "unknown-app" && error.path == "/bundleId")
            #expect(error.detail.contains("only for org.example.shop, org.example.app"))
        }
    }

    @Test func whatIsNotSaidStays() throws {
        #expect(try report("{}") == PhoneReport(confirmedAt: now))
        let nulls = #"{"confirmedAt":null,"environment":null,"frequentUpdates":null,"activities":null}"#
        #expect(try report(nulls) == PhoneReport(confirmedAt: now))
    }

    /// A phone whose clock is ahead would else never be able to correct itself.
    @Test func aReportFromTheFutureCountsAsOfNow() throws {
        #expect(try report(#"{"confirmedAt":1790009999.5}"#).confirmedAt == now)
    }

    @Test(arguments: [
        ("", "no-json", nil),
        ("{\"a\":", "no-json", nil),
        ("[]", "wrong-type", ""),
        (#"{"shows":[]}"#, "wrong-type", "/shows"),
        (#"{"opened":{"device":"oven/kitchen"}}"#, "missing", "/opened"),
        (#"{"opened":{"device":"oven/kitchen","at":1}}"#, "unknown-value", "/opened/at"),
        (#"{"hides":"oven"}"#, "wrong-type", "/hides"),
        (#"{"widgets":{"token":"oven"}}"#, "unknown-value", "/widgets/token"),
        (#"{"widgets":{"kinds":[""]}}"#, "unknown-value", "/widgets/kinds/0"),
        (#"{"hides":["oven",1]}"#, "wrong-type", "/hides/1"),
        (#"{"hides":[""]}"#, "unknown-value", "/hides/0"),
        (#"{"hides":["oven/"]}"#, "unknown-value", "/hides/0"),
        (#"{"hides":["/kitchen"]}"#, "unknown-value", "/hides/0"),
        (#"{"hides":["oven\u0001"]}"#, "unknown-value", "/hides/0"),
        (#"{"hides":["\#(String(repeating: "o", count: 513))"]}"#, "unknown-value", "/hides/0"),
        (#"{"hides":["o"\#(String(repeating: #","o""#, count: 64))]}"#, "too-many", "/hides"),
        (#"{"shows":{"A":{}}}"#, "wrong-type", "/shows/A"),
        (#"{"shows":{"A":["washer/a/1"]}}"#, "wrong-type", "/shows/A/0"),
        (#"{"shows":{"A":[{"id":"washer"}]}}"#, "unknown-value", "/shows/A/0/id"),
        (#"{"shows":{"A":[{"id":"washer/a/1","instance":0}]}}"#, "unknown-value", "/shows/A/0/instance"),
        (#"{"shows":{"9":[]}}"#, "unknown-value", "/shows/9"),
        (#"{"confirmedAt":"now"}"#, "wrong-type", "/confirmedAt"),
        (#"{"confirmedAt":1790000000000}"#, "unknown-value", "/confirmedAt"),
        (#"{"confirmedAt":811692800}"#, "unknown-value", "/confirmedAt"),
        (#"{"environment":"sandbox"}"#, "unknown-value", "/environment"),
        (#"{"frequentUpdates":1}"#, "wrong-type", "/frequentUpdates"),
        (#"{"pushToStart":[]}"#, "wrong-type", "/pushToStart"),
        (#"{"pushToStart":{"A b":"00112233"}}"#, "unknown-value", "/pushToStart/A b"),
        (#"{"pushToStart":{"A":"0011223"}}"#, "unknown-value", "/pushToStart/A"),
        (#"{"pushToStart":{"A":"<00112233>"}}"#, "unknown-value", "/pushToStart/A"),
        (#"{"pushToStart":{"A":17}}"#, "wrong-type", "/pushToStart/A"),
        (#"{"activities":{"laundry":{}}}"#, "unknown-value", "/activities/laundry"),
        (#"{"activities":{"w/~l/1":null}}"#, "wrong-type", "/activities/w~1~0l~11"),
        (#"{"activities":{"w/l/1":{"token":true}}}"#, "wrong-type", "/activities/w~1l~11/token"),
        (#"{"activities":{"w/l/1":{"instance":1.5}}}"#, "unknown-value", "/activities/w~1l~11/instance"),
        (#"{"activities":{"w/l/1":{"instance":1e300}}}"#, "unknown-value", "/activities/w~1l~11/instance"),
        (#"{"activities":{"w/l/1":{"end":"gone"}}}"#, "unknown-value", "/activities/w~1l~11/end"),
        (#"{"activities":{"w/l/1":{"muted":1}}}"#, "wrong-type", "/activities/w~1l~11/muted"),
    ])
    func tellsWhatIsWrongAndWhere(json: String, code: String, path: String?) {
        let problem = #expect(throws: Problem.self) { try report(json) }
        #expect(problem?.code == code)
        #expect(problem?.path == path)
    }

    @Test func isBounded() {
        let token = String(repeating: "a", count: ReportReader.tokenLimit + 2)
        let many = (0...ReportReader.entryLimit).map { #""T\#($0)":"00112233""# }.joined(separator: ",")
        for (json, code) in [
            (#"{"pushToStart":{"A":"\#(token)"}}"#, "too-long"), ("{\"pushToStart\":{\(many)}}", "too-many"),
            (String(repeating: "[", count: 10_000), "no-json"),
        ] {
            let problem = #expect(throws: Problem.self) { try report(json) }
            #expect(problem?.code == code)
        }
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1", HTTPAddress(host: "127.0.0.1", port: 7537)),
        ("a.b:80", HTTPAddress(host: "a.b", port: 80)),
        ("[::1]", HTTPAddress(host: "::1", port: 7537)), ("[::]:9", HTTPAddress(host: "::", port: 9)),
        ("", nil), (":80", nil), ("a:", nil), ("a:x", nil), ("a:65536", nil), ("a:-1", nil), ("[::1", nil),
        ("[::1]80", nil), ("::1", nil), ("http://a", nil), ("a b", nil),
    ])
    func readsAddresses(text: String, address: HTTPAddress?) {
        #expect(HTTPAddress(text) == address)
        if let address { #expect(HTTPAddress(address.description) == address) }
    }

    @Test func codesPartsOfAddresses() {
        #expect(PercentCoding.encoded("http://a:1?x=ä&b") == "http://a:1%3Fx%3D%C3%A4%26b")
        #expect(PercentCoding.decoded("a%20b%C3%A4%2F") == "a bä/")
        for wrong in ["%", "%2", "%zz", "%ff"] { #expect(PercentCoding.decoded(wrong[...]) == nil) }
        let form = PercentCoding.form("a=1+2&b=%3D&&c&d=%ff")
        #expect(form.map(\.name) == ["a", "b", "c"])
        #expect(form.map(\.value) == ["1 2", "=", ""])
    }

    @Test func tellsWhichAddressesPhonesReach() {
        for url in ["http://127.0.0.1:7537", "http://localhost", "http://[::1]:7537/", "http://0.0.0.0:7537"]
        {
            #expect(!RequestDesk.isReachable(url))
        }
        for url in ["https://skerry.example.org", "http://192.168.1.2:7537", "http://gateway.local:7537/"] {
            #expect(RequestDesk.isReachable(url))
        }
    }
}
