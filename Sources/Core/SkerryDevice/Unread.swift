public import SkerryExpressions
public import SkerryValues

/// A part of what devices tell that their definition does not read, with a count.
public struct Unread: Hashable, Sendable {
    /// The part that is not read.
    public enum Part: Hashable, Sendable {
        /// An expression that can't be evaluated, and the reason as a clause: `a value is of another type`.
        case expression(SourceText, reason: String)
        /// A value of a signal, or a text on a topic, that makes no difference to the definition.
        case word(String, of: String, isTopic: Bool)
        /// A signal that never had a value, its expression, and the fields that its messages have.
        case signal(String, SourceText, fields: [String])
        /// The payloads of a topic, given as a filter, and the reason, to follow "the payload is".
        case payload(topic: String, reason: String)
    }

    /// The part that is not read.
    public let part: Part
    /// The number of messages with it, for all devices of the definition.
    public var count: UInt64
    /// The device that told it first.
    public let device: String

    /// The place in the definition; nil for what the definition does not mention.
    public var place: Place? {
        switch part {
        case .expression(let text, _), .signal(_, let text, _): text.place
        case .word, .payload: nil
        }
    }

    /// The part in words, in one line.
    public var text: String {
        let times = count == 1 ? "once" : "\(count) times"
        switch part {
        case .expression(let text, let reason):
            return "'\(text.text.inOneLine)' failed \(times): \(reason)"
        case .word(let word, let topic, isTopic: true): return "\(topic) \"\(word)\": no source takes it"
        case .word(let word, let signal, isTopic: false):
            return "\(signal) \"\(word)\": no transition knows it"
        case .signal(let name, let text, let fields):
            let names = fields.map { "'\($0)'" }.joined(separator: ", ")
            return "never had a value: \(name) ('\(text.text.inOneLine)')"
                + (fields.isEmpty ? "" : "; messages have \(names)")
        case .payload(let topic, let reason):
            return "\(topic) can't be read, \(times): the payload is \(reason)"
        }
    }
}

extension [Unread] {
    /// Adds a part, or its count if the part is known.
    public mutating func add(_ unread: Unread) {
        if let same = firstIndex(where: { $0.part == unread.part }) {
            self[same].count &+= unread.count
        } else {
            append(unread)
        }
    }
}

/// A part of a message that was just not read, as small as it is noted in a turn.
public enum Misreading: Sendable {
    /// An expression had an error other than that a value is absent.
    case failed(Program, EvaluationError)
    /// A signal got a text that makes no difference.
    case word(String, signal: Int)
    /// The payload of a source can't be read.
    case refused(PayloadRefusal, source: Int)
    /// A text on a topic that is no message of the source.
    case ignored(String, topic: String)

    /// The largest number that is noted in a turn.
    static let turnLimit = 16

    /// True if both are counted as one.
    fileprivate func isSame(as other: Misreading) -> Bool {
        switch (self, other) {
        case (.failed(let program, let error), .failed(let known, let before)):
            program === known && error == before
        case (.word(let word, let signal), .word(let known, let before)):
            signal == before && word.hasSameCodePoints(as: known)
        case (.refused(let refusal, let source), .refused(let known, let before)):
            source == before && refusal.message.hasSameCodePoints(as: known.message)
        case (.ignored(let word, let topic), .ignored(let known, let before)):
            word.hasSameCodePoints(as: known) && topic.hasSameCodePoints(as: before)
        default: false
        }
    }
}

/// A bounded record of what the devices of one definition told and it did not read.
public struct UnreadAccount: Sendable {
    /// The largest number of parts, and that of words of one signal or topic; further ones are not told.
    static let limits = (parts: 32, words: 6)
    /// The length of a word that is told, in bytes.
    public static let wordBytes = 60
    /// The number of messages of a source after which its signals have had their chance.
    static let patience: UInt64 = 3
    /// The largest payload whose fields are told, in bytes, and the largest number of fields.
    static let sample = (bytes: 16_384, fields: 12)

    private struct Entry {
        var misreading: Misreading
        var part: Unread.Part
        var count: UInt64
        var device: String
    }

    private var entries: [Entry] = []
    /// The signals that had a value.
    private var heard = SignalSet()
    /// The number of messages of each source, and the fields that some of them had.
    private var sources: [(messages: UInt64, fields: [String])]

    /// Makes an account of which nothing is noted.
    public init(of definition: Definition) {
        sources = definition.sources.map { _ in (0, []) }
    }

    /// Adds what a turn of a device noted.
    public mutating func add(_ outcome: TurnOutcome, of definition: Definition, device: String) {
        heard.formUnion(outcome.reported)
        for misreading in outcome.misreadings { add(misreading, of: definition, device: device) }
    }

    /// Adds what was not read.
    public mutating func add(_ misreading: Misreading, of definition: Definition, device: String) {
        if let known = entries.firstIndex(where: { $0.misreading.isSame(as: misreading) }) {
            entries[known].count &+= 1
            return
        }
        if case .ignored(let word, _) = misreading, KnownWords.isNothing(word) { return }
        guard entries.count < Self.limits.parts, let part = definition.part(misreading) else { return }
        if case .word(_, let name, _) = part {
            let known = entries.count { entry in
                if case .word(_, name, _) = entry.part { true } else { false }
            }
            guard known < Self.limits.words else { return }
        }
        entries.append(Entry(misreading: misreading, part: part, count: 1, device: device))
        assert(entries.count <= Self.limits.parts, "more is told than promised")
    }

