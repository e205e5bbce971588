import Foundation
import Testing

/// What `scripts/release` demands before it makes anything.
@Suite("scripts/release", .enabled(if: Repository.hasGit, "needs git"))
struct ReleaseTests {
    private let repository: Repository

    init() throws { repository = try Repository() }

    @Test("a release is made of a tested commit with something new, and has a number above the last one")
    func demands() throws {
        defer { repository.remove() }
        try repository.write("# Changelog\n\n## [Unreleased]\n\n- A kettle.\n", to: "CHANGELOG.md")
        try repository.commit()
        #expect(try repository.release("0.2.0").text.contains("scripts/test has not passed"))
        try repository.pass()
        for (version, reason) in [
            ("0.2", "is no version"), ("01.2.0", "is no version"), ("0.2.0-beta", "is no version"),
            ("0.1.0", "is not above 0.1.0"), ("0.1.0-rc1", "is not above 0.1.0"),
            ("0.0.9", "is not above 0.1.0"),
        ] {
            let refused = try repository.release(version)
            #expect(refused.status == 1 && refused.text.contains(reason), "\(version): \(refused.text)")
        }
        for version in ["0.1.1", "0.2.0-rc1", "0.10.0", "1.0.0"] {
            let possible = try repository.release(version)
            #expect(
                possible.status == 0 && possible.text.contains("- A kettle."),
                "\(version): \(possible.text)"
            )
        }
        try repository.run("/usr/bin/env", "git", "tag", "v2.0.0")
        try repository.write("# Changelog\n\n## [Unreleased]\n\n- A toaster.\n", to: "CHANGELOG.md")
        try repository.run("/usr/bin/env", "git", "checkout", "--quiet", "--orphan", "other")
        try repository.commit()
        try repository.pass()
        #expect(try repository.release("2.0.0").text.contains("there is a tag v2.0.0 already"))
        #expect(try repository.release("1.9.0").status == 0)
        try repository.write("more\n", to: "CHANGELOG.md.orig")
        #expect(try repository.release("0.2.0").text.contains("?? CHANGELOG.md.orig"))
    }

    @Test("after a candidate comes its release, and then only what is new")
    func order() throws {
        defer { repository.remove() }
        try repository.write("## [Unreleased]\n\n- A kettle.\n", to: "CHANGELOG.md")
        try repository.commit()
        try repository.pass()
        try repository.run("/usr/bin/env", "git", "tag", "v1.2.0-rc2")
        for (version, status) in [("1.2.0-rc2", 1), ("1.2.0-rc1", 1), ("1.2.0-rc10", 0), ("1.2.0", 0)] {
            #expect(try repository.release(version).status == status, "\(version)")
        }
        try repository.write(
            "## [Unreleased]\n\n## [1.2.0] - 2026-11-28\n\n- A kettle.\n",
            to: "CHANGELOG.md"
        )
        try repository.commit()
        try repository.pass()
        #expect(try repository.release("1.2.0").text.contains("nothing under Unreleased"))
    }
}

/// A repository with nothing but what the script reads.
private struct Repository {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("skerry-release-\(ProcessInfo.processInfo.globallyUniqueString)")

    static var hasGit: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/git")
        }
    }

    init() throws {
        let scripts = folder.appendingPathComponent("scripts")
        try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
        for name in ["release", "version"] {
            try FileManager.default.copyItem(
                at: Files.package.appendingPathComponent("scripts/\(name)"),
                to: scripts.appendingPathComponent(name)
            )
        }
        try write(".build\n", to: ".gitignore")
        try run("/usr/bin/env", "git", "init", "--quiet")
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func commit() throws {
        try run("/usr/bin/env", "git", "add", "--all")
        try run(
            "/usr/bin/env",
            "git",
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit",
            "--quiet",
            "-m",
            "all"
        )
    }

    /// Leaves what `scripts/test` leaves when everything has passed.
    func pass() throws {
        try write(try run("/usr/bin/env", "git", "rev-parse", "HEAD").text, to: ".build/test-logs/passed")
    }

    func release(_ version: String) throws -> (status: Int32, text: String) {
        try run(folder.appendingPathComponent("scripts/release").path, "--dry-run", version)
    }

    @discardableResult
    func run(_ command: String...) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SKERRY_VERSION": ""],
            uniquingKeysWith: { $1 }
        )
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
