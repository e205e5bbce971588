import SkerryExpressions
public import SkerryValues

// A message finds its devices before any of them has its turn: `when`, `each` and `device` of a source read the topic,
// the payload and the element, and nothing of a device.

/// A device that a message belongs to, and the element of the message that speaks of it.
public struct AddressedDevice: Sendable {
    /// The name of the device.
    public var name: String
    /// The element; an error in a source without `each`.
    public var item: Value
}

/// The devices that a message of a source belongs to.
public struct SourceSelection: Sendable {
    /// The devices, in the order of the elements; a device may come several times.
    public var devices: [AddressedDevice] = []
    /// True if the message belongs to all devices of the definition; then ``devices`` is empty.
    public var isOfAll = false
    /// The reason why the payload can't be read; nil when it was read.
    public var refusal: PayloadRefusal?
    /// The number of elements beyond those that are read.
    public var leftOut: UInt64 = 0
    /// The number of evaluations that failed, not counting absent values.
    public var failedReadings: UInt64 = 0
    /// The expressions that could not be evaluated, not counting absent values.
    public var misreadings: [Misreading] = []
}

extension Source {
    /// The largest number of elements of one message that are read.
    static let elementLimit = 256

    /// The topic of messages of a device; nil if its name alone does not determine it.
    func topic(forDevice device: String) -> String? {
        let alias = address.aliases.first { $0.device.hasSameCodePoints(as: device) }
        let name = alias?.name ?? device
        var captures = 0
        var levels: [String] = []
        for level in filter.levels {
            if case .literal(let text) = level {
                levels.append(text)
                continue
            }
            guard case .capture(captures) = address.name else { return nil }
            captures += 1
            switch level {
            case .capture, .captureOfRest: levels.append(name)
            case .partialCapture(let prefix, _, let suffix): levels.append(prefix + name + suffix)
            case .any, .rest, .literal: return nil
            }
        }
        return levels.joined(separator: "/")
    }

    /// The level of a topic that is the name of the device, for all topics of one level at each wildcard; nil if it takes
    /// more than a level to tell.
    public var levelOfDevice: Int? {
        guard case .capture(let number) = address.name, address.aliases.isEmpty else { return nil }
        let places = filter.levels.indices.filter { filter.levels[$0].captureName != nil }
        switch filter.levels[places[number]] {
        case .capture, .captureOfRest: return places[number]
        case .literal, .any, .partialCapture, .rest: return nil
        }
    }

    /// The name of the device in a message that the source covers; nil when it belongs to none.
    func device(of message: MessageScene, _ costLimit: Int32, _ spent: inout Int) -> String? {
        var name: String
        switch address.name {
        case .capture(let number):
            guard case .string(let text) = message.captures[number] else { return nil }
            name = text
            // Several levels can't be one level of the topics on which the device is published.
            if case .captureOfRest? = filter.levels.last { name = name.asTopicLevel }
        case .template(let template):
            let written = template.text { message.value(of: $0, costLimit, &spent) }
            guard let text = written else { return nil }
            name = text.asTopicLevel
            if name.utf8.isEmpty { return nil }
        case .none: return nil
        }
        for alias in address.aliases where alias.name.hasSameCodePoints(as: name) { return alias.device }
        return name
    }
}

extension Definition {
    /// The devices to which messages of a topic can belong, as far as the topic alone tells.
    ///
    /// - Parameters:
    ///   - topic: The topic of a message in UTF-8.
    ///   - number: The number of the source.
    /// - Returns: The devices, none when the source does not cover the topic or its messages belong to no device; nil when
    ///   each message must be asked.
    public func candidates(of topic: ArraySlice<UInt8>, source number: Int) -> [AddressedDevice]? {
        let source = sources[number]
        guard source.filter.matches(topic) else { return [] }
        guard source.address.isNamedByTopic else { return nil }
        let captures = source.filter.capturedTexts(in: topic).map { Value.string($0) }
        var message = MessageScene(captures: captures, payload: [], item: .error(.unset))
        var spent = 0
        guard let each = source.address.each else {
            return source.device(of: message, limits.expressionCost, &spent).map {
                [AddressedDevice(name: $0, item: message.item)]
            } ?? []
        }
        let value = each.evaluate(from: message, (), costLimit: limits.expressionCost)
        // What is wrong with other values is told with each message.
        guard case .list(let elements) = value, elements.count <= Source.elementLimit else { return nil }
        var candidates: [AddressedDevice] = []
        for element in elements where spent <= limits.messageCost {
            message.item = element
            guard let name = source.device(of: message, limits.expressionCost, &spent) else { continue }
            candidates.append(AddressedDevice(name: name, item: element))
        }
        return candidates
    }

    /// The names of the devices that a message belongs to, as far as the definition alone tells.
    public func devices(of topic: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) -> [String] {
        var workspace = Workspace(epoch: 0)
        var names: [String] = []
        for (number, source) in sources.enumerated() where source.filter.matches(topic) {
            var found = candidates(of: topic, source: number)
            if source.asksMessage {
                let captures = source.filter.capturedTexts(in: topic).map { Value.string($0) }
                found =
                    select(payload, source: number, captures: captures, among: found, in: &workspace)
                    .devices
            }
            names += (found ?? []).map { $0.name }
        }
        return names
    }

