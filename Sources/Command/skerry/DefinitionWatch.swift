@preconcurrency import Dispatch
import Logging
import SkerryFiles
import SkerryGateway
import Synchronization

/// Calls when files of definitions may have changed; a watch that the system ends, or does not give, is begun again.
///
/// Used on one queue, after it was made.
final class DefinitionWatch: Sendable {
    private struct State {
        /// The system's watch; nil while it failed.
        var folders: FolderWatch?
        var source: (any DispatchSourceRead)?
        /// Called after changes; nil before the start.
        var onChange: (@Sendable () -> Void)?
        /// True if some changes are not noticed, which has been logged.
        var isTroubled = false
        /// True if another attempt is planned.
        var triesAgain = false
    }

    /// The pause before a failed watch is tried again.
    private static let pause = DispatchTimeInterval.seconds(30)

    private let paths: [String]
    private let queue: DispatchQueue
    private let logger: Logger
    private let state = Mutex(State())

    /// Begins to note changes; the callback is not called before ``start(_:)``.
    init(_ paths: [String], _ queue: DispatchQueue, _ logger: Logger) {
        self.paths = paths
        self.queue = queue
        self.logger = logger
        follow()
    }

    /// Calls `onChange` after each change from now on, those since the beginning included.
    func start(_ onChange: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = onChange }
        listen()
        if state.withLock({ $0.isTroubled }) { tryAgain() }
    }

    /// Follows the folders as they are now.
    ///
    /// - Parameter others: The files that the definitions extend.
    func follow(besides others: [String] = []) {
        do throws(FileError) {
            let folders = try state.withLock { state throws(FileError) in
                if let folders = state.folders { return folders }
                let folders = try FolderWatch()
                state.folders = folders
                return folders
            }
            listen()
            try folders.follow(paths + others)
            let wasTroubled = state.withLock { state in
                defer { state.isTroubled = false }
                return state.isTroubled
            }
            if wasTroubled { logger.notice(.watchBack, "changes of definitions are noticed again") }
        } catch {
            report(error)
        }
    }

    /// Has the queue wait for changes, unless it does.
    private func listen() {
        state.withLock { state in
            guard let folders = state.folders, state.source == nil, state.onChange != nil else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: folders.descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.take(folders) }
            // The descriptor must be open until then.
            source.setCancelHandler { withExtendedLifetime(folders) {} }
            source.activate()
            state.source = source
        }
    }

    private func take(_ folders: FolderWatch) {
        do throws(FileError) {
            // The callback comes outside of the lock: reading the files calls `follow`, which takes it.
            guard try folders.wait() else { return }
            state.withLock { $0.onChange }?()
        } catch {
            state.withLock { state in
                state.source?.cancel()
                state.source = nil
                state.folders = nil
            }
            report(error)
        }
    }

    private func report(_ error: FileError) {
        let wasTroubled = state.withLock { state in
            defer { state.isTroubled = true }
            return state.isTroubled
        }
        if !wasTroubled {
            logger.warning(
                .watchLost,
                "\(error): changes of definitions may not be noticed; SIGHUP reads them, and the bridge tries again"
            )
        }
        tryAgain()
    }

    /// Tries again after a pause, also to find missed changes.
    private func tryAgain() {
        let isDue = state.withLock { state in
            guard state.onChange != nil, !state.triesAgain else { return false }
            state.triesAgain = true
            return true
        }
        guard isDue else { return }
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self else { return }
            state.withLock { $0.triesAgain = false }
            state.withLock { $0.onChange }?()
        }
    }
}
