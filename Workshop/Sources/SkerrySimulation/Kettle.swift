import SkerryDevice
import SkerryFiles
import SkerryTesting
import SkerryValues

/// A kind of device with timers of each sort, whose right end follows from the published content alone.
enum Kettle {
    static let definition = """
        skerry: 1
        kind: kettle
        sources:
          - topic: kettle/{device}/state
            signals:
              on: payload.on
              length: seconds(payload.length)
              heat: payload.heat
              hold: timestamp(int(payload.hold))
          - topic: kettle/{device}/LWT
            devices: known
            payload: text
            available: payload == "online"
          - topic: kettle/mains
            devices: all
            payload: text
            signals: { mains: payload }
        timers:
          tea: { duration: length, while: inState("brewing") }
          rest: { duration: minutes(5), while: inState("brewing"), onRestart: remaining }
          round: { duration: minutes(9), while: inState("brewing"), onRestart: restart }
          warmth: { until: hold, while: inState("brewing"), onNewEnd: restart, tolerance: 10s }
        context: { cooled: 0 }
        machine:
          initial: cold
          states:
            cold:
              always: { guard: on, target: brewing }
            brewing:
              entry: { assign: { cooled: 0 } }
              always:
                - { guard: "!on", target: cold }
                - { quiet: 3h, target: lost }
              on:
                tea.elapsed: ready
                warmth.elapsed: { actions: { assign: { cooled: context.cooled + 1 } } }
                more: { actions: { extend: { timer: tea, by: minutes(1) } } }
            ready:
              always: { guard: "!on", for: 30s, target: cold }
              after: { 10m: forgotten }
            forgotten:
              always: { guard: "!on", target: cold }
            lost:
              always: { guard: "!on", target: cold }
        activity:
          starts: brewing
          ends: [cold, forgotten, lost]
          attributes: { name: device.name }
          content:
            status: state
            tea: timer.tea
            rest: timer.rest
            round: timer.round
            warmth: timer.warmth
            cooled: context.cooled
            mains: default(mains, "on")
            heat: { value: heat, tolerance: 5 }
          stale: 20m
          dismiss: 10m
        """

    /// Variants of the kettle: a state has another name, with and without `migrate:`, or does not exist.
    static let others: [Definition] = {
        let left = definition.replacing("forgotten", with: "left")
            .replacing("    heat: {", with: "    warm: heat > 50\n    heat: {")
        let steeping = definition.replacing("brewing", with: "steeping")
        let hasty = definition.replacing("tea.elapsed: ready", with: "tea.elapsed: forgotten")
            .replacing(unreadyState, with: "")
        return [left + "\nmigrate: { forgotten: left }\n", steeping, hasty].compactMap { text in
            DefinitionReader.read(text: text).draft.flatMap { Definition.compile($0).definition }
        }
    }()

    /// The state that not every variant has.
    private static let unreadyState = """
            ready:
              always: { guard: "!on", for: 30s, target: cold }
              after: { 10m: forgotten }

        """

    /// The next message, and the pause before it.
    static func message(
        of name: String,
        after last: Timestamp,
        using random: inout SimulatedRandom
    ) -> (
        pause: Interval, topic: String, payload: String, isRetained: Bool
    ) {
        let pauses: [Interval] = [
            .zero, .seconds(1), .seconds(31), .minutes(1), .minutes(4), .minutes(11), .minutes(25),
        ]
        let pause = pauses[random.below(pauses.count)]
        switch random.below(10) {
        case 0:
            if random.chance(1, of: 3) {
                return (pause, "kettle/mains", random.chance(1, of: 2) ? "on" : "off", true)
            }
            return (pause, "kettle/\(name)/LWT", random.chance(1, of: 2) ? "online" : "offline", true)
        case 1:
            return (pause, "skerry/kettle/\(name)/event", random.chance(2, of: 3) ? "more" : "less", false)
        case 2...4: return (pause, "kettle/\(name)/state", "{\"heat\":\(20 + random.below(60))}", false)
        case 5, 6: return (pause, "kettle/\(name)/state", #"{"on":false}"#, false)
        default:
            let length = [0, 30, 240, 600, 3000][random.below(5)]
            // The end of keeping warm, which is often past already when the message comes.
            let hold = (last + pause).flooredSeconds + Int64(length / 2 - 120)
            let payload = "{\"on\":true,\"length\":\(length),\"hold\":\(hold)}"
            return (pause, "kettle/\(name)/state", payload, false)
        }
    }
}
