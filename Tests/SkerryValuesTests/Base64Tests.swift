import SkerryValues
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "the examples of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func examples(plain: String, text: String) {
        let bytes = Array(plain.utf8)
        let unpadded = String(text.filter { $0 != "=" })
        #expect(Base64.text(of: bytes) == text)
        #expect(Base64.text(of: bytes, .url) == unpadded)
        #expect(Base64.bytes(of: text) == bytes)
        #expect(Base64.bytes(of: unpadded) == bytes)
    }

    @Test func `all 64 letters of both alphabets`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]
        #expect(Base64.text(of: bytes) == "++++////")
        #expect(Base64.text(of: bytes, .url) == "----____")
        let every = Array(UInt8.min...UInt8.max)
        #expect(Base64.bytes(of: Base64.text(of: every)) == every)
    }

    @Test("other texts have no bytes", arguments: ["A", "AAAAA", "Zg=", "Z===", "Zm9v!", "Zm 9v", "----"])
    func refused(text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }
}
