import SkerryExpressions

/// The meaning of a name in a definition's expressions; the kind of a `Reference`.
enum ReferenceKind: UInt8 {
    /// A signal, by its number.
    case signal
    /// True if this message changed a signal, by its number.
    case changed
    /// A variable of the machine, by its number.
    case context
    /// A path into the payload, by its number in the source's table.
    case payload
    /// A capture of the topic, by its number in the source's filter.
    case capture
    /// The time left of a countdown or the time counted so far, by the timer's number.
    case timer
    /// True while a state is active, by its number.
    case inState
    /// The time since the innermost active state was entered.
    case elapsed
    /// The moment of this input.
    case now
    /// The moment from which the guard of the transition just taken has held.
    case since
    /// The names of the innermost active states.
    case stateName
    /// The title of the innermost active state that has one.
    case stateTitle
    /// The name that people gave the device, or its id.
    case deviceName
    case deviceKind
    /// The availability of the device.
    case deviceAvailable
    /// The name of the event being handled.
    case event
    /// A field of the activity, by its number: attributes first, then content.
    case field
    /// True from the moment a countdown reaches zero until it is started or stopped, by the timer's number.
    case timerElapsed
    /// No value: that of a variable before something assigns it, and of a signal that a message leaves as it was.
    case unset
    /// A setting, by its number.
    case setting
    /// The id of the device: the level of the topic, or the text, that names it.
    case deviceID
    /// The element of the message that is read, in a source with `each`.
    case item
    /// True if this message told a signal, whatever its value, by its number.
    case reported
    /// The moment at which a countdown that runs reaches zero, or has, by the timer's number.
    case timerEnd
    /// The name of the time zone of the place.
    case zone

    func reference(_ index: Int = 0) -> Reference {
        Reference(kind: rawValue, index: UInt16(truncatingIfNeeded: index))
    }
}
