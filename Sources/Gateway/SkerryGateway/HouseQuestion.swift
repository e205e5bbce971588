/// A question about the house, or something to do in it: the one list of what may be asked, with the right that each takes.
///
/// An address of the HTTP API, a request over MQTT and a message of a stream are forms of these questions.
package enum HouseQuestion: Hashable, Sendable {
    case devices
    /// The explanation of a device.
    case device(DeviceKey)
    case timeline(DeviceKey)
    /// The bridge itself: broker, counters, health.
    case status
    /// The numbers of the bridge in the text format of Prometheus.
    case metrics
    case definitions
    /// One definition with its text, its machine and its layout.
    case definition(kind: String)
    /// The runs that go on, and those that have ended, from the last end back; of one kind, of one device, and behind one run
    /// in this order, if that is said.
    case runs(kind: String? = nil, device: String? = nil, before: String? = nil, limit: Int = 100)
    /// The recording that the bridge keeps of a device, as lines.
    case recording(DeviceKey)
    /// The failed deliveries to phones and recipients, newest first; with a service or a recipient, only its own.
    case failures(service: String? = nil, recipient: String? = nil, limit: Int = 100)
    /// The topics of the broker that no definition reads.
    case unreadTopics
    /// The devices on the broker that definitions which come with Skerry recognise and the bridge does not run, and the topics of
    /// others.
    case found
    /// A definition that comes with Skerry, as ``definition(kind:)`` tells one in force.
    case shelvedDefinition(kind: String)
    /// Something to be done about a found device; with a name for it, if it is used.
    case decide(FoundDecision, DeviceKey, name: String? = nil)
    /// A first text for the definition of a kind whose devices no definition knows, from the messages just heard on topics that a
    /// filter with `{device}` matches.
    case proposal(kind: String, filter: String)
    /// A check of a definition's text.
    case check(source: String)
    /// The compiled form of a definition's text.
    case compile(source: String)
    /// A replay of a recording.
    case replay(ReplayRequest)
    case event(DeviceKey, name: String)
    /// A message of a device in JSON, as if the broker had sent it; one with the same key and content counts once.
    case message(DeviceKey, payload: [UInt8], key: String? = nil)
    /// A test activity on a phone; of one kind, if that is said.
    case test(phone: String, kind: String? = nil)
    /// A new text for the definition of a kind, to be checked and written to its file, in place of the definition with one of
    /// these versions, see ``HouseAnswer/version(of:)``; nil for any.
    case saveDefinition(kind: String, source: String, over: [String]?)
    /// The text of a definition of a new kind, to be checked and written to a file of its own.
    case addDefinition(kind: String, source: String)
    /// The file of a definition to be removed, if it is one of these versions; nil for any.
    case removeDefinition(kind: String, over: [String]?)
    /// The settings and the name of a device in place of those that were chosen so before, to be checked and kept; nil
    /// leaves either as it is, an empty name takes it back.
    case chooseSettings(DeviceKey, settings: [GivenSetting]? = nil, name: String? = nil)
    /// The cards of the devices that somebody arranged on the page, in their order.
    case cards
    /// All cards anew.
    case arrange([DeviceCard])
    /// The broker that the bridge uses, and whether another one can be chosen.
    case broker
    /// Another broker for the bridge, which is kept if it lets the bridge in.
    case chooseBroker(GivenBroker)
    /// The broker of the configuration again, in place of one that was chosen so.
    case giveUpBroker

    /// The right that it takes to ask; over MQTT, where nobody says who asks, the broker decides who may publish.
    package var right: Right {
        switch self {
        case .timeline, .definition: .follow
        case .devices, .device, .status, .metrics, .definitions, .runs, .recording, .cards: .look
        case .event: .act
        case .unreadTopics, .found, .shelvedDefinition, .proposal, .check, .compile: .author
        // Everybody may try what is in force on what was kept; a text of one's own costs more.
        case .replay(let request): request.source == nil && request.recording == nil ? .look : .author
        case .chooseSettings(_, let settings, _): settings == nil ? .rename : .administer
        case .test: .care
        case .failures: .oversee
        case .message, .decide, .saveDefinition, .addDefinition, .removeDefinition, .arrange, .broker,
            .chooseBroker,
            .giveUpBroker:
            .administer
        }
    }
}

/// A broker as somebody chooses it.
package struct GivenBroker: Hashable, Sendable {
    /// Who has to vouch for the broker.
    package enum Security: Hashable, Sendable {
        /// Nobody: the connection is not encrypted.
        case none
        /// An authority that the system trusts.
        case system
        /// An authority of these certificates in PEM; nil for that of the broker in use.
        case authority(String?)
    }

    /// Its name or address.
    package var host: String
    /// Its TCP port.
    package var port: Int
    /// The user; nil for none.
    package var username: String?
    /// The password, empty for none; nil for that of the broker in use.
    package var password: String?
    /// Who vouches for it.
    package var security: Security

    package init(
        host: String = "",
        port: Int = 1883,
        username: String? = nil,
        password: String? = nil,
        security: Security = .none
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.security = security
    }
}

/// The card of a device on the page.
package struct DeviceCard: Hashable, Sendable {
    package var device: DeviceKey
    /// The room that it is in; empty for none.
    package var room: String
    /// True if it has no card.
    package var isHidden: Bool

    package init(device: DeviceKey, room: String = "", isHidden: Bool = false) {
        self.device = device
        self.room = room
        self.isHidden = isHidden
    }
}

/// A decision about a device that was found.
package enum FoundDecision: String, Hashable, Sendable, CaseIterable {
    /// The definition of its kind is used.
    case use
    /// The definition of its kind is no longer used.
    case giveUp = "give-up"
    /// It is not told any more.
    case hide
    /// It is told again.
    case show
}

/// A value for a setting of a device, as somebody gives it.
package struct GivenSetting: Hashable, Sendable {
    package var name: String
    /// The value as it is written in YAML, without quotes: `20`, `5m`, `true`.
    package var value: String
    /// True for a text, also one that looks like a number; lengths of time are texts.
    package var isText: Bool

    package init(_ name: String, _ value: String, isText: Bool) {
        self.name = name
        self.value = value
        self.isText = isText
    }
}

/// A wish to run a recording through a definition.
package struct ReplayRequest: Hashable, Sendable {
    /// The text of the definition; nil for a running one.
    package var source: String?
    /// The kind of the running definition.
    package var kind: String?
    /// The lines of a recording; nil for what the bridge keeps of a device.
    package var recording: String?
    /// The device whose recording the bridge keeps, as `kind/name`.
    package var device: String?

    package init(
        source: String? = nil,
        kind: String? = nil,
        recording: String? = nil,
        device: String? = nil
    ) {
        self.source = source
        self.kind = kind
        self.recording = recording
        self.device = device
    }
}
