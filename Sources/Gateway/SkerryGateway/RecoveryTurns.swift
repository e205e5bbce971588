/// The turns of the devices in a recovery, each noted in the store before it begins: a device that ends the process
/// whenever it is restored must not keep all others from being restored.
///
/// See docs/decisions/0031-setting-aside.md.
struct RecoveryTurns {
    /// The note for the store.
    private(set) var mark: RecoveryMark
    /// The note of the last process, whose recovery may not have finished.
    private let former: RecoveryMark

    /// Begins a recovery after that of the last process.
    init(after former: RecoveryMark) {
        self.former = former
        mark = RecoveryMark(attempts: former.attempts + 1)
    }

    /// True if each device is noted before its turn, because the last recovery did not finish.
    var isCareful: Bool { former.attempts > 0 }

    /// Begins the turn of a device, or ends the last one with nil; changes ``mark``.
    mutating func begin(_ device: DeviceKey?) {
        mark.device = device
        mark.hits = device == nil ? 0 : device == former.device ? former.hits + 1 : 1
        assert(mark.attempts > former.attempts, "a turn belongs to the recovery that has begun")
        assert((mark.hits == 0) == (device == nil))
    }
}
