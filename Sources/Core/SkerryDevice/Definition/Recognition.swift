import SkerryExpressions
public import SkerryValues

/// A kind of message that tells that a device of a definition's kind is there; immutable.
///
/// Reading one needs no device and changes nothing.
public final class Recognition: Sendable {
    /// The certainty with which such a message tells of a device.
    public let certainty: Certainty

    let source: Source
    /// The largest cost of one evaluation.
    let costLimit: Int32

    init(_ source: Source, certainty: Certainty, costLimit: Int32) {
        self.source = source
        self.certainty = certainty
        self.costLimit = costLimit
    }

    /// The topic filter, with the names of its captures.
    public var filter: TopicFilter { source.filter }

    /// A number for how closely it looks at a message: its names in the topic, and whether it asks for those at captures.
    public var closeness: Int {
        var names = 0
        for case .literal in filter.levels { names += 1 }
        let asksCaptures = source.address.when?.references.contains {
            $0.kind == ReferenceKind.capture.rawValue
        }
        return 2 * names + (asksCaptures ?? false ? 1 : 0)
    }

    /// True if one message may tell of many devices.
    public var isOfMany: Bool { source.address.each != nil }
}

/// A device of which a message told.
public struct Sighting: Hashable, Sendable {
    /// The name of the device, as the definition's sources have it.
    public var device: String
    /// The name that people gave the device, if the message has it.
    public var name: String?
    /// The certainty with which the message tells of the device.
    public var certainty: Certainty
}

extension Recognition {
    /// The longest name of a device in bytes.
    private static let nameLimit = 256
    /// The largest number of elements of one list that are looked at; a house has fewer devices.
    private static let elementLimit = 4096
    /// The cost of all expressions for one message, after which the rest of its elements are left out.
    private static let messageCost = DeviceLimits().messageCost

    /// The devices of which a message tells; none for an empty payload, which only takes a retained message away.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message, in UTF-8.
    ///   - bytes: The payload of the message.
    ///   - limits: Bounds on a payload in JSON.
    /// - Returns: the devices.
    public func sightings(
        in topic: ArraySlice<UInt8>,
        _ bytes: ArraySlice<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) -> [Sighting] {
        guard !bytes.isEmpty, filter.matches(topic) else { return [] }
        let captures = filter.capturedTexts(in: topic).map { Value.string($0) }
        var message = MessageScene(captures: captures, payload: [], item: .error(.unset))
        guard source.read(bytes, into: &message.payload, limits: limits) == nil else { return [] }
        var spent = 0
        guard let each = source.address.each else { return sighting(in: message, &spent).map { [$0] } ?? [] }
        guard case .list(let elements) = each.evaluate(from: message, (), costLimit: costLimit) else {
            return []
        }
        var sightings: [Sighting] = []
        for element in elements.prefix(Self.elementLimit) where spent <= Self.messageCost {
            message.item = element
            if let sighting = sighting(in: message, &spent) { sightings.append(sighting) }
        }
        return sightings
    }

    private func sighting(in message: MessageScene, _ spent: inout Int) -> Sighting? {
        if let when = source.address.when {
            guard case .bool(true) = message.value(of: when, costLimit, &spent) else { return nil }
        }
        guard let device = source.device(of: message, costLimit, &spent), !device.isEmpty,
            device.utf8.count <= Self.nameLimit
        else { return nil }
        var sighting = Sighting(device: device, certainty: certainty)
        if let program = source.name, case .string(let name) = message.value(of: program, costLimit, &spent),
            !name.isEmpty
        {
            sighting.name = String(name.unicodeScalars.prefix(Self.nameLimit))
        }
        return sighting
    }
}

/// The certainty with which a message tells that a device of a kind is there.
public enum Certainty: UInt8, Sendable, CaseIterable, Comparable {
    /// Other devices may send such messages, too.
    case likely
    /// Nothing else sends such messages.
    case certain

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .likely: "likely"
        case .certain: "certain"
        }
    }

    /// Returns whether the left one is less sure than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
