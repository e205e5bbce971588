import Foundation
import SkerryTesting

/// What publishers know of what they sent: only what the broker has acknowledged.
struct CrashLog {
    /// Messages of each meter; they are numbered from 1.
    var messages: [String: Int] = [:]
    /// What each meter said last.
    var modes: [String: String] = [:]
    /// Alarms, each armed once.
    var alarms: Set<String> = []

    /// How long an alarm waits, in seconds.
    static let alarmLength = 2.0

    /// Meters whose message numbers are followed without a gap, and alarms with two sorts of timers.
    static let definitions = [
        "meter.yaml": """
        skerry: 1
        kind: meter
        sources:
          - topic: crash/meter/{device}
            signals: { n: payload.n, mode: payload.mode }
            event: "'message'"
        context: { seen: 0, gaps: 0, again: 0 }
        machine:
          initial: rest
          on:
            message:
              - { guard: n == context.seen + 1, actions: { assign: { seen: n } } }
              - { guard: n <= context.seen, actions: { assign: { again: context.again + 1 } } }
              - actions: { assign: { gaps: context.gaps + 1, seen: n } }
          states:
            rest:
              always: [{ guard: mode == "slow", target: slow }, { guard: mode == "fast", target: fast }]
            slow:
              always: [{ guard: mode == "rest", target: rest }, { guard: mode == "fast", target: fast }]
            fast:
              always: [{ guard: mode == "rest", target: rest }, { guard: mode == "slow", target: slow }]
        activity:
          starts: [slow, fast]
          ends: rest
          content: { seen: context.seen, gaps: context.gaps, again: context.again }
        """,
        "alarm.yaml": """
        skerry: 1
        kind: alarm
        sources:
          - topic: crash/alarm/{device}
            signals: { sort: payload.sort }
        context: { rings: 0 }
        timers:
          bell: { duration: duration("2s"), while: inState("ticking") }
        machine:
          initial: idle
          states:
            idle:
              always: [{ guard: sort == "timer", target: ticking }, { guard: sort == "state", target: waiting }]
            ticking: { on: { bell.elapsed: rung } }
            waiting: { after: { 2s: rung } }
            rung:
              entry: { assign: { rings: context.rings + 1 } }
        activity:
          starts: [ticking, waiting]
          ends: rung
          content: { rings: context.rings }
        """,
    ]

    /// Sends one message of each meter, and returns once the broker has acknowledged all.
    mutating func publish(by client: BrokerClient, _ random: inout SimulatedRandom) throws {
        for meter in 0..<8 {
            let mode = ["slow", "fast", "slow", "fast", "slow", "fast", "rest"][random.below(7)]
            try publish("m\(meter)", mode, by: client)
        }
        try client.flush()
    }

    /// Sends a last message of each meter, which leaves it in a run.
    mutating func finish(by client: BrokerClient) throws {
        for meter in messages.keys.sorted() { try publish(meter, "fast", by: client) }
        try arm(by: client)
    }

    private mutating func publish(_ meter: String, _ mode: String, by client: BrokerClient) throws {
        let number = messages[meter, default: 0] + 1
        try client.publish("crash/meter/\(meter)", #"{"n":\#(number),"mode":"\#(mode)"}"#, isWaiting: false)
        messages[meter] = number
        modes[meter] = mode
    }

    /// Arms an alarm of its own, and returns once the broker has acknowledged it.
    mutating func arm(by client: BrokerClient) throws {
        let name = "a\(alarms.count)"
        let sort = alarms.count.isMultiple(of: 2) ? "timer" : "state"
        try client.publish("crash/alarm/\(name)", #"{"sort":"\#(sort)"}"#)
        alarms.insert(name)
    }
}
