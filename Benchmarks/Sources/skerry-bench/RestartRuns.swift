import Glibc
import SkerryTesting

/// The time that a bridge needs to restart with many devices and timers.
struct RestartRuns {
    private static let devices = 10_000
    /// A kind with a reported countdown, a count-up and a wait; nothing is due during the measurement.
    private static let definition = """
        skerry: 1
        kind: kiln
        sources:
          - topic: bench/kiln/{device}
            signals: { on: payload.on, left: seconds(payload.left), heat: payload.heat }
        timers:
          cycle: { remaining: left, while: inState("hot") }
          cool: { duration: duration("8h"), while: inState("hot") }
        machine:
          initial: cold
          states:
            cold: { always: { guard: on, target: hot } }
            hot:
              always: { guard: "!on", target: cold }
              on: { cycle.elapsed: cold, cool.elapsed: cold }
        activity:
          starts: hot
          ends: cold
          content: { status: state, cycle: timer.cycle, heat: heat }
        """

    private let house: House

    init(_ house: House) { self.house = house }

    func run() throws(BenchFailure) {
        Table.section("Restart, on the wall")
        guard Broker.isAvailable else {
            say("  no mosquitto on this machine, passed over")
            return
        }
        guard let folder = environment("SKERRY_PROGRAMS"), access("\(folder)/skerry", X_OK) == 0 else {
            say("  SKERRY_PROGRAMS names no folder with skerry, passed over")
            return
        }
        do {
            let broker = try Broker()
            let files = ["kiln.yaml", "kiln.db", "kiln.db-wal", "kiln.db-shm", "kiln.db.lock"]
            defer { for name in files { unlink("\(broker.directory)/\(name)") } }
            try measure(broker, skerry: "\(folder)/skerry")
        } catch {
            throw BenchFailure("\(error)")
        }
    }

    private func measure(_ broker: Broker, skerry: String) throws {
        guard let file = fopen("\(broker.directory)/kiln.yaml", "w") else {
            throw BenchFailure("cannot write to \(broker.directory)")
        }
        fputs(Self.definition, file)
        fclose(file)
        let last = "skerry/kiln/k\(Self.devices - 1)/activity"
        // Only these two topics, or the time would include that for reading ten thousand updates.
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/bridge/state")
        try reader.subscribe(last)
        let first = try start(skerry, broker)
        try reader.wait(for: "online") { messages in online(messages) == 1 }
        let idle = residentBytes(of: first.process) ?? 0
        // The bridge subscribes after it reports to be online; retained messages wait for it at the broker.
        let publisher = try BrokerClient(port: broker.port)
        for number in 0..<Self.devices {
            let payload = #"{"on":true,"left":\#(36_000 + number),"heat":20}"#
            try publisher.publish(
                "bench/kiln/k\(number)",
                payload,
                isRetained: true,
                isWaiting: number % 200 == 199
            )
        }
        try reader.wait(for: "the last device") { messages in messages.contains { $0.topic == last } }
        first.end()
        var status = stat()
        stat("\(broker.directory)/kiln.db", &status)
        Table.row(
            "a device in the database",
            Table.number(Double(status.st_size) / Double(Self.devices)),
            "bytes"
        )
        var resident = 0
        for (signal, words) in [(SIGTERM, "an orderly end"), (SIGKILL, "kill -9")] {
            var best = Double.infinity
            for _ in 0..<(house.options.isQuick ? 2 : 5) {
                let before = online(reader.messages)
                let start = wallTime()
                let program = try self.start(skerry, broker)
                try reader.wait(for: "online") { messages in online(messages) > before }
                best = min(best, Double(wallTime() - start) / 1e9)
                resident = residentBytes(of: program.process) ?? 0
                program.end(signal)
            }
            Table.row(
                "10,000 devices, 20,000 timers, after \(words)",
                Table.number(best),
                "s to online",
                target: .atMost(2, best)
            )
        }
        let memory = Double(resident - idle) / Double(Self.devices)
        Table.row("a device with two timers in memory", Table.number(memory), "bytes")
    }

    private func start(_ skerry: String, _ broker: Broker) throws(BenchFailure) -> Program {
        let folder = broker.directory
        let arguments = [
            "run", "--port", "\(broker.port)", "--definitions", "\(folder)/kiln.yaml", "--store",
            "\(folder)/kiln.db",
            "--log-level", "error",
        ]
        return try Program(skerry, arguments, in: folder)
    }

    private func online(_ messages: [BrokerClient.Message]) -> Int {
        messages.count { $0.topic == "skerry/bridge/state" && $0.text == "online" }
    }
}
