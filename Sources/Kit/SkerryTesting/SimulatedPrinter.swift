package import SkerryValues

/// A 3D printer that reports as Bambu Lab's A1 does, on `device/<name>/report`.
///
/// A job takes about 22 minutes and a message each two seconds. Messages hold what has changed, most of them only
/// the strength of the radio; every five minutes one holds everything. The minutes remaining are 0 at first, then far
/// too many, then right, and sometimes go up. The FINISH of the last job is still there when the next one begins.
public struct SimulatedPrinter: IteratorProtocol, Sendable {
    private let topic: [UInt8]
    private var random: SimulatedRandom
    private var runsLeft: Int
    private var now: Timestamp
    private var job: Job
    private var tick: Int64 = 0
    private var jobNumber: Int64 = 0
    private var lastState = State.finish
    private var lastMinutes: Int64 = 0
    private var lastPercent: Int64 = 100

    private enum State: String {
        case idle = "IDLE"
        case prepare = "PREPARE"
        case running = "RUNNING"
        case finish = "FINISH"
    }

    /// The moments of a job, drawn before it begins.
    private struct Job {
        var arrives: Timestamp
        var prepares: Timestamp
        var runs: Timestamp
        var knowsTime: Timestamp
        var corrects: Timestamp
        var finishes: Timestamp
        var hesitates: Timestamp
        var isOver: Timestamp
        /// The excess of the printer's first estimate, in seconds.
        var misjudged: Int64

        init(after start: Timestamp, _ random: inout SimulatedRandom) {
            arrives = start + .seconds(2 * random.number(in: 20...40))
            prepares = arrives + .seconds(2)
            runs = prepares + .seconds(4)
            knowsTime = runs + .seconds(6)
            corrects = knowsTime + .seconds(random.number(in: 150...240))
            finishes = runs + .seconds(2 * random.number(in: 600...720))
            hesitates = finishes - .minutes(random.number(in: 6...12)) - .seconds(40)
            isOver = finishes + .seconds(30)
            misjudged = random.number(in: 200...360)
        }

        func state(at now: Timestamp) -> State {
            if now < arrives { return .finish }
            if now < prepares { return .idle }
            if now < runs { return .prepare }
            return now < finishes ? .running : .finish
        }

        /// The minutes that the printer shows.
        func minutes(at now: Timestamp) -> Int64 {
            if now < knowsTime || now >= finishes { return 0 }
            var seconds = (finishes - now).roundedSeconds
            if now < corrects { seconds += misjudged }
            if now >= hesitates, now < hesitates + .seconds(20) { seconds += 30 }
            return seconds / 60
        }

        /// Returns the finished part of the job, from 0 to 100.
        func percent(at now: Timestamp) -> Int64 {
            if now < runs { return 0 }
            return min(100, 100 * (now - runs).roundedSeconds / (finishes - runs).roundedSeconds)
        }
    }

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - name: the serial number, the level of its topic that names it.
    ///   - seed: decides everything that it does.
    ///   - start: when it is switched on.
    ///   - runs: after how many jobs it is switched off; nil for never.
    package init(name: String, seed: UInt64, start: Timestamp, runs: Int? = 1) {
        topic = Array("device/\(name)/report".utf8)
        random = SimulatedRandom(seed: seed)
        runsLeft = runs ?? .max
        now = start
        job = Job(after: start, &random)
    }

    /// The next message; nil when all jobs are over.
    public mutating func next() -> SimulatedMessage? {
        if now >= job.isOver {
            runsLeft -= 1
            jobNumber += 1
            job = Job(after: now + .minutes(5), &random)
        }
        guard runsLeft > 0 else { return nil }
        let message = SimulatedMessage(at: now, topic: topic, payload: report())
        now = now + .seconds(2)
        tick += 1
        return message
    }

    private mutating func report() -> [UInt8] {
        let isFull = tick % 150 == 0
        let state = job.state(at: now)
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.object("print") { writer in
            if isFull || state != lastState { writer.member("gcode_state", state.rawValue) }
            if isFull || (state == .idle && lastState != .idle) {
                writer.member("subtask_name", "part-\(jobNumber + 1).3mf")
            }
            lastState = state
            writeProgress(isFull: isFull, to: &writer)
            writeTemperatures(isFull: isFull, to: &writer)
            writer.member("wifi_signal", "-\(random.number(in: 40...60))dBm")
            writer.member("command", "push_status")
            writer.member("msg", isFull ? 0 : 1)
            writer.member("sequence_id", "\(tick)")
        }
        writer.endObject()
        return writer.bytes
    }

    private mutating func writeProgress(isFull: Bool, to writer: inout JSONWriter) {
        let minutes = job.minutes(at: now)
        let percent = job.percent(at: now)
        if isFull || minutes != lastMinutes { writer.member("mc_remaining_time", minutes) }
        if isFull || percent != lastPercent {
            writer.member("mc_percent", percent)
            writer.member("layer_num", percent)
        }
        if isFull {
            writer.member("print_error", 0)
            writer.member("total_layer_num", 100)
        }
        lastMinutes = minutes
        lastPercent = percent
    }

    private mutating func writeTemperatures(isFull: Bool, to writer: inout JSONWriter) {
        if isFull || random.oneIn(3) {
            writer.member("bed_temper", Double(random.number(in: 5480...5520)) / 100)
        }
        if isFull || random.oneIn(3) {
            writer.member("nozzle_temper", Double(random.number(in: 21_900...22_100)) / 100)
        }
    }
}
