/// A silence as written.
public struct SilenceDraft: Sendable {
    package var length: SourceInterval
    /// The signals whose silence it is; none for that of the whole device.
    package var signals: [SourceText] = []
    /// True if only a change of a signal breaks it, and not each report.
    package var asksChange = false

    /// Makes a silence of the whole device.
    package init(_ length: SourceInterval) { self.length = length }

    /// The signals in words, to follow the length; empty for the whole device.
    package var subject: String {
        if signals.isEmpty { return "" }
        return (asksChange ? " without a change of " : " of ")
            + signals.map { $0.text }.joined(separator: ", ")
    }
}
