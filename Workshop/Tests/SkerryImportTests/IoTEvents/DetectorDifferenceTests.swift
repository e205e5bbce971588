import SkerryDevice
import SkerryImport
import SkerryTesting
import Testing

/// Imported models do what the reference interpreter does, whatever happens.
@Suite("Imported detector models beside a reference")
struct DetectorDifferenceTests {
    @Test(arguments: 0..<150)
    func `small models made at random`(seed: UInt64) throws {
        var random = RandomDetector(seed: seed)
        let json = random.model()
        let start = try DetectorScene(json)
        for _ in 0..<6 {
            var scene = start
            var story: [String] = []
            for _ in 0..<25 {
                if Int.random(in: 0..<3, using: &random.random) == 0 {
                    let seconds = Int64.random(in: 1...4, using: &random.random)
                    story.append("wait \(seconds)")
                    scene.wait(seconds)
                } else {
                    let (payload, input) = (random.payload(), random.pick(["A", "B"]))
                    story.append("\(input) \(payload)")
                    try scene.send(payload, to: input)
                }
                if let difference = scene.difference {
                    Issue.record("\(difference)\n\(story.joined(separator: "\n"))\n\(json)\n\(scene.yaml)")
                    return
                }
            }
        }
    }

    /// An example, its inputs with what their fields can be, and how long waits are.
    private static let examples: [(name: String, inputs: [(String, [(String, [String])])], waits: [Int64])] =
        [
            (
                "thermostat",
                [
                    (
                        "seedTemperatureInput",
                        [
                            ("desiredTemperature", ["20.0", "20", "23.5"]), ("allowedError", ["0.7", "1"]),
                            ("rangeHigh", ["30.0"]), ("rangeLow", ["15"]), ("anomalousHigh", ["60.0"]),
                            ("anomalousLow", ["0"]), ("sensorCount", ["10", "2", "1"]),
                            ("noDelay", ["true", "false"]),
                        ]
                    ),
                    (
                        "temperatureInput",
                        [
                            ("sensorId", ["\"01\"", "\"02\""]),
                            (
                                "sensorData",
                                ["12.5", "15", "18.2", "20", "21.4", "31", "75.0", "-3"].map {
                                    "{ \"temperature\": \($0) }"
                                }
                            ),
                        ]
                    ),
                    (
                        "temperatureInput",
                        [("sensorData", ["{ \"temperature\": 18 }", "{ \"temperature\": 24.5 }"])]
                    ),
                ],
                [10, 60, 120, 180]
            ),
            ("heartbeat", [("heartbeat", [("value", ["0", "1", "2.5"])])], [10, 100, 300, 700]),
            (
                "simple-alarm",
                [
                    (
                        "alarmInput",
                        [
                            ("value", ["1", "5", "9"]), ("threshold", ["4", "8"]),
                            ("command", ["\"reset\"", "\"acknowledge\"", "\"dnd\""]),
                        ]
                    )
                ],
                [10, 60, 120, 300]
            ),
            (
                "isa-alarm",
                [
                    (
                        "processInput",
                        [
                            ("value", ["1", "5.5", "9"]), ("higher", ["8"]), ("lower", ["2"]),
                            (
                                "command",
                                [
                                    "acknowledge", "shelve", "unshelve", "remove", "add", "suppress",
                                    "unsuppress",
                                ]
                                .map { "\"\($0)\"" }
                            ),
                        ]
                    )
                ],
                [10, 300, 600]
            ),
            (
                "connectivity", [("lifecycle", [("eventType", ["\"connected\"", "\"disconnected\""])])],
                [10, 30, 60, 120]
            ),
        ]

    @Test(arguments: examples.map(\.name))
    func `published models with messages at random`(name: String) throws {
        let example = try #require(Self.examples.first { $0.name == name })
        let start = try DetectorScene(example: name)
        var random = RandomDetector(seed: 11)
        var visited: Set<String> = []
        for _ in 0..<100 {
            var scene = start
            var story: [String] = []
            for _ in 0..<30 {
                if Int.random(in: 0..<4, using: &random.random) == 0 {
                    story.append("wait")
                    scene.wait(random.pick(example.waits))
                } else {
                    let input = random.pick(example.inputs)
                    let isWhole = Int.random(in: 0..<3, using: &random.random) > 0
                    var members: [String] = []
                    for (field, values) in input.1
                    where isWhole || Int.random(in: 0..<3, using: &random.random) > 0 {
                        members.append("\"\(field)\": \(random.pick(values))")
                    }
                    let payload = "{ \(members.joined(separator: ", ")) }"
                    story.append("\(input.0) \(payload)")
                    try scene.send(payload, to: input.0)
                }
                if !scene.state.isEmpty { visited.insert(scene.state) }
                if let difference = scene.difference {
                    Issue.record("\(difference)\n\(story.joined(separator: "\n"))\n\(scene.yaml)")
                    return
                }
            }
        }
        let all = Set(start.reference.model.states.map(\.name.text))
        #expect(visited == all)
    }
}
