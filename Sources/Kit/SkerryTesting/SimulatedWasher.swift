package import SkerryValues

/// A washing machine that reports as the Home Connect family does, on `homeconnect/<name>/state`.
///
/// A run takes 25 to 30 minutes and one message a second. It has the faults of its family: fields are missing at
/// random, the remaining time stands still for ten seconds and then jitters by up to 20 seconds, it jumps up by some
/// minutes when the load turns out to be heavy, and somebody opens the door once to put in a forgotten sock.
public struct SimulatedWasher: IteratorProtocol, Sendable {
    private let stateTopic: [UInt8]
    private let availabilityTopic: [UInt8]
    private var random: SimulatedRandom
    private var runsLeft: Int
    private var now: Timestamp
    private var run: Run
    private var isAnnounced = false
    private var lastOperation = Operation.ready
    /// The remaining time that the machine shows, in seconds.
    private var shown: Int64 = 0

    private enum Operation: String {
        case ready = "Ready"
        case run = "Run"
        case pause = "Pause"
        case finished = "Finished"
    }

    /// The moments of a run, drawn before it begins.
    private struct Run {
        var begins: Timestamp
        var findsHeavyLoad: Timestamp
        var pauses: Timestamp
        var resumes: Timestamp
        var finishes: Timestamp
        var isOver: Timestamp
        /// The shortfall of the machine's first estimate, in seconds.
        var misjudged: Int64
        var program: String

        init(after start: Timestamp, _ random: inout SimulatedRandom) {
            begins = start + .seconds(random.number(in: 30...90))
            findsHeavyLoad = begins + .seconds(random.number(in: 240...360))
            pauses = begins + .seconds(random.number(in: 500...700))
            resumes = pauses + .seconds(random.number(in: 90...150))
            finishes = resumes + .seconds(random.number(in: 900...1000))
            isOver = finishes + .seconds(30)
            misjudged = random.number(in: 200...300)
            program = random.oneIn(2) ? "Cotton" : "EasyCare"
        }

        func operation(at now: Timestamp) -> Operation {
            if now < begins { return .ready }
            if now < pauses { return .run }
            if now < resumes { return .pause }
            return now < finishes ? .run : .finished
        }

        /// Returns the time that it still takes, in seconds, as well as the machine knows.
        func remaining(at now: Timestamp) -> Int64 {
            let pause = resumes - max(pauses, min(now, resumes))
            let left = (finishes - max(now, begins) - pause).roundedSeconds
            return max(0, now < findsHeavyLoad ? left - misjudged : left)
        }
    }

    /// Makes a washer.
    ///
    /// - Parameters:
    ///   - name: the level of its topics that names it.
    ///   - seed: decides everything that it does.
    ///   - start: when it is switched on.
    ///   - runs: after how many runs it is switched off; nil for never.
    package init(name: String, seed: UInt64, start: Timestamp, runs: Int? = 1) {
        stateTopic = Array("homeconnect/\(name)/state".utf8)
        availabilityTopic = Array("homeconnect/\(name)/LWT".utf8)
        random = SimulatedRandom(seed: seed)
        runsLeft = runs ?? .max
        now = start
        run = Run(after: start, &random)
    }

    /// The next message; nil when all runs are over.
    public mutating func next() -> SimulatedMessage? {
        guard isAnnounced else {
            isAnnounced = true
            return SimulatedMessage(
                at: now,
                topic: availabilityTopic,
                payload: Array("online".utf8),
                isRetained: true
            )
        }
        if now >= run.isOver {
            runsLeft -= 1
            run = Run(after: now + .minutes(5), &random)
        }
        guard runsLeft > 0 else { return nil }
        let message = SimulatedMessage(at: now, topic: stateTopic, payload: report())
        now = now + .seconds(lastOperation == .ready ? 10 : 1)
        return message
    }

    private mutating func report() -> [UInt8] {
        let operation = run.operation(at: now)
        let isNew = operation != lastOperation
        lastOperation = operation
        if isNew || (operation == .run && now.flooredSeconds % 10 == 0) {
            shown = max(0, run.remaining(at: now) + random.number(in: -20...20))
        }
        if operation == .ready || operation == .finished { shown = run.remaining(at: now) }
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        if operation == .ready || !random.oneIn(3) { writer.member("OperationState", operation.rawValue) }
        if operation == .ready || !random.oneIn(5) { writer.member("RemainingProgramTime", shown) }
        if operation == .ready || !random.oneIn(4) { writer.member("ActiveProgram", run.program) }
        writer.member("DoorState", operation == .pause ? "Open" : "Closed")
        writer.endObject()
        return writer.bytes
    }
}
