public import SkerryDevice
public import SkerryValues

/// A device that a search has found.
public struct FoundDevice: Sendable {
    /// The definition of its kind.
    public var definition: Definition
    /// The file of the definition.
    public var file: DefinitionFile
    /// The name of the device, as the definition has it.
    public var device: String
    /// The name that people gave it; nil if no message had one.
    public var name: String?
    /// The certainty that it is one.
    public var certainty: Certainty
    /// The topic of a message that told of it.
    public var topic: String
    /// The activity as it would be shown now; nil before a message that the definition reads.
    public var shown: Shown?
    /// The signals that no message has set yet.
    public var unset: [String]
    /// The parts that the definition did not read of its messages, in words.
    public var unread: [String] = []
    /// The topics on which it has still to be heard, beside others of it, while the definition has read nothing.
    public var awaited: [String] = []
    /// The kinds that its messages fit as well.
    public var alternatives: [String]

    /// The activity of a device as people would see it.
    public struct Shown: Sendable {
        /// The names of its innermost states, joined by commas.
        public var state: String
        /// The title of its state, if that has one.
        public var title: String?
        /// The content of its activity; nil without one.
        public var content: ValueMap?
    }

    /// The name under which everything of it is published, such as `washer/laundry`.
    public var identity: String { "\(definition.kind)/\(device)" }
}

/// Topics of devices that no definition recognises.
public struct UnknownTopics: Sendable {
    /// The filter of most of their messages, with `{device}`.
    public var filter: String
    /// The names of the devices, in the order of their first time.
    public var devices: [String]
    /// The number of their messages.
    public var messages: Int
    /// True if a number in them looks like the watts of a plug.
    public var hasWatts: Bool
    /// The kind whose devices publish such messages, on topics that begin otherwise.
    public var like: String?
    /// The kind of plug that such a name belongs to.
    public var named: String?
}
