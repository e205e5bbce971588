/// A way into Skerry for bytes of strangers, with what it promises for every input.
///
/// The fuzzers of the package `Fuzzing` feed it; the tests feed it everything in `Fuzzing/Corpus` and
/// `Fuzzing/Regressions`.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Expressions and templates: compiled, estimated, evaluated.
    case expressions
    /// Regular expressions: the first line is the pattern, the rest what is searched.
    case patterns
    /// Files of definitions: checked, and run with random messages when they are accepted.
    case definitions
    /// JSON: the first line has the paths that are wanted, the rest is the payload.
    case payloads
    /// Filters, one a line, an empty line, and topics, one a line.
    case topics
    /// Recordings.
    case recordings
    /// The file of settings.
    case settings

    /// Feeds an input.
    ///
    /// - Returns: the promise that was broken; nil when all is well.
    public func brokenPromise(on bytes: [UInt8]) -> String? {
        switch self {
        case .expressions: ExpressionTrial.brokenPromise(String(decoding: bytes, as: UTF8.self))
        case .patterns: PatternTrial.brokenPromise(bytes)
        case .definitions: DefinitionTrial(bytes, messages: 12).brokenPromise
        case .payloads: PayloadTrial.brokenPromise(bytes)
        case .topics: TopicTrial.brokenPromise(bytes)
        case .recordings: RecordingTrial.brokenPromise(bytes)
        case .settings: PlaceCheck.brokenPromise(ofSettings: String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension [UInt8] {
    /// The bytes before the first line feed, and those after it.
    func splitAtFirstLine() -> (first: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
        let end = firstIndex(of: UInt8(ascii: "\n")) ?? count
        return (self[..<end], dropFirst(end + 1))
    }
}
