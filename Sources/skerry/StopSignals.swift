@preconcurrency import Dispatch
import Glibc

/// SIGTERM and SIGINT, caught until the process ends.
///
/// A dispatch source for signals would not do: when it goes, the signal that it has not yet taken from the main thread
/// ends the process, with another status than 0.
enum StopSignals {
    /// A pipe from the handler, which may do hardly anything, to the rest of the program.
    private static let ends: (read: Int32, write: Int32) = {
        var files: [Int32] = [-1, -1]
        precondition(pipe(&files) == 0, "no pipe for signals: the process has too many files open")
        return (files[0], files[1])
    }()

    /// Calls `stop` when the first of them comes, from a thread of its own; later ones change nothing.
    static func onFirst(_ stop: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: ends.read, queue: .global())
        source.setEventHandler {
            source.cancel()
            stop()
        }
        source.activate()
        for number in [SIGTERM, SIGINT] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in
                let former = errno
                var byte: UInt8 = 1
                _ = Glibc.write(StopSignals.ends.write, &byte, 1)
                errno = former
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }
}
