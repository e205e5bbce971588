/// A message that tells that a device of the kind is there, as written.
package struct RecognitionDraft: Sendable {
    /// The message, read as that of a source is; without signals.
    package var source: SourceDraft
    /// The certainty with which such a message tells of a device.
    package var certainty: Certainty

    /// Makes a recognition by the messages of a source.
    package init(_ source: SourceDraft, certainty: Certainty = .certain) {
        self.source = source
        self.certainty = certainty
    }
}
