import SkerryExpressions
public import SkerryValues

/// A kind of message that tells that a device of a definition's kind is there; immutable.
///
/// Reading one needs no device and changes nothing.
public final class Recognition: Sendable {
    /// The topic filter, with the names of its captures.
    public let filter: TopicFilter
    /// The certainty with which such a message tells of a device.
    public let certainty: Certainty

    /// True if one message may tell of many devices.
    public var isOfMany: Bool { each != nil }

    let payload: PayloadFormat
    let plan: PayloadPlan
    /// For each path that the expressions read, true if the path is the whole payload.
    let wholePayload: [Bool]
    /// The levels of all captures, in the order of the filter.
    let captureLevels: [Int]
    let device: DeviceNaming
    let each: Program?
    let condition: Program?
    let name: Program?
    /// The largest cost of one evaluation.
    let costLimit: Int32

    /// The place of the device's name in a message.
    enum DeviceNaming: Sendable {
        /// This level of the topic.
        case level(Int)
        /// A text with expressions over the message.
        case template(TextTemplate)
    }

    /// The largest number of elements of a payload that are read as messages of their own.
    static let elementLimit = 1024
    /// The longest name of a device in bytes.
    static let nameLimit = 256

    init(
        filter: TopicFilter,
        certainty: Certainty,
        payload: PayloadFormat,
        paths: PathTable,
        device: DeviceNaming,
        each: Program?,
        condition: Program?,
        name: Program?,
        costLimit: Int32
    ) {
        self.filter = filter
        self.certainty = certainty
        self.payload = payload
        plan = PayloadPlan(paths)
        wholePayload = paths.paths.map { $0.isEmpty }
        captureLevels = filter.levels.indices.filter {
            if case .capture = filter.levels[$0] { true } else { false }
        }
        self.device = device
        self.each = each
        self.condition = condition
        self.name = name
        self.costLimit = costLimit
    }
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
        let levels = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var scene = RecognitionScene()
        for level in captureLevels {
            guard let text = String(validating: levels[level], as: UTF8.self) else { return [] }
            scene.captures.append(.string(text))
        }
        let refusal = payload.read(bytes, plan, wholePayload, limits: limits, into: &scene.payload)
        guard refusal == nil else { return [] }
        guard let each else { return sighting(in: scene, levels).map { [$0] } ?? [] }
        guard case .list(let elements) = each.evaluate(from: scene, (), costLimit: costLimit) else {
            return []
        }
        return elements.prefix(Self.elementLimit).compactMap { element in
            scene.item = element
            return sighting(in: scene, levels)
        }
    }

    private func sighting(in scene: RecognitionScene, _ levels: [ArraySlice<UInt8>]) -> Sighting? {
        if let condition {
            guard case .bool(true) = condition.evaluate(from: scene, (), costLimit: costLimit) else {
                return nil
            }
        }
        let found: String?
        switch device {
        case .level(let level): found = String(validating: levels[level], as: UTF8.self)
        case .template(let template): found = template.deviceName(in: scene, costLimit)
        }
        guard let found, !found.isEmpty, found.utf8.count <= Self.nameLimit else { return nil }
        var sighting = Sighting(device: found, certainty: certainty)
        if case .string(let name) = name?.evaluate(from: scene, (), costLimit: costLimit), !name.isEmpty {
            sighting.name = name
        }
        return sighting
    }
}

extension TextTemplate {
    /// The name of a device, with `-` for characters that can't stand in a level; nil if an expression has no value.
    fileprivate func deviceName(in scene: RecognitionScene, _ costLimit: Int32) -> String? {
        for case .expression(let program, _) in parts {
            switch program.evaluate(from: scene, (), costLimit: costLimit) {
            case .error, .null, .list, .map: return nil
            default: continue
            }
        }
        var bytes: [UInt8] = []
        for byte in render(from: scene, (), costLimit: costLimit).utf8 {
            let isOfLevel = byte >= 0x20 && byte != 0x7F && !"/+#".utf8.contains(byte)
            bytes.append(isOfLevel ? byte : UInt8(ascii: "-"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The values that the expressions of a recognition read.
private struct RecognitionScene: ValueSource {
    var payload: [Value] = []
    var captures: [Value] = []
    var item = Value.error(.unset)

    func load(_ reference: Reference, _ context: borrowing Void) -> Value {
        let index = Int(reference.index)
        switch ReferenceKind(rawValue: reference.kind) {
        case .payload: return payload[index]
        case .capture: return captures[index]
        case .item: return item
        default: return .error(.undeclaredReference)
        }
    }
}
