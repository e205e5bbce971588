/// A message that tells that a device of the kind is there, as written.
public struct RecognitionDraft: Sendable {
    /// The message, read as that of a source is; without signals.
    public var source: SourceDraft
    /// The certainty with which such a message tells of a device.
    public var certainty: Certainty

    /// Makes a recognition by the messages of a source.
    public init(_ source: SourceDraft, certainty: Certainty = .certain) {
        self.source = source
        self.certainty = certainty
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
