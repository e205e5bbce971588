import SkerryActivity
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

/// A day of nine machines on metering plugs, against what their power curves show.
@Suite("The household's cycles", .enabled(if: Files.hasRecordings, "../shared/recordings is not there"))
struct HouseholdTests {
    /// One run of a machine as a person reads it off the curve.
    struct Cycle {
        var device: String
        /// First and last activity, UTC on 2026-03-01.
        var start: String
        var end: String
    }

    /// The true cycles, found by drawing each machine's power over the day and looking at every stretch above standby (0 to 4 W):
    /// a run begins when the machine first draws more than standby and goes on to fill, heat or turn within a minute, and
    /// ends with the last turn or pump-out. Washers rest for at most 75 s within a run, so a rest of minutes after a spin
    /// ends it: dev-d3230e did two loads 12 minutes apart. A dishwasher that has not heated yet is between pre-rinse
    /// and wash, however long that takes: dev-b7e6fa rested for 27 and 62 minutes there. Single blips of a second or
    /// two (11:35 and 17:17 on washingmachine-2011-11-28) are nothing. Two dishwashers are cut by the end of the file.
    static let cycles = [
        Cycle(device: "washer-plug/dev-d3230e-2011-12-17", start: "15:35:43", end: "17:37:59"),
        Cycle(device: "washer-plug/dev-d3230e-2011-12-17", start: "17:49:33", end: "20:18:15"),
        Cycle(device: "washer-plug/washingmachine-2011-11-28", start: "09:00:40", end: "09:47:32"),
        Cycle(device: "washer-plug/washingmachine-2011-11-28", start: "12:58:09", end: "14:04:40"),
        Cycle(device: "washer-plug/dev-b8121d-2012-02-11", start: "12:59:31", end: "14:33:30"),
        Cycle(device: "washer-plug/dev-d338c9-2012-05-25", start: "09:00:45", end: "10:51:37"),
        Cycle(device: "dishwasher-plug/dev-b7e6fa-2012-01-18", start: "12:04:44", end: "13:26:49"),
        Cycle(device: "dishwasher-plug/dev-b7e6fa-2011-11-26", start: "17:04:24", end: "19:15:51"),
        Cycle(device: "dishwasher-plug/dev-b7e6fa-2011-11-26", start: "23:22:32", end: "23:59:58"),
        Cycle(device: "dishwasher-plug/dev-b81d04-2012-06-23", start: "22:42:33", end: "23:57:00"),
        Cycle(device: "coffee-maker-plug/dev-d369e0-2012-01-27", start: "07:17:24", end: "07:21:55"),
        Cycle(device: "kettle-plug/dev-d33e1f-2012-06-30", start: "10:50:33", end: "10:54:20"),
        Cycle(device: "kettle-plug/dev-d33e1f-2012-06-30", start: "13:00:25", end: "13:02:17"),
        Cycle(device: "kettle-plug/dev-d33e1f-2012-06-30", start: "13:05:31", end: "13:05:58"),
    ]

    static func time(_ text: String) throws -> Timestamp {
        try #require(RecordingTime.parse("2026-03-01T\(text)Z"))
    }

    @Test("every cycle is found once, none is cut in two, and starts are right to a minute")
    func cycles() throws {
        let playback = Playback(try Files.recording("household"), Files.devices)
        var found: [String: [(start: Timestamp, told: Timestamp, end: Timestamp?)]] = [:]
        for (effect, update) in playback.updates {
            let device = "\(effect.kind)/\(effect.device)"
            if update.rev == 1 {
                guard case .map(let run)? = update.content["run"], case .int(let start)? = run["start"] else {
                    Issue.record("\(device): no start in \(update.content)")
                    continue
                }
                found[device, default: []].append((Timestamp(seconds: start), update.at, nil))
            } else if update.kind == .ended, let last = found[device]?.indices.last {
                found[device]?[last].end = update.at
            }
        }
        #expect(playback.updates.count == 39)
        #expect(found.values.reduce(0) { $0 + $1.count } == Self.cycles.count)
        for (device, runs) in found {
            let expected = Self.cycles.filter { $0.device == device }
            #expect(runs.count == expected.count, "\(device)")
            for (run, cycle) in zip(runs, expected) {
                let start = try Self.time(cycle.start)
                #expect((run.start - start).magnitude <= .minutes(1), "\(device) \(cycle.start)")
                #expect(run.told - start <= .minutes(3), "\(device) \(cycle.start): told in time")
                let end = try #require(run.end, "\(device) \(cycle.start) ends")
                // A run that is over before the machine is would be cut. Loosening the load after the end is no wash.
                #expect(end >= (try Self.time(cycle.end)), "\(device) \(cycle.start): not cut")
            }
        }
    }
}
