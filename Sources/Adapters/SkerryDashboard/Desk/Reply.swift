import SkerryGateway

/// The reaction to a request: an answer, or a way to one.
enum Reply: Sendable {
    /// The answer.
    case response(Response)
    /// An answer that is made on another thread.
    ///
    /// The function is called once, and calls its argument once, from any thread.
    case later(@Sendable (_ then: @escaping @Sendable (Response) -> Void) -> Void)
    /// An answer without an end.
    case stream(StreamWish)
}

/// A wish for a stream of events.
struct StreamWish: Hashable, Sendable {
    /// The process and the position of the last event that the reader has; nil for none.
    var last: StreamPosition?
    /// The device whose explanation is sent, too.
    var watched: DeviceKey?
    /// The only device that the reader may see, that of a guest; nil for more.
    var only: DeviceKey?
    /// The only run of it that the reader may see, by the id of its activity; nil for all.
    var run: String?
    /// The phone or the browser by whose right the reader sees; nil for one who sees everything.
    var account: String?
    /// True if the reader understands gzip.
    var takesGzip = false
    /// The sender, whose streams are counted.
    var address = ""
    /// True if the sender may have as many streams as there are.
    var isLocal = false
}

/// The name of an event in a stream: the process that sent it, and its position in the log.
struct StreamPosition: Hashable, Sendable, CustomStringConvertible {
    /// The number of the process.
    var process: String
    var position: UInt64
}

extension StreamPosition {
    /// Reads `<process>-<position>`; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = UInt64(parts[1]), parts[0].utf8.count <= 32 else { return nil }
        self.init(process: String(parts[0]), position: position)
    }

    var description: String { "\(process)-\(position)" }
}
