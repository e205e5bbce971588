import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway

/// The content of the disk of a world.
struct DiskContents {
    var epoch: Int64?
    var progress: StoreProgress?
    var layouts: [Int64: DefinitionLayout] = [:]
    var devices: [String: DeviceImage] = [:]
    var publications: [UInt64: Publication] = [:]
    /// The open deliveries, by sink and activity.
    var deliveries: [String: SkerryGateway.Delivery] = [:]
    var recovery = RecoveryMark()
    /// The last delivery of each activity that a sink took, which the sink stores itself.
    var told: [String: Told] = [:]

    /// The content in the form that a store returns.
    var state: StoredState {
        var state = StoredState()
        state.epoch = epoch
        state.progress = progress
        state.layouts = layouts.sorted { $0.key < $1.key }.map(\.value)
        state.devices = devices.values.sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
        state.publications = publications.sorted { $0.key < $1.key }.map(\.value)
        state.deliveries = deliveries.values.sorted { $0.id < $1.id }
        state.recovery = recovery
        return state
    }

    mutating func apply(_ changes: StoreChanges) {
        epoch = changes.epoch
        progress = changes.progress
        for layout in changes.layouts { layouts[layout.id] = layout }
        for image in changes.removed { devices[image.kind + "/" + image.name] = nil }
        for image in changes.images { devices[image.kind + "/" + image.name] = image }
        for publication in changes.enqueued { publications[publication.id] = publication }
        for id in changes.settled { publications[id] = nil }
        for delivery in changes.enqueuedDeliveries {
            deliveries[delivery.sink + " " + delivery.update.id] = delivery
        }
        let settled = Set(changes.settledDeliveries)
        if !settled.isEmpty { deliveries = deliveries.filter { !settled.contains($0.value.id) } }
    }
}

/// The disk of a world, which survives the processes.
final class SimulatedDisk {
    /// The fate of the next commit.
    enum Mood {
        case healthy, refusing, endingBefore, endingAfter
    }

    var contents = DiskContents()
    /// True for a store that does not wait until commits are safe.
    let isHasty: Bool
    var mood = Mood.healthy
    /// A real disk with the same content.
    let below: (any DiskBelow)?
    /// The number of commits that the real disk has begun and that were never completed.
    private var unfinished = 0
    /// The content after each commit since the last call of ``takeWritten()``.
    private(set) var written: [DiskContents] = []
    /// True if the last commit of the process was refused.
    var isRefusing = false
    /// The number of commits since the last call of ``takeWritten()`` of which the process knows that they are written.
    private(set) var answered = 0
    /// True if the last commit that the process tried is written, whether the process knows or not.
    private(set) var hasLast = false
    /// The number of databases so far.
    var stores = 1
    /// The content at an earlier moment, to be put back.
    var copy: DiskContents?
    /// The number of devices that were set aside, although none of them ever crashed a recovery.
    var setAside = 0
    /// True if the process ended in a commit.
    var hasEnded = false
    /// The row of the lease, where several nodes share the database.
    var row = LeaseRow()
    /// A commit that is on its way.
    var late: LateCommit?
    /// The content before a commit whose process does not know that it is stored.
    private var beforeUnanswered: DiskContents?

    init(isHasty: Bool, below: (any DiskBelow)?) {
        self.isHasty = isHasty
        self.below = below
    }

    /// The content that a process finds.
    var state: StoredState {
        var state = contents.state
        state.mayHaveForgotten = isHasty && contents.progress != nil
        return state
    }

    /// Begins a commit during which the process ends.
    func begin(_ changes: StoreChanges) throws(StoreFault) {
        hasEnded = true
        try below?.commit(changes)
        unfinished += 1
    }

    /// Ends the process, whose last `commits` commits are lost.
    func end(losing commits: Int) {
        below?.end(losing: commits + unfinished)
        unfinished = 0
        beforeUnanswered = nil
    }

    /// Writes a commit.
    func apply(_ changes: StoreChanges) throws(StoreFault) {
        isRefusing = false
        try below?.commit(changes)
        // The changes of the commit without an answer are among these, and what it added is removed first.
        if var before = beforeUnanswered.take() {
            before.told = contents.told
            contents = before
        }
        contents.apply(changes)
        written.append(contents)
        hasLast = true
    }

    /// Notes that the process tries a commit.
    func noteAttempt() { hasLast = false }

    /// Notes that the process knows of its last commit that it is written.
    func noteAnswer() { answered += 1 }

    /// Writes a commit whose answer is lost.
    func applyUnanswered(_ changes: StoreChanges) throws(StoreFault) {
        let before = contents
        try apply(changes)
        beforeUnanswered = before
        isRefusing = true
    }

    /// The content after each commit since the last call.
    func takeWritten() -> [DiskContents] {
        defer {
            written = []
            answered = 0
        }
        return written
    }
}

/// A store on a simulated disk: each commit is written completely or not at all.
struct SimulatedStore: Store {
    let disk: SimulatedDisk
    /// The lease of the process; nil where the disk is its own.
    let lease: SimulatedLease?

    func load() throws(StoreFault) -> StoredState {
        guard var state = try disk.below?.load() else { return disk.state }
        state.recovery = disk.contents.recovery
        return state
    }

    func commit(_ changes: StoreChanges) throws(StoreFault) {
        disk.noteAttempt()
        if disk.hasEnded { throw StoreFault("the process has ended") }
        switch disk.mood {
        case .healthy: break
        case .refusing:
            disk.isRefusing = true
            throw StoreFault("the disk is full: make room")
        case .endingBefore:
            try disk.begin(changes)
            throw StoreFault("the process has ended")
        case .endingAfter: disk.hasEnded = true
        }
        if let lease { try lease.commit(changes) } else { try disk.apply(changes) }
        disk.noteAnswer()
    }

    func note(_ mark: RecoveryMark) throws(StoreFault) {
        if disk.hasEnded { throw StoreFault("the process has ended") }
        disk.contents.recovery = mark
    }

    func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        disk.setAside += 1
    }
}
