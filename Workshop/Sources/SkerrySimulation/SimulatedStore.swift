import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway

/// What is on the disk of a world.
struct DiskContents {
    var epoch: Int64?
    var progress: StoreProgress?
    var layouts: [Int64: DefinitionLayout] = [:]
    var devices: [String: DeviceImage] = [:]
    var publications: [UInt64: Publication] = [:]
    /// What the sinks have to be told, by sink and activity.
    var deliveries: [String: SkerryGateway.Delivery] = [:]
    var recovery = RecoveryMark()
    /// What a sink was told; it keeps that itself.
    var told: [String: Told] = [:]

    /// As a store reads it.
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

/// The disk of a world, which outlives the processes.
final class SimulatedDisk {
    /// What the next commit meets.
    enum Mood {
        case healthy, refusing, endingBefore, endingAfter
    }

    var contents = DiskContents()
    /// Whether it does not wait for commits to be safe.
    let isHasty: Bool
    var mood = Mood.healthy
    /// A real disk that is told the same.
    let below: (any DiskBelow)?
    /// Commits that were begun on the real one and never became one.
    private var unfinished = 0
    /// What each commit left that nobody asked for yet.
    private(set) var written: [DiskContents] = []
    /// Whether the last commit of the process met one.
    var isRefusing = false
    /// How many databases there were.
    var stores = 1
    /// A copy of an earlier moment.
    var copy: DiskContents?
    /// Devices that were set aside, though none of them ever ended a process.
    var setAside = 0
    /// Whether the process has ended in a commit.
    var hasEnded = false

    init(isHasty: Bool, below: (any DiskBelow)?) {
        self.isHasty = isHasty
        self.below = below
    }

    /// What a process finds.
    var state: StoredState {
        var state = contents.state
        state.mayHaveForgotten = isHasty && contents.progress != nil
        return state
    }

    /// Begins a commit in which the process ends.
    func begin(_ changes: StoreChanges) throws(StoreFault) {
        hasEnded = true
        try below?.commit(changes)
        unfinished += 1
    }

    /// The process has ended, and so many of its commits are lost.
    func end(losing commits: Int) {
        below?.end(losing: commits + unfinished)
        unfinished = 0
    }

    /// Writes a commit.
    func apply(_ changes: StoreChanges) throws(StoreFault) {
        isRefusing = false
        try below?.commit(changes)
        contents.apply(changes)
        written.append(contents)
    }

    /// What the disk held after each commit since the last time.
    func takeWritten() -> [DiskContents] {
        defer { written = [] }
        return written
    }
}

/// A store on a simulated disk: each commit is written as a whole or not at all.
struct SimulatedStore: Store {
    let disk: SimulatedDisk

    func load() throws(StoreFault) -> StoredState {
        guard var state = try disk.below?.load() else { return disk.state }
        state.recovery = disk.contents.recovery
        return state
    }

    func commit(_ changes: StoreChanges) throws(StoreFault) {
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
        try disk.apply(changes)
    }

    func note(_ mark: RecoveryMark) throws(StoreFault) {
        if disk.hasEnded { throw StoreFault("the process has ended") }
        disk.contents.recovery = mark
    }

    func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        disk.setAside += 1
    }
}
