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

    /// As a store reads it.
    var state: StoredState {
        var state = StoredState()
        state.epoch = epoch
        state.progress = progress
        state.layouts = layouts.sorted { $0.key < $1.key }.map(\.value)
        state.devices = devices.sorted { $0.key < $1.key }.map(\.value)
        state.publications = publications.sorted { $0.key < $1.key }.map(\.value)
        return state
    }

    mutating func apply(_ changes: StoreChanges) {
        epoch = changes.epoch
        progress = changes.progress
        for layout in changes.layouts { layouts[layout.id] = layout }
        for image in changes.images { devices[image.kind + "/" + image.name] = image }
        for image in changes.removed { devices[image.kind + "/" + image.name] = nil }
        for publication in changes.enqueued { publications[publication.id] = publication }
        for id in changes.settled { publications[id] = nil }
    }
}

/// The disk of a world, which outlives the processes.
final class SimulatedDisk {
    /// What the next commit meets.
    enum Mood {
        case healthy, refusing, endingBefore, endingAfter
    }

    var contents = DiskContents()
    var mood = Mood.healthy
    /// Commits that were written.
    var commits = 0
    /// Commits that met a refusal.
    var refusals = 0
    /// Whether the process has ended in a commit.
    var hasEnded = false
}

/// A store on a simulated disk: each commit is written as a whole or not at all.
struct SimulatedStore: Store {
    let disk: SimulatedDisk

    func load() -> StoredState { disk.contents.state }

    func commit(_ changes: StoreChanges) throws(StoreFault) {
        if disk.hasEnded { throw StoreFault("the process has ended") }
        switch disk.mood {
        case .healthy: break
        case .refusing:
            disk.refusals += 1
            throw StoreFault("the disk is full: make room")
        case .endingBefore:
            disk.hasEnded = true
            throw StoreFault("the process has ended")
        case .endingAfter: disk.hasEnded = true
        }
        disk.contents.apply(changes)
        disk.commits += 1
    }
}
