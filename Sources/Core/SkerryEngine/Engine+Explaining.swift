public import SkerryActivity
import SkerryDevice
import SkerryExpressions
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
        let unread = unread(of: index)
        if !unread.isEmpty { writer.member("unread", unread.map { $0.text }) }
        return true
    }

    /// Calls a body for each device that the messages of a topic go to; nothing for a topic that is not remembered.
    ///
    /// If messages are asked for their devices, those of the last message that was asked count.
    ///
    /// - Parameters:
    ///   - topic: The topic of a message that was handled.
    ///   - body: Called with the place of the device, at which another one may be later, its kind and its name.
    public func forEachDevice(
        of topic: ArraySlice<UInt8>,
        _ body: (_ place: Int, _ kind: String, _ device: String) -> Void
    ) {
        guard let topic = router.find(topic) else { return }
        let asks = router.routes(of: topic).contains { router.route(at: $0).asksMessage }
        for position in router.routes(of: topic) {
            let route = router.route(at: position)
            guard !route.asksMessage, isCurrent(route) else { continue }
            let place = Int(route.device)
            body(place, definition(of: place).kind, devices.span[place].device.name)
        }
        guard asks else { return }
        var named: Set<UInt32> = []
        // Devices may be gone since that message.
        for place in addressed where place < devices.count && named.insert(place).inserted {
            body(Int(place), definition(of: Int(place)).kind, devices.span[Int(place)].device.name)
        }
    }

    /// Writes a summary of each device, as elements of an array, in the order in which the devices came.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - bytes: How many bytes of JSON at most; the last device may go beyond them.
    ///   - now: The moment at which they are looked at.
    ///   - writer: Stands within the array.
    ///   - isMeant: Whether a device is one of those that are summarized, by its kind and name.
    /// - Returns: How many were written, and how many were meant.
    @discardableResult
    public func summarize(
        limit: Int,
        bytes: Int = .max,
        at now: Timestamp,
        to writer: inout JSONWriter,
        where isMeant: (_ kind: String, _ device: String) -> Bool = { _, _ in true }
    ) -> (written: Int, meant: Int) {
        let start = writer.bytes.count
        var (written, meant) = (0, 0)
        for index in devices.indices where isMeant(definition(of: index).kind, devices[index].device.name) {
            meant += 1
            guard written < limit, writer.bytes.count - start < bytes else { continue }
            written += 1
            writer.beginObject()
            writer.member("kind", definition(of: index).kind)
            writer.member("device", devices[index].device.name)
            look(at: index, now).summarize(to: &writer)
            writer.endObject()
        }
        return (written, meant)
    }

    /// The title that a device gives a state now; nil when there is no such device, or the state has no title.
    ///
    /// Mutating, so that an engine that is a property of a class is looked at in place.
    ///
    /// - Parameters:
    ///   - names: The names of innermost states, joined by commas.
    ///   - kind: The kind of the device.
    ///   - name: Its name.
    ///   - now: The moment.
    /// - Returns: the title.
    public mutating func title(
        ofStates names: String,
        kind: String,
        device name: String,
        at now: Timestamp
    ) -> String? {
        guard let index = index(of: name, kind: kind),
            let title = definition(of: index).title(ofStates: names)
        else { return nil }
        return title.constant ?? look(at: index, now).text(of: title)
    }

    /// The timeline of a device if it repeats its present values; nil without an activity.
    public func timeline(kind: String, device name: String) -> ActivityTimeline? {
        index(of: name, kind: kind).flatMap { look(at: $0, now).timeline(at: now) }
    }
}
