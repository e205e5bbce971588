import SkerryEngine
package import SkerryGateway

/// A real store below the simulated disk of a world, with the same content at all times.
package protocol DiskBelow: AnyObject {
    /// The content that a process finds at its start.
    func load() throws(StoreFault) -> StoredState

    /// Writes a commit.
    func commit(_ changes: StoreChanges) throws(StoreFault)

    /// Ends the process, whose last `commits` commits never reached the disk; the first of them perhaps did in part.
    func end(losing commits: Int)

    /// Damages the database.
    func damage()
}

extension StoredState {
    /// The first difference from the expected content, in words; nil when there is none.
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
