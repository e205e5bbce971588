import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// Compiles a definition that a test has inside.
func definition(_ text: String) throws -> Definition {
    let reading = DefinitionReader.read(text: text)
    let draft = try #require(reading.draft, "\(reading.problems)")
    let problems = reading.problems.filter { $0.severity == .error }
    try #require(problems.isEmpty, "\(problems)")
    let compilation = Definition.compile(draft, limits: DeviceLimits())
    return try #require(compilation.definition, "\(compilation.problems)")
}

/// Bounds with room for so many devices and topics, where so many devices may take the place of others in a minute.
func limits(devices: Int = 100_000, topics: Int = 200_000, newDevices: Int = 0) -> EngineLimits {
    var limits = EngineLimits()
    limits.devices = devices
    limits.newDevices = newDevices
    limits.topics = topics
    return limits
}

/// The moment so many seconds after the tests begin.
func second(_ seconds: Double) -> Timestamp {
    Timestamp(seconds: 1_772_355_600) + Interval(microseconds: Int64(seconds * 1_000_000))
}

/// An input at its time.
struct Step: Sendable {
    var at: Timestamp
    var input: Input

    /// A message.
    static func say(
        _ topic: String,
        _ payload: String,
        at: Timestamp,
        isRetained: Bool = false
    ) -> Step {
        let message = Message(
            topic: Array(topic.utf8)[...],
            payload: Array(payload.utf8)[...],
            isRetained: isRetained
        )
        return Step(at: at, input: .message(message))
    }

    /// Nothing but time.
    static func wait(until at: Timestamp) -> Step { Step(at: at, input: .timePassed) }
}

extension Engine {
    init(_ definitions: [Definition], limits: EngineLimits = EngineLimits()) {
        self.init(definitions: definitions, epoch: 7, limits: limits)
    }

    /// Takes steps in.
    ///
    /// - Returns: what came of them, a line for each effect.
    mutating func take(_ steps: [Step]) -> [String] {
        steps.flatMap { handle($0.input, at: $0.at).map(\.line) }
    }

    /// Takes a message in at so many seconds.
    mutating func say(_ topic: String, _ payload: String, at seconds: Double = 0) -> [String] {
        take([.say(topic, payload, at: second(seconds))])
    }

    /// The value of a signal of a device as JSON, `unset` without one; nil when there is no such device.
    func signal(_ signal: String, of device: String, kind: String) -> String? {
        guard let found = self.device(kind: kind, named: device) else { return nil }
        let value = found.device.signal(signal, in: found.definition)
        if case .error = value { return "unset" }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Effect {
    /// Everything that it says, in one line; seconds count from the beginning of the tests.
    var line: String {
        let moment = (at - second(0)).inSeconds
        let seconds = moment == moment.rounded() ? "\(Int64(moment))" : "\(moment)"
        return "\(seconds) \(kind)/\(device) \(what.words)"
    }
}

extension DeviceEffect {
    fileprivate var words: String {
        switch self {
        case .moved(let from, let to, let through): ([from] + through + [to]).joined(separator: " > ")
        case .update(let update): update.words
        case .dismissed(let id): "dismissed \(id)"
        case .foretold(let timeline):
            "foretold " + (timeline.map { String(decoding: $0.json(), as: UTF8.self) } ?? "nothing")
        case .availability(let isAvailable): isAvailable ? "here" : "away"
        case .publication(let message): "publishes \(message.topic)"
        case .forgotten(let toldAvailability): "forgotten\(toldAvailability ? " and its availability" : "")"
        case .refused(let refusal): "refused: \(refusal.message)"
        case .fault(let fault): "fault: \(fault.message)"
        }
    }
}

extension ActivityUpdate {
    fileprivate var words: String {
        let snapshot = String(decoding: snapshotJSON(), as: UTF8.self)
        let diff = diffJSON().map { String(decoding: $0, as: UTF8.self) } ?? "none"
        let until = dismissAt.map { "\(($0 - second(0)).inSeconds)" } ?? "never"
        return "\(kind) \(snapshot) \(diff) until \(until) \(alert.map { "\($0.title): \($0.body)" } ?? "")"
    }
}

extension SimulatedRandom {
    /// One of the choices.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
