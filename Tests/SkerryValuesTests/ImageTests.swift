import SkerryTesting
import SkerryValues
import Testing

/// The bytes in which things outlive the process.
@Suite("Images")
struct ImageTests {
    static let values: [Value] = [
        .null, .bool(true), .int(.min), .int(.max), .int(-1), .uint(.max), .double(-0.0), .double(.nan),
        .double(.infinity), .string(""), .string("ä\u{0}😀"), .bytes([0, 255]), .type("int"),
        .timestamp(CalendarTimestamp(seconds: -62_135_596_800, nanoseconds: 999_999_999)),
        .duration(CalendarDuration(seconds: -3, nanoseconds: -1)), .optional([]), .optional([.int(1)]),
        .list([.null, .list([.string("x")])]), .error(.unset),
        .map(ValueMap(uniqueEntries: [.init(key: .bool(false), value: .map(ValueMap()))])),
    ]

    static func image(of values: [Value]) -> [UInt8] {
        var writer = ImageWriter()
        writer.list(values) { $0.value($1) }
        return writer.bytes
    }

    static func values(in bytes: [UInt8]) throws(ImageFault) -> [Value] {
        var reader = ImageReader(bytes[...])
        return try reader.list { reader throws(ImageFault) in try reader.value() }
    }

    @Test("every kind of value comes back as it was")
    func values() throws {
        let image = Self.image(of: Self.values)
        let back = try Self.values(in: image)
        #expect(back.count == Self.values.count)
        #expect(Self.image(of: back) == image)
        #expect("\(back)" == "\(Self.values)")
    }

    @Test("an image that is cut short is a fault, wherever it is cut")
    func truncated() {
        let image = Self.image(of: Self.values)
        for length in 0..<image.count {
            #expect(throws: ImageFault.self, "\(length) bytes") {
                try Self.values(in: Array(image.prefix(length)))
            }
        }
    }

    @Test("damaged bytes are read as something or refused, and never trap")
    func damaged() {
        var random = SimulatedRandom(seed: 7)
        let image = Self.image(of: Self.values)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = image
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            if (try? Self.values(in: bytes)) == nil { refused += 1 }
        }
        #expect(refused > 1000)
    }

    @Test("nested values end at a depth that the stack can bear")
    func deep() {
        let lists = [UInt8](repeating: 0, count: 0) + [1] + (0..<100_000).flatMap { _ in [UInt8(7), 1] }
        #expect(throws: ImageFault.malformed) { try Self.values(in: lists) }
    }
}
