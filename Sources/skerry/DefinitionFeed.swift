@preconcurrency import Dispatch
import Logging
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGateway
import Synchronization

/// The definitions of a bridge, read again while it runs: on SIGHUP, and when their files have changed.
///
/// If a file has an error, all definitions stay in force, and the log reports the error.
///
/// See docs/decisions/0025-changed-definitions.md.
final class DefinitionFeed: Sendable {
    private struct State {
        /// The files whose definitions are in force.
        var files: [CompiledFiles.File]
        /// The texts that were read last, whatever came of them, by path.
        var seen: [String: String]
        /// Why they could not be read the last time.
        var refusal: FileError?
    }

    private let paths: [String]
    private let limits: DeviceLimits
    private let logger: Logger
    private let mailbox: DefinitionMailbox
    private let watch: DefinitionWatch
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "skerry.definitions")

    /// Reads the definitions for the first time; their problems go to standard error.
    ///
    /// - Throws: an exit code when a file can't be read, has errors, or there is none.
    init(_ paths: [String], limits: DeviceLimits, mailbox: DefinitionMailbox, logger: Logger) throws {
        self.paths = paths
        self.limits = limits
        self.mailbox = mailbox
        self.logger = logger
        // The watch begins before the files are read, so that later changes are noticed.
        watch = DefinitionWatch(paths, queue, logger)
        let compiled = try DefinitionLoading.loadFiles(paths, limits: limits)
        state = Mutex(State(files: compiled.files, seen: compiled.texts))
    }

    /// The definitions in force.
    var definitions: [Definition] { state.withLock { $0.files.compactMap { $0.definition } } }

    /// The files whose definitions are in force.
    var files: [CompiledFiles.File] { state.withLock { $0.files } }

    /// Reads again from now on; `wake` is called when there is something in the mailbox.
    func start(_ wake: @escaping @Sendable () -> Void) {
        Signals.onHangUp(queue) { [self] in read(isAsked: true, wake) }
        queue.async { [self] in watch.start { [self] in read(isAsked: false, wake) } }
    }

    /// Reads the files and hands over the changes; silent if there are none and nobody asked.
    private func read(isAsked: Bool, _ wake: () -> Void) {
        // Before the files are read, as at the start; folders may be others than before.
        watch.follow()
        let compiled: CompiledFiles
        do throws(FileError) {
            compiled = try CompiledFiles(paths, limits: limits)
        } catch {
            let isTold = state.withLock { state in
                defer { state.refusal = error }
                return state.refusal == error
            }
            if isAsked || !isTold { refuse(["\(error)"], wake) }
            return
        }
        let isSeen = state.withLock { state in
            defer { state.seen = compiled.texts }
            defer { state.refusal = nil }
            return state.seen == compiled.texts && state.refusal == nil
        }
        if isSeen, !isAsked { return }
        if compiled.files.isEmpty {
            refuse(["there is no definition (*.yaml) in \(paths.joined(separator: ", "))"], wake)
        } else if compiled.hasErrors {
            refuse(compiled.files.flatMap { $0.lines(.error) }, wake)
        } else {
            take(compiled, wake)
        }
    }

    private func take(_ compiled: CompiledFiles, _ wake: () -> Void) {
        let (definitions, warnings) = state.withLock { state in
            let former = state.files
            var warnings: [String] = []
            state.files = compiled.files.map { file in
                if let same = former.first(where: { $0.source.text == file.source.text }) {
                    var file = file
                    file.definition = same.definition
                    return file
                }
                warnings += file.lines(.warning)
                return file
            }
            return (state.files.compactMap { $0.definition }, warnings)
        }
        for line in warnings { logger.warning("\(line)") }
        mailbox.put(definitions)
        wake()
    }

    private func refuse(_ problems: [String], _ wake: () -> Void) {
        for line in problems { logger.error("\(line)") }
        mailbox.refuse("the changed definitions can't be used; the former ones stay in force")
        wake()
    }
}

extension CompiledFiles {
    /// The texts of all files, by path.
    var texts: [String: String] {
        Dictionary(files.map { ($0.source.path, $0.source.text) }) { first, _ in first }
    }
}

extension CompiledFiles.File {
    /// Its problems of a severity, one in each line.
    fileprivate func lines(_ severity: DefinitionProblem.Severity) -> [String] {
        problems.filter { $0.severity == severity }.prefix(DiagnosticPrinter.warningLimit).map { problem in
            let place = "\(source.path):\(problem.place.line):\(problem.place.column)"
            let help = problem.remedy.map { "; \($0)" } ?? ""
            return "\(place): \(severity): \(problem.message)\(help) [\(problem.code.name)]"
        }
    }
}
