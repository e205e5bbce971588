public import SkerryDevice
public import SkerryEngine
public import SkerryMachine
public import SkerryValues

/// The port to whatever keeps things over a restart.
///
/// A batch of messages is one commit. Only after it the messages are acknowledged, and only then anything is sent.
public protocol Store {
    /// Loads the state of the last process; called once, before the first commit.
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

/// The durability of commits.
public enum Durability: String, Sendable, CaseIterable {
    /// Commits survive a power cut at any instant: each waits for the disk.
    case full
    /// Commits survive the end of the process at any instant. A power cut may take the last commits, each as a whole.
    ///
    /// Only the first and the last commit of a process wait for the disk, so that the next process knows if it must begin
    /// a new epoch.
    case normal
}

/// The contents of a store when it was opened.
public struct StoredState: Sendable {
    /// The epoch of all revisions; nil when the store is new.
    public var epoch: Int64?
    /// The progress of the last process; nil if the store is new.
    public var progress: StoreProgress?
    /// The layouts that the images go by.
    public var layouts: [DefinitionLayout] = []
    /// The devices.
    public var devices: [DeviceImage] = []
    /// The unsettled publications, in order.
    public var publications: [Publication] = []
    /// The unsettled deliveries to further sinks, in order.
    public var deliveries: [Delivery] = []
    /// The progress of the last recovery.
    public var recovery = RecoveryMark()
    /// Devices that were set aside, and are not among the devices, by kind and name.
    public var setAside: [SetAsideDevice] = []
    /// True if the last commits may be missing: the store does not wait for the disk, and its end was not orderly.
    public var mayHaveForgotten = false

    /// The contents of a new store.
    public init() {}

    /// True if readers and the broker may know more than the store does.
    package var isBehind: Bool { epoch == nil || mayHaveForgotten }

    /// The epoch of all revisions of a process that begins with this.
    ///
    /// A new one is the second of the start, and six digits of the boot and of the time since then: a wall clock that
    /// was set back, or starts from the same time at each boot, shows the same second twice, and the store may have
    /// lost the former epoch.
    ///
    /// - Parameters:
    ///   - start: The start of the process.
    ///   - boot: The same on the clock since boot; nil if boots can't be distinguished.
    /// - Returns: the former epoch, unless revisions may have been published that are unknown here.
    public func nextEpoch(at start: Timestamp, boot: BootMoment?) -> Int64 {
        if let epoch, !mayHaveForgotten { return epoch }
        let fresh = boot.map { start.flooredSeconds &* 1_000_000 &+ $0.digits } ?? start.flooredSeconds
        guard let epoch, epoch >= fresh else { return fresh }
        // A copy of this store may have begun an epoch before, with a clock that stood no later.
        return epoch &+ 1 &+ (boot?.digits ?? 0)
    }

    /// The epochs before the one in which a process goes on.
    func formerEpochs(before next: Int64) -> [Int64] {
        (progress?.formerEpochs ?? []) + [epoch].compactMap { $0 == next ? nil : $0 }
    }
}

/// The progress of a process at its last commit.
public struct StoreProgress: Hashable, Sendable {
    /// The time of the commit; until then it listened to all devices.
    public var aliveAt: Timestamp
    /// The engine's counter of deadlines.
    public var sequence: UInt64
    /// The last id given to a publication or a delivery.
    public var lastPublication: UInt64
    /// The last id of a publication that readers may have: committed after the bridge had compared its store with the
    /// retained messages.
    public var told: UInt64 = 0
    /// True if the broker may retain strays, because it has not been read back yet.
    package var seeksStrays: Bool
    /// The moment of the commit on the clock since boot; nil if boots can't be distinguished.
    public var boot: BootMoment?
    /// The origin, while the clock may still be found; nil once it can't be.
    public var origin: TimeOrigin?
    /// The newest run of a removed device, as the engine counts.
    public var newestLostRun = Int64.min

    /// The mark of the store, published in `bridge/info`; nil if an earlier version made the store.
    public var owner: String?
    /// Epochs that the revisions of this store had before the present one, the last ones.
    package var formerEpochs: [Int64] = []
    /// The messages that were handled last, oldest first.
    public var handled: [HandledMessage] = []
    /// The mark up to which its messages are handled, if its devices are to be shared out otherwise: see ``PartitionCut``.
    public var cut: Int64?

    /// The past moment for a clock.
    public var past: PastMoment { PastMoment(at: aliveAt, boot: boot, mayBeFound: origin != nil) }

