import SkerryValues
import Testing

@testable import SkerryFiles

@Suite("Proposals for messages of other forms")
struct ProposedFormsTests {
    /// The definition proposed for messages, one a minute or so many seconds; it must have no errors.
    private static func proposed(
        _ messages: [(topic: String, payload: String)],
        each seconds: Int64 = 60
    ) throws -> String {
        var survey = try RecordingSurvey()
        for (number, message) in messages.enumerated() {
            survey.add(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_225_600 + Int64(number) * seconds),
                    topic: Array(message.topic.utf8)[...],
                    payload: Array(message.payload.utf8)[...]
                )
            )
        }
        let text = try #require(DefinitionProposal.text(kind: "mill", from: survey, file: "day.jsonl"))
        let compiled = CompiledFiles([DefinitionFile(path: "mill.yaml", bytes: Array(text.utf8))])
        #expect(!compiled.hasErrors, "\(compiled.report(DiagnosticPrinter()))\n\(text)")
        return text
    }

    @Test(
        "What only sends is silent after three of its pauses",
        arguments: [(60, "10m"), (600, "30m"), (900, "50m"), (3600, "3h"), (1_000_000, "1d")]
    )
    func silence(seconds: Int64, length: String) throws {
        let messages = (0..<5).map { (topic: "bees/hive/up", payload: #"{"kg":\#(40 + $0 % 2)}"#) }
        let text = try Self.proposed(messages, each: seconds)
        #expect(text.contains("always: { quiet: \(length), target: silent }"), "\(text)")
    }

    @Test("A list of JSON at the root becomes each, with a device for each element")
    func list() throws {
        let text = try Self.proposed(
            (0..<6).map { number in
                let state = ["idle", "running", "running", "done", "idle", "idle"][number]
                return (
                    topic: "works/mills",
                    payload: #"[{"id":"m1","state":"\#(state)"},{"id":"m2","state":"idle"}]"#
                )
            }
        )
        #expect(text.contains("topic: works/mills\n"))
        #expect(text.contains("each: payload"))
        #expect(text.contains("item.id"))
        #expect(text.contains("item.state"))
    }

    @Test(
        "Messages with nothing to read are still messages of a device",
        arguments: ["{}", "[]", #"{"a":{}}"#, "[[]]", "[{}]", #"{"a":[]}"#, #"{"":null}"#, "null"]
    )
    func nothing(payload: String) throws {
        let text = try Self.proposed((0..<4).map { (topic: "mills/red/\($0 % 2)", payload: payload) })
        #expect(text.contains(#"event: "\"message\"""#) || text.contains("event: '\"message\"'"), "\(text)")
    }

    @Test(
        "A time left without a unit is in minutes, unless it is too long or falls as seconds do",
        arguments: [
            ([90], "minutes"), ([45, 45], "minutes"), ([5, 4, 3], "minutes"), ([60, 30, 0], "minutes"),
            ([3600], "seconds"),
            ([900, 840, 780], "seconds"), ([300, 240], "seconds"),
        ]
    )
    func minutes(_ left: [Int], _ unit: String) throws {
        let text = try Self.proposed(
            left.enumerated().map { number, left in
                (
                    topic: "mill/red",
                    payload: #"{"state":"\#(number == 0 ? "idle" : "running")","remaining":\#(left)}"#
                )
            }
        )
        #expect(text.contains("remaining: \(unit)(remaining)"), "\(text)")
    }

    @Test(
        "The number of the vehicle names the device, not that of its operator",
        arguments: [["0018/01029"], ["0018/01029", "0022/00901"], ["12/4711", "12/4712"]]
    )
    func vehicle(_ vehicles: [String]) throws {
        let text = try Self.proposed(
            (0..<6).flatMap { number in
                vehicles.map {
                    (
                        topic: "fleet/\($0)/position",
                        payload:
                            #"{"speed":\#(number),"state":"driving","veh":\#($0.split(separator: "/").last.flatMap { Int($0) } ?? 0)}"#
                    )
                }
            }
        )
        let name = vehicles[0].split(separator: "/")[1]
        #expect(text.contains("Devices: \(name)"), "\(text)")
    }
}
