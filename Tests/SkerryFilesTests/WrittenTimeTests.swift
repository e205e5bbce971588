import SkerryDevice
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryFiles

/// Times as definitions and recordings write them.
@Suite struct WrittenTimeTests {
    private static let every = TimeOfDay.everyDay

    @Test(
        arguments: [
            ("00:00", .clock(0), 0, every), ("23:59", .clock(86_340), 0, every),
            ("7:05", .clock(25_500), 0, every),
            ("23:59:59", .clock(86_399), 0, every), ("sunset", .sunset, 0, every),
            ("sunrise", .sunrise, 0, every),
            ("sunset + 30m", .sunset, 1800, every), ("sunset+30m", .sunset, 1800, every),
            ("sunrise - 1h30m", .sunrise, -5400, every), ("sunrise -12h", .sunrise, -43_200, every),
            ("sunset + 0s", .sunset, 0, every), ("sun 08:30", .clock(30_600), 0, 0b1),
            ("sat 08:30", .clock(30_600), 0, 0b100_0000),
            ("mon-fri 06:30", .clock(23_400), 0, 0b011_1110),
            ("sat,sun 08:30", .clock(30_600), 0, 0b100_0001),
            ("sat - sun 08:30", .clock(30_600), 0, 0b100_0001),
            ("fri-mon 08:30", .clock(30_600), 0, 0b110_0011),
            ("mon , wed-thu,sun sunset", .sunset, 0, 0b001_1011), ("mon-mon 0:00", .clock(0), 0, 0b10),
            ("mon-sun 0:00", .clock(0), 0, every), ("  06:30  ", .clock(23_400), 0, every),
        ] as [(String, TimeOfDay.Anchor, Int64, UInt8)]
    )
    func `a time of day`(
        _ text: String,
        _ anchor: TimeOfDay.Anchor,
        _ offset: Int64,
        _ weekdays: UInt8
    ) throws {
        let time = try TimeOfDayText.parse(text)
        #expect(time.anchor == anchor)
        #expect(time.offset == .seconds(offset))
        #expect(time.weekdays == weekdays)
        #expect(time.text == text)
    }

    @Test(arguments: [
        ("", "has no time"), ("mon-fri", "has no time"), ("noon", "has no time"),
        ("24:00", "is no time from 00:00 to 23:59"), ("6:5", "is no time from 00:00 to 23:59"),
        ("006:30", "is no time from 00:00 to 23:59"), ("06:60", "is no time from 00:00 to 23:59"),
        ("06:30:60", "is no time from 00:00 to 23:59"), ("06:30:00:00", "is no time from 00:00 to 23:59"),
        (":30", "is no time from 00:00 to 23:59"), ("-1:30", "is no time from 00:00 to 23:59"),
        ("٠٦:٣٠", "is no time from 00:00 to 23:59"), ("06:30 mon", "has 'mon' after the time"),
        ("06:30 + 1h", "has '+1h' after the time"), ("sunsets", "has 's' after the sun"),
        ("sunset 30m", "has '30m' after the sun"), ("sunset + 12h1s", "has '+12h1s' after the sun"),
        ("sunset + ", "has '+' after the sun"), ("sunrise * 2h", "has '*2h' after the sun"),
        ("Mon 06:30", "has 'Mon' where a day of the week belongs"),
        ("monday 06:30", "has 'monday' where a day of the week belongs"),
        ("mon, 06:30", "has '' where a day of the week belongs"),
        ("mon-wed-fri 06:30", "has 'mon-wed-fri' where a day of the week belongs"),
        ("mon- 06:30", "has 'mon-' where a day of the week belongs"),
        ("mon tue 06:30", "has 'montue' where a day of the week belongs"),
    ])
    func `no time of day`(_ text: String, _ message: String) {
        let refusal = #expect(throws: TimeOfDayText.Refusal.self) { try TimeOfDayText.parse(text) }
        #expect(refusal?.message == message)
    }

