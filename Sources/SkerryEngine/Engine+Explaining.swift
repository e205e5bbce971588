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
        guard let (device, workspace) = device(kind: kind, named: name) else { return false }
        device.explain(to: &writer, at: now, in: workspace, sequence: sequence)
        return true
    }
}
