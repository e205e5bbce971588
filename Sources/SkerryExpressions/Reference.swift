public import SkerryValues

/// Something outside that an expression reads; what it means is the host's business.
///
/// See docs/decisions/0004-references.md.
@frozen
public struct Reference: Hashable, Sendable {
    /// What kind of thing it is, in the host's own numbering.
    public var kind: UInt8
    /// Which one of its kind.
    public var index: UInt16

    /// Makes a reference.
    @inlinable
    public init(kind: UInt8, index: UInt16) {
        self.kind = kind
        self.index = index
    }
}

/// What expressions read from: a signal store, a payload, a table of test bindings.
public protocol ValueSource {
    /// What the host hands through an evaluation to its own `load`.
    associatedtype Context

    /// The present value of a reference, or the error that says why there is none.
    func load(_ reference: Reference, _ context: borrowing Context) -> Value
}
