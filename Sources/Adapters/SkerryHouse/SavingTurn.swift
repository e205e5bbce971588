import Synchronization

/// The turn to change a file: between reading and writing it, nobody else of this process does.
final class SavingTurn: Sendable {
    private let lock = Mutex(())

    /// Runs a closure when it is its turn.
    func take<Outcome: Sendable, Failure: Error>(
        _ body: () throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try lock.withLock { _ throws(Failure) in try body() }
    }
}
