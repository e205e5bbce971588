public import SkerryValues

/// Something outside that an expression reads; what it means is the host's business.
///
/// See docs/decisions/0004-references.md.
@frozen
public struct Reference: Hashable, Sendable {
    /// The kind of thing, in the host's own numbering.
    public var kind: UInt8
    /// The index among those of its kind.
    public var index: UInt16

    /// Makes a reference.
    @inlinable
    public init(kind: UInt8, index: UInt16) {
        self.kind = kind
        self.index = index
    }
}

/// A source of values for expressions: a signal store, a payload, a table of test bindings.
public protocol ValueSource {
    /// A value that the host passes through an evaluation to its own `load`.
    associatedtype Context

    /// The present value of a reference, or the error that explains why there is none.
    func load(_ reference: Reference, _ context: borrowing Context) -> Value
}
