import SkerryEngine
import SkerryTesting
import SkerryValues

/// What devices say on a bad day, about everything that waits: holds, silence, timers, sends, stale runs.
struct Traffic {
    /// Two kinds that hear the same messages, a capture of the topic among them.
    static let definitions = [
        """
        skerry: 1
        kind: thing
        sources:
          - topic: "home/{room}/{device}/state"
            signals:
              power: payload.power
              mode: payload.mode
              left: seconds(payload.left)
              room: topic.room
            event: payload.event
          - topic: "home/+/{device}/lwt"
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
                  on:
                    cycle.elapsed: late
                    ping: { actions: { send: { event: pong, delay: seconds(7) } } }
                paused: { always: { guard: mode == 1, target: working }, after: { 90s: working } }
                late: { entry: { start: nag }, on: { nag.elapsed: working, pong: paused } }
            done: { entry: { stop: nag }, after: { 30s: idle } }
            lost: { always: { guard: power < 5 && power > 1, target: idle } }
        activity:
          starts: busy
          ends: [done, lost, idle]
          attributes: { count: context.count, room: room }
          content:
            status: state
            cycle: timer.cycle
            total: timer.total
            power: { value: power, tolerance: 3 }
          alerts: { done: { title: "{device.name} {context.count}" } }
          stale: 100s
          dismiss: 40s
        """,
        """
        skerry: 1
        kind: room
        sources:
          - topic: "home/{device}/#"
            signals: { power: payload.power }
        timers:
          rest: { duration: 'duration("25s")', while: inState("quiet") }
        machine:
          type: parallel
          states:
            use:
              initial: quiet
              states:
                quiet:
                  always: { guard: changed(power) && power > 100, target: loud }
                  on: { rest.elapsed: asleep }
                loud: { after: { 20s: quiet, 60s: asleep } }
                asleep: { always: { guard: changed(power), target: quiet } }
            watch:
              initial: fresh
              states:
                fresh: { always: { quiet: 45s, target: old } }
                old: { always: { guard: changed(power), target: fresh } }
        activity:
          starts: loud
          ends: asleep
          content: { states: state, rest: timer.rest, power: '{"now": power}' }
          dismiss: immediate
        """,
    ]

    private var random: SimulatedRandom
    private var now = second(0)

    init(seed: UInt64) { random = SimulatedRandom(seed: seed) }

    /// So many steps; none is earlier than the one before it.
    static func steps(seed: UInt64, count: Int) -> [Step] {
        var traffic = Traffic(seed: seed)
        return (0..<count).map { _ in traffic.next() }
    }

    private mutating func next() -> Step {
        let pauses: [Int64] = [0, 0, 0, 1, 300, 4000, 7000, 20_000, 45_000, 100_000, 1_000_000]
        now = now + .milliseconds(random.pick(pauses))
        let device = random.pick(["a", "b", "c"])
        let room = random.pick(["hall", "hall", "bath"])
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .say("home/\(room)/\(device)/lwt", random.pick(["on", "off", "?"]), at: now)
        case 1:
            let name = random.pick(["ping", "pong"])
            return Step(at: now, input: .event(kind: "thing", device: device, name: name))
        case 2: return .wait(until: now)
        case 3: return .say(random.pick(["homes/x", "home", "$home/hall/a/state"]), "1", at: now)
        default: break
        }
        var members: [String] = []
        if Bool.random(using: &random) { members.append("\"power\":\(random.pick([0, 2, 8, 9, 400]))") }
        if Bool.random(using: &random) { members.append("\"mode\":\(random.pick([1, 2, 3]))") }
        if Bool.random(using: &random) { members.append("\"left\":\(random.pick([0, 10, 60, 75, 600]))") }
        if Int.random(in: 0..<4, using: &random) == 0 { members.append("\"event\":\"ping\"") }
        if Int.random(in: 0..<30, using: &random) == 0 { members.append("oops") }
        return .say(
            "home/\(room)/\(device)/state",
            "{\(members.joined(separator: ","))}",
            at: now,
            isRetained: Int.random(in: 0..<6, using: &random) == 0
        )
    }
}
