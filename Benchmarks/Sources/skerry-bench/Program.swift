import Glibc

/// A child process, measured from outside.
final class Program {
    let process: pid_t
    /// The file with its output, complete once it has ended.
    private let outputPath: String
    private var hasEnded = false

    /// Starts a program; its output and its errors go to a file.
    init(_ path: String, _ arguments: [String], in folder: String) throws(BenchFailure) {
        outputPath = "\(folder)/output-\(getpid())-\(path.split(separator: "/").last ?? "")"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, nil, &words, environ)
        guard code == 0 else {
            throw BenchFailure("cannot start \(path): \(String(cString: strerror(code)))")
        }
        self.process = process
    }

    deinit {
        if !hasEnded { end(SIGKILL) }
        unlink(outputPath)
    }

    /// The processor time so far in nanoseconds; nil once it has ended.
    var usedTime: UInt64? { processorTime(of: process) }

    var output: String {
        guard let file = fopen(outputPath, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until the output contains some text.
    func wait(for text: String, seconds: Double) -> Bool {
        waitUntil(seconds: seconds) { output.contains(text) }
    }

    /// Waits until the program has ended by itself.
    func waitForEnd(seconds: Double) -> Bool {
        waitUntil(seconds: seconds) {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { hasEnded = true }
            return hasEnded
        }
    }

    /// Stops the program until ``resume()``.
    func pause() { kill(process, SIGSTOP) }

    /// Continues the program after ``pause()``.
    func resume() { kill(process, SIGCONT) }

    /// Ends the program and waits for its end.
    func end(_ signal: Int32 = SIGTERM) {
        guard !hasEnded else { return }
        kill(process, signal)
        if signal != SIGKILL, waitForEnd(seconds: 10) { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
    }
}

/// Waits for a condition, with checks every five milliseconds; false if the time is over first.
func waitUntil(seconds: Double, _ condition: () -> Bool) -> Bool {
    let end = wallTime() + UInt64(seconds * 1e9)
    while !condition() {
        if wallTime() > end { return false }
        usleep(5000)
    }
    return true
}
