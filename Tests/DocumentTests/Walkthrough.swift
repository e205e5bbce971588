import Foundation
import SkerryTesting

/// A reader who does what a page says, from top to bottom: writes its files, types its commands, looks at their output.
///
/// A block `yaml file=washer.yaml` is a file, `mermaid graph=washer.yaml` what `skerry graph` draws of it. A block
/// `console` has commands after `$`, each with its whole output; `status=1` says how the last of them ends. A block
/// `console terminal=name` stays in a terminal of its own: its command goes on, its output is waited for, and `^C` ends
/// it.
final class Walkthrough {
    private let page: Page
    private let folder: URL
    private let settings: [String: String]
    private let port: String
    private var terminals: [String: Shell] = [:]
    /// What was not as the page says.
    private(set) var findings: [String] = []

    /// The port that pages use for a broker of their own; here another one that is free.
    static let port = "1884"

    init(_ page: Page) throws {
        self.page = page
        port = String(try Broker.findFreePort())
        folder = FileManager.default.temporaryDirectory.appending(path: "skerry-page-\(UUID().uuidString)")
        let programs = folder.appending(path: ".programs")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        for program in [Self.skerry, Self.importer] {
            try FileManager.default.createSymbolicLink(
                at: programs.appending(path: program.lastPathComponent),
                withDestinationURL: program
            )
        }
        for name in ["Tests", "Workshop", "devices"] {
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: name),
                withDestinationURL: Page.root.appending(path: name)
            )
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        settings = [
            "PATH": "\(programs.path):\(path):/usr/sbin", "TZ": "UTC",
            // As on a terminal.
            "SKERRY_LOG_FORMAT": "text",
            // Bridges of several tests at once can't have the same port.
            "SKERRY_HTTP_ADDRESS": "none",
            "XDG_STATE_HOME": folder.appending(path: "state").path,
        ]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The built programs: in the folder of the test's own executable.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    private static let skerry = programs.appending(path: "skerry")
    private static let importer = programs.appending(path: "skerry-import")

    /// Whether the workshop has been built, too.
    static var hasImporter: Bool { FileManager.default.isExecutableFile(atPath: importer.path) }

    /// Whether there is all that the pages use beside `skerry`.
    static var hasPrograms: Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return Broker.isAvailable
            && ["mosquitto_pub", "mosquitto_sub", "python3"].allSatisfy { name in
                folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
            }
    }

    /// Does everything, until something can't be done.
    func run() throws {
        for block in page.blocks {
            let text = block.text.replacing(Self.port, with: port)
            if let name = block.option("file") {
                try Data(text.utf8).write(to: folder.appending(path: name))
            } else if let definition = block.option("graph") {
                try type(
                    ["$ skerry graph \(definition)"] + Self.lines(of: text),
                    status: 0,
                    line: block.line - 1
                )
            } else if block.language == "console" {
                let lines = Self.lines(of: text)
                if let name = block.option("terminal") {
                    try watch(name, lines)
                } else {
                    let status = block.option("status").flatMap { Int32($0) } ?? 0
                    try type(lines, status: status, line: block.line)
                }
            }
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Runs a command line to its end.
    func output(of command: String) throws -> (text: String, status: Int32) {
        let shell = try Shell(command, in: folder, settings)
        let status = try shell.end()
        return (shell.news, status)
    }

    private func type(_ lines: [String], status: Int32, line: Int) throws {
        let starts = lines.indices.filter { lines[$0].hasPrefix("$ ") }
        for (number, start) in starts.enumerated() {
            let isLast = number + 1 == starts.count
            let end = isLast ? lines.endIndex : starts[number + 1]
            let (text, actual) = try output(of: String(lines[start].dropFirst(2)))
            let isExpected = ExpectedOutput(Array(lines[(start + 1)..<end])).isWhole(text)
            if !isExpected { findings.append("\(page.path):\(line + start): \(lines[start])\n\(text)") }
            let expected = isLast ? status : 0
            if actual != expected { findings.append("\(page.path):\(line + start): exit status \(actual)") }
        }
    }

    private func watch(_ name: String, _ lines: [String]) throws {
        var lines = lines[...]
        if let first = lines.first, first.hasPrefix("$ ") {
            terminals[name] = try Shell(String(first.dropFirst(2)), in: folder, settings)
            lines = lines.dropFirst()
        }
        guard let terminal = terminals[name] else {
            throw Shell.Failure(description: "nothing runs in the terminal \(name)")
        }
        let parts = lines.split(separator: "^C", maxSplits: 1, omittingEmptySubsequences: false)
        try terminal.wait(for: ExpectedOutput(Array(parts[0])))
        guard parts.count > 1 else { return }
        terminal.signal(SIGINT)
        try terminal.wait(for: ExpectedOutput(Array(parts[1])))
        _ = try terminal.end()
        terminals[name] = nil
    }
}

extension Page.Block {
    /// The value of an option behind the opening quotes, such as `file=washer.yaml`.
    func option(_ name: String) -> String? {
        info.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
