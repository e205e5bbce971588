import Foundation

/// A command line that runs in a folder; what it writes to both of its outputs is kept in one text.
final class Shell {
    /// Why a command did not do what was waited for.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let process = Process()
    private let pipe = Pipe()
    private let command: String
    private var output = ""
    /// How much of the output was waited for already.
    private var seen = 0
    private var isAtEnd = false

    /// What has come since the last wait.
    var news: String { String(output.dropFirst(seen)) }

    /// Starts a command line of bash.
    ///
    /// - Parameters:
    ///   - command: The command line.
    ///   - folder: Where it runs.
    ///   - settings: What is added to the environment.
    /// - Throws: When it can't be started.
    init(_ command: String, in folder: URL, _ settings: [String: String]) throws {
        self.command = command
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        // Only the command may hold the writing end, or its end is never seen.
        try pipe.fileHandleForWriting.close()
    }

    deinit { signal(SIGKILL) }

    /// Signals all processes of the command line, as a terminal does.
    func signal(_ number: Int32) {
        guard process.isRunning else { return }
        let isGroup = getpgid(process.processIdentifier) == process.processIdentifier
        kill(isGroup ? -process.processIdentifier : process.processIdentifier, number)
    }

    /// Reads until what has come begins with the expected lines; the bound is for a command that does not.
    func wait(for expected: ExpectedOutput) throws {
        while true {
            if let length = expected.lengthAtStart(of: news) {
                seen += length
                return
            }
            guard !expected.isMissed(by: news) else {
                throw Failure(description: "\(command) says something else: \(news)")
            }
            guard try read() else { throw Failure(description: "\(command) ended after: \(news)") }
        }
    }

    /// Reads until it ends by itself, and returns its exit status.
    func end() throws -> Int32 {
        while try read() {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Reads once; false when there is nothing more to come.
    private func read() throws -> Bool {
        if isAtEnd { return false }
        let handle = pipe.fileHandleForReading
        var file = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&file, 1, 300_000) > 0 else {
            throw Failure(description: "\(command) says nothing more after: \(news)")
        }
        let bytes = handle.availableData
        isAtEnd = bytes.isEmpty
        output += String(decoding: bytes, as: UTF8.self)
        return !isAtEnd
    }
}

/// Lines of output as a page shows them: `…` stands for anything in a line, alone for any lines.
struct ExpectedOutput {
    private let pattern: String
    /// How many lines these are; nil when it may be any number.
    private let count: Int?

    init(_ lines: [String]) {
        count = lines.contains("…") ? nil : lines.count
        pattern = lines.map { line in
            if line == "…" { return "(?:[^\\n]*\\n)*?" }
            let pieces = line.components(separatedBy: "…")
            return pieces.map { NSRegularExpression.escapedPattern(for: $0) }.joined(separator: "[^\\n]*")
                + "\\n"
        }
        .joined()
    }

    /// Whether a text that does not begin with these lines never will, whatever comes behind it.
    func isMissed(by text: String) -> Bool {
        guard let count, lengthAtStart(of: text) == nil else { return false }
        return text.count { $0 == "\n" } >= count
    }

    /// Whether a text is just this.
    func isWhole(_ text: String) -> Bool {
        length(of: text, pattern + "$", whole: true) != nil
    }

    /// How many characters of a text these lines are, when it begins with them.
    func lengthAtStart(of text: String) -> Int? { length(of: text, pattern, whole: false) }

    private func length(of text: String, _ pattern: String, whole: Bool) -> Int? {
        guard let expression = try? NSRegularExpression(pattern: "\\A" + pattern + (whole ? "\\z" : "")),
            let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
            let range = Range(match.range, in: text)
        else { return nil }
        return text.distance(from: range.lowerBound, to: range.upperBound)
    }
}
