import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryMachine
import SkerryValues

/// Measurements of layer 0 alone: engine, machines, deadlines, payloads.
struct LayerZero {
    let house: House
    private let start = Timestamp(seconds: 1_772_323_200)

    init(_ house: House) { self.house = house }

    func run() throws(BenchFailure) {
        Table.section("Layer 0")
        try runMessages()
        try runPayload()
        try runTimers()
        try runMemory()
    }

    private var rounds: Int { house.options.isQuick ? 3 : 15 }

    // MARK: Messages

    private func runMessages() throws(BenchFailure) {
        let washer = try house.definition("washer-plug")
        let printer = try house.definition("printer-bambu")
        let topics = (0..<100).map { "plug/washingmachine/machine-\($0)/power" }
        let same = try nanoseconds(washer, topics, payloads: ["2.1", "2.1"])
        Table.row("message that changes nothing, a plug's watts", Table.number(same), "ns")
        let other = try nanoseconds(washer, topics, payloads: ["2.1", "3.4"])
        Table.row("message that changes a signal and no state", Table.number(other), "ns")
        let serials = (0..<100).map { "device/serial-\($0)/report" }
        let idle = try nanoseconds(printer, serials, payloads: [PrinterReport.idle, PrinterReport.idle])
        let bytes = PrinterReport.idle.utf8.count
        Table.row(
            "message that changes nothing, a printer's \(bytes) bytes of JSON",
            Table.number(idle),
            "ns"
        )
        let toggle = try Self.compiled(Self.toggle)
        let switches = (0..<100).map { "lamp/lamp-\($0)/state" }
        let moved = try nanoseconds(toggle, switches, payloads: ["1", "0"])
        Table.row("message that changes the state", Table.number(moved), "ns")
        let followed = try Self.compiled(Self.toggle + Self.toggleActivity)
        let published = try nanoseconds(followed, switches, payloads: ["1", "0"])
        Table.row(
            "message that changes the state and starts or ends an activity",
            Table.number(published),
            "ns"
        )
    }

    /// The processor time of one message in nanoseconds; all topics get the first payload in turn, then the second, and
    /// so on.
    private func nanoseconds(
        _ definition: Definition,
        _ topics: [String],
        payloads: [String]
    ) throws(BenchFailure) -> Double {
        var engine = Engine(definitions: [definition], epoch: 1)
        var now = start
        let messages = payloads.flatMap { payload in
            topics.map { topic in
                TimedMessage(
                    at: start,
                    message: Message(topic: ArraySlice(topic.utf8), payload: ArraySlice(payload.utf8))
                )
            }
        }
        .inOneArena
        let turns = 50
        for timed in messages { _ = engine.handle(.message(timed.message), at: now) }
        return try best(of: rounds, count: turns * messages.count) { () throws(BenchFailure) in
            for _ in 0..<turns {
                for timed in messages {
                    now = now + .milliseconds(1)
                    keep(engine.handle(.message(timed.message), at: now))
                }
            }
        }
    }

    private static let toggle = """
        skerry: 1
        kind: lamp
        name: Lamp
        sources:
          - topic: lamp/{device}/state
            payload: number
            signals: { level: payload }
        machine:
          initial: dark
          states:
            dark: { always: { guard: level > 0.5, target: bright } }
            bright: { always: { guard: level <= 0.5, target: dark } }

        """

    private static let toggleActivity = """
        activity:
          starts: bright
          ends: dark
          content: { status: state }
        """