    /// Counts a message of a source, after the turn of its device.
    public mutating func countMessage(
        of source: Int,
        _ payload: ArraySlice<UInt8>,
        in definition: Definition
    ) {
        sources[source].messages &+= 1
        let count = sources[source].messages
        // The first ones, and ever fewer: some messages of a device have other fields.
        guard count & (count &- 1) == 0, payload.count <= Self.sample.bytes,
            definition.sources[source].payload == .json,
            definition.sources[source].signals.contains(where: { isMissing($0, in: definition) }),
            case .map(let members)? = try? JSONReader.value(of: payload.span)
        else { return }
        addFields(of: members, beginning: "", depth: 3, to: source)
    }

    private mutating func addFields(of map: ValueMap, beginning: String, depth: Int, to source: Int) {
        for entry in map.entries {
            guard case .string(let key) = entry.key, sources[source].fields.count < Self.sample.fields else {
                continue
            }
            let name = beginning + key.cut(to: Self.wordBytes)
            if case .map(let members) = entry.value, depth > 1, !members.entries.isEmpty {
                addFields(of: members, beginning: name + ".", depth: depth - 1, to: source)
            } else if !sources[source].fields.contains(where: { $0.hasSameCodePoints(as: name) }) {
                sources[source].fields.append(name)
            }
        }
    }

    /// Takes over what a device knew before this account began.
    public mutating func take(_ device: Device, of definition: Definition) {
        for (number, value) in device.memory.values.prefix(definition.signalNames.count).enumerated() {
            if case .error = value { continue }
            heard.insert(number)
            if let word = definition.knownWords.unknownWord(value, of: number) {
                add(.word(word.cut(to: Self.wordBytes), signal: number), of: definition, device: device.name)
            }
        }
    }

    private func isMissing(_ assignment: SignalAssignment, in definition: Definition) -> Bool {
        !heard.contains(assignment.signal) && definition.neededSignals.contains(assignment.signal)
            && !assignment.program.asksPresence
    }

    /// The parts that are not read, in the order in which they came, and then the signals that never had a value.
    public func parts(in definition: Definition) -> [Unread] {
        entries.map { Unread(part: $0.part, count: $0.count, device: $0.device) }
            + missing(in: definition) { _ in true }
    }

    /// The parts that are not read of one device: those that it told first, its present words, and its signals without a value.
    public func parts(of device: Device, in definition: Definition) -> [Unread] {
        var parts: [Unread] = []
        for entry in entries where entry.device.hasSameCodePoints(as: device.name) {
            // Those of signals are told by what they are now.
            if case .word(_, _, isTopic: false) = entry.part { continue }
            parts.append(Unread(part: entry.part, count: entry.count, device: entry.device))
        }
        let values = device.memory.values
        for (number, name) in definition.signalNames.enumerated() {
            guard let word = definition.knownWords.unknownWord(values[number], of: number) else { continue }
            let part = Unread.Part.word(word.cut(to: Self.wordBytes), of: name, isTopic: false)
            parts.append(Unread(part: part, count: 1, device: device.name))
        }
        return parts
            + missing(in: definition) { signal in if case .error = values[signal] { true } else { false } }
    }

    /// The signals that never had a value although messages of their source came.
    private func missing(in definition: Definition, where isMeant: (Int) -> Bool) -> [Unread] {
        var named = SignalSet()
        var parts: [Unread] = []
        for (number, source) in definition.sources.enumerated()
        where sources[number].messages >= Self.patience {
            for assignment in source.signals
            where isMissing(assignment, in: definition) && isMeant(assignment.signal) {
                guard !named.contains(assignment.signal), let text = definition.text(of: assignment.program)
                else { continue }
                named.insert(assignment.signal)
                let name = definition.signalNames[assignment.signal]
                parts.append(
                    Unread(
                        part: .signal(name, text, fields: sources[number].fields),
                        count: sources[number].messages,
                        device: ""
                    )
                )
            }
        }
        return parts
    }
}

extension Definition {
    /// The text of an expression, with its place.
    func text(of program: Program) -> SourceText? {
        expressions.first { $0.program === program }?.text
    }

    fileprivate func part(_ misreading: Misreading) -> Unread.Part? {
        switch misreading {
        case .failed(let program, let error): text(of: program).map { .expression($0, reason: error.words) }
        case .word(let word, let signal): .word(word, of: signalNames[signal], isTopic: false)
        case .refused(let refusal, let source):
            .payload(topic: sources[source].filter.subscription, reason: refusal.message)
        case .ignored(let word, let topic): .word(word, of: topic, isTopic: true)
        }
    }
}

extension String {
    /// The text in one line of at most 80 characters.
    fileprivate var inOneLine: String {
        let words = split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
        return words.count > 80 ? "\(words.prefix(79))…" : words
    }

    /// The text, or its beginning with at most so many bytes.
    func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + String(scalar).utf8.count < bytes - 2 else { break }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }
}

extension EvaluationError {
    /// The error as a clause.
    var words: String {
        switch self {
        case .noSuchKey: "a field is missing"
        case .unset: "a value is not known yet"
        case .noSuchOverload: "a value is of another type"
        case .divisionByZero: "division by zero"
        case .overflow: "a number is too large"
        case .invalidArgument: "an argument is out of range"
        case .indexOutOfBounds: "an index is beyond the end of a list"
        case .undeclaredReference: "a name is unknown"
        case .costExceeded: "it costs more than the limit"
        case .impossible: "the value is not within 'valid'"
        }
    }
}
