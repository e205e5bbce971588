package import SkerryDevice
package import SkerryValues

/// A device that a search has found.
package struct FoundDevice: Sendable {
    /// The definition of its kind.
    package var definition: Definition
    package var file: DefinitionFile
    /// The name of the device, as the definition has it.
    package var device: String
    /// The name that people gave it; nil if no message had one.
    package var name: String?
    package var certainty: Certainty
    /// The topic of a message that told of it.
    package var topic: String
    /// The activity as it would be shown now; nil before a message that the definition reads.
    package var shown: Shown?
    /// The signals that its present states need, and that messages on its topics have not set yet.
    package var unset: [String]
    /// The parts that the definition did not read of its messages, in words.
    package var unread: [String] = []
    /// The topics on which it has still to be heard, beside others of it, while the definition has read nothing.
    package var awaited: [String] = []
    /// The kinds that its messages fit as well.
    package var alternatives: [String]

    /// The activity of a device as people would see it.
    package struct Shown: Sendable {
        /// The names of its innermost states, joined by commas.
        package var state: String
        /// The title of its state, if that has one.
        package var title: String?
        /// The content of its activity; nil without one.
        package var content: ValueMap?
    }

    /// The name under which everything of it is published, such as `washer/laundry`.
    package var identity: String { "\(definition.kind)/\(device)" }
}

/// Topics of devices that no definition recognises.
package struct UnknownTopics: Sendable {
    /// The filter of most of their messages, with `{device}`.
    package var filter: String
    /// The names of the devices, in the order of their first time.
    package var devices: [String]
    /// The number of their messages.
    package var messages: Int
    /// True if a number in them looks like the watts of a plug.
    package var hasWatts: Bool
    /// The kind whose devices publish such messages, on topics that begin otherwise.
    package var like: String?
    /// The kind of plug that such a name belongs to.
    package var named: String?
}
