/// Something that must outlive the process: a phone with its tokens and budgets, or an activity that phones follow.
public struct PhoneImage: Hashable, Sendable {
    /// A unique id; opaque to the store.
    package var id: String
    /// Sealed bytes that ``PushScheduler`` wrote.
    package var bytes: [UInt8]

    package init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}
