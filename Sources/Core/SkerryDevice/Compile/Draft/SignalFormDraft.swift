/// A signal that follows values over time, as written; its first expression stands among the signals of the source.
package struct SignalFormDraft: Sendable {
    /// The name of the signal.
    package var signal: SourceText
    /// The figure that is made of the values.
    package var kind: SignalFormKind
    /// The values of a mean, a median or a rate; nil for the last two of a rate.
    package var over: SignalSpan?
    /// The unit of time of an integral or a rate; an hour when nil.
    package var per: SourceInterval?
    /// The longest time for which a value counts in an integral; a quarter of an hour when nil.
    package var gap: SourceInterval?
    /// The number at which a counter begins at 0 again; nil for one that only a reset brings back.
    package var wraps: Double?
    /// The condition under which a signal with `on` turns false; nil for "when `on` does not hold".
    package var off: SourceText?
    /// The time for which a signal with `on` must have differed before it turns.
    package var delay: SourceInterval?

    /// Makes a form without options.
    package init(signal: SourceText, kind: SignalFormKind) {
        self.signal = signal
        self.kind = kind
    }
}
