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
