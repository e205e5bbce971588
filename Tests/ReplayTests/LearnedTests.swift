import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// Machines made of a seed, for weeks: the end that past runs suggest at half time, against the real one.
@Suite("Learned ends")
struct LearnedTests {
    /// A part of a programme: how long it takes, and the watts that the plug measures.
    private struct Part {
        var minutes: ClosedRange<Double>
        var watts: ClosedRange<Double>
    }

    /// A programme of a washing machine with heating, turns of the drum, rinses and a spin.
    private static func wash(heating: Double, main: Double, rinses: Int) -> [Part] {
        let rinse = [Part(minutes: 1.5...3, watts: 5...40), Part(minutes: 7...7, watts: 120...180)]
        return [
            Part(minutes: 2...4, watts: 50...90),
            Part(minutes: heating * 0.94...heating * 1.06, watts: 2000...2100),
            Part(minutes: main...main, watts: 60...200),
        ] + (0..<rinses).flatMap { _ in rinse } + [Part(minutes: 6...9, watts: 300...600)]
    }

    private static let washers = Files.devices.filter { $0.kind == "washer-plug" }

    private static let programmes = [
        wash(heating: 11, main: 35, rinses: 3), wash(heating: 22, main: 60, rinses: 3),
        wash(heating: 6, main: 8, rinses: 2),
    ]

    /// The messages of a machine that runs twice a day, and the length of each run.
    private static func machine(
        _ random: inout SimulatedRandom,
        runs: Int,
        of programmes: [[Part]]
    ) -> (messages: [RecordedMessage], runs: [(start: Timestamp, length: Interval)]) {
        var messages: [RecordedMessage] = []
        var lengths: [(start: Timestamp, length: Interval)] = []
        func send(_ watts: Double, at moment: Timestamp) {
            messages.append(
                RecordedMessage(
                    at: moment,
                    topic: Array("plug/washingmachine/seeded/power".utf8)[...],
                    payload: Array(String(Int(watts)).utf8)[...]
                )
            )
        }
        for number in 0..<runs {
            let start = Timestamp(seconds: 1_767_225_600 + Int64(number) * 43_200)
            var end = start
            for part in programmes.randomElement(using: &random) ?? [] {
                let length = Interval.seconds(Int64(Double.random(in: part.minutes, using: &random) * 60))
                for moment in stride(from: 0, to: length.roundedSeconds, by: 30) {
                    send(Double.random(in: part.watts, using: &random), at: end + .seconds(moment))
                }
                end = end + length
            }
            lengths.append((start, end - start))
            for minute in stride(from: Int64(0), to: 60, by: 5) { send(2, at: end + .minutes(minute)) }
        }
        return (messages, lengths)
    }

    /// The end that the content of a run showed at some time, with its tolerance, and the real one.
    private struct Estimate {
        /// The length of the run; nil where its timer counted up.
        var shown: Interval?
        var tolerance = Interval.zero
        var real: Interval

        var error: Interval? { shown.map { ($0 - real).magnitude } }
        /// True within a tenth of the real length.
        var isRight: Bool? { error.map { $0.microseconds * 10 <= real.microseconds } }
        var holds: Bool? { error.map { $0 <= tolerance } }
    }

    /// The end that the content of each run showed when a part of it was over.
    private static func shown(
        _ runs: [(start: Timestamp, length: Interval)],
        after quarters: Int64 = 2,
        in playback: Playback
    ) -> [Estimate] {
        let updates = playback.updates.map { $0.update }
        return runs.map { run in
            let moment = run.start + Interval(microseconds: run.length.microseconds / 4 * quarters)
            guard let last = updates.last(where: { $0.at <= moment }),
                case .map(let clock)? = last.content["run"],
                case .int(let end)? = clock["end"], case .int(let tolerance)? = clock["tolerance"]
            else { return Estimate(real: run.length) }
            let shown = Timestamp(seconds: end) - run.start
            return Estimate(shown: shown, tolerance: .seconds(tolerance), real: run.length)
        }
    }

    @Test("at half time the end is within a tenth, for machines with programmes of very different lengths")
    func halfTime() throws {
        var (right, wrong, silent, corrections) = (0, 0, 0, 0)
        var (early, held, told) = (0, 0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SimulatedRandom(seed: seed)
            let (messages, runs) = Self.machine(&random, runs: 16, of: Self.programmes)
            let playback = Playback(messages, Self.washers)
            let ends = Self.shown(runs, in: playback)
            #expect(ends.prefix(3).allSatisfy { $0.shown == nil }, "three runs are needed")
            for estimate in ends.dropFirst(8) {
                switch estimate.isRight {
                case true?: right += 1
                case false?: wrong += 1
                case nil: silent += 1
                }
            }
            let both = [Self.shown(runs, after: 1, in: playback), ends].map { $0.dropFirst(8) }
            early += both[0].count(where: { $0.isRight == true })
            held += both.joined().count(where: { $0.holds == true })
            told += both.joined().count(where: { $0.shown != nil })
            corrections += playback.updates.count - 3 * runs.count
        }
        #expect(
            right * 4 >= (right + wrong + silent) * 3,
            "\(right) right, \(wrong) wrong, \(silent) without an end"
        )
        #expect(wrong * 4 <= right, "\(right) right, \(wrong) wrong")
        #expect(early * 5 >= 6 * 8 * 3, "\(early) of \(6 * 8) right at a quarter")
        #expect(held * 10 >= told * 7, "\(held) of \(told) within their tolerance")
        #expect(corrections * 2 <= 5 * 6 * 16, "at most five corrections in two runs: \(corrections)")
    }

    @Test("runs that took any time at all seldom tell an end, once seven of them are over")
    func arbitrary() throws {
        var (right, wrong) = (0, 0)
        var random = SimulatedRandom(seed: 7)
        let any = (0..<40).map { _ in
            [Part(minutes: 10...120, watts: 300...310)]
        }
        let (messages, runs) = Self.machine(&random, runs: 30, of: any)
        let playback = Playback(messages, Self.washers)
        for estimate in Self.shown(runs, in: playback).dropFirst(7) {
            switch estimate.isRight {
            case true?: right += 1
            case false?: wrong += 1
            case nil: break
            }
        }
        #expect(wrong <= 8, "\(right) right, \(wrong) wrong")
    }
}
