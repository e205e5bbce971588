import SkerryExpressions
import SkerryValues

/// A topic filter with its payload format, and the signals taken from its messages; immutable.
public final class Source: Sendable {
    /// The topic filter, with the names of its captures.
    public let filter: TopicFilter
    /// The format in which payloads are read.
    public let payload: PayloadFormat
    /// True if the message decides which devices it belongs to, and not the topic alone.
    public let asksMessage: Bool

    /// The fields of a payload of bytes; empty when it is the list of its bytes.
    let fields: [PayloadField]
    let address: Address
    /// The paths into the payload that the expressions read.
    let paths: PathTable
    let plan: PayloadPlan
    /// For each path that the expressions read, true if the path is the whole payload.
    let wholePayload: [Bool]
    let signals: [SignalAssignment]
    let available: Program?
    let event: Program?
    /// The name that people gave the device.
    let name: Program?
    /// The devices that its messages may belong to.
    public var reach: SourceReach { address.reach }
    /// True if its messages tell whether a device can be reached.
    public var tellsAvailability: Bool { available != nil }
    /// True if a text alone decides whether a message counts, as in `when: payload in ["on", "off"]`.
    public var selectsByText: Bool {
        guard payload == .text, address.each == nil, let when = address.when else { return false }
        return when.references.allSatisfy { $0.kind == ReferenceKind.payload.rawValue }
    }
    /// True if an expression reads the captures, or if they are needed to name the device of a message.
    public let readsCaptures: Bool

    init(
        filter: TopicFilter,
        payload: PayloadFormat,
        fields: [PayloadField],
        address: Address,
        paths: PathTable,
        signals: [SignalAssignment],
        available: Program?,
        event: Program?,
        name: Program?
    ) {
        self.filter = filter
        self.payload = payload
        self.fields = fields
        self.address = address
        self.paths = paths
        plan = PayloadPlan(paths)
        wholePayload = paths.paths.map { $0.isEmpty }
        self.signals = signals
        self.available = available
        self.event = event
        self.name = name
        asksMessage = address.asksMessage
        let programs =
            signals.map { $0.program } + signals.compactMap { $0.form?.off }
            + [available, event, name].compactMap { $0 }
        readsCaptures =
            asksMessage
            || programs.contains { program in
                program.references.contains { $0.kind == ReferenceKind.capture.rawValue }
            }
    }
}

/// A signal and the expression that takes it from a message.
struct SignalAssignment: Sendable {
    var signal: Int
    var program: Program
    /// The way in which the signal follows values over time; nil for a plain one.
    var form: SignalForm?
    /// The numbers that are possible; nil for every value.
    var valid: ClosedRange<Double>?
    /// The values that the expression reads.
    let dependencies: Dependencies
    /// True if the signal is computed from other signals alone, so that a message without these says nothing of it.
    let isComputed: Bool

    init(signal: Int, program: Program, form: SignalForm? = nil, valid: ClosedRange<Double>? = nil) {
        self.signal = signal
        self.program = program
        self.form = form
        self.valid = valid
        dependencies = Dependencies(program)
        isComputed = !dependencies.signals.isEmpty && !dependencies.machine && !dependencies.everything
    }

    var type: ExpressionType { form?.type ?? program.type }
}

/// The devices that messages of a source may belong to.
public enum SourceReach: UInt8, Sendable, CaseIterable {
    /// The device that the message names, which is made if there is none.
    case new
    /// The device that the message names, if there is one.
    case known
    /// All devices of the definition; the message names none.
    case all

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .new: "new"
        case .known: "known"
        case .all: "all"
        }
    }
}

/// The keys of a source from which the devices of its messages follow.
struct Address: Sendable {
    /// The part of a message that names the device.
    enum Name: Sendable {
        /// A capture of the topic, by its number in the filter.
        case capture(Int)
        /// A text over the captures, the payload and the element.
        case template(TextTemplate)
        /// Messages name no device.
        case none
    }

    /// A name of a device here, and its name in this definition.
    struct Alias: Sendable {
        var name: String
        var device: String
    }

    var name: Name
    var aliases: [Alias] = []
    /// The condition under which a message counts.
    var when: Program?
    /// The list whose elements are read as messages of their own.
    var each: Program?
    /// The devices that messages may belong to.
    var reach = SourceReach.new

    /// True if a device can't be told from the topic alone.
    var asksMessage: Bool { reach != .new || when != nil || each != nil || !isNamedByTopic }

    /// True if the topic alone tells to which devices a message can belong.
    var isNamedByTopic: Bool {
        let isOfTopic = { (reference: Reference) in reference.kind == ReferenceKind.capture.rawValue }
        if let each, !each.references.allSatisfy(isOfTopic) { return false }
        guard case .template(let template) = name else { return reach != .all }
        return template.references.allSatisfy { isOfTopic($0) || $0.kind == ReferenceKind.item.rawValue }
    }
}
