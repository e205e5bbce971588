package import ArgumentParser
import Glibc

/// A command of `skerry` that a program of its own carries out, `skerry-NAME`: the daemon links nothing that only it needs.
///
/// `skerry` reads its arguments, so that help, manual and completions have them, and then puts the program in its own
/// place, which reads them again.
package protocol ProgramCommand: ParsableCommand {
    /// The program, such as `skerry-demo`.
    static var program: String { get }
    /// The folder of the package that builds the program, seen from a clone; nil for the clone itself.
    static var packageFolder: String? { get }
}

extension ProgramCommand {
    package static var packageFolder: String? { nil }

    /// Puts the program in the place of this process: the one beside `skerry`, else the one on PATH.
    ///
    /// - Throws: an exit code when there is none.
    package func run() throws {
        let name = Self.program
        // The first word is skerry, the second one the command.
        var words = ([name] + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        if readlink("/proc/self/exe", &path, Int(PATH_MAX)) > 0, let slash = path.lastIndex(of: 0x2F) {
            let folder = String(decoding: path[...slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            execv(folder + name, &words)
        }
        execvp(name, &words)
        let fault = errno
        let place = Self.packageFolder.map { "--package-path \($0) " } ?? ""
        let reason =
            fault == ENOENT
            ? """
            there is no \(name) beside skerry or on PATH: install the package skerry-workshop, or build it with \
            'swift build \(place)-c release --product \(name)'
            """
            : "\(name) can't be run: \(String(cString: strerror(fault)))"
        Terminal.complain("skerry: \(reason)\n")
        throw ExitCode.unavailable
    }
}
