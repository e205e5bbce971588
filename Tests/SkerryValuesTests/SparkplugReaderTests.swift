import SkerryValues
import Testing

@Suite("Sparkplug B")
struct SparkplugReaderTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8.filter { $0 > 32 })
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
    }

    private static func text(_ hex: String) -> String {
        do throws(SparkplugRefusal) {
            // The bytes are a slice in the middle of others, as they are in a batch of messages.
            let bytes = [1, 2, 3] + bytes(hex) + [4]
            var writer = JSONWriter()
            writer.value(try SparkplugReader.value(of: bytes[3..<bytes.count - 1]))
            return String(decoding: writer.bytes, as: UTF8.self)
        } catch {
            return "refused at \(error.offset)"
        }
    }

    /// The bytes were made by Google's protobuf for Python from the messages of the specification.
    @Test(
        "Payloads of another implementation",
        arguments: [
            (
                """
                0880d0eab6b73312120a0562645365711880d0eab6b73320045807120e0a0269381001200150fbffffff0f120b0a04693870
                79200150fb01120b0a03693136200250ffff03120d0a03693332200350feffffff0f12120a03693634200458fdffffffffff
                ffffff0112090a027538200550ff01120d0a03753332200750ffffffff0f12120a03753634200858ffffffffffffffffff01
                120a0a01662009650000c03f120e0a0164200a6900000000000002c012070a0162200b7001120c0a0173200c7a054772c3bc
                6e120d0a026174200d58fad1eab6b733120c0a03726177201182010201ff120a0a046e6f6e65200a380112130a0470617374
                200a2801690000000000002240120d1009200a690000000000002240120c0a0373657420108a01020801120b0a0174201392
                01030a017812140a0570726f70732003420208014a030a0178500318002201782a03616263
                """,
                #"""
                {"bdSeq":7,"i8":-5,"i8py":-5,"i16":-1,"i32":-2,"i64":-3,"u8":255,"u32":4294967295,"u64":18446744073709551615,\#
                "f":1.5,"d":-2.25,"b":true,"s":"Grün","at":1767225600.25,"raw":"Af8=","none":null,"props":3}
                """#
            ),
            (
                """
                0801120b0a0369333250feffffff0f12100a0369363458fdffffffffffffffff0112070a0375333250071801
                """, #"{"i32":-2,"i64":-3,"u32":7}"#
            ),
            (
                """
                120b0a0269382016820102ff01120c0a036931362017820102feff120e0a036933322018820104ffffffff12120a03693634
                2019820108ffffffffffffffff120a0a027538201a820101ff120c0a03753136201b8201020102120e0a03753332201c8201
                04ffffffff12120a03753634201d8201080100000000000000120c0a0166201e8201040000c03f12100a0164201f82010800
                0000000000f83f120e0a016220208201060a000000a040120e0a0173202182010661000062630012110a0261742022820108
                faa8da769b010000120f0a0573686f72742018820103000000120c0a046f70656e202182010161
                """,
                #"""
                {"i8":[-1,1],"i16":[-2],"i32":[-1],"i64":[-1],"u8":[255],"u16":[513],"u32":[4294967295],"u64":[1],"f":[1.5],\#
                "d":[1.5],"b":[true,false,true,false,false,false,false,false,false,true],"s":["a","","bc"],\#
                "at":[1767225600.25]}
                """#
            ),
        ]
    )
    func payloads(hex: String, expected: String) {
        #expect(Self.text(hex) == expected)
    }

    @Test(
        "Single metrics, written by hand",
        arguments: [
            ("", "{}"), ("1802", "{}"),
            // The array of the specification's chapter on boolean arrays.
            (
                "120e 0a0162 2020 820106 0c000000 34d0",
                #"{"b":[false,false,true,true,false,true,false,false,true,true,false,true]}"#
            ),
            // Too few bits, and more elements than the limit allows.
            ("120d 0a0162 2020 820105 0c000000 34", "{}"), ("120d 0a0162 2020 820105 00000080 34", "{}"),
            // The last one of a name counts, and fields that are not known are passed over.
            ("1205 0a0161 5001 1205 0a0161 5002", #"{"a":2}"#),
            ("120b 0a0161 5001 fd0f 00000000", #"{"a":1}"#),
            // A name and nothing else; a value of a type of the future.
            ("1203 0a0161", "{}"), ("1208 0a0161 20c801 5001", #"{"a":1}"#),
            // Types whose value stands in the field of another one.
            ("1207 0a0161 200b 5001", #"{"a":true}"#), ("1205 0a0161 5001 0801", #"{"a":1}"#),
        ]
    )
    func metrics(hex: String, expected: String) {
        #expect(Self.text(hex) == expected)
    }

    @Test(
        "Damaged payloads are refused with their place",
        arguments: [
            ("08", 1), ("0880", 1), ("08ffffffffffffffffffff01", 1), ("08ffffffffffffffffff02", 1), ("0b", 0),
            ("0c", 0),
            ("0e", 0), ("00", 0), ("0001", 0), ("1205", 2), ("1204 0a0161 50", 6), ("1205 0a0161 50", 2),
            ("1203 0a0261", 4), ("1203 0a01ff", 4),
            ("09 00000000", 1), ("0d 0000", 1), ("1206 0a0161 7a01ff", 7), ("1202 0a01", 4),
            ("12ffffffffffffffffff01", 11),
        ]
    )
    func damaged(hex: String, offset: Int) {
        #expect(Self.text(hex) == "refused at \(offset)")
    }

    @Test func `each prefix of a payload is read or refused within its bytes`() {
        let whole = Self.bytes("0a0161 5001 1205 0a0161 5001 120b 0a0163 2202 0801 5003 3801")
        for count in 0..<whole.count {
            do throws(SparkplugRefusal) {
                _ = try SparkplugReader.value(of: whole.prefix(count))
            } catch {
                #expect((0...count).contains(error.offset))
            }
        }
    }
}
