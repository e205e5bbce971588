import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// Offsets of time zones, given as data.
struct TimeZoneTests {
    /// Central European rules without history, as `CET-1CEST,M3.5.0,M10.5.0/3`.
    static let central = TimeZoneRules(
        firstOffset: 3600,
        standardOffset: 3600,
        daylightSaving: TimeZoneRules.DaylightSaving(
            offset: 7200,
            start: TimeZoneRules.YearlyMoment(month: 3, week: 5, weekday: 0, seconds: 7200),
            end: TimeZoneRules.YearlyMoment(month: 10, week: 5, weekday: 0, seconds: 10_800)
        )
    )

    @Test(
        arguments: [
            ("2024-03-31T00:59:59Z", 3600), ("2024-03-31T01:00:00Z", 7200), ("2024-10-27T00:59:59Z", 7200),
            ("2024-10-27T01:00:00Z", 3600), ("2099-07-01T00:00:00Z", 7200), ("2099-12-31T23:30:00Z", 3600),
            ("1900-01-01T00:00:00Z", 3600),
        ] as [(String, Int32)]
    )
    func `yearly rules change the offset to the second`(_ moment: String, _ offset: Int32) {
        #expect(Self.central.offset(at: seconds(moment)) == offset)
    }

    @Test func `summer can lie across the new year`() {
        let southern = TimeZoneRules(
            firstOffset: 0,
            standardOffset: 36_000,
            daylightSaving: TimeZoneRules.DaylightSaving(
                offset: 39_600,
                start: TimeZoneRules.YearlyMoment(month: 10, week: 1, weekday: 0, seconds: 7200),
                end: TimeZoneRules.YearlyMoment(month: 4, week: 1, weekday: 0, seconds: 10_800)
            )
        )
        #expect(southern.offset(at: seconds("2025-01-15T00:00:00Z")) == 39_600)
        #expect(southern.offset(at: seconds("2025-06-15T00:00:00Z")) == 36_000)
        #expect(southern.offset(at: seconds("2025-04-05T15:59:59Z")) == 39_600)
        #expect(southern.offset(at: seconds("2025-04-05T16:00:00Z")) == 36_000)
        #expect(southern.offset(at: seconds("2025-10-04T16:00:00Z")) == 39_600)
    }

    @Test func `transitions apply from their first second`() {
        let rules = TimeZoneRules(
            firstOffset: 100,
            transitions: [
                TimeZoneRules.Transition(start: 0, offset: 200),
                TimeZoneRules.Transition(start: 10, offset: 300),
            ]
        )
        #expect([-1, 0, 9, 10, 99].map { rules.offset(at: $0) } == [100, 200, 200, 300, 300])
    }

    @Test func `the scope's zones are asked by name, fixed offsets are not`() throws {
        var scope = Scope()
        scope.timeZone = { $0 == "Europe/Berlin" ? Self.central : nil }
        var paths = PathTable()
        for (expression, hour) in [
            ("timestamp('2024-07-01T10:00:00Z').getHours('Europe/Berlin')", 12),
            ("timestamp('2024-07-01T10:00:00Z').getHours('-03:30')", 6),
            ("timestamp('2024-07-01T10:00:00Z').getHours('UTC')", 10),
        ] as [(String, Int64)] {
            let program = try Program.compile(expression, in: scope, paths: &paths)
            #expect(program.evaluate(from: BoundValues(), (), costLimit: 100).isIdentical(to: .int(hour)))
        }
    }

    @Test func `every day of four centuries has its date`() {
        var day = Int64(-719_162)
        for text in [
            "0001-01-01", "1600-02-29", "1900-02-28", "1900-03-01", "2000-02-29", "2100-03-01", "9999-12-31",
        ] {
            let value = Value.constant("string(timestamp('\(text)T00:00:00Z'))")
            #expect(value.isIdentical(to: .string(text + "T00:00:00Z")))
        }
        while day < -719_162 + 146_097 * 2 {
            let value = Value.constant(
                "timestamp(string(timestamp(\(day * 86_400)))) == timestamp(\(day * 86_400))"
            )
            #expect(value.isIdentical(to: .bool(true)))
            day += 97
        }
    }

    private func seconds(_ moment: String) -> Int64 {
        if case .timestamp(let moment) = Value.constant("timestamp('" + moment + "')") {
            return moment.seconds
        }
        return 0
    }
}
