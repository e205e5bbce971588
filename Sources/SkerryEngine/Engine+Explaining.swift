public import SkerryActivity
import SkerryDevice
public import SkerryValues

extension Engine {
    /// Writes the values of a device, its waits and the present values of its guards, as members of an object.
    ///
    /// - Parameters:
    ///   - kind: The kind of the device.
    ///   - name: The name of the device.
    ///   - now: The moment for which the device is explained.
    ///   - writer: The writer, within the object.
    /// - Returns: True if there is such a device; otherwise nothing is written.
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

    /// The title of the state in which a device is; nil if its state has none, or there is no such device.
    public func title(kind: String, device name: String) -> String? {
        index(of: name, kind: kind).flatMap { look(at: $0, now).title }
    }

    /// The timeline of a device if it repeats its present values; nil without an activity.
    public func timeline(kind: String, device name: String) -> ActivityTimeline? {
        index(of: name, kind: kind).flatMap { look(at: $0, now).timeline(at: now) }
    }
}
