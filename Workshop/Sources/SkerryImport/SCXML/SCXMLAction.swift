public import SkerryDevice

/// An element of executable content.
public struct SCXMLAction: Sendable {
    /// The kinds of executable content.
    public indirect enum Kind: Sendable {
        /// `assign`
        case assign(location: SourceText, SCXMLValue)
        /// `raise`
        case raise(SourceText)
        /// `send`
        case send(SCXMLSend)
        /// `cancel`
        case cancel(SCXMLText)
        /// `if` with its `elseif` and `else`; the first branch whose condition holds, or that has none, is performed.
        case branches([SCXMLBranch])
        /// `foreach`
        case forEach(array: SourceText, item: SourceText, index: SourceText?, [SCXMLAction])
        /// `log`
        case log(SCXMLValue)
        /// `script`
        case script(SCXMLValue)
        /// An element that SCXML does not define.
        case unknown
    }

    /// The kind of action, with its parameters.
    public var kind: Kind
    /// The name of the element, with its place.
    public var element: SourceText

    /// Makes an action.
    public init(_ kind: Kind, element: SourceText) {
        self.kind = kind
        self.element = element
    }
}

/// A branch of an `if`.
public struct SCXMLBranch: Sendable {
    /// The condition; nil for `else`.
    public var condition: SourceText?
    /// The actions of the branch.
    public var actions: [SCXMLAction]

    /// Makes a branch.
    public init(condition: SourceText?, actions: [SCXMLAction] = []) {
        self.condition = condition
        self.actions = actions
    }
}

/// A `send`.
public struct SCXMLSend: Sendable {
    /// The name of the event.
    public var event: SCXMLText?
    /// The receiver; nil for the machine itself.
    public var target: SCXMLText?
    /// The event processor.
    public var type: SCXMLText?
    /// The delay in the syntax of CSS: `1.5s`, `200ms`.
    public var delay: SCXMLText?
    /// The id by which the event can be cancelled.
    public var id: SourceText?
    /// The location in which a generated id is stored.
    public var idLocation: SourceText?
    /// The data of the event.
    public var parameters: [SCXMLParameter] = []

    /// Makes a send without attributes.
    public init() {}
}
