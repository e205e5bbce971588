/// An entry point of Skerry for untrusted bytes, with its promises for every input.
///
/// The fuzzers of the package `Fuzzing` pass random input; the tests pass everything in `Fuzzing/Corpus` and
/// `Fuzzing/Regressions`.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Expressions and templates: compiled, estimated, evaluated.
    case expressions
    /// Regular expressions: the first line is the pattern, the rest is the text to search.
    case patterns
    /// Files of definitions: checked, and run with random messages when they are accepted.
    case definitions
    /// Compiled definitions: read, and run with random messages when they are accepted.
    case compiled
    /// JSON: the first line has the paths to read, the rest is the payload.
    case payloads
    /// CBOR, Sparkplug B, fields of bytes and base64: the first line has the types of fields, the rest is the payload.
    case bytes
    /// Topic filters, one in each line, an empty line, and topics, one in each line.
    case topics
    /// Recordings.
    case recordings
    /// The file of settings.
    case settings

    /// Passes an input to the entry point.
    ///
    /// - Returns: The promise that was broken; nil if all were kept.
    public func brokenPromise(on bytes: [UInt8]) -> String? {
        switch self {
        case .expressions: ExpressionTrial.brokenPromise(String(decoding: bytes, as: UTF8.self))
        case .patterns: PatternTrial.brokenPromise(bytes)
        case .definitions: DefinitionTrial(bytes, messages: 12).brokenPromise
        case .compiled: CompiledTrial(bytes, messages: 12).brokenPromise
        case .payloads: PayloadTrial.brokenPromise(bytes)
        case .bytes: BytesTrial.brokenPromise(bytes)
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
