public import SkerryFiles
public import SkerryValues

/// Messages that devices might send on a bad day: right topics, values from small sets, times from nothing to hours.
public struct RandomTraffic: Sequence, IteratorProtocol, Sendable {
    private var random: SimulatedRandom
    private var now: Timestamp
    private var left: Int
    private let kind: Int
    private let names: (usual: String, rare: String)

    /// Makes traffic of 5 to 20 messages of two devices of one kind; the seed decides which.
    public init(seed: UInt64) {
        random = SimulatedRandom(seed: seed)
        now = Timestamp(seconds: 1_772_355_600)
        left = Int.random(in: 5...20, using: &random)
        kind = Int(seed % 6)
        names = ("a", "b")
    }

    /// Makes traffic of one device that goes on for ever.
    ///
    /// - Parameters:
    ///   - seed: What decides everything.
    ///   - name: The name of the device.
    ///   - kind: A number that names the kind: washer, printer, valve, plug, and a kind of our own.
    ///   - start: When it begins.
    public init(seed: UInt64, name: String, kind: Int, from start: Timestamp) {
        random = SimulatedRandom(seed: seed)
        now = start
        left = .max
        self.kind = kind
        names = (name, name)
    }

    /// A kind of our own whose content is whatever JSON the device sends.
    public static let definition = """
        skerry: 1
        kind: thing
        sources:
          - topic: thing/{device}/state
            signals:
              phase: payload.phase
              any: payload.any
              other: payload.other.deep
              number: payload.number
              left: seconds(payload.left)
        timers:
          left: { remaining: left, tolerance: 30s, while: inState("busy") }
          total: { count: up, while: inState("run") }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: phase > 0, target: run }
            run:
              always:
                - { guard: phase == 0, target: idle }
                - { quiet: 2h, target: lost }
              states:
                busy:
                  title: Busy
                  always: { guard: phase == 2, target: resting }
                  after: { 20m: resting }
                resting:
                  title: "Resting {phase}"
                  always: { guard: phase == 1, for: 1m, dropout: 10s, target: busy }
            lost:
              always: { guard: phase == 0, target: idle }
        activity:
          starts: run
          ends: [idle, lost]
          attributes: { any: any }
          content:
            status: state.title
            any: any
            other: other
            number: { value: number, tolerance: 2.5 }
            left: timer.left
            total: timer.total
          stale: 15m
          dismiss: 10m
        """

    /// The next message; its time is not before that of the last one.
    public mutating func next() -> RecordedMessage? {
        guard left > 0 else { return nil }
        left -= 1
        let pauses: [Int64] = [
            0, 0, 1, 1000, 1000, 9500, 30_000, 61_000, 180_000, 600_000, 1_300_000, 10_800_000,
        ]
        now = now + .milliseconds(pick(pauses))
        let name = Int.random(in: 0..<8, using: &random) == 0 ? names.rare : names.usual
        let (topic, payload) = say(name)
        return RecordedMessage(
            at: now,
            topic: Array(topic.utf8)[...],
            payload: Array(payload.utf8)[...],
            isRetained: Int.random(in: 0..<20, using: &random) == 0
        )
    }

    private mutating func say(_ name: String) -> (String, String) {
        switch kind {
        case 0:
            if Int.random(in: 0..<10, using: &random) == 0 {
                return ("homeconnect/\(name)/LWT", pick(["online", "offline"]))
            }
            let states = ["Run", "Run", "Run", "Pause", "Finished", "Ready", "Inactive"].map { "\"\($0)\"" }
            let times = ["0", "30", "600", "640", "700", "3600", "3661.5", "null"]
            return (
                "homeconnect/\(name)/state",
                object([
                    "OperationState": states, "RemainingProgramTime": times,
                    "ActiveProgram": ["\"Cotton\"", "\"E\""],
                ])
            )
        case 1:
            let states = ["IDLE", "PREPARE", "RUNNING", "RUNNING", "PAUSE", "FINISH", "FAILED"].map {
                "\"\($0)\""
            }
            let parts = object([
                "gcode_state": states, "mc_remaining_time": ["0", "1", "7", "8", "9", "20"],
                "subtask_name": ["\"a\"", "\"b\""], "print_error": ["0", "50348044"],
            ])
            return ("device/\(name)/report", "{\"print\":\(parts)}")
        case 2:
            let times = ["0", "60", "600", "595", "1200"]
            return (
                "opensprinkler/station/\(name)",
                object(["state": ["0", "1", "1"], "duration": times, "flow": ["1.5", "0.1", "null"]])
            )
        case 3:
            let machine = pick(["washingmachine", "dishwasher"])
            return (
                "plug/\(machine)/\(name)/power",
                pick(["0", "3.5", "9.99", "10", "11", "80", "80", "300", "300", "900", "2100", "x"])
            )
        default:
            let any = [json(depth: 3), json(depth: 2), json(depth: 1), "null"]
            return (
                "thing/\(name)/state",
                object([
                    "phase": ["0", "1", "1", "1", "2", "3"], "any": any,
                    "other": ["{\"deep\":\(json(depth: 2))}"],
                    "number": ["1", "2", "3.5", "4", "100", "true", "\"4\""],
                    "left": ["0", "50", "100", "120", "151", "3600", "-4"],
                ])
            )
        }
    }

    /// An object with some of the members, each with one of its values.
    private mutating func object(_ members: KeyValuePairs<String, [String]>) -> String {
        var parts: [String] = []
        for (name, values) in members where Int.random(in: 0..<3, using: &random) > 0 {
            parts.append("\"\(name)\":\(pick(values))")
        }
        return "{\(parts.joined(separator: ","))}"
    }

    private mutating func json(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2:
            return pick(["0", "-1", "7", "2.5", "1e3", "1e-9", "9007199254740993", "18446744073709551615"])
        case 3...5:
            return pick(["\"\"", "\"x\"", "\"y\"", #""\"\\\n\u0000""#, "\"ä\"", "\"a\\u0308\"", "\"😀\""])
        case 6:
            let count = Int.random(in: 0...3, using: &random)
            return "[\((0..<count).map { _ in json(depth: depth - 1) }.joined(separator: ","))]"
        default:
            // Every name at most once.
            let names = ["a", "b", "start", "end", "ä", ""].filter { _ in Bool.random(using: &random) }
            return "{\(names.map { "\"\($0)\":\(json(depth: depth - 1))" }.joined(separator: ","))}"
        }
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }
}
