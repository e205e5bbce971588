/// A message that tells that a device of the kind is there, as written.
///
/// It is read as the message of a source is, but without signals: see ``SourceDraft``.
public struct RecognitionDraft: Sendable {
    /// The topic filter; `{device}` names the device, unless ``device`` does.
    public var topic: SourceText
    /// The format in which payloads are read.
    public var payload: PayloadFormat = .json
    /// A template of the device's name, in place of `{device}` in the topic.
    public var device: SourceText?
    /// An expression for a list, each element of which is read as a message of its own.
    public var each: SourceText?
    /// The condition for a message to count.
    public var when: SourceText?
    /// An expression for the name that people gave the device.
    public var name: SourceText?
    /// The certainty with which such a message tells of a device.
    public var certainty = Certainty.certain

    /// Makes a recognition by the messages of a topic filter.
    public init(topic: SourceText) {
        self.topic = topic
    }
}

/// The certainty with which a message tells that a device of a kind is there.
public enum Certainty: UInt8, Sendable, CaseIterable, Comparable {
    /// Other devices may send such messages, too.
    case likely
    /// Nothing else sends such messages.
    case certain

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .likely: "likely"
        case .certain: "certain"
        }
    }

    /// Whether the left one is less sure than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
