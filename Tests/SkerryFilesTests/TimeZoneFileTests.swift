import Foundation
import SkerryExpressions
import Testing

@testable import SkerryFiles

/// Time zones in TZif files.
@Suite struct TimeZoneFileTests {
    /// One block of a file: transitions, offsets of types and two letters.
    private static func block(
        version: UInt8,
        timeLength: Int,
        _ transitions: [(Int64, UInt8)],
        _ offsets: [Int32]
    ) -> [UInt8] {
        func bytes(_ value: Int64, _ length: Int) -> [UInt8] {
            (0..<length).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (length - 1 - $0))) }
        }
        var file = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, transitions.count, offsets.count, 2] { file += bytes(Int64(count), 4) }
        for transition in transitions { file += bytes(transition.0, timeLength) }
        file += transitions.map { $0.1 }
        for offset in offsets { file += bytes(Int64(offset), 4) + [0, 0] }
        return file + Array("X\0".utf8)
    }

    private static func file(footer: String) -> [UInt8] {
        block(version: 50, timeLength: 4, [], [0])
            + block(version: 50, timeLength: 8, [(-5_000_000_000, 1), (100, 0)], [3600, -7200])
            + Array(footer.utf8)
    }

    private static func seconds(_ moment: String) throws -> Int64 {
        let date = try #require(try? Date(moment, strategy: .iso8601))
        return Int64(date.timeIntervalSince1970)
    }

    @Test func `a copy of a zone has the name that is written beside it, if that is the same zone`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skerry-zone-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let zone = URL(filePath: SystemTimeZones.systemFolder + "/Europe/Berlin").resolvingSymlinksInPath()
        try FileManager.default.copyItem(at: zone, to: folder.appendingPathComponent("localtime"))
        for (written, name) in [(nil, "UTC"), ("Asia/Tokyo\n", "UTC"), ("Europe/Berlin\n", "Europe/Berlin")] {
            try written?.write(
                to: folder.appendingPathComponent("timezone"),
                atomically: true,
                encoding: .utf8
            )
            let local = SystemTimeZones(machine: folder.path).local(nil)
            #expect(local.name == name)
            #expect(local.0 == SystemTimeZones.shared.rules("Europe/Berlin"))
        }
    }

    @Test func `a file of version 1 has times of 32 bits`() throws {
        let bytes = Self.block(version: 0, timeLength: 4, [(-100, 1), (100, 0)], [60, 120])
        let rules = try #require(TimeZoneFile.rules(of: bytes))
        #expect([-101, -100, 99, 100].map { rules.offset(at: $0) } == [60, 120, 120, 60])
    }

    @Test func `the second block and the rule of the footer count from version 2 on`() throws {
        let rules = try #require(TimeZoneFile.rules(of: Self.file(footer: "\nEST5EDT,M3.2.0,M11.1.0\n")))
        #expect(rules.offset(at: -5_000_000_001) == 3600)
        #expect(rules.offset(at: -5_000_000_000) == -7200)
        #expect(rules.offset(at: try Self.seconds("2050-03-13T06:59:59Z")) == -18_000)
        #expect(rules.offset(at: try Self.seconds("2050-03-13T07:00:00Z")) == -14_400)
        #expect(rules.offset(at: try Self.seconds("2050-11-06T06:00:00Z")) == -18_000)
    }

    @Test(
        arguments: [
            ("\n\n", 3600, 3600), ("\nUTC0\n", 0, 0), ("\n<+0545>-5:45\n", 20_700, 20_700),
            ("\nIST-1GMT0,M10.5.0,M3.5.0/1\n", 0, 3600),
            ("\n<-02>2<-01>,M3.5.0/-1,M10.5.0/0\n", -7200, -3600),
            ("\nLHST-10:30LHDT-11,M10.1.0,M4.1.0\n", 39_600, 37_800),
        ] as [(String, Int32, Int32)]
    )
    func `footers give the rules for January and July`(
        _ footer: String,
        _ winter: Int32,
        _ summer: Int32
    ) throws {
        let rules = try #require(TimeZoneFile.rules(of: Self.file(footer: footer)))
        #expect(rules.offset(at: try Self.seconds("2040-01-15T00:00:00Z")) == winter)
        #expect(rules.offset(at: try Self.seconds("2040-07-15T00:00:00Z")) == summer)
    }

    @Test(
        arguments: [
            "", "\n", "UTC0\n", "\nUTC0", "\nUTC\n", "\n5\n", "\nUTC25\n", "\n<UTC0\n", "\nA1B\n",
            "\nA1B,M3.2.0\n",
            "\nA1B,M13.1.0,M3.1.0\n", "\nA1B,M3.0.0,M4.1.0\n", "\nA1B,M3.1.7,M4.1.0\n", "\nA1B,J1,J2\n",
            "\nA1B,M3.1.0/168,M4.1.0\n", "\nA1B,M3.1.0,M4.1.0x\n", "\nUTC99999999999999999999\n",
        ]
    )
    func `a damaged footer is refused`(_ footer: String) {
        #expect(TimeZoneFile.rules(of: Self.file(footer: footer)) == nil)
    }

    @Test func `every cut and every changed byte is survived`() {
        let bytes = Self.file(footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")
        for end in bytes.indices {
            #expect(TimeZoneFile.rules(of: Array(bytes[..<end])) == nil, "cut at \(end)")
        }
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 127, 128, 255] {
                var damaged = bytes
                damaged[index] = value
                _ = TimeZoneFile.rules(of: damaged)?.offset(at: 4_000_000_000)
            }
        }
    }

    @Test(
        arguments: [
            "", "/etc/passwd", "..", "../zoneinfo/UTC", "Europe/../UTC", "Europe//Berlin", "Europe/", ".",
            "a b",
            "Europe\0/Berlin", String(repeating: "a", count: 65), "Bérlin",
        ]
    )
    func `names that lead elsewhere are refused`(_ name: String) {
        #expect(!SystemTimeZones.isPlain(name))
        #expect(SystemTimeZones().rules(name) == nil)
    }

    private static let isSystemThere = FileManager.default.fileExists(
        atPath: SystemTimeZones.systemFolder + "/Europe/Berlin"
    )

    @Test(.enabled(if: isSystemThere, "no zones here"))
    func `agrees with the system`() throws {
        let zones = SystemTimeZones()
        for name in [
            "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kathmandu", "America/St_Johns",
            "Etc/GMT+5",
            "Europe/Dublin", "America/Nuuk",
        ] {
            let rules = try #require(zones.rules(name))
            let zone = try #require(TimeZone(identifier: name))
            for day in stride(from: Int64(0), to: 80 * 366, by: 3) {
                let seconds = day * 86_400 + day * 61
                let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
                #expect(Int(rules.offset(at: seconds)) == expected, "\(name) at \(seconds)")
            }
        }
        #expect(zones.rules("Europe/Atlantis") == nil)
        #expect(zones.rules("Europe") == nil)
    }

    @Test(.enabled(if: isSystemThere, "no zones here"))
    func `definitions know the zones of the system`() {
        let text = """
            skerry: 1
            kind: clock
            sources:
              - topic: clock/{device}
                payload: json
                signals:
                  hour: timestamp(payload.at).getHours("Europe/Berlin")
            machine:
              initial: night
              states:
                night: { always: { guard: hour >= 6, target: day } }
                day: {}
            """
        let source = DefinitionFile(path: "clock.yaml", bytes: Array(text.utf8))
        #expect(CompiledFiles([source]).hasErrors == false)
    }
}
