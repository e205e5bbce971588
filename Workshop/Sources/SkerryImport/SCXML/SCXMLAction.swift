package import SkerryDevice

/// An element of executable content.
package struct SCXMLAction: Sendable {
    /// The kinds of executable content.
    package indirect enum Kind: Sendable {
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
    package var kind: Kind
    /// The name of the element, with its place.
    package var element: SourceText

    /// Makes an action.
    package init(_ kind: Kind, element: SourceText) {
        self.kind = kind
        self.element = element
    }
}

/// A branch of an `if`.
package struct SCXMLBranch: Sendable {
    /// The condition; nil for `else`.
    package var condition: SourceText?
    /// The actions of the branch.
    package var actions: [SCXMLAction]

    /// Makes a branch.
    package init(condition: SourceText?, actions: [SCXMLAction] = []) {
        self.condition = condition
        self.actions = actions
    }
}

/// A `send`.
package struct SCXMLSend: Sendable {
    /// The name of the event.
    package var event: SCXMLText?
    /// The receiver; nil for the machine itself.
    package var target: SCXMLText?
    /// The event processor.
    package var type: SCXMLText?
    /// The delay in the syntax of CSS: `1.5s`, `200ms`.
    package var delay: SCXMLText?
    /// The id by which the event can be cancelled.
    package var id: SourceText?
    /// The location in which a generated id is stored.
    package var idLocation: SourceText?
    /// The data of the event.
    package var parameters: [SCXMLParameter] = []

    /// Makes a send without attributes.
    package init() {}
}