    /// The number of digits tells the unit.
    @Test(
        arguments: [
            ("0", 0), ("-1", -1_000_000), ("99999999999", 99_999_999_999_000_000),
            ("100000000000", 100_000_000_000_000),
            ("99999999999999", 99_999_999_999_999_000), ("100000000000000", 100_000_000_000_000),
            ("99999999999999999", 99_999_999_999_999_999), ("100000000000000000", 100_000_000_000_000),
            ("1772341200.25", 1_772_341_200_250_000), ("1772341200,25", 1_772_341_200_250_000),
            ("1772341200250.9999", 1_772_341_200_250_999), ("1772341200250999.9", 1_772_341_200_250_999),
            ("1772341200250999999", 1_772_341_200_250_999), ("-0.0000019", -1), ("0.9999999", 999_999),
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:60z", 60_000_000),
            ("1970-01-01 00:00:00-00:01", 60_000_000),
            ("1970-01-01T00:00:00+01", -3_600_000_000), ("1970-01-01T00:00:00Z+0100", -3_600_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000), ("2100-02-28T24:00:00Z", nil),
            ("2100-02-29T00:00:00Z", nil),
            ("1900-02-29T00:00:00Z", nil), ("9999999999999999999", nil), ("90000000000000000000", nil),
            ("", nil), ("-", nil),
            (".5", nil), ("1.", nil), ("1 ", nil), ("--1", nil), ("1e9", nil), ("0x1", nil),
            ("1970-01-01", nil),
            ("1970-01-01T00:00", nil), ("1970-01-01T00:00:00+24:00", nil), ("1970-01-01T00:00:00+00:60", nil),
            ("1970-01-01T00:00:61Z", nil), ("1970-00-01T00:00:00Z", nil), ("1970-01-00T00:00:00Z", nil),
        ] as [(String, Int64?)]
    )
    func `a time of a recording`(_ text: String, _ microseconds: Int64?) {
        #expect(RecordingTime.parse(text)?.microseconds == microseconds, "\(text)")
    }

    @Test func `a moment is written to the millisecond or the second, and read as what was written`() throws {
        var random = SimulatedRandom(seed: 1_972)
        for _ in 0..<2000 {
            let number = -62_167_219_200_000_000 + Int64(random.next() % 315_569_520_000_000_000)
            let moment = Timestamp(microseconds: number)
            let exact = try #require(RecordingTime.parse(RecordingTime.exact(moment)))
            #expect((0..<1000).contains(number - exact.microseconds), "\(number)")
            let whole = try #require(RecordingTime.parse(RecordingTime.text(moment)))
            #expect((0..<1_000_000).contains(number - whole.microseconds), "\(number)")
            #expect(whole.microseconds % 1_000_000 == 0)
        }
    }

    @Test(
        arguments: [
            ("", .null), ("~", .null), ("Null", .null), ("nULL", .text), ("true", .bool(true)),
            ("FALSE", .bool(false)),
            ("yes", .text), ("on", .text), ("tRUE", .text), ("0", .int(0)), ("-0", .int(0)), ("+5", .int(5)),
            ("007", .int(7)),
            ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775808", .int(.min)), ("0x1F", .int(31)), ("0x", .text), ("0x-1", .text),
            ("0o+7", .text), ("0xG", .text),
            ("-0x1", .text),
            ("0X1F", .text), ("0o17", .int(15)), ("0o8", .text), ("1.5", .double(1.5)), (".5", .double(0.5)),
            ("1.", .double(1)),
            ("1e3", .double(1000)), ("1E-3", .double(0.001)), ("1e", .text), ("e1", .text), (".", .text),
            ("-", .text),
            ("+", .text), ("1-2", .text), ("1.2.3", .text), ("1_000", .text), ("12:30", .text),
            ("inf", .text), ("nan", .text),
            (".inf", .double(.infinity)), ("-.Inf", .double(-.infinity)), (".iNF", .text), ("0x1.8p1", .text),
            (" 1", .text),
            ("１", .text),
        ] as [(String, CoreSchema.Meaning)]
    )
    func `what a text without quotes means`(_ text: String, _ meaning: CoreSchema.Meaning) {
        #expect(CoreSchema.meaning(of: text) == meaning)
    }

    @Test func `the three words for what is no number mean that`() {
        for text in [".nan", ".NaN", ".NAN"] {
            guard case .double(let number) = CoreSchema.meaning(of: text) else {
                Issue.record("\(text) is no number")
                continue
            }
            #expect(number.isNaN)
        }
    }
}
