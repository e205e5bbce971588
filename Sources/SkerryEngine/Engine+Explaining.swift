public import SkerryActivity
import SkerryDevice
public import SkerryValues

extension Engine {
    /// Writes what is known of a device, what it waits for and what its guards say now, as members of an object.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - name: Its name.
    ///   - now: The moment at which it is looked at.
    ///   - writer: Stands within the object.
    /// - Returns: whether there is such a device; else nothing is written.
    public func explain(
        kind: String,
        device name: String,
        at now: Timestamp,
        to writer: inout JSONWriter
    ) -> Bool {
        guard let index = index(of: name, kind: kind) else { return false }
        look(at: index, now).explain(to: &writer)
        return true
    }

    /// What will be seen of a device if it goes on saying what it says now; nil when nothing is followed of it.
    public func timeline(kind: String, device name: String) -> ActivityTimeline? {
        index(of: name, kind: kind).flatMap { look(at: $0, now).timeline(at: now) }
    }
}
