import Glibc

/// Runs a body on a thread of its own that takes no signals, so that they go to the main thread.
///
/// `top -H` and a debugger show the name, of at most 15 bytes.
///
/// - Returns: false if the system refuses a thread.
public func runOnThread(named name: String, _ body: sending @escaping () -> Void) -> Bool {
    var signals = sigset_t()
    var former = sigset_t()
    sigfillset(&signals)
    // Faults of the thread itself must reach it, or a crash leaves no trace.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    // A thread inherits the mask of the one that makes it; set by itself, it would have a moment without.
    pthread_sigmask(SIG_SETMASK, &signals, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let task = Unmanaged.passRetained(ThreadBody(name: name, body: body))
    guard pthread_create(&thread, nil, threadMain, task.toOpaque()) == 0 else {
        task.release()
        return false
    }
    pthread_detach(thread)
    return true
}

private final class ThreadBody {
    let name: String
    let body: () -> Void

    init(name: String, body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let task = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
    nameThread(task.name)
    task.body()
    return nil
}

/// Names the calling thread by the file that the kernel has for it, because Swift can't call `prctl`, which is variadic.
private func nameThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    var name = name
    _ = name.withUTF8 { write(file, $0.baseAddress, $0.count) }
    close(file)
}
