import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// Moments, lengths of time and time zones: what is written is read again, and sums can be undone.
struct TimePropertyTests {
    private var random = SimulatedRandom(seed: 2_440_588)

    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    /// Any moment that has a date; every fourth one near an edge.
    private mutating func moment() -> CalendarTimestamp {
        let edges = [Self.first, Self.last, 0, -1, 951_782_400, 4_107_542_399]
        let nanoseconds = [0, 1, 999_999_999, 500_000_000, random.below(1_000_000_000)][random.below(5)]
        let seconds =
            random.chance(1, of: 4)
            ? edges[random.below(edges.count)]
            : Self.first + Int64(random.next() % UInt64(Self.last - Self.first + 1))
        return CalendarTimestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// A length of so many nanoseconds.
    private static func length(_ nanoseconds: Int64) -> CalendarDuration {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return CalendarDuration(seconds: seconds, nanoseconds: Int32(rest))
    }

    private mutating func nanoseconds() -> Int64 {
        let edges: [Int64] = [0, 1, -1, .max, .min, .max - 1, 1_000_000_000, -999_999_999, 3_600_000_000_000]
        if random.chance(1, of: 3) { return edges[random.below(edges.count)] }
        return Int64(bitPattern: random.next()) >> Int64(random.below(60))
    }

    private func value(_ expression: String, _ a: Value, _ b: Value = .null) throws -> Value {
        var bench = Workbench()
        bench.signal("a", .dyn, a)
        bench.signal("b", .dyn, b)
        return try bench.value(expression)
    }

    @Test func `a moment is written so that it is read as the same`() throws {
        var tests = self
        for _ in 0..<1000 {
            let moment = tests.moment()
            let back = try value("timestamp(string(a))", .timestamp(moment))
            #expect(back.isIdentical(to: .timestamp(moment)), "\(moment)")
        }
    }

    @Test func `texts of moments are in the order of the moments`() throws {
        var tests = self
        for _ in 0..<300 {
            let (a, b) = (tests.moment(), tests.moment())
            // Up to the point: with fewer digits behind it, a text is no longer in order.
            let texts = "string(a).substring(0, 19) < string(b).substring(0, 19)"
            let earlier = try value(texts, .timestamp(a), .timestamp(b))
            #expect(earlier.isIdentical(to: .bool(a.seconds < b.seconds)), "\(a), \(b)")
        }
    }

    @Test func `the parts of a moment are those of its text`() throws {
        var tests = self
        for _ in 0..<300 {
            let moment = Value.timestamp(tests.moment())
            for (part, text) in [
                ("a.getFullYear()", "string(a).substring(0, 4)"),
                ("a.getMonth() + 1", "string(a).substring(5, 7)"),
                ("a.getDate()", "string(a).substring(8, 10)"),
                ("a.getHours()", "string(a).substring(11, 13)"),
                ("a.getMinutes()", "string(a).substring(14, 16)"),
                ("a.getSeconds()", "string(a).substring(17, 19)"),
                ("a.getDayOfMonth() + 1", "string(a).substring(8, 10)"),
            ] {
                let isSame = try value("\(part) == int(\(text))", moment)
                #expect(isSame.isIdentical(to: .bool(true)), "\(part) of \(moment)")
            }
            let clock = try value("a.getClock() == string(a).substring(11, 16)", moment)
            #expect(clock.isIdentical(to: .bool(true)), "\(moment)")
            // The first of January is a day of the year before the others of that year.
            let newYear = "timestamp(string(a).substring(0, 4) + '-01-01T00:00:00Z')"
            let day = try value("a.getDayOfYear() == (int(a) - int(\(newYear))) / 86400", moment)
            #expect(day.isIdentical(to: .bool(true)), "\(moment)")
            let week = try value("a.getDayOfWeek() == (int(a) / 86400 + 719162 + 1) % 7", moment)
            guard case .timestamp(let time) = moment, time.seconds % 86_400 == 0 || time.seconds > 0 else {
                continue
            }
            #expect(week.isIdentical(to: .bool(true)), "\(moment)")
        }
    }

    @Test func `a length of time is written so that it is read as the same`() throws {
        var tests = self
        for _ in 0..<1000 {
            let length = Value.duration(Self.length(tests.nanoseconds()))
            let back = try value("duration(string(a))", length)
            #expect(back.isIdentical(to: length), "\(length)")
            let parts = """
                a.getMinutes() == a.getSeconds() / 60 && a.getHours() == a.getSeconds() / 3600
                && (a - seconds(a.getSeconds())).getSeconds() == 0
                && (a - seconds(a.getSeconds())).getMilliseconds() == a.getMilliseconds()
                """
            #expect(try value(parts, length).isIdentical(to: .bool(true)), "\(length)")
        }
    }

    @Test func `lengths are added and subtracted to the nanosecond, or overflow`() throws {
        var tests = self
        for _ in 0..<2000 {
            let (a, b) = (tests.nanoseconds(), tests.nanoseconds())
            let results: [(String, (Int64, Bool))] = [
                ("a + b", a.addingReportingOverflow(b)), ("a - b", a.subtractingReportingOverflow(b)),
            ]
            for (expression, (result, isTooLarge)) in results {
                let sum = try value(expression, .duration(Self.length(a)), .duration(Self.length(b)))
                if isTooLarge {
                    #expect(sum.failure == "overflow", "\(expression) of \(a), \(b) gave \(sum)")
                } else {
                    let expected = Value.duration(Self.length(result))
                    #expect(sum.isIdentical(to: expected), "\(expression) of \(a), \(b) gave \(sum)")
                }
            }
            let order = try value("a < b", .duration(Self.length(a)), .duration(Self.length(b)))
            #expect(order.isIdentical(to: .bool(a < b)), "\(a), \(b)")
        }
    }

    /// Up to the longest lengths there are, also where the nanoseconds borrow from the seconds.
    @Test func `a moment that was moved by a length is that far from where it was`() throws {
        var tests = self
        var moved = 0
        for _ in 0..<3000 {
            let start = Value.timestamp(tests.moment())
            let length = Value.duration(Self.length(tests.nanoseconds()))
            let end = try value("a + b", start, length)
            if end.failure == "overflow" { continue }
            moved += 1
            let distance = try value("a - b", end, start)
            #expect(distance.isIdentical(to: length), "\(start) + \(length) - \(start) gave \(distance)")
            let other = try value("b + a", start, length)
            #expect(other.isIdentical(to: end), "\(length) + \(start)")
            // Also by the shortest length, which has no opposite.
            let back = try value("a - b", end, length)
            #expect(back.isIdentical(to: start), "\(end) - \(length)")
        }
        #expect(moved > 1500)
    }

    @Test(
        arguments: [
            ("1h", 3600), ("90m", 5400), ("1h30m", 5400), ("+1.5h", 5400), ("1m1s", 61), ("1s1m", 61),
            ("0", 0), ("-0", 0),
            ("1.s", 1), ("0h0m0s", 0), ("3600000ms", 3600), ("1000000us", 1), ("1000000µs", 1),
            ("1000000μs", 1),
            ("2562047h47m16s", 9_223_372_036),
        ] as [(String, Int64)]
    )
    func `a length is any numbers with units`(_ text: String, _ seconds: Int64) throws {
        let length = try value("duration(a)", .string(text))
        #expect(
            length.isIdentical(to: .duration(CalendarDuration(seconds: seconds, nanoseconds: 0))),
            "\(text)"
        )
    }

