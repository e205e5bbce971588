package import Logging
package import SkerryGateway
import SkerryPhones
package import SkerryValues
import Synchronization

/// The browsers that were let in: their sessions outlive the process, and end when an administrator ends them.
///
/// A browser keeps its token in a cookie; here is only the token's SHA-256. Changes come one after the other, and each
/// waits for its commit; readers never wait.
package final class BrowserDesk: Sendable {
    /// The number of browsers that may be let in.
    static let limit = 256
    /// The time after which the moment of the last request is stored again.
    private static let storePause = Interval.hours(1)

    private let store: (any PhoneStore)?
    private let logger: Logger?
    /// Returns whether the wall clock is right, for all that is known.
    private let clockIsRight: @Sendable () -> Bool
    private let onLoss: @Sendable (StoreFault) -> Void
    /// The lock of those who change browsers, held during the commit, too; always taken before ``state``.
    private let changing = Mutex(())
    private let state: Mutex<State>

    private struct State {
        var browsers: [Browser] = []
        /// A number that is another one after every change of who is let in.
        var version: UInt64 = 0
        var tell: (@Sendable () -> Void)?
        /// The moments of the last requests that are stored.
        var storedAt: [String: Timestamp] = [:]
        /// The browsers that were let in by this process, and those that it has seen: by its clock.
        var (letIn, seen): (Set<String>, Set<String>) = ([], [])

        mutating func forget(_ id: String) {
            storedAt[id] = nil
            letIn.remove(id)
            seen.remove(id)
        }
    }

    /// Makes a desk that forgets all browsers with the process.
    package init() {
        store = nil
        logger = nil
        clockIsRight = { true }
        onLoss = { _ in }
        state = Mutex(State())
    }

    /// Makes a desk with the browsers of the store, which keeps them beside the phones.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - logger: Where it tells people what it can't read.
    ///   - clockIsRight: Whether the wall clock is right, for all that is known; until then, none is forgotten.
    ///   - onLoss: Called with the fault when only another process can go on with the store.
    /// - Throws: ``StoreFault`` when the store can't be read.
    package init(
        _ store: any PhoneStore,
        logger: Logger,
        clockIsRight: @escaping @Sendable () -> Bool = { true },
        onLoss: @escaping @Sendable (StoreFault) -> Void = { _ in }
    ) throws(StoreFault) {
        self.store = store
        self.logger = logger
        self.clockIsRight = clockIsRight
        self.onLoss = onLoss
        var state = State()
        for image in try store.load() where image.isOfBrowser {
            do throws(ImageFault) {
                let browser = try Browser(image: image.bytes)
                state.browsers.append(browser)
                state.storedAt[browser.id] = browser.seenAt
            } catch {
                logger.warning(
                    .browserUnreadable,
                    "\(image.id): its image can't be read, \(error.message); it is left out"
                )
            }
        }
        state.browsers.sort { ($0.pairedAt, $0.id) < ($1.pairedAt, $1.id) }
        self.state = Mutex(state)
    }

    /// The browsers whose sessions go on, in the order in which they were let in.
    func browsers(at now: Timestamp) -> [Browser] {
        state.withLock { $0.browsers }.filter { $0.isAlive(at: now) }
    }

    /// The browser with an id; nil if it was not let in, or its session has ended.
    func browser(_ id: String, at now: Timestamp) -> Browser? {
        state.withLock { $0.browsers.first { $0.id == id } }.flatMap { $0.isAlive(at: now) ? $0 : nil }
    }

    /// A number that is another one after every change of who is let in.
    var version: UInt64 { state.withLock { $0.version } }

    /// Has a function called, from any thread, after each such change.
    func onChange(_ tell: @escaping @Sendable () -> Void) { state.withLock { $0.tell = tell } }

    /// Lets a browser in, in place of another one, if any; those whose sessions are long over are forgotten.
    ///
    /// When there are too many, the expendable one that was here least recently gives way.
    ///
    /// - Returns: false if there are too many; then nothing has changed.
    /// - Throws: ``StoreFault`` when it could not be stored; then nothing has changed either.
    func add(
        _ browser: Browser,
        inPlaceOf former: String? = nil,
        at now: Timestamp
    ) throws(StoreFault) -> Bool {
        let isAdded = try changing.withLock { _ throws(StoreFault) in
            let before = state.withLock { $0.browsers }
            let forgets = clockIsRight()
            var rest = before.filter { (!forgets || $0.isAlive(at: now)) && $0.id != former }
            if rest.count >= Self.limit {
                let least = rest.indices.filter { rest[$0].isExpendable }.min {
                    rest[$0].seenAt < rest[$1].seenAt
                }
                guard let least else { return false }
                rest.remove(at: least)
            }
            let removed = before.map(\.id).filter { id in !rest.contains { $0.id == id } }
            try commit([browser], removed: removed)
            state.withLock { state in
                state.browsers = rest + [browser]
                for id in removed { state.forget(id) }
                state.storedAt[browser.id] = browser.seenAt
                state.letIn.insert(browser.id)
                state.seen.insert(browser.id)
                state.version += 1
            }
            return true
        }
        if isAdded { told() }
        return isAdded
    }

    /// Ends the session of a browser, whose streams end with it.
    ///
    /// - Returns: false if there is no such browser.
    /// - Throws: ``StoreFault`` when it could not be stored; the session goes on then.
    func remove(_ id: String) throws(StoreFault) -> Bool {
        let isRemoved = try changing.withLock { _ throws(StoreFault) in
            guard state.withLock({ $0.browsers.contains { $0.id == id } }) else { return false }
            try commit([], removed: [id])
            state.withLock { state in
                state.browsers.removeAll { $0.id == id }
                state.forget(id)
                state.version += 1
            }
            return true
        }
        if isRemoved { told() }
        return isRemoved
    }

    /// Notes a request of a browser; the moment is stored once an hour.
    ///
    /// A moment that is still to come was noted while the clock ran ahead; a clock that is known to be right corrects it.
    func see(_ id: String, at now: Timestamp) {
        let isRight = clockIsRight()
        let due: Browser? = state.withLock { state in
            guard let place = state.browsers.firstIndex(where: { $0.id == id }) else { return nil }
            let seenAt = isRight ? now : max(now, state.browsers[place].seenAt)
            state.browsers[place].seenAt = seenAt
            if seenAt == now { state.seen.insert(id) }
            guard let storedAt = state.storedAt[id], seenAt < storedAt || seenAt - storedAt >= Self.storePause
            else { return nil }
            state.storedAt[id] = seenAt
            return state.browsers[place]
        }
        guard let due else { return }
        changing.withLock { _ in
            if state.withLock({ $0.browsers.contains { $0.id == id } }) { storeMoments(of: [due]) }
        }
    }

    /// Moves the moments that were noted by a clock that has been set since; those of earlier processes stay.
    ///
    /// Without this, a browser that was let in before the clock was right would be one that has not come for years.
    package func clockMoved(by length: Interval) {
        changing.withLock { _ in
            let moved = state.withLock { state in
                for place in state.browsers.indices {
                    let browser = state.browsers[place]
                    if state.letIn.contains(browser.id) {
                        state.browsers[place].pairedAt = browser.pairedAt + length
                    }
                    guard state.seen.contains(browser.id) else { continue }
                    state.browsers[place].seenAt = browser.seenAt + length
                    state.storedAt[browser.id] = browser.seenAt + length
                }
                return state.browsers.filter { state.seen.contains($0.id) }
            }
            if !moved.isEmpty { storeMoments(of: moved) }
        }
    }

    /// Makes the moments of browsers durable; for those who hold ``changing``.
    private func storeMoments(of browsers: [Browser]) {
        do throws(StoreFault) {
            try commit(browsers, removed: [])
        } catch {
            let names = browsers.map { "'\($0.name)'" }.joined(separator: ", ")
            logger?.warning(
                .browserNotStored,
                "the last visit of \(names) is not stored: \(error.message)"
            )
        }
    }

    /// Makes changes durable; for those who hold ``changing``.
    private func commit(_ browsers: [Browser], removed: [String]) throws(StoreFault) {
        do throws(StoreFault) {
            try store?.commit(
                browsers.map { PhoneImage(ofBrowser: $0.id, bytes: $0.image) },
                removed: removed.map { PhoneImage.id(ofBrowser: $0) }
            )
        } catch {
            if error.endsProcess { onLoss(error) }
            throw error
        }
    }

    private func told() { state.withLock { $0.tell }?() }
}
