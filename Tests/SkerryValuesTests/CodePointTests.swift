import SkerryValues
import Testing

@Suite struct CodePointTests {
    @Test func `texts are the same when their bytes are, whatever Unicode calls equivalent`() {
        #expect("é" == "e\u{301}")
        #expect(!"é".hasSameCodePoints(as: "e\u{301}"))
        // Same length and canonically equivalent: the marks stand in another order.
        #expect("a\u{301}\u{323}" == "a\u{323}\u{301}")
        #expect(!"a\u{301}\u{323}".hasSameCodePoints(as: "a\u{323}\u{301}"))
    }

    @Test func `every byte counts at every length`() {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            #expect(text.hasSameCodePoints(as: String(text.reversed())))
            #expect(!text.hasSameCodePoints(as: text + "x"))
            for place in 0..<length {
                var bytes = Array(text.utf8)
                bytes[place] ^= 1
                #expect(!text.hasSameCodePoints(as: String(decoding: bytes, as: UTF8.self)))
            }
        }
    }

    @Test func `the order of texts is that of their bytes, with a prefix first`() {
        let texts = [
            "", "a", "aa", "ab", "b", "e\u{301}", "z", "é", "日本", "🧺", "abcdefgh", "abcdefghi", "abcdefgz",
        ]
        for left in texts {
            for right in texts {
                #expect(left.precedesByCodePoints(right) == left.utf8.lexicographicallyPrecedes(right.utf8))
            }
        }
    }
}