    @Test(arguments: [
        ("", "invalidArgument"), ("-", "invalidArgument"), ("+", "invalidArgument"), ("1", "invalidArgument"),
        ("h", "invalidArgument"), (".h", "invalidArgument"), ("1d", "invalidArgument"),
        ("1H", "invalidArgument"),
        ("1 h", "invalidArgument"), ("1h-30m", "invalidArgument"), ("1h 30m", "invalidArgument"),
        ("--1h", "invalidArgument"), ("1n", "invalidArgument"), ("1µ", "invalidArgument"),
        ("00", "invalidArgument"),
        ("1e3s", "invalidArgument"), ("2562047h47m17s", "overflow"), ("9223372036854775808ns", "overflow"),
        ("-9223372036854775809ns", "overflow"), ("99999999999999999999h", "overflow"),
        ("9223372036854775807ns1ns", "overflow"),
    ])
    func `what is no length is refused`(_ text: String, _ failure: String) throws {
        #expect(try value("duration(a)", .string(text)).failure == failure)
    }

    @Test(
        arguments: [
            ("0:00", 0), ("1:23", 4980), ("01:23", 4980), ("1:23:45", 5025), ("999999:59:59", 3_599_999_999),
            ("00:00:01", 1),
        ] as [(String, Int64)]
    )
    func `a length as clocks show it`(_ text: String, _ seconds: Int64) throws {
        let length = try value("clock(a)", .string(text))
        #expect(
            length.isIdentical(to: .duration(CalendarDuration(seconds: seconds, nanoseconds: 0))),
            "\(text)"
        )
    }

    @Test(arguments: [
        "", ":", "1", "1:", ":30", "1:2", "1:60", "1:23:60", "1:23:4", "1:23:45:6", "-1:23", " 1:23", "1:23 ",
        "1.5:00", "1000000:00", "１:23",
    ])
    func `what clocks do not show is refused`(_ text: String) throws {
        #expect(try value("clock(a)", .string(text)).failure == "invalidArgument")
    }

    @Test(arguments: [
        "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z",
        "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00Z", "2024-01-01 00:00:00Z",
        "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1:00",
        "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+00:60", "2024-01-01T00:00:00ZZ", "24-01-01T00:00:00Z", "+2024-01-01T00:00:00Z",
        "2024-1-01T00:00:00Z", "2024-01-01T00:00:00 Z", "", "Z",
    ])
    func `what is no moment of RFC 3339 is refused`(_ text: String) throws {
        #expect(try value("timestamp(a)", .string(text)).failure == "invalidArgument")
    }

    @Test(arguments: [
        ("2000-02-29T23:59:59.999999999Z", "2000-02-29T23:59:59.999999999Z"),
        ("2000-02-29t23:59:59.1000z", "2000-02-29T23:59:59.1Z"),
        ("2000-01-01T00:00:00.0000000009Z", "2000-01-01T00:00:00Z"),
        ("2000-01-01T00:30:00+23:59", "1999-12-31T00:31:00Z"),
        ("9999-12-31T23:59:59-00:00", "9999-12-31T23:59:59Z"),
        ("0001-01-01T00:01:00+00:01", "0001-01-01T00:00:00Z"),
    ])
    func `a moment of RFC 3339 is written in UTC with the digits that it needs`(
        _ text: String,
        _ written: String
    )
        throws
    {
        #expect(try value("string(timestamp(a))", .string(text)).isIdentical(to: .string(written)), "\(text)")
    }

    @Test(arguments: ["0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])
    func `an offset may lead out of the calendar`(_ text: String) throws {
        #expect(try value("timestamp(a)", .string(text)).failure == "overflow")
    }

    // MARK: Time zones

    /// Zones with data: summer time in the north and in the south, half an hour of it, and a day that was left out.
    static let zones: [TimeZoneRules] = [
        TimeZoneTests.central,
        TimeZoneRules(
            firstOffset: 37_800,
            standardOffset: 37_800,
            daylightSaving: TimeZoneRules.DaylightSaving(
                offset: 39_600,
                start: TimeZoneRules.YearlyMoment(month: 10, week: 1, weekday: 0, seconds: 7200),
                end: TimeZoneRules.YearlyMoment(month: 4, week: 1, weekday: 0, seconds: 7200)
            )
        ),
        TimeZoneRules(
            firstOffset: -36_000,
            transitions: [TimeZoneRules.Transition(start: 1_325_239_200, offset: 50_400)]
        ),
        TimeZoneRules(firstOffset: -12_600),
    ]

    /// Every quarter of an hour of the days around a change, in several years.
    static let moments: [Int64] = [
        1_325_239_200, 1_711_846_800, 1_729_990_800, 1_712_419_200, 1_728_138_600, 1_774_746_000, 951_782_400,
    ].flatMap { change in (-200...200).map { change + Int64($0) * 900 } }

    @Test(arguments: zones) func `what a clock shows is read as the first moment at which it does`(
        _ zone: TimeZoneRules
    ) {
        for moment in Self.moments {
            let shown = moment + Int64(zone.offset(at: moment))
            let read = zone.moment(ofLocal: shown)
            #expect(read + Int64(zone.offset(at: read)) == shown, "\(moment)")
            #expect(read <= moment, "\(moment)")
            // No earlier moment shows the same: clocks are not set back by more than a day.
            let isFirst = stride(from: read - 86_400, to: read, by: 900).allSatisfy {
                $0 + Int64(zone.offset(at: $0)) != shown
            }
            #expect(isFirst, "\(moment)")
        }
    }

    @Test(arguments: zones) func `what no clock shows is the first moment after the change`(
        _ zone: TimeZoneRules
    ) {
        var gaps = 0
        for local in Self.moments {
            let read = zone.moment(ofLocal: local)
            guard read + Int64(zone.offset(at: read)) != local else { continue }
            gaps += 1
            #expect(zone.offset(at: read - 1) < zone.offset(at: read), "\(local)")
            #expect(read + Int64(zone.offset(at: read)) > local, "\(local)")
            #expect(read - 1 + Int64(zone.offset(at: read - 1)) < local, "\(local)")
        }
        #expect((gaps > 0) == (zone.firstOffset != -12_600))
    }

    @Test(arguments: zones)
    func `a local time in a text is that moment, and a skipped one counts as so much later`(
        _ zone: TimeZoneRules
    ) throws {
        var bench = Workbench()
        bench.scope.timeZone = { $0 == "Here" ? zone : nil }
        for local in Self.moments.enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
            let text = "string(timestamp(\(local))).substring(0, 16)"
            guard case .timestamp(let read) = try bench.value("timestamp(\(text), 'Here')") else {
                Issue.record("\(local) is no moment")
                continue
            }
            let shown = read.seconds + Int64(zone.offset(at: read.seconds))
            let first = zone.moment(ofLocal: local)
            if shown == local {
                #expect(read.seconds == first, "\(local)")
            } else {
                let change = Int64(zone.offset(at: first) - zone.offset(at: first - 1))
                #expect(shown == local + change, "\(local)")
            }
        }
    }

    @Test(
        arguments: [
            ("UTC", "12:00"), ("Z", "12:00"), ("", "12:00"), ("+01:00", "13:00"), ("1:00", "13:00"),
            ("-0:30", "11:30"),
            ("+23:59", "11:59"), ("-23:59", "12:01"), ("+24:00", nil), ("+1:60", nil), ("+001:00", nil),
            ("01", nil),
            ("+", nil), (":", nil), ("1:", nil), ("utc", nil), ("Europe/Nowhere", nil),
        ] as [(String, String?)]
    )
    func `a zone is UTC, an offset or a name`(_ zone: String, _ clock: String?) throws {
        let noon = Value.timestamp(CalendarTimestamp(seconds: 43_200, nanoseconds: 0))
        let shown = try value("a.getClock(b)", noon, .string(zone))
        if let clock {
            #expect(shown.isIdentical(to: .string(clock)), "\(zone) gave \(shown)")
        } else {
            #expect(shown.failure == "invalidArgument", "\(zone) gave \(shown)")
        }
    }
}
