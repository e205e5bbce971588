/// Why a text is no valid expression: one or several findings, each with its place.
public struct ExpressionProblem: Error, Hashable, Sendable {
    /// The mistakes, in the order of the text; at least one.
    public let findings: [Finding]

    init(_ findings: [Finding]) {
        precondition(!findings.isEmpty, "a problem without a finding")
        self.findings = findings
    }

    /// One thing that is wrong with the text.
    public struct Finding: Error, Hashable, Sendable {
        /// The kind of mistake.
        public var code: Code
        /// The mistake, in one sentence without a full stop.
        public var message: String
        /// The start, in bytes of UTF-8 from the beginning of the text.
        public var offset: Int
        /// The length in bytes of UTF-8; 0 at the end of the text.
        public var length: Int
        /// A correction, such as the nearest known name.
        public var hint: String?

        init(_ code: Code, _ message: String, at range: SourceRange, hint: String? = nil) {
            self.code = code
            self.message = message
            self.offset = range.start
            self.length = range.end - range.start
            self.hint = hint
        }
    }

    /// The kinds of mistakes.
    public enum Code: UInt8, Hashable, Sendable, CaseIterable {
        /// The text does not follow the grammar.
        case syntax
        /// A number, string or bytes literal is malformed or out of range.
        case badLiteral
        /// The text is longer, deeper or larger than its limits.
        case tooLarge
        /// A name that means nothing here.
        case unknownName
        /// A function that does not exist.
        case unknownFunction
        /// An argument of a host call that is not among its choices.
        case unknownChoice
        /// Operands or arguments of types that the operator or function does not take.
        case wrongType
        /// A macro or host call with arguments of the wrong form.
        case wrongArgument
        /// A part of CEL that needs protobuf messages.
        case unsupported
    }
}

/// The limits of a single expression.
public struct ExpressionLimits: Hashable, Sendable {
    /// The longest text, in bytes of UTF-8.
    public var length = 65_536
    /// The deepest nesting of the syntax tree.
    public var depth = 128
    /// The largest number of parts, counting every literal, name, operator and call.
    public var parts = 20_000

    /// Makes the default limits.
    public init() {}
}

/// A part of the text, in bytes of UTF-8 from its beginning.
struct SourceRange: Hashable, Sendable {
    var start: Int
    var end: Int
}
