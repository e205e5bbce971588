import SkerryValues
import Testing

/// What RFC 8259 demands of a reader, in the categories of the public test suites: must accept, must refuse, may.
@Suite struct JSONGrammarTests {
    /// Texts that are JSON, and how the writer writes them again.
    static let accepted: [(text: String, again: String)] = [
        ("[]", "[]"), ("{}", "{}"), ("[ ]", "[]"), ("{ }", "{}"), (" [1] ", "[1]"), ("\t\n\r [1]\n", "[1]"),
        ("[[]]", "[[]]"), ("[[],[[]]]", "[[],[[]]]"), ("[\"\"]", "[\"\"]"),
        ("[null,true,false]", "[null,true,false]"),
        ("null", "null"), ("true", "true"), ("false", "false"), ("42", "42"), ("\"asd\"", "\"asd\""),
        ("\"\"", "\"\""),
        ("-0.1", "-0.1"), ("[1,null,null,2]", "[1,null,null,2]"), ("[1 , 2]", "[1,2]"),
        ("[1\n,2\t]", "[1,2]"),
        // Numbers.
        ("0", "0"), ("-0", "0"), ("-1", "-1"), ("123", "123"), ("0e1", "0"), ("0e+1", "0"), ("0E-1", "0"),
        ("1e2", "100"), ("1E2", "100"), ("1e+2", "100"), ("1E+2", "100"), ("1e-2", "0.01"), ("1E-2", "0.01"),
        ("123.456e78", "1.23456e+80"), ("123.456789", "123.456789"), ("-123.5", "-123.5"), ("0.5", "0.5"),
        ("1.0", "1"),
        ("-0.000000000000000000000000000000000000000000000000001", "-1e-51"), ("0.00", "0"), ("-0.0", "0"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "9.223372036854776e+18"), ("-9223372036854775809", "-9.223372036854776e+18"),
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("5e-324", "5e-324"), ("1e-400", "0"), ("0e9999999999999999999", "0"),
        ("1e-9999999999999999999", "0"),
        ("0.1e1", "1"), ("100e-2", "1"), ("9007199254740993", "9007199254740993"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        // Strings.
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""), ("\"\\u0041\"", "\"A\""),
        ("\"\\u00e9\\u00E9\"", "\"éé\""), ("\"\\uD83D\\ude00\"", "\"😀\""),
        ("\"\\uDBFF\\uDFFF\"", "\"\u{10FFFF}\""),
        ("\"\\u0000\"", "\"\\u0000\""), ("\"\\u001f\"", "\"\\u001f\""), ("\"\\u007f\"", "\"\u{7F}\""),
        ("\"\u{7F}\"", "\"\u{7F}\""), ("\"é\"", "\"é\""), ("\"€\"", "\"€\""), ("\"😀\"", "\"😀\""),
        ("\"\u{10FFFF}\"", "\"\u{10FFFF}\""), ("\"\u{2028}\u{2029}\"", "\"\u{2028}\u{2029}\""),
        ("\"\\ufffd\"", "\"\u{FFFD}\""), ("\"\\ud7ff\\ue000\"", "\"\u{D7FF}\u{E000}\""),
        ("\"a/*b*/c\"", "\"a/*b*/c\""), ("\"\\\\u0041\"", "\"\\\\u0041\""), ("\"\\\\n\"", "\"\\\\n\""),
        ("\"1234567\\\"\"", "\"1234567\\\"\""), ("\"12345678\\\\\"", "\"12345678\\\\\""),
        ("\"\u{FEFF}\"", "\"\u{FEFF}\""),
        ("\"e\u{301}\"", "\"e\u{301}\""), ("\"[]{}:,\"", "\"[]{}:,\""),
        // Objects.
        ("{\"a\":1}", "{\"a\":1}"), ("{\"\":0}", "{\"\":0}"),
        ("{\"a\":{\"b\":[{}]}}", "{\"a\":{\"b\":[{}]}}"),
        ("{ \"a\" : 1 , \"b\" : 2 }", "{\"a\":1,\"b\":2}"), ("{\"a\":1,\"a\":2}", "{\"a\":2}"),
        ("{\"a\":1,\"b\":2,\"a\":null}", "{\"a\":null,\"b\":2}"), ("{\"\\u0061\":1,\"a\":2}", "{\"a\":2}"),
        ("{\"é\":1,\"e\u{301}\":2}", "{\"é\":1,\"e\u{301}\":2}"), ("{\"a\\u0000b\":0}", "{\"a\\u0000b\":0}"),
        ("{\"\\uD83D\\uDE00\":0}", "{\"😀\":0}"),
    ]

