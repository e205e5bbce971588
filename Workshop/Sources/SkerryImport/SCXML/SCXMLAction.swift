public import SkerryDevice

/// An element of executable content.
public struct SCXMLAction: Sendable {
    /// What there is to do.
    public indirect enum Kind: Sendable {
        /// `assign`
        case assign(location: SourceText, SCXMLValue)
        /// `raise`
        case raise(SourceText)
        /// `send`
        case send(SCXMLSend)
        /// `cancel`
        case cancel(SCXMLText)
        /// `if` with its `elseif` and `else`; the first whose condition holds, or that has none, is done.
        case branches([SCXMLBranch])
        /// `foreach`
        case forEach(array: SourceText, item: SourceText, index: SourceText?, [SCXMLAction])
        /// `log`
        case log(SCXMLValue)
        /// `script`
        case script(SCXMLValue)
        /// An element that is not understood.
        case unknown
    }

    /// What there is to do.
    public var kind: Kind
    /// The element's name, and where it stands.
    public var element: SourceText

    /// Makes an action.
    public init(_ kind: Kind, element: SourceText) {
        self.kind = kind
        self.element = element
    }
}

/// A part of an `if`.
public struct SCXMLBranch: Sendable {
    /// The condition; nil for `else`.
    public var condition: SourceText?
    /// What is done then.
    public var actions: [SCXMLAction]

    /// Makes a branch.
    public init(condition: SourceText?, actions: [SCXMLAction] = []) {
        self.condition = condition
        self.actions = actions
    }
}

/// A `send`.
public struct SCXMLSend: Sendable {
    /// The event.
    public var event: SCXMLText?
    /// Who gets it; nil for the machine itself.
    public var target: SCXMLText?
    /// By which processor it goes.
    public var type: SCXMLText?
    /// How long it waits, as CSS writes times: `1.5s`, `200ms`.
    public var delay: SCXMLText?
    /// By what it can be cancelled.
    public var id: SourceText?
    /// Where the id that is made up is to be kept.
    public var idLocation: SourceText?
    /// What it carries.
    public var parameters: [SCXMLParameter] = []

    /// Makes a send that says nothing.
    public init() {}
}
