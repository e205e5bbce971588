import Foundation

/// The built `skerry`, run as a process of its own.
final class Program {
    /// Why a program did not do what was waited for.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var isOutputAtEnd = false
    private var areErrorsAtEnd = false
    /// What it has written so far.
    private(set) var outputText = ""
    private(set) var errorText = ""

    /// Where it lies: in the folder of the test's own executable.
    static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("skerry")
    }

    /// Starts it in the package's folder.
    ///
    /// - Parameters:
    ///   - arguments: what follows `skerry`.
    ///   - launcher: the words of a command that starts it elsewhere, from its path on.
    ///   - environment: settings beside the few that every program needs.
    ///   - input: what it reads; nothing if nil.
    ///   - outputPipe: where its standard output goes instead of to this object.
    ///   - errorFile: where its standard error goes instead of to this object.
    /// - Throws: when it is not there or can't be started.
    init(
        _ arguments: [String],
        launcher: [String] = [],
        environment: [String: String] = [:],
        input: Pipe? = nil,
        outputPipe: Pipe? = nil,
        errorFile: FileHandle? = nil
    ) throws {
        let executable = Program.executable
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw Failure(description: "\(executable.path) is not there: swift build makes it")
        }
        let words = launcher + [executable.path] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = Files.package
        let own = ProcessInfo.processInfo.environment
        var usual = ["SKERRY_STORE_PATH": "none", "SKERRY_HTTP_ADDRESS": "none"]
        // As on a terminal.
        usual["SKERRY_LOG_FORMAT"] = "text"
        usual["PATH"] = "\(own["PATH"] ?? ""):/usr/sbin"
        // A program built with a sanitizer is judged as the tests themselves.
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] { usual[name] = own[name] }
        process.environment = environment.merging(usual) { own, _ in own }
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = outputPipe ?? output
        process.standardError = errorFile ?? errors
        try process.run()
        // Only the program may hold the writing ends, or their end is never seen.
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var isRunning: Bool { process.isRunning }

    /// Its process id.
    var number: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Reads until a condition on what it has written holds; the bound is for a broken program only.
    func wait(for what: String, until isMet: (Program) -> Bool) throws {
        while !isMet(self) {
            guard try read() else {
                throw Failure(description: "it ended before \(what): \(outputText)\(errorText)")
            }
        }
    }

    /// Reads until it listens at the address of its page, which may be after it is connected to the broker.
    func waitForPage() throws { try wait(for: "its page") { $0.errorText.contains("the page is on") } }

    /// Reads until it ends by itself, and returns its exit status; a signal that ended it counts negative.
    func end() throws -> Int32 {
        while try read() {}
        process.waitUntilExit()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : -status
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String, errors: String) {
        let program = try Program(arguments, environment: environment)
        return (try program.end(), program.outputText, program.errorText)
    }

    /// Reads what it writes in so many milliseconds, if anything.
    func listen(for milliseconds: Int32) throws { _ = try read(patience: milliseconds, mustSpeak: false) }

    /// Reads once; false when there is nothing more to come.
    private func read(patience: Int32 = 300_000, mustSpeak: Bool = true) throws -> Bool {
        let open = (isOutputAtEnd ? [] : [output]) + (areErrorsAtEnd ? [] : [errors])
        var files = open.map {
            pollfd(fd: $0.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        if files.isEmpty { return false }
        let ready = poll(&files, nfds_t(files.count), patience)
        guard ready > 0 || !mustSpeak else {
            throw Failure(description: "it says nothing more: \(outputText)\(errorText)")
        }
        for file in files where file.revents != 0 {
            let isOutput = file.fd == output.fileHandleForReading.fileDescriptor
            let bytes = (isOutput ? output : errors).fileHandleForReading.availableData
            if bytes.isEmpty {
                if isOutput { isOutputAtEnd = true } else { areErrorsAtEnd = true }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if isOutput { outputText += text } else { errorText += text }
        }
        return true
    }
}
