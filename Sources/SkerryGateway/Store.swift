/// The port to whatever keeps things over a restart.
///
/// A batch of messages is one commit. Only after it the messages are acknowledged, and only then anything is sent.
public protocol Store {
    /// What was committed to be sent and has not been settled, in order.
    func pendingPublications() -> [Publication]

    /// Makes a batch durable, all of it or nothing.
    ///
    /// - Throws: ``StoreFault`` when it could not; the same changes come again with the next commit.
    mutating func commit(_ changes: StoreChanges) throws(StoreFault)
}

/// What one batch changed.
public struct StoreChanges: Sendable {
    /// Publications to be sent, in order.
    public var enqueued: [Publication] = []
    /// Publications of earlier commits, by their ids, that need not be sent any more.
    public var settled: [UInt64] = []

    /// No change.
    public init() {}

    /// Whether there is nothing to commit.
    public var isEmpty: Bool { enqueued.isEmpty && settled.isEmpty }
}

/// Why a commit failed.
public struct StoreFault: Error, Hashable, Sendable {
    /// What happened and what to do, one line.
    public var message: String

    /// Makes a fault.
    public init(_ message: String) {
        self.message = message
    }
}

/// A store that forgets everything when the process ends.
public struct MemoryStore: Store, Sendable {
    private var publications: [UInt64: Publication] = [:]

    /// Makes an empty store.
    public init() {}

    /// What has not been settled, in the order of the ids.
    public func pendingPublications() -> [Publication] {
        publications.values.sorted { $0.id < $1.id }
    }

    /// Keeps what is to be sent until it is settled.
    public mutating func commit(_ changes: StoreChanges) {
        for publication in changes.enqueued { publications[publication.id] = publication }
        for id in changes.settled { publications[id] = nil }
    }
}
