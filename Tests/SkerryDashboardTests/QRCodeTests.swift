import Foundation
import SkerryTesting
import Testing

@testable import SkerryDashboard

/// QR codes as ISO/IEC 18004 has them, also as another program reads them.
@Suite struct QRCodeTests {
    /// The example of annex I of the standard: version 1 at level M.
    @Test func correctsAsTheStandardsExample() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let expected: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(ReedSolomonCode(corrections: 10).corrections(for: data) == expected)
    }

    /// The examples of annexes C and D.
    @Test func protectsFormatAndVersion() {
        #expect(QRDrawing.formatBits(0b101) == 0b100_0000_1100_1110)
        #expect(QRDrawing.versionBits(7) == 0b00_0111_1100_1001_0100)
    }

    /// Byte mode, the number of bytes, the bytes, the end, then the two filling bytes by turns.
    @Test func writesBytesWithTheirNumber() {
        let codewords = QRVersion.all[0].dataCodewords(of: Array("Aa".utf8))
        #expect(codewords.prefix(8) == [0x40, 0x24, 0x16, 0x10, 0xEC, 0x11, 0xEC, 0x11])
        #expect(codewords.count == 16)
    }

    /// The numbers of table 7 for byte mode at level M.
    @Test func holdsAsMuchAsTheStandardSays() {
        for (index, bytes) in [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].enumerated() {
            #expect(QRCode(String(repeating: "x", count: bytes))?.size == 21 + 4 * index)
            let next = QRCode(String(repeating: "x", count: bytes + 1))
            #expect(next?.size == (index < 9 ? 25 + 4 * index : nil))
        }
    }

    @Test func hasFindersAndALightFrame() {
        guard let code = QRCode("skerry") else {
            Issue.record("no code")
            return
        }
        let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
        for (row, column) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            for down in 0..<7 {
                let line = (0..<7).map { code.isDark(row: row + down, column: column + $0) ? "#" : "." }
                #expect(line.joined() == finder[down])
            }
        }
        #expect(!code.isDark(row: -1, column: 0))
        #expect(!code.isDark(row: 0, column: code.size))
        #expect(code.terminalText.split(separator: "\n").count == (code.size + 9) / 2)
    }

    @Test func isReadByAnotherProgram() throws {
        guard Self.hasReader else { return print("skipped: zbarimg (zbar-tools) is not there") }
        var random = SimulatedRandom(seed: 18_004)
        let characters = Array("abcXYZ0189-._~:/?#&=%+ ")
        var texts = ["skerry://pair?url=http://192.168.178.20:7537&code=ACDE3467", "ä ö ü → 水"]
        texts += [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].map { count in
            String((0..<count).map { _ in characters.randomElement(using: &random) ?? "x" })
        }
        for text in texts {
            let code = try #require(QRCode(text))
            #expect(try Self.read(code) == text)
        }
    }

    private static let reader = "/usr/bin/zbarimg"
    private static var hasReader: Bool { FileManager.default.isExecutableFile(atPath: reader) }

    /// What zbarimg finds in the picture of a code.
    private static func read(_ code: QRCode) throws -> String {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("skerry-\(UUID().uuidString).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        let scale = 4
        let width = (code.size + 2 * QRCode.quietZone) * scale
        var picture = Data("P5\n\(width) \(width)\n255\n".utf8)
        for y in 0..<width {
            for x in 0..<width {
                let isDark = code.isDark(
                    row: y / scale - QRCode.quietZone,
                    column: x / scale - QRCode.quietZone
                )
                picture.append(isDark ? 0 : 255)
            }
        }
        try picture.write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: reader)
        process.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: ["\n"])
    }
}