    /// The origin of the devices in this record, for a process of the same boot.
    ///
    /// - Parameter boot: The boot of that process.
    /// - Returns: the origin; nil if the clock can't be found, or started again with another boot.
    public func origin(in boot: BootMoment?) -> TimeOrigin? { boot?.id == self.boot?.id ? origin : nil }

    /// Makes a record of a moment.
    public init(aliveAt: Timestamp, sequence: UInt64, lastPublication: UInt64, seeksStrays: Bool = false) {
        self.aliveAt = aliveAt
        self.sequence = sequence
        self.lastPublication = lastPublication
        self.seeksStrays = seeksStrays
    }
}

/// The changes of one batch.
public struct StoreChanges: Sendable {
    /// The changed devices; of several images of a device the last counts.
    public var images: [DeviceImage] = []
    /// Layouts that the images go by, those that the store knows among them.
    public var layouts: [DefinitionLayout] = []
    /// Devices to remove; they are removed before the images are added.
    public var removed: [DeviceImage] = []
    /// Publications to be sent, in order.
    public var enqueued: [Publication] = []
    /// Publications of earlier commits, by their ids, that need not be sent any more.
    public var settled: [UInt64] = []
    /// Deliveries to further sinks, in order; each replaces an earlier one of its sink and activity.
    public var enqueuedDeliveries: [Delivery] = []
    /// The ids of settled deliveries of earlier commits.
    public var settledDeliveries: [UInt64] = []
    /// Activities that have ended, for the history.
    public var ended: [EndedActivity] = []
    /// Stages of runs that have begun, for the history.
    package var stages: [RunStage] = []
    /// The limits of the history; applied when an activity ends.
    package var historyLimits = HistoryLimits()
    /// The epoch of all revisions.
    public var epoch: Int64
    /// The progress of the process.
    public var progress: StoreProgress
    /// True if the process ends in good order, and nothing comes after this.
    public var isLast = false

    /// No change.
    public init(epoch: Int64, progress: StoreProgress) {
        self.epoch = epoch
        self.progress = progress
    }
}

/// A failure of a store.
public struct StoreFault: Error, Hashable, Sendable {
    /// The kinds of remedy.
    public enum Sort: Hashable, Sendable {
        /// It may pass by itself.
        case passing
        /// It passes when there is room on the disk.
        case full
        /// The database itself is bad: the next process sets it aside.
        case damage
        /// The database was moved or replaced: the next process uses the file that is there.
        case gone
        /// The server of the database does not answer; what was being stored may be stored or not.
        case away
        /// Another process has the lease: this one waits for it, or ends if it had it.
        case taken
        /// It stays as it is, however long one waits: the store is another's, or what reads it is missing.
        case refused
    }

    /// The fault and its remedy, one line.
    public var message: String
    /// The kind of remedy.
    public var sort: Sort

    /// Makes a fault.
    public init(_ message: String, _ sort: Sort = .passing) {
        self.message = message
        self.sort = sort
    }

    /// Makes the fault of a store whose devices were shared out among another number of partitions; 0 stands for none.
    public init(_ store: String, isOf found: Int, not wanted: Int) {
        func words(_ count: Int) -> String { count == 0 ? "no partitions" : "\(count) partitions" }
        let setting = found == 0 ? "leave 'partitions' out" : "set 'partitions: \(found)'"
        let command = "skerry cluster repartition --to \(wanted)"
        let change = found == 0 || wanted == 0 ? "" : ", share them out otherwise with '\(command)'"
        self.init(
            "\(store) is that of \(words(found)), and the settings say \(words(wanted)), by which devices would change places "
                + "without their state: \(setting)\(change), or start from empty with another store (store.path)",
            .refused
        )
    }

    /// True if this process must end.
    package var endsProcess: Bool { sort == .damage || sort == .gone || sort == .taken }
}

/// A store that forgets everything when the process ends.
public struct MemoryStore: Store, Sendable {
    /// The last runs of this process, if somebody reads them.
    package let history: MemoryRunHistory?

    /// Makes an empty store.
    ///
    /// - Parameter history: Keeps the last runs for readers while the process runs; nil for nothing.
    public init(history: MemoryRunHistory? = nil) {
        self.history = history
    }

    /// Nothing.
    public func load() -> StoredState { StoredState() }

    /// Stores nothing but runs for the history: publications wait in the outbox of the bridge.
    public func commit(_ changes: StoreChanges) { history?.add(changes) }
}
