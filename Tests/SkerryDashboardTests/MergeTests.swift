import Logging
import SkerryDashboard
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// Reports over HTTP with the phones behind them as the bridge has them: what is merged, and kept over a restart.
@Suite struct MergeTests {
    private static func desk(_ store: MemoryPhoneStore) throws -> PhoneDesk {
        try PhoneDesk(
            store: store,
            queue: SinkQueue(name: "phones", options: BridgeOptions(version: "")),
            clock: StepClock(RunningServer.now),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The types of which a token is known, after these reports.
    private static func types(after reports: [String]) async throws -> [String] {
        var types: [String] = []
        try await RunningServer.use(try desk(MemoryPhoneStore())) { server in
            let ada = try await server.pair()
            let client = server.client(ada.token)
            for report in reports {
                let answer = try await client.asked(
                    "PUT",
                    "/v1/phones/\(ada.id)/tokens",
                    body: Array(report.utf8)
                )
                types = answer.json["pushToStart"].elements.compactMap { $0["type"].text }
            }
        }
        return types.sorted()
    }

    private static let washer = #"{"confirmedAt":1789999000,"pushToStart":{"Washer":"00112233"}}"#

    @Test(arguments: [
        ([washer], ["Washer"]),
        // The same again; what is not mentioned; another type.
        ([washer, washer, "{}", #"{"iosVersion":"18.2","pushToStart":null}"#], ["Washer"]),
        ([washer, #"{"pushToStart":{"Printer":"44556677"}}"#], ["Printer", "Washer"]),
        ([washer, #"{"confirmedAt":1789999001,"pushToStart":{"Washer":null}}"#], []),
        // One that was on its way for long.
        ([washer, #"{"confirmedAt":1789998999,"pushToStart":{"Washer":null}}"#], ["Washer"]),
    ])
    func mergesReports(reports: [String], types: [String]) async throws {
        #expect(try await Self.types(after: reports) == types)
    }

    @Test func phonesOutliveTheServer() async throws {
        let store = MemoryPhoneStore()
        var ada: (id: String, token: String)?
        try await RunningServer.use(try Self.desk(store)) { server in
            let phone = try await server.pair("Ada")
            ada = phone
            let body = Array(Self.washer.utf8)
            _ = try await server.client(phone.token).asked(
                "PUT",
                "/v1/phones/\(phone.id)/tokens",
                body: body
            )
        }
        let phone = try #require(ada)
        try await RunningServer.use(try Self.desk(store)) { server in
            let answer = try await server.client(phone.token).asked("GET", "/v1/phones/\(phone.id)")
            #expect(answer.json["name"].text == "Ada")
            #expect(answer.json["pushToStart"].elements.map { $0["type"].text } == ["Washer"])
            #expect(
                try await server.client(phone.token).asked("DELETE", "/v1/phones/\(phone.id)").status == 204
            )
        }
        try await RunningServer.use(try Self.desk(store)) { server in
            let status = try await server.client(phone.token).asked("GET", "/v1/phones/\(phone.id)").status
            #expect(status == 401)
        }
    }
}