    /// The topic on which a message with this payload in JSON is one of a device, that of the first source that reads it; nil
    /// if there is none that the name of the device determines.
    public func topic(of payload: ArraySlice<UInt8>, forDevice device: String) -> String? {
        guard !device.utf8.isEmpty, device.asTopicLevel.hasSameCodePoints(as: device) else { return nil }
        var workspace = Workspace(epoch: 0)
        for source in sources where source.reach == .new && source.payload == .json {
            guard let topic = source.topic(forDevice: device),
                source.read(payload, into: &workspace.payload, limits: limits.json) == nil
            else { continue }
            let devices = devices(of: Array(topic.utf8)[...], payload: payload)
            if devices.contains(where: { $0.hasSameCodePoints(as: device) }) { return topic }
        }
        return nil
    }

    /// Reads a message of a source that asks the message for its devices; its payload stays in the workspace.
    ///
    /// - Parameters:
    ///   - payload: The payload, unchanged.
    ///   - number: The number of the source.
    ///   - captures: The captured levels of the topic.
    ///   - candidates: The ``candidates(of:source:)`` of the topic.
    ///   - workspace: The workspace that the turns of the devices begin with.
    /// - Returns: The devices that the message belongs to; none when it is no message of the source.
    public func select(
        _ payload: ArraySlice<UInt8>,
        source number: Int,
        captures: [Value],
        among candidates: [AddressedDevice]?,
        in workspace: inout Workspace
    ) -> SourceSelection {
        let source = sources[number]
        var selection = SourceSelection()
        selection.refusal = source.read(payload, into: &workspace.payload, limits: limits.json)
        guard selection.refusal == nil else { return selection }
        var message = MessageScene(captures: captures, payload: workspace.payload, item: .error(.unset))
        if source.reach == .all {
            selection.isOfAll = counts(message, source, &selection, &workspace.cost)
            return selection
        }
        if let candidates {
            for candidate in candidates {
                message.item = candidate.item
                guard counts(message, source, &selection, &workspace.cost) else { continue }
                selection.devices.append(candidate)
            }
            return selection
        }
        guard let each = source.address.each else {
            if let device = device(of: message, source, &selection, &workspace.cost) {
                selection.devices.append(AddressedDevice(name: device, item: message.item))
            }
            return selection
        }
        let value = message.value(of: each, limits.expressionCost, &workspace.cost)
        guard case .list(let elements) = value else {
            var error = EvaluationError.noSuchOverload
            if case .error(let found) = value { error = found }
            count(error, of: each, &selection)
            return selection
        }
        selection.leftOut = UInt64(max(elements.count - Source.elementLimit, 0))
        for element in elements.prefix(Source.elementLimit) {
            guard workspace.cost <= limits.messageCost else {
                selection.leftOut += 1
                continue
            }
            message.item = element
            guard let device = device(of: message, source, &selection, &workspace.cost) else { continue }
            selection.devices.append(AddressedDevice(name: device, item: element))
        }
        assert(selection.devices.count <= Source.elementLimit, "more elements are read than promised")
        return selection
    }

    /// The device of a message or of one of its elements; nil when it does not count.
    private func device(
        of message: MessageScene,
        _ source: Source,
        _ selection: inout SourceSelection,
        _ spent: inout Int
    ) -> String? {
        guard counts(message, source, &selection, &spent) else { return nil }
        if let name = source.device(of: message, limits.expressionCost, &spent) { return name }
        if case .template(let template) = source.address.name {
            let failures = template.rendering { message.value(of: $0, limits.expressionCost, &spent) }
                .failures
            for failure in failures {
                count(failure.error, of: failure.program, &selection)
            }
        }
        return nil
    }

    /// Returns whether a message or one of its elements counts, as `when` says.
    private func counts(
        _ message: MessageScene,
        _ source: Source,
        _ selection: inout SourceSelection,
        _ spent: inout Int
    ) -> Bool {
        guard let when = source.address.when else { return true }
        switch message.value(of: when, limits.expressionCost, &spent) {
        case .bool(let isTrue): return isTrue
        case .error(let error): count(error, of: when, &selection)
        default: count(.noSuchOverload, of: when, &selection)
        }
        return false
    }

    /// Counts a failed evaluation; the absence of a value is not a failure.
    private func count(
        _ error: EvaluationError,
        of program: Program,
        _ selection: inout SourceSelection
    ) {
        switch error {
        case .noSuchKey, .unset, .indexOutOfBounds: return
        default: selection.failedReadings += 1
        }
        if selection.misreadings.count < Misreading.turnLimit {
            selection.misreadings.append(.failed(program, error))
        }
    }
}

/// A message without a device, as the source's expressions read it.
struct MessageScene: ValueSource {
    typealias Context = Void

    var captures: [Value]
    var payload: [Value]
    var item: Value

    /// The value of an expression, whose cost is added to `spent`.
    func value(of program: Program, _ costLimit: Int32, _ spent: inout Int) -> Value {
        program.evaluate(costLimit: costLimit, spent: &spent) { load($0, ()) }
    }

    func load(_ reference: Reference, _ context: borrowing Void) -> Value {
        switch ReferenceKind(rawValue: reference.kind) {
        case .payload: payload[Int(reference.index)]
        case .capture: captures[Int(reference.index)]
        case .item: item
        default: .error(.undeclaredReference)
        }
    }
}

extension String {
    /// The text with `-` in place of everything that one level of a topic can't have, and of control characters.
    var asTopicLevel: String {
        let isPlain = utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "+")
                && $0 != UInt8(ascii: "#")
        }
        if isPlain { return self }
        return rewritten { scalar in
            switch scalar {
            case "/", "+", "#", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": "-"
            default: nil
            }
        }
    }
}
