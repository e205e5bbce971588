/// Definitions for tests.
enum Samples {
    static let washer = #"""
        # A washing machine.
        skerry: 1
        kind: washer
        name: Washing machine
        sources:
          - topic: homeconnect/{device}/state
            payload: json
            signals:
              operation: payload.OperationState
              program:   payload.ActiveProgram
              remaining: seconds(payload.RemainingProgramTime)
          - topic: homeconnect/{device}/LWT
            payload: text
            available: payload == "online"
            event: payload
        context: { count: 0, open: true, none: null, list: "[1, 2]" }
        timers:
          cycle: { remaining: remaining, tolerance: 1m, while: inState("running"), pausedFrom: since, onNewEnd: restart }
          rest: { until: ends, onRestart: remaining }
          soak: { duration: 'duration("90m")', onRestart: drop }
          total: { count: up, from: since, onRestart: restart }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: operation == "Run", target: running }
            running:
              title: Running
              always:
                - { guard: operation == "Pause", target: paused }
                - { guard: operation == "Finished", target: done }
              on: { cycle.elapsed: finishing }
            finishing:
            paused: {}
            done:
              title: Laundry is done
              after: { 15m: idle }
        activity:
          starts: running
          ends: [done, idle]
          attributes: { name: device.name, program: program }
          content:
            status: state.title
            cycle: timer.cycle
            power: { value: power, when: power > 0, tolerance: 2.5 }
          alerts:
            done: { title: Laundry is done, body: "{program} has finished", sound: bell.caf, level: time-sensitive }
          relevance: 75
          stale: 15m
          dismiss: 4h
          link: "skerry://washer/{device}"
        island:
          tint: "#2a9d8f"
          minimal: { symbol: washer }
          compact: { leading: { symbol: washer }, trailing: { countdown: cycle } }
          expanded:
            leading:  { symbol: washer }
            center: { text: "{status}" }
            bottom: { progress: cycle }
          lock: { title: "{name}", text: { value: "{status}", tint: island }, progress: { value: power, steps: 5 } }
        migrate: { washing: running }
        tests:
          - name: an hour's wash sends two updates
            steps:
              - given: { state: idle }
              - send:
                  a/state: { OperationState: Run, left: [3600, 1.50, true, null, "2", "\"\n"], x: {} }
                  a/LWT: online
              - { send: { a/n: 007, a/t: true }, retained: true }
              - wait: 59m
              - at: 2026-03-01T12:00:00Z
              - event: snooze
              - event: { name: snooze, device: laundry }
              - expect: { state: done, updates: 2, ended: true }
        """#

    static let machine = #"""
        skerry: 1
        kind: sample
        machine:
          type: parallel
          states:
            one:
              after: { 15m: two }
              always:
                - two
                - { guard: power < 5, for: 3m, dropout: 10s, target: two }
                - { guard: power < 5, for: 500ms, target: two }
                - { quiet: 10m, target: two }
                - { quiet: { of: [power, left], for: 10m }, target: two }
                - { quiet: { unchanged: left, for: 10m }, target: two }
              on:
                a.b  c.*: { guard: power > 5, target: two }
                d: [two, {}]
                e: { internal: true }
                f: { target: [two, three], internal: false }
            two:
              entry:
                - pause: cycle
                - pause: { timer: cycle, from: halted }
                - resume: cycle
                - extend: { timer: cycle, by: left }
                - raise: ready
                - send: ready
                - send: { event: ready, delay: left, id: first }
                - cancel: first
                - assign: { count: count + 1, open: true }
                - guard: power > 5
                  actions: [{ raise: much }, { guard: open, actions: { stop: cycle } }]
                  else: { raise: little }
                - { guard: power < 2, actions: [] }
                - try: { assign: { count: left } }
                - try: [{ stop: cycle }, { try: [] }]
            three: { type: history }
            four: { type: history, history: deep, target: [one, two] }
            five: { type: final }
            six:
              type: parallel
              states: { left: , right: {} }
          entry: { start: cycle }
          exit: [{ stop: cycle }, { start: { timer: cycle, duration: left } }]
          always: { guard: "false", target: two }
        """#
}
