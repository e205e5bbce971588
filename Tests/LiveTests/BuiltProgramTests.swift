import Foundation
import Testing

/// The built program as a file.
@Suite("The built program")
struct BuiltProgramTests {
    /// The types and flags of the segments in the program header of an ELF file with 64 bits.
    private func segments(of path: URL) throws -> [(type: UInt32, flags: UInt32)] {
        let file = try Data(contentsOf: path, options: .alwaysMapped)
        func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
            file[place..<place + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
        }
        try #require(file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]))
        let start = Int(number(UInt64.self, at: 32))
        let size = Int(number(UInt16.self, at: 54))
        return (0..<Int(number(UInt16.self, at: 56))).map { index in
            let place = start + index * size
            return (number(UInt32.self, at: place), number(UInt32.self, at: place + 4))
        }
    }

    @Test("has a stack that is not executable: under MemoryDenyWriteExecute it could not make threads")
    func stack() throws {
        let stacks = try segments(of: Program.executable).filter { $0.type == 0x6474_E551 }
        #expect(stacks.count == 1)
        // Readable and writable.
        #expect(stacks.first?.flags == 0b110)
    }

    @Test("has no segment that is both writable and executable")
    func writable() throws {
        #expect(try segments(of: Program.executable).allSatisfy { $0.flags & 0b11 != 0b11 })
    }
}

/// The version that the scripts give a build.
@Suite("scripts/version")
struct VersionTests {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("skerry-version-\(ProcessInfo.processInfo.globallyUniqueString)")

    /// Runs a command line in a repository of its own, and returns what it prints.
    private func run(_ command: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-euc", command]
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_COMMITTER_DATE": "2026-03-01T23:30:00-0200",
        ]
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private func repository() throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("scripts"),
            withIntermediateDirectories: true
        )
        for name in ["scripts/version", ".gitattributes"] {
            let target = folder.appendingPathComponent(name)
            try FileManager.default.copyItem(at: Files.package.appendingPathComponent(name), to: target)
        }
    }

    @Test("names tag, day, number and commit, and a later commit has a later one")
    func versions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try repository()
        var versions = [try run("scripts/version")]
        _ = try run("git init -q . && git add -A && git commit -qm one")
        versions.append(try run("scripts/version"))
        #expect(
            versions[1].wholeMatch(of: /\d+\.\d+\.\d+\+20260302\.1\.g[0-9a-f]{7,}/) != nil,
            "\(versions[1])"
        )
        _ = try run("git commit -q --allow-empty -m two")
        versions.append(try run("scripts/version"))
        _ = try run("git tag v7.1.0")
        #expect(try run("scripts/version") == "7.1.0")
        versions.append("7.1.0")
        _ = try run("git commit -q --allow-empty -m three && echo >>scripts/version")
        let changed = try run("scripts/version")
        #expect(changed.wholeMatch(of: /7\.1\.0\+20260302\.3\.g[0-9a-f]{7,}\.changed/) != nil, "\(changed)")
        versions.append(changed)
        guard try run("command -v dpkg || true") != "" else { return }
        for (former, later) in zip(versions, versions.dropFirst()) {
            #expect(try run("dpkg --compare-versions '\(former)' lt '\(later)' && echo yes") == "yes")
        }
    }

    @Test("is the same in an archive of the source, but for the number")
    func archive() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try repository()
        _ = try run(
            "git init -q . && git add -A && git commit -qm one && git archive HEAD | tar -x --one-top-level=copy"
        )
        let version = try run("scripts/version")
        #expect(try run("mv .git git && copy/scripts/version") == version.replacing(".1.g", with: ".0.g"))
    }

    @Test("is what the program and its manual say")
    func program() throws {
        let program = try Program(["--version"])
        #expect(try program.end() == 0)
        #expect(program.outputText.wholeMatch(of: /(?:development|[0-9][0-9A-Za-z.+~-]*)\n/) != nil)
    }
}
