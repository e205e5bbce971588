import Synchronization

/// Counts the bodies of more than the usual size, so that they can't fill the memory together.
final class LargeBodies: Sendable {
    /// The number that may arrive at the same time.
    private static let limit = 8

    private let count = Mutex(0)

    /// The place of one such body, free again when it is released.
    final class Place: Sendable {
        private let owner: LargeBodies

        fileprivate init(of owner: LargeBodies) { self.owner = owner }

        deinit {
            owner.count.withLock { count in
                count -= 1
                assert(count >= 0, "a place is given back twice")
            }
        }
    }

    /// A place for a body; nil when all are taken.
    func takePlace() -> Place? {
        let isFree = count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(of: self) : nil
    }
}
