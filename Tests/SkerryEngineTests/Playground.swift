import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// Makes definitions and messages for tests, and words of effects.
enum Playground {
    static let start = Timestamp(seconds: 1_000_000)

    static func definition(_ text: String) throws -> Definition {
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(("skerry: 1\n" + text).utf8))
        let compiled = CompiledFiles([file])
        return try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
    }

    /// A kind whose devices count nothing and go back and forth with their payload.
    static func lamp(_ kind: String, topics: [String]) throws -> Definition {
        let sources = topics.map {
            "  - { topic: \"\($0)\", payload: text, signals: { word: payload } }"
        }
        return try definition(
            """
            kind: \(kind)
            sources:
            \(sources.joined(separator: "\n"))
            machine:
              initial: dark
              states:
                dark: { always: { guard: word == "on", target: lit } }
                lit: { always: { guard: word == "off", target: dark } }
            """
        )
    }

    static func message(_ topic: String, _ payload: String, retained: Bool = false) -> Input {
        .message(
            Message(topic: ArraySlice(topic.utf8), payload: ArraySlice(payload.utf8), isRetained: retained)
        )
    }

    /// An effect as text, complete.
    static func words(_ effect: Effect) -> String {
        let what =
            switch effect.what {
            case .moved(let from, let to): "\(from)>\(to)"
            case .update(let update):
                String(decoding: update.snapshotJSON() + (update.diffJSON() ?? []), as: UTF8.self)
                    + (update.alert.map { $0.title } ?? "")
            case .dismissed(let id): "dismissed \(id)"
            case .availability(let isAvailable): "available \(isAvailable)"
            case .refused(let refusal): "refused \(refusal.message)"
            case .fault(let fault): "fault \(fault.message)"
            }
        return "\((effect.at - start).microseconds) \(effect.kind)/\(effect.device) \(what)"
    }
}

/// Traffic of some devices with everything that waits: sustained guards, silence, timers, sends, staleness, dismissal.
struct RandomTraffic {
    static let definition = """
        kind: thing
        sources:
          - topic: thing/{device}/state
            signals: { power: payload.power, mode: payload.mode, left: seconds(payload.left) }
            event: payload.event
          - topic: thing/{device}/lwt
            payload: bool
            available: payload
        timers:
          cycle: { remaining: left, tolerance: 20s, while: inState("working") }
          total: { count: up, from: since, while: inState("busy") }
          nag: { duration: 'duration("50s")' }
        context: { count: 0 }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: power > 5, for: 20s, dropout: 4s, target: busy }
            busy:
              initial: working
              entry: { assign: { count: context.count + 1 } }
              always:
                - { guard: power < 5, for: 45s, target: done }
                - { quiet: 3m, target: lost }
              states:
                working:
                  always: { guard: mode == 2, target: paused }
                  on: { cycle.elapsed: late, "ping": { actions: { send: { event: pong, delay: seconds(7) } } } }
                paused: { always: { guard: mode == 1, target: working }, after: { 90s: working } }
                late: { entry: { start: nag }, on: { nag.elapsed: working, pong: paused } }
            done: { after: { 30s: idle }, entry: { stop: nag } }
            lost: { always: { guard: power < 5 && power > 1, target: idle } }
        activity:
          starts: busy
          ends: [done, lost]
          attributes: { count: context.count }
          content: { status: state, cycle: timer.cycle, total: timer.total, power: { value: power, tolerance: 3 } }
          alerts: { done: { title: "{device} {context.count}" } }
          stale: 100s
          dismiss: 40s
        """

    private var random: SimulatedRandom
    private var now = Playground.start

    init(seed: UInt64) { random = SimulatedRandom(seed: seed) }

    /// The next input with its time, never before the last one's.
    mutating func next() -> (input: Input, at: Timestamp) {
        let pause = random.pick([0, 0, 0, 1, 300, 4000, 7000, 20_000, 45_000, 100_000, 1_000_000] as [Int64])
        now = now + .milliseconds(pause)
        let device = random.pick(["a", "b", "c"])
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return (Playground.message("thing/\(device)/lwt", random.pick(["on", "off", "?"])), now)
        case 1: return (.event(kind: "thing", device: device, name: random.pick(["ping", "pong"])), now)
        case 2: return (.timePassed, now)
        default: break
        }
        var members: [String] = []
        if Bool.random(using: &random) { members.append("\"power\": \(random.pick([0, 2, 8, 9, 400]))") }
        if Bool.random(using: &random) { members.append("\"mode\": \(random.pick([1, 2, 3]))") }
        if Bool.random(using: &random) { members.append("\"left\": \(random.pick([0, 10, 60, 75, 600]))") }
        if random.pick([true, false, false, false]) { members.append("\"event\": \"ping\"") }
        if random.pick([true] + [Bool](repeating: false, count: 30)) { members.append("oops") }
        let isRetained = random.pick([true, false, false, false, false, false])
        let payload = "{" + members.joined(separator: ", ") + "}"
        return (Playground.message("thing/\(device)/state", payload, retained: isRetained), now)
    }

    static func inputs(seed: UInt64, count: Int) -> [(input: Input, at: Timestamp)] {
        var traffic = RandomTraffic(seed: seed)
        return (0..<count).map { _ in traffic.next() }
    }
}
