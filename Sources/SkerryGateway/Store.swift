public import SkerryDevice
public import SkerryEngine
public import SkerryMachine
public import SkerryValues

/// The port to whatever keeps things over a restart.
///
/// A batch of messages is one commit. Only after it the messages are acknowledged, and only then anything is sent.
public protocol Store {
    /// What the last process left; asked once, before the first commit.
    ///
    /// - Throws: ``StoreFault`` when it can't be read.
    mutating func load() throws(StoreFault) -> StoredState

    /// Makes a batch durable, all of it or nothing.
    ///
    /// - Throws: ``StoreFault`` when it could not; the same changes come again with the next commit.
    mutating func commit(_ changes: StoreChanges) throws(StoreFault)

    /// Notes how far the recovery of devices has come; must survive the end of the process, not the loss of power.
    ///
    /// - Throws: ``StoreFault`` when it could not.
    mutating func note(_ mark: RecoveryMark) throws(StoreFault)

    /// Takes a device out of those that ``load()`` gives back, and keeps it for people to look at.
    ///
    /// - Throws: ``StoreFault`` when it could not.
    mutating func setAside(_ device: SetAsideDevice) throws(StoreFault)
}

/// What a store held when it was opened.
public struct StoredState: Sendable {
    /// The epoch of all revisions; nil when the store is new.
    public var epoch: Int64?
    /// How far the last process had come; nil when the store is new.
    public var progress: StoreProgress?
    /// The layouts that the images go by.
    public var layouts: [DefinitionLayout] = []
    /// The devices.
    public var devices: [DeviceImage] = []
    /// What was committed to be sent and has not been settled, in order.
    public var publications: [Publication] = []
    /// What was committed for further sinks and has not been settled, in order.
    public var deliveries: [Delivery] = []
    /// How far the last recovery had come.
    public var recovery = RecoveryMark()
    /// Devices that were set aside, and are not among the devices, by kind and name.
    public var setAside: [SetAsideDevice] = []
    /// Whether the last commits may be missing: the store does not wait for the disk, and its end was not orderly.
    public var mayHaveForgotten = false

    /// What a new store holds.
    public init() {}

    /// Whether readers and the broker may know more than the store does.
    public var isBehind: Bool { epoch == nil || mayHaveForgotten }

    /// The epoch of all revisions of a process that begins with this.
    ///
    /// A new one is the second of the start, and six digits of the boot and of the time since then: a wall clock that
    /// was set back or begins anew with each boot tells one second again, and the store may have forgotten what it told.
    ///
    /// - Parameters:
    ///   - start: When it begins.
    ///   - boot: The same on the clock since boot; nil when nothing tells one boot from another.
    /// - Returns: the epoch that was, unless revisions may have been told that are not known here.
    public func nextEpoch(at start: Timestamp, boot: BootMoment?) -> Int64 {
        if let epoch, !mayHaveForgotten { return epoch }
        let fresh = boot.map { start.flooredSeconds &* 1_000_000 &+ $0.digits } ?? start.flooredSeconds
        return max(epoch.map { $0 &+ 1 } ?? fresh, fresh)
    }
}

/// How far a process had come with its last commit.
public struct StoreProgress: Hashable, Sendable {
    /// When it was; until then it listened to all devices.
    public var aliveAt: Timestamp
    /// The engine's counter of deadlines.
    public var sequence: UInt64
    /// The last id given to a publication or a delivery.
    public var lastPublication: UInt64
    /// The last id of what readers may have been told: of what was committed once the bridge had compared its store with
    /// what the broker retains.
    public var told: UInt64 = 0
    /// Whether the broker may retain activities that nobody here knows of, because it was not looked at yet.
    public var seeksStrays: Bool
    /// The moment of the commit on the clock since boot; nil when nothing tells one boot from another.
    public var boot: BootMoment?
    /// Since when nobody has known the time, while the clock may still be found; nil once it can't be.
    public var origin: TimeOrigin?
    /// The newest run of a device that is gone, as the engine counts.
    public var newestLostRun = Int64.min

    /// The mark of the store, which `bridge/info` tells; nil when an earlier version made it.
    public var owner: String?
    /// Epochs that the revisions of this store had before the present one, the last ones.
    public var formerEpochs: [Int64] = []
    /// The messages that were handled last, oldest first.
    public var handled: [HandledMessage] = []

    /// What a clock has to know of it.
    public var past: PastMoment { PastMoment(at: aliveAt, boot: boot, mayBeFound: origin != nil) }

    /// Since when the devices of this record have lived without anybody knowing the time, for a process of the same boot.
    ///
    /// - Parameter boot: The boot of that process.
    /// - Returns: the origin; nil when the clock can't be found, or began anew with another boot.
    public func origin(in boot: BootMoment?) -> TimeOrigin? { boot?.id == self.boot?.id ? origin : nil }

    /// Makes a record of a moment.
    public init(aliveAt: Timestamp, sequence: UInt64, lastPublication: UInt64, seeksStrays: Bool = false) {
        self.aliveAt = aliveAt
        self.sequence = sequence
        self.lastPublication = lastPublication
        self.seeksStrays = seeksStrays
    }
}

/// What one batch changed.
public struct StoreChanges: Sendable {
    /// Devices that are not what they were; of several images of a device the last counts.
    public var images: [DeviceImage] = []
    /// Layouts that the images go by, those that the store knows among them.
    public var layouts: [DefinitionLayout] = []
    /// Devices whose definition is gone; they go before the images come.
    public var removed: [DeviceImage] = []
    /// Publications to be sent, in order.
    public var enqueued: [Publication] = []
    /// Publications of earlier commits, by their ids, that need not be sent any more.
    public var settled: [UInt64] = []
    /// What further sinks have to be told, in order; each takes the place of an earlier one of its sink and activity.
    public var enqueuedDeliveries: [Delivery] = []
    /// Deliveries of earlier commits, by their ids, that need not be told any more.
    public var settledDeliveries: [UInt64] = []
    /// Activities that have ended, for the history.
    public var ended: [EndedActivity] = []
    /// How much of the history is kept; looked at when an activity ends.
    public var historyLimits = HistoryLimits()
    /// The epoch of all revisions.
    public var epoch: Int64
    /// How far the process has come.
    public var progress: StoreProgress
    /// Whether the process ends in good order, and nothing comes after this.
    public var isLast = false

    /// No change.
    public init(epoch: Int64, progress: StoreProgress) {
        self.epoch = epoch
        self.progress = progress
    }
}

/// Why a store could not do what it should.
public struct StoreFault: Error, Hashable, Sendable {
    /// What can be done about a fault.
    public enum Sort: Hashable, Sendable {
        /// It may pass by itself.
        case passing
        /// It passes when there is room on the disk.
        case full
        /// The database itself is bad: the next process sets it aside.
        case damage
        /// The database is no longer where it was: the next process takes what is there.
        case gone
    }

    /// What happened and what to do, one line.
    public var message: String
    /// What can be done about it.
    public var sort: Sort

    /// Makes a fault.
    public init(_ message: String, _ sort: Sort = .passing) {
        self.message = message
        self.sort = sort
    }

    /// Whether only another process can go on.
    public var endsProcess: Bool { sort == .damage || sort == .gone }
}

/// A store that forgets everything when the process ends.
public struct MemoryStore: Store, Sendable {
    /// Makes an empty store.
    public init() {}

    /// Nothing.
    public func load() -> StoredState { StoredState() }

    /// Keeps nothing: what is to be sent waits in the outbox of the bridge.
    public func commit(_ changes: StoreChanges) {}
}
