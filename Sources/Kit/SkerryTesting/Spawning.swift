import Glibc

/// The reason for which a program could not be started.
struct SpawnFault: Error, CustomStringConvertible {
    let description: String
}

/// Starts a program in the background.
///
/// - Parameters:
///   - words: The program, looked for on PATH unless it has a slash, and its arguments.
///   - output: The file to which everything it prints is appended.
/// - Returns: Its process.
/// - Throws: A fault if it can't be started.
func spawn(_ words: [String], to output: String) throws(SpawnFault) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // A parent that blocks signals, as some of our threads do, must not hand that on. A process group of its own
    // keeps Ctrl-C on a terminal from ending the program before those who use it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else {
        throw SpawnFault(description: "cannot start \(words[0]): \(String(cString: strerror(code)))")
    }
    return process
}

/// Removes a folder with all that is in it.
func removeFolder(_ path: String) {
    guard let process = try? spawn(["rm", "-rf", path], to: "/dev/null") else { return }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
}