    /// Texts that are no JSON, what is wrong and at which byte.
    static let refused: [(text: String, problem: JSONProblem, offset: Int)] = [
        ("", .empty, 0), (" \n\t", .empty, 0),
        // Structure.
        ("[", .unexpectedEnd, 1), ("{", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
        ("[1,", .unexpectedEnd, 3),
        ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1", .unexpectedEnd, 6),
        ("{\"a\":1,", .unexpectedEnd, 7), ("]", .badSyntax, 0), ("}", .badSyntax, 0), ("[1,]", .badSyntax, 3),
        ("[,1]", .badSyntax, 1), ("[1,,2]", .badSyntax, 3), ("[1 2]", .badSyntax, 3),
        ("[1:2]", .badSyntax, 2),
        ("[1}", .badSyntax, 2), ("{\"a\":1]", .badSyntax, 6), ("{\"a\":1,}", .badSyntax, 7),
        ("{,}", .badSyntax, 1),
        ("{\"a\"}", .badSyntax, 4), ("{\"a\",1}", .badSyntax, 4), ("{\"a\" 1}", .badSyntax, 5),
        ("{\"a\"::1}", .badSyntax, 5), ("{\"a\":}", .badSyntax, 5), ("{:1}", .badSyntax, 1),
        ("{a:1}", .badSyntax, 1),
        ("{1:1}", .badSyntax, 1), ("{'a':1}", .badSyntax, 1), ("{\"a\":1 \"b\":2}", .badSyntax, 7),
        ("{\"a\":1,,\"b\":2}", .badSyntax, 7), ("{[]:1}", .badSyntax, 1), ("{null:1}", .badSyntax, 1),
        ("[1]]", .trailingBytes, 3), ("{}}", .trailingBytes, 2), ("1 2", .trailingBytes, 2),
        ("[]x", .trailingBytes, 2),
        ("\"a\"b", .trailingBytes, 3), ("{} //", .trailingBytes, 3), ("[1],", .trailingBytes, 3),
        ("1\u{0}", .trailingBytes, 1),
        ("nullx", .trailingBytes, 4), ("null null", .trailingBytes, 5), ("[]\u{0C}", .trailingBytes, 2),
        ("\u{0B}1", .badSyntax, 0), ("\u{A0}1", .badSyntax, 0), ("[\u{0C}1]", .badSyntax, 1),
        ("[1\u{A0}]", .badSyntax, 2),
        ("/**/1", .badSyntax, 0), ("# 1", .badSyntax, 0), ("\u{FEFF}1", .byteOrderMark, 0),
        ("<1>", .badSyntax, 0),
        ("[\u{FEFF}1]", .badSyntax, 1), ("\u{2060}1", .badSyntax, 0), ("(1)", .badSyntax, 0),
        // Literal names.
        ("nul", .unexpectedEnd, 3), ("tru", .unexpectedEnd, 3), ("fals", .unexpectedEnd, 4),
        ("nulL", .badSyntax, 3),
        ("True", .badSyntax, 0), ("NULL", .badSyntax, 0), ("NaN", .badSyntax, 0), ("Infinity", .badSyntax, 0),
        ("-Infinity", .badNumber, 0), ("-NaN", .badNumber, 0), ("undefined", .badSyntax, 0),
        ("[nul]", .badSyntax, 4),
        ("*", .badSyntax, 0),
        // Numbers.
        ("-", .unexpectedEnd, 1), ("01", .badNumber, 0), ("-01", .badNumber, 0), ("00", .badNumber, 0),
        ("+1", .badNumber, 0), ("++1", .badNumber, 0), ("--1", .badNumber, 0), ("-+1", .badNumber, 0),
        ("- 1", .badNumber, 0),
        (".5", .badNumber, 0), ("-.5", .badNumber, 0), ("[1.]", .badNumber, 1), ("1.", .unexpectedEnd, 2),
        ("[1.e1]", .badNumber, 1), ("[1e]", .badNumber, 1), ("1e", .unexpectedEnd, 2),
        ("[1e+]", .badNumber, 1),
        ("1e+", .unexpectedEnd, 3), ("[1e+-1]", .badNumber, 1), ("[1ee2]", .badNumber, 1),
        ("[1e1.5]", .badSyntax, 4),
        ("1.2.3", .trailingBytes, 3), ("0x1F", .trailingBytes, 1), ("1_000", .trailingBytes, 1),
        ("1f", .trailingBytes, 1),
        ("[1a]", .badSyntax, 2), ("[1-2]", .badSyntax, 2), ("１", .badSyntax, 0), ("1,000", .trailingBytes, 1),
        ("[0 1]", .badSyntax, 3), ("[-]", .badNumber, 1), ("[.]", .badNumber, 1), ("[e1]", .badSyntax, 1),
        // Strings.
        ("\"", .unexpectedEnd, 1), ("\"abc", .unexpectedEnd, 4), ("\"a\\", .unexpectedEnd, 3),
        ("\"a\\\"", .unexpectedEnd, 4),
        ("'a'", .badSyntax, 0), ("\"\n\"", .controlCharacter, 1), ("\"a\tb\"", .controlCharacter, 2),
        ("\"\u{0}\"", .controlCharacter, 1), ("\"1234567890\u{1F}\"", .controlCharacter, 11),
        ("\"\\a\"", .badEscape, 1),
        ("\"\\x41\"", .badEscape, 1), ("\"\\'\"", .badEscape, 1), ("\"\\0\"", .badEscape, 1),
        ("\"\\\n\"", .badEscape, 1),
        ("\"\\U0041\"", .badEscape, 1), ("\"\\u00G0\"", .badEscape, 1), ("\"\\u 041\"", .badEscape, 1),
        ("\"\\u\"", .unexpectedEnd, 4), ("\"\\u004\"", .badEscape, 1), ("\"\\u{41}\"", .badEscape, 1),
        ("\"\\u+041\"", .badEscape, 1), ("\"\\é\"", .badEscape, 1), ("\"\\uD83D\\u00\"", .unexpectedEnd, 12),
        ("abc", .badSyntax, 0),
        // Left open by the RFC, refused here because no value can hold them.
        ("\"\\uD800\"", .loneSurrogate, 1), ("\"\\uDC00\"", .loneSurrogate, 1),
        ("\"\\uD800x\"", .loneSurrogate, 1),
        ("\"\\uD800\\n\"", .loneSurrogate, 1), ("\"\\uD800\\uD800\"", .loneSurrogate, 1),
        ("\"\\uDE00\\uD83D\"", .loneSurrogate, 1), ("\"\\uDC00\\uDC00\"", .loneSurrogate, 1),
        ("\"\\uD800\\u0041\"", .loneSurrogate, 1), ("{\"\\uDFAA\":0}", .loneSurrogate, 2),
        ("1e400", .numberOutOfRange, 0), ("-1e400", .numberOutOfRange, 0),
        ("[1.8e308]", .numberOutOfRange, 1),
        ("1e9999999999999999999", .numberOutOfRange, 0), ("[0,123123e100000]", .numberOutOfRange, 3),
    ]

    /// Strings that are not UTF-8: the bytes between the quotes.
    static let badUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF],
        [0xE1, 0x80], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xFE], [0xFF],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3, 0x28],
    ]

    @Test func `reads valid JSON`() throws {
        for (text, again) in JSONGrammarTests.accepted {
            #expect(try written(JSONReader.value(of: Array(text.utf8).span)) == again, "\(text)")
            #expect(throws: Never.self, "\(text)") { try PayloadPlan.elsewhere.check(Array(text.utf8)) }
        }
    }

    @Test func `refuses invalid JSON`() {
        for (text, problem, offset) in JSONGrammarTests.refused {
            expectRefusal(of: Array(text.utf8), problem, at: offset)
        }
    }

    @Test func `refuses invalid UTF-8`() {
        let quote = UInt8(ascii: "\"")
        for bytes in JSONGrammarTests.badUTF8 {
            expectRefusal(of: [quote] + bytes + [quote], .badUTF8, at: 1)
            expectRefusal(of: Array("\"ABCDEFGHI".utf8) + bytes, .badUTF8, at: 10)
        }
    }

    @Test func `depth is bounded`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[{\"a\":", count: depth / 2) + "[]"
                    + String(repeating: "}]", count: depth / 2)).utf8
            )
        }
        let limits = JSONLimits(depth: 7)
        _ = try JSONReader.value(of: nested(6).span, limits: limits)
        expectRefusal(of: nested(8), .tooDeep, at: 6 * 3 + 1, limits: limits)
        expectRefusal(of: [UInt8](repeating: UInt8(ascii: "["), count: 100_000), .tooDeep, at: 64)
        #expect(JSONLimits(depth: 1_000_000).depth == 512)
        expectRefusal(of: Array("[]".utf8), .tooDeep, at: 0, limits: JSONLimits(depth: -1))
    }

    @Test func `length is bounded`() throws {
        _ = try JSONReader.value(of: Array("[1]".utf8).span, limits: JSONLimits(bytes: 3))
        expectRefusal(of: Array("[1] ".utf8), .tooLarge, at: 3, limits: JSONLimits(bytes: 3))
        expectRefusal(of: [UInt8](repeating: UInt8(ascii: " "), count: 262_145), .tooLarge, at: 262_144)
    }

    @Test func `an object of many members keeps the last of each key at the place of the first`() throws {
        let names = (0..<1000).map { "k\(($0 * 7) % 300)" }
        let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        guard case .map(let map) = try JSONReader.value(of: Array(text.utf8).span) else {
            Issue.record("no map")
            return
        }
        #expect(map.entries.map { written($0.key) } == names.prefix(300).map { "\"\($0)\"" })
        for (index, name) in names.enumerated().suffix(300) {
            #expect(map[name]?.isSame(as: .int(Int64(index))) == true)
        }
    }

    /// Expects the same refusal from the reader of whole texts and from plans that ask for nothing of the text.
    private func expectRefusal(
        of bytes: [UInt8],
        _ problem: JSONProblem,
        at offset: Int,
        limits: JSONLimits = JSONLimits()
    ) {
        let refusal = JSONRefusal(problem: problem, offset: offset)
        #expect(throws: refusal, "\(String(decoding: bytes.prefix(80), as: UTF8.self))") {
            _ = try JSONReader.value(of: bytes.span, limits: limits)
        }
        #expect(throws: refusal, "\(String(decoding: bytes.prefix(80), as: UTF8.self))") {
            try PayloadPlan.elsewhere.check(bytes, limits: limits)
        }
    }
}

extension PayloadPlan {
    /// A plan whose paths lead through objects and arrays to nothing.
    static let elsewhere = {
        var table = PathTable()
        _ = table.intern([.key("nowhere"), .key("to be found")])
        _ = table.intern([.index(1), .key("nor here")])
        return PayloadPlan(table)
    }()

    func check(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws {
        var slots: [Value] = []
        try read(bytes.span, into: &slots, limits: limits)
    }
}

func written(_ value: Value) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}
