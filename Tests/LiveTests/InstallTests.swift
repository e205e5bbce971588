import Foundation
import Testing

/// What `scripts/install` puts where, with the built program in an archive.
@Suite("scripts/install")
struct InstallTests {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("skerry-install-\(ProcessInfo.processInfo.globallyUniqueString)")

    /// Runs the script of an archive that has the built program.
    private func install(_ options: String...) throws {
        let archive = folder.appendingPathComponent("archive")
        let files = FileManager.default
        if !files.fileExists(atPath: archive.path) {
            for name in ["bin", "scripts", "packaging"] {
                try files.createDirectory(
                    at: archive.appendingPathComponent(name),
                    withIntermediateDirectories: true
                )
            }
            let names = [
                "scripts/install", "packaging/skerry.service", "packaging/skerry.yaml",
                "packaging/monitoring", "devices",
            ]
            for name in names {
                let target = archive.appendingPathComponent(name)
                try files.copyItem(at: Files.package.appendingPathComponent(name), to: target)
            }
            try files.createSymbolicLink(
                at: archive.appendingPathComponent("bin/skerry"),
                withDestinationURL: Program.executable
            )
        }
        let process = Process()
        process.executableURL = archive.appendingPathComponent("scripts/install")
        process.arguments = options + ["--destdir", folder.appendingPathComponent("root").path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// The installed files by their paths from the root.
    private func installed() throws -> [String] {
        let root = folder.appendingPathComponent("root")
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: root.appendingPathComponent($0).path,
                isDirectory: &isFolder
            )
            return !isFolder.boolValue
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("root/\(path)"), encoding: .utf8)
    }

    @Test(
        "every unit and the settings have the paths of the prefix; --uninstall leaves settings and definitions",
        arguments: ["/usr", "/srv/a|b & c"]
    )
    func prefix(_ prefix: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try install("--prefix", prefix)
        let units = ["skerry", "skerry@", "skerry-front"].map {
            "\(prefix.dropFirst())/lib/systemd/system/\($0).service"
        }
        for unit in units {
            #expect(try text(unit).contains("\nExecStart=\(prefix)/bin/skerry "), "\(unit)")
        }
        #expect(try text("etc/skerry/skerry.yaml").contains(" \(prefix)/share/skerry/devices\n"))
        for path in units + ["etc/skerry/skerry.yaml"] where prefix != "/usr" {
            let others = try text(path).matches(of: /\/usr\/(?:bin|share)\//)
            #expect(others.isEmpty, "\(path)")
        }
        let monitoring = try installed().filter { $0.contains("/share/skerry/monitoring/") }
        #expect(
            Set(monitoring.compactMap { $0.split(separator: "/").last }) == [
                "skerry.rules.yaml", "skerry.rules.test.yaml", "skerry.dashboard.json",
            ]
        )
        let own = folder.appendingPathComponent("root/etc/skerry/devices/own.yaml")
        try Data("kind: own\n".utf8).write(to: own)
        #expect(try installed().count > 60)
        try install("--prefix", prefix, "--uninstall")
        #expect(try Set(installed()) == ["etc/skerry/devices/own.yaml", "etc/skerry/skerry.yaml"])
    }
}