    private static func compiled(_ text: String) throws(BenchFailure) -> Definition {
        let files = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))])
        guard let definition = files.definitions.first else {
            throw BenchFailure(files.report(DiagnosticPrinter(usesColours: false)))
        }
        return definition
    }

    // MARK: Payloads

    private func runPayload() throws(BenchFailure) {
        var paths = PathTable()
        for field in ["gcode_state", "mc_remaining_time", "mc_percent", "subtask_name", "layer_num"] {
            _ = paths.intern([.key("print"), .key(field)])
        }
        let plan = PayloadPlan(paths)
        let bytes = Array(PrinterReport.idle.utf8)
        var values: [Value] = []
        let each = try best(of: rounds, count: 20_000) { () throws(BenchFailure) in
            for _ in 0..<20_000 {
                do throws(JSONRefusal) {
                    try plan.read(bytes.span, into: &values, limits: JSONLimits())
                } catch {
                    throw BenchFailure("the printer's payload is refused: \(error)")
                }
            }
        }
        Table.row("reading five fields of \(bytes.count) bytes of JSON", Table.number(each), "ns")
    }

    // MARK: Timers

    private func runTimers() throws(BenchFailure) {
        let count = 1_000_000
        var random = SplitMix(state: 7)
        let moments = (0..<count).map { _ in
            Timestamp(microseconds: start.microseconds + Int64(random.next() % 86_400_000_000))
        }
        var arm = Double.infinity
        var fire = Double.infinity
        var heap = DeadlineHeap()
        for _ in 0..<(house.options.isQuick ? 1 : 3) {
            heap = DeadlineHeap(capacity: count)
            arm = min(
                arm,
                try best(of: 1, count: count) { () throws(BenchFailure) in
                    for id in 0..<count {
                        heap.set(UInt32(id), to: Deadline(at: moments[id], sequence: UInt64(id)))
                    }
                }
            )
            var emptied = heap
            keep(emptied.popMin())
            fire = min(
                fire,
                try best(of: 1, count: count - 1) { () throws(BenchFailure) in
                    while let entry = emptied.popMin() { keep(entry) }
                }
            )
        }
        Table.row("timer armed, up to 1,000,000 pending", Table.number(arm), "ns")
        let pair = try armAndCancel(&heap, count)
        Table.row(
            "timer armed and cancelled, 1,000,000 pending",
            Table.number(pair),
            "ns",
            target: .atMost(300, pair)
        )
        let later = try postpone(&heap, count)
        Table.row("timer pushed later, 1,000,000 pending", Table.number(later), "ns")
        Table.row("timer fired, from 1,000,000 pending down", Table.number(fire), "ns")
    }

    /// Cancels random deadlines and arms them again.
    private func armAndCancel(_ heap: inout DeadlineHeap, _ count: Int) throws(BenchFailure) -> Double {
        var random = SplitMix(state: 11)
        var sequence = UInt64(count)
        let turns = 500_000
        return try best(of: 5, count: turns) { () throws(BenchFailure) in
            for _ in 0..<turns {
                let id = UInt32(random.next() % UInt64(count))
                heap.remove(id)
                let moment = Timestamp(
                    microseconds: start.microseconds + Int64(random.next() % 86_400_000_000)
                )
                heap.set(id, to: Deadline(at: moment, sequence: sequence))
                sequence += 1
            }
        }
    }

    private func postpone(_ heap: inout DeadlineHeap, _ count: Int) throws(BenchFailure) -> Double {
        var random = SplitMix(state: 13)
        var sequence = UInt64(count) * 10
        let turns = 500_000
        return try best(of: 5, count: turns) { () throws(BenchFailure) in
            for _ in 0..<turns {
                let id = UInt32(random.next() % UInt64(count))
                guard let old = heap.deadline(of: id) else { continue }
                heap.set(id, to: Deadline(at: old.at + .seconds(300), sequence: sequence))
                sequence += 1
            }
        }
    }

    // MARK: Memory

    private func runMemory() throws(BenchFailure) {
        let count = house.options.isQuick ? 20_000 : 100_000
        let definition = try house.definition("washer-plug")
        var engine = Engine(definitions: [definition], epoch: 1)
        guard let before = residentBytes() else { return }
        for number in 0..<count {
            let topic = Array("plug/washingmachine/machine-\(number)/power".utf8)
            let message = Message(topic: topic[...], payload: [UInt8(ascii: "2")][...])
            _ = engine.handle(.message(message), at: start)
        }
        guard let after = residentBytes() else { return }
        keep(engine)
        let each = Double(after - before) / Double(count)
        Table.row(
            "memory of an idle device, \(Table.number(Double(count))) washers",
            Table.number(each),
            "bytes",
            target: .atMost(400, each)
        )
    }
}

/// A small random generator with a seed.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
