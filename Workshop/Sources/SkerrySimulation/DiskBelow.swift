import SkerryEngine
public import SkerryGateway

/// A real store below the simulated disk of a world, which must hold the same.
public protocol DiskBelow: AnyObject {
    /// What a process finds that begins now.
    func load() throws(StoreFault) -> StoredState

    /// Writes a commit.
    func commit(_ changes: StoreChanges) throws(StoreFault)

    /// The process has ended, and of its last commits so many never reached the disk, the first of them perhaps in part.
    func end(losing commits: Int)

    /// The database is damaged.
    func damage()
}

extension StoredState {
    /// What differs from what should be there; nil when all is there.
    func difference(from expected: StoredState) -> String? {
        if epoch != expected.epoch { return "epoch \(epoch ?? 0), not \(expected.epoch ?? 0)" }
        if progress != expected.progress { return "another progress" }
        if mayHaveForgotten != expected.mayHaveForgotten { return "mayHaveForgotten is \(mayHaveForgotten)" }
        if publications != expected.publications {
            return "publications \(publications.map(\.id)), not \(expected.publications.map(\.id))"
        }
        let (found, right) = (devices.map(\.line), expected.devices.map(\.line))
        return found == right ? nil : "\(found.count) devices that are not the \(right.count) expected"
    }
}

extension DeviceImage {
    fileprivate var line: String { "\(kind)/\(name) \(layout) \(bytes)" }
}
