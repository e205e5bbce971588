@preconcurrency package import Dispatch
import Glibc
package import SkerryValues

/// Signals, caught until the process ends.
///
/// A dispatch source for signals would not do: when it is cancelled, a signal that it has not yet taken from the main
/// thread ends the process, with a status other than 0.
package enum Signals {
    /// A pipe from a handler, which may do hardly anything, to the rest of the program.
    private static let stopEnds = ends()
    private static let hangUpEnds = ends()

    /// Calls `stop` when the first SIGTERM or SIGINT comes, from a thread of its own; later ones change nothing.
    package static func onStop(_ stop: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: stopEnds.read, queue: .global())
        source.setEventHandler {
            source.cancel()
            stop()
        }
        source.activate()
        catchStop()
    }

    /// Keeps SIGTERM and SIGINT from ending the process: ``onStop(_:)`` hears of one that comes from now on.
    package static func catchStop() {
        for number in [SIGTERM, SIGINT] { handle(number) { _ in Signals.note(Signals.stopEnds.write) } }
    }

    /// Waits for SIGTERM or SIGINT; also ``onStop(_:)`` hears of one that came meanwhile.
    ///
    /// - Returns: whether one has come.
    package static func isStopAsked(within limit: Interval) -> Bool {
        catchStop()
        var file = pollfd(fd: stopEnds.read, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, Int32(clamping: limit.microseconds / 1000)) > 0
    }

    /// Calls `act` on a queue when a SIGHUP has come, once for several that come at once.
    package static func onHangUp(_ queue: DispatchQueue, _ act: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: hangUpEnds.read, queue: queue)
        source.setEventHandler {
            guard !source.isCancelled else { return }
            var bytes = [UInt8](repeating: 0, count: 256)
            _ = read(hangUpEnds.read, &bytes, bytes.count)
            act()
        }
        source.activate()
        handle(SIGHUP) { _ in Signals.note(Signals.hangUpEnds.write) }
    }

    private static func ends() -> (read: Int32, write: Int32) {
        var files: [Int32] = [-1, -1]
        if pipe(&files) != 0 {
            Terminal.complain(
                "skerry: this process may open too few files: raise the limit (ulimit -n, LimitNOFILE)\n"
            )
            exit(EX_UNAVAILABLE)
        }
        return (files[0], files[1])
    }

    private static func note(_ file: Int32) {
        // The code that the signal interrupts may be about to read it.
        let former = errno
        var byte: UInt8 = 1
        _ = Glibc.write(file, &byte, 1)
        errno = former
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }
}
