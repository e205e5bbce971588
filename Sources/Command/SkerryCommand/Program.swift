package import ArgumentParser
import Glibc

/// The root command of a program: how it reads its arguments, and how it ends.
extension ParsableCommand {
    /// Reads the arguments of this process; ends it where they are wrong.
    ///
    /// Before that, all signals are let through, as daemon(7) asks: a parent such as a worker thread of libdispatch may have
    /// blocked them, and then Ctrl-C would do nothing.
    package static func readArguments() -> any ParsableCommand {
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        do {
            return try parseAsRoot()
        } catch {
            say(error)
        }
    }

    /// Ends the process with what the library has to say: help, a version, or what is wrong with the arguments.
    private static func say(_ error: any Error) -> Never {
        guard exitCode(for: error).isSuccess else { exit(withError: error) }
        // The library would not notice that nobody can be told.
        Terminal.write(Array("\(fullMessage(for: error))\n".utf8))
        exit(withError: ExitCode.success)
    }

    /// Ends the process after an error of a command that was read: with its message and its exit status.
    package static func end(_ command: any ParsableCommand.Type, with error: any Error) -> Never {
        switch error {
        case let error as ValidationError:
            // The library would show the usage of the program itself.
            Terminal.complain("skerry: \(error.message)\n\(usageString(for: command))\n")
            exit(withError: ExitCode.validationFailure)
        case _ where fullMessage(for: error).isEmpty:
            exit(withError: error)
        case _ where exitCode(for: error).isSuccess:
            say(error)
        default:
            Terminal.complain("skerry: \(message(for: error))\n")
            exit(withError: exitCode(for: error))
        }
    }
}
