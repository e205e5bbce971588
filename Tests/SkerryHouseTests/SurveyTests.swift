import SkerryGateway
import SkerryHouse
import SkerryTesting
import SkerryValues
import Testing

/// What the desk finds on the broker that nobody reads.
@Suite("Topics that nobody reads")
struct SurveyTests {
    /// The answer, once the survey is told to end.
    func survey(_ house: House, _ calls: [QuietBus.Call]) async throws -> HouseAnswer {
        let answers = AsyncStream<HouseAnswer>.makeStream()
        house.desk.ask(.unreadTopics, for: .unrestricted) { answers.continuation.yield($0) }
        house.bus.call(.subscribed(granted: true))
        for call in calls { house.bus.call(call) }
        house.clock.move(by: .seconds(3))
        house.bus.call(.wake)
        #expect(house.bus.isStopped)
        house.bus.call(.ended)
        for await answer in answers.stream { return answer }
        return .found([])
    }

    @Test("topics are told with their messages and the last payload, but not those of definitions and bridge")
    func topics() async throws {
        let house = try House()
        let answer = try await survey(
            house,
            [
                .message(topic: "kettle/1", payload: "cold"),
                .message(topic: "kettle/1", payload: "hot\u{0}"),
                .message(topic: "lamp/desk/state", payload: "{}"),
                .message(topic: "skerry/bridge/state", payload: "online"),
                .message(topic: "lamp/desk/state/more", payload: String(repeating: "x", count: 300)),
            ]
        )
        let told = try JSON(answer)
        #expect(
            told["topics"][0].text
                == "{\"topic\":\"kettle/1\",\"messages\":2,\"payload\":\"hot\u{FFFD}\"}"
        )
        #expect(told["topics"].elements.count == 2 && told["seconds"].text == "3")
        guard case .string(let payload) = told["topics"][1]["payload"].value else { return }
        #expect(payload.count == 200)
    }

    @Test("at most 500 topics are told")
    func many() async throws {
        let calls = (0..<600).map { QuietBus.Call.message(topic: "kettle/\($0)", payload: "") }
        let answer = try await survey(House(), calls)
        #expect(try JSON(answer)["topics"].elements.count == 500)
    }

    @Test("one survey at a time answers all that wait, and its answer is given again for ten seconds")
    func once() async throws {
        let house = try House()
        let answers = Counter()
        for _ in 0..<3 { house.desk.ask(.unreadTopics, for: .unrestricted) { _ in answers.add() } }
        #expect(house.bus.starts == 1 && answers.value == 0)
        _ = try await survey(house, [])
        #expect(answers.value == 3 && house.bus.starts == 1)
        house.desk.ask(.unreadTopics, for: .unrestricted) { _ in answers.add() }
        #expect(answers.value == 4 && house.bus.starts == 1)
        house.clock.move(by: .seconds(10))
        house.desk.ask(.unreadTopics, for: .unrestricted) { _ in answers.add() }
        #expect(answers.value == 4 && house.bus.starts == 2)
    }

    @Test("a broker that refuses, is gone or does not answer is a problem")
    func noBroker() async throws {
        for calls in [[QuietBus.Call.subscribed(granted: false)], [.disconnected], []] {
            let house = try House()
            let problems = Counter()
            house.desk.ask(.unreadTopics, for: .unrestricted) { answer in
                if case .problem(let problem) = answer, problem.code == "no-broker" { problems.add() }
            }
            for call in calls { house.bus.call(call) }
            house.clock.move(by: .seconds(10))
            house.bus.call(.wake)
            house.bus.call(.ended)
            #expect(problems.value == 1)
        }
    }
}
