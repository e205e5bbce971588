import SkerryValues
import Testing

@Suite("CBOR")
struct CBORReaderTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
    }

    private static func text(_ value: Value?) -> String {
        guard let value else { return "refused" }
        if case .timestamp(let moment) = value { return "at \(moment.moment.microseconds)" }
        if case .uint(let number) = value { return "\(number)u" }
        if case .double(let number) = value { return "\(number)" }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "The examples of RFC 8949, appendix A",
        arguments: [
            ("00", "0"), ("17", "23"), ("1818", "24"), ("1b000000e8d4a51000", "1000000000000"),
            ("1bffffffffffffffff", "18446744073709551615u"), ("20", "-1"), ("3903e7", "-1000"),
            ("3bffffffffffffffff", "-1.8446744073709552e+19"),
            ("c249010000000000000000", "1.8446744073709552e+19"),
            ("c3420100", "-257"), ("f90000", "0.0"), ("f93c00", "1.0"), ("f93e00", "1.5"),
            ("f97bff", "65504.0"),
            ("f90001", "5.960464477539063e-08"), ("f90400", "6.103515625e-05"), ("f9c400", "-4.0"),
            ("f97c00", "inf"),
            ("f97e00", "nan"), ("fa47c35000", "100000.0"), ("fb7e37e43c8800759c", "1e+300"), ("f4", "false"),
            ("f5", "true"), ("f6", "null"), ("f7", "null"), ("c11a514b67b0", "at 1363896240000000"),
            ("c1fb41d452d9ec200000", "at 1363896240500000"), ("d74401020304", #""AQIDBA==""#),
            ("d818456449455446", #""ZElFVEY=""#), ("60", #""""#), ("6449455446", #""IETF""#),
            ("62c3bc", #""ü""#),
            ("80", "[]"), ("83010203", "[1,2,3]"), ("8301820203820405", "[1,[2,3],[4,5]]"), ("a0", "{}"),
            ("a201020304", #"{"1":2,"3":4}"#), ("a26161016162820203", #"{"a":1,"b":[2,3]}"#),
            ("5f42010243030405ff", #""AQIDBAU=""#), ("7f657374726561646d696e67ff", #""streaming""#),
            ("9fff", "[]"),
            ("9f018202039f0405ffff", "[1,[2,3],[4,5]]"),
            ("bf6346756ef563416d7421ff", #"{"Fun":true,"Amt":-2}"#),
            ("a2616101616102", #"{"a":2}"#),
        ]
    )
    func examples(hex: String, expected: String) {
        #expect(Self.text(CBORReader.value(of: Self.bytes(hex)[...])) == expected)
    }

    @Test(
        "Whatever is not one well-formed value is refused",
        arguments: [
            "", "0000", "18", "1c", "1f", "3f", "df00", "ff", "41", "5f", "5f00ff", "5f5f4100ffff",
            "7f4100ff", "61ff",
            "81", "9f", "9bffffffffffffffff", "a1", "a100", "bf00ff", "bbffffffffffffffff", "a1f600", "c0",
            "e0", "f800", "f820",
            "5bffffffffffffffff",
        ]
    )
    func refused(hex: String) {
        #expect(Self.text(CBORReader.value(of: Self.bytes(hex)[...])) == "refused")
    }

    @Test(
        "Lists, maps and tags are nested as deep as the limit, and no deeper",
        arguments: [[0x81], [0xA1, 0x00], [0xC6]]
    )
    func depth(opening: [UInt8]) {
        for (count, isRead) in [(8, true), (9, false)] {
            let bytes = [[UInt8]](repeating: opening, count: count).joined() + [0]
            let text = Self.text(CBORReader.value(of: Array(bytes)[...], depth: 8))
            #expect((text != "refused") == isRead)
        }
    }
}

@Suite("Fields of bytes")
struct PayloadFieldTests {
    @Test(
        "A field is read by its type",
        arguments: [
            ("u8", [0xFF], "255"), ("i8", [0xFF], "-1"), ("u16be", [1, 2], "258"), ("u16le", [1, 2], "513"),
            ("i16be", [0xFF, 0xFE], "-2"), ("i24le", [0, 0, 0x80], "-8388608"),
            ("u24be", [1, 0, 0], "65536"),
            ("u32le", [1, 0, 0, 1], "16777217"),
            ("i64be", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xF0], "-16"),
            ("f32be", [0x3F, 0x80, 0, 0], "1"), ("f64le", [0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "1.5"),
            ("text4", [0x6F, 0x6E, 0, 0], #""on""#), ("bytes2", [7, 8], "[7,8]"), ("u16be", [1], "none"),
            ("text2", [0xFF, 0xFF], "none"),
        ] as [(String, [UInt8], String)]
    )
    func types(type: String, bytes: [UInt8], expected: String) throws {
        let kind = try #require(PayloadField.Kind(type))
        #expect(kind.text == type)
        let value = PayloadField.values(of: [PayloadField(name: "x", kind: kind)], in: bytes[...])["x"]
        var writer = JSONWriter()
        value.map { writer.value($0) }
        let written = value.map { _ in String(decoding: writer.bytes, as: UTF8.self) }
        #expect(written ?? "none" == expected)
    }

    @Test(
        "Other words are no types",
        arguments: [
            "", "u", "u16", "u8be", "i12be", "f16be", "u16bee", "text0", "text256", "bytes", "8", "u016be",
            "U8",
        ]
    )
    func noTypes(text: String) {
        #expect(PayloadField.Kind(text) == nil)
    }
}
