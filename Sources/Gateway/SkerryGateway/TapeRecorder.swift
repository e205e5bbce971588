import SkerryEngine
import SkerryValues

/// The last messages of each device, kept in memory for recordings as long as they are wanted.
struct TapeRecorder {
    /// The time for which messages are kept; zero for none.
    private(set) var length: Interval
    /// The messages; nil when none are kept.
    private var tapes: MessageTapes?

    init(length: Interval) {
        self.length = length
        tapes = MessageTapes(length: length)
        assert(isRecording == (length > .zero), "messages are kept for another time than was asked for")
    }

    /// Keeps messages for another time from now on; those that were kept so far are dropped.
    mutating func keep(for length: Interval) { self = TapeRecorder(length: length) }

    /// True while messages are kept.
    var isRecording: Bool { tapes != nil }

    /// Keeps a message for the devices that it is about.
    mutating func record(_ message: MessageBatch.Message, of engine: Engine, at now: Timestamp) {
        assert(isRecording)
        engine.forEachDevice(of: message.topic) { place, kind, device in
            tapes?.append(message, at: now, place: place, kind: kind, device: device)
        }
    }

    /// The messages of a device; nil if none are kept.
    func tape(of device: DeviceKey, at now: Timestamp) -> MessageTape? { tapes?.tape(of: device, at: now) }

    /// Moves the recorded moments by a step of the wall clock.
    mutating func clockStepped(by length: Interval) { tapes?.clockStepped(by: length) }
}
