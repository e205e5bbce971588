import SkerryValues
import Testing

@Suite struct JSONWriterTests {
    private static let values: [(value: Value, text: String)] = [
        (Value.null, "null"), (.bool(true), "true"), (.int(.min), "-9223372036854775808"), (.int(0), "0"),
        (.uint(.max), "18446744073709551615"), (.double(1), "1"), (.double(-0.0), "0"), (.double(0.1), "0.1"),
        (.double(-12.375), "-12.375"), (.double(1e15), "1000000000000000"), (.double(1e16), "1e+16"),
        (.double(9_007_199_254_740_991), "9007199254740991"),
        (.double(-9_007_199_254_740_991), "-9007199254740991"),
        (.double(0.001), "0.001"), (.double(0.0001), "0.0001"), (.double(1e-7), "1e-07"),
        (.double(1.0 / 3), "0.3333333333333333"),
        (.double(.nan), "null"), (.double(.infinity), "null"), (.double(123456.789), "123456.789"),
        (.double(99999999999999.9), "99999999999999.9"),
        (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
        (
            .string("a\"\\/\u{08}\u{0C}\n\r\t\u{01}\u{1F}é\u{7F}"),
            "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001fé\u{7F}\""
        ),
        (.bytes([]), "\"\""), (.bytes([0]), "\"AA==\""), (.bytes([0xFF, 0xFE]), "\"//4=\""),
        (.bytes([1, 2, 3]), "\"AQID\""),
        (.bytes(Array("light work.".utf8)), "\"bGlnaHQgd29yay4=\""), (.type("int"), "\"int\""),
        (.optional([]), "null"), (.optional([.int(1)]), "1"), (.error(.unset), "null"),
        (.timestamp(CalendarTimestamp(seconds: 1_700_000_000, nanoseconds: 0)), "1700000000"),
        (
            .timestamp(CalendarTimestamp(seconds: 1_700_000_000, nanoseconds: 50_000_001)),
            "1700000000.050000001"
        ),
        (.timestamp(CalendarTimestamp(seconds: -2, nanoseconds: 500_000_000)), "-1.5"),
        (.timestamp(CalendarTimestamp(seconds: -1, nanoseconds: 500_000_000)), "-0.5"),
        (.duration(CalendarDuration(seconds: -1, nanoseconds: -250_000_000)), "-1.25"),
        (.duration(CalendarDuration(seconds: 0, nanoseconds: -1)), "-0.000000001"),
        (.duration(CalendarDuration(seconds: 90, nanoseconds: 0)), "90"),
    ]

    @Test func `writes every kind of value`() {
        for (value, text) in Self.values { #expect(written(value) == text) }
    }

    @Test func `escapes a character at any place of a text, and nothing else`() {
        let escapes = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\u{1F}": "\\u001f"]
        for character in ["\"", "\\", "\n", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}", "é", "€", "🧺"] {
            for length in 0...18 {
                for place in 0...length {
                    let (before, after) = (
                        String(repeating: "a", count: place),
                        String(repeating: "\u{7F}", count: length - place)
                    )
                    let expected = "\"\(before)\(escapes[character] ?? character)\(after)\""
                    #expect(written(.string(before + character + after)) == expected)
                }
            }
        }
    }

    @Test func `writes maps and lists in their order without spaces`() {
        let map = ValueMap(uniqueEntries: [
            .init(key: .string("z"), value: .list([.int(1), .list([]), .map(ValueMap())])),
            .init(key: .int(-1), value: .null), .init(key: .uint(2), value: .bool(false)),
            .init(key: .bool(true), value: .string("")),
        ])
        #expect(written(.map(map)) == #"{"z":[1,[],{}],"-1":null,"2":false,"true":""}"#)
    }

    @Test func `sets the commas between appended values`() {
        var writer = JSONWriter(capacity: 0)
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.int(1)
        writer.double(2.5)
        writer.beginObject()
        writer.endObject()
        writer.string("x")
        writer.endArray()
        writer.key("b")
        writer.null()
        writer.key("c")
        writer.seconds(Timestamp(microseconds: 1_700_000_000_123_999))
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"a":[1,2.5,{},"x"],"b":null,"c":1700000000.123}"#
        )
    }

    @Test func `moments have milliseconds, rounded down`() {
        let moments: [(microseconds: Int64, text: String)] = [
            (0, "0"), (1_000_000, "1"), (1_500_000, "1.5"), (1_010_999, "1.01"), (999, "0"),
            (-1_500_000, "-1.5"),
            (-1, "-0.001"), (.max, "9223372036854.775"), (.min, "-9223372036854.776"),
        ]
        for (microseconds, text) in moments {
            var writer = JSONWriter()
            writer.seconds(Timestamp(microseconds: microseconds))
            #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        }
    }
}
