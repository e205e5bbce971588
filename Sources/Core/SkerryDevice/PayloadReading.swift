import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Source {
    /// Reads a payload into the values that the expressions refer to.
    func read(
        _ bytes: ArraySlice<UInt8>,
        into payload: inout [Value],
        limits: JSONLimits
    ) -> PayloadRefusal? {
        guard bytes.count <= limits.bytes else { return .tooLarge }
        switch self.payload {
        case .json:
            do throws(JSONRefusal) {
                try plan.read(bytes.span, into: &payload, limits: limits)
                return nil
            } catch {
                return .json(error)
            }
        case .text:
            guard let text = String(validating: bytes, as: UTF8.self) else { return .notText }
            return take(.string(text), into: &payload)
        case .number:
            guard let number = Self.number(of: bytes) else { return .notNumber }
            return take(.double(number), into: &payload)
        case .bool:
            guard let truth = Self.truth(of: bytes) else { return .notBool }
            return take(.bool(truth), into: &payload)
        case .pairs: return take(ListedPayload.pairs(bytes), into: &payload, or: .notPairs)
        case .csv: return take(ListedPayload.csv(bytes), into: &payload, or: .notCSV)
        case .hex: return take(ListedPayload.hex(bytes).map { value(of: $0) }, into: &payload, or: .notHex)
        case .base64:
            let letters = String(validating: ListedPayload.trimmed(bytes), as: UTF8.self)
            return take(
                letters.flatMap { Base64.bytes(of: $0) }.map { value(of: $0) },
                into: &payload,
                or: .notBase64
            )
        case .bytes:
            plan.read(value(of: Array(bytes)), into: &payload)
            return nil
        case .cbor:
            return take(CBORReader.value(of: bytes, depth: limits.depth), into: &payload, or: .notCBOR)
        case .sparkplug:
            do throws(SparkplugRefusal) {
                plan.read(try SparkplugReader.value(of: bytes), into: &payload)
                return nil
            } catch {
                return .sparkplug(error)
            }
        }
    }

    /// The value of a payload of bytes: its fields, or a list of numbers.
    private func value(of bytes: [UInt8]) -> Value {
        fields.isEmpty
            ? .list(bytes.map { .int(Int64($0)) }) : .map(PayloadField.values(of: fields, in: bytes[...]))
    }

    /// Stores a payload with fields or elements; without a value it is refused.
    private func take(
        _ value: Value?,
        into payload: inout [Value],
        or refusal: PayloadRefusal
    ) -> PayloadRefusal? {
        guard let value else { return refusal }
        plan.read(value, into: &payload)
        return nil
    }

    /// Stores a payload that is one value without fields, and no value at any path that is not empty.
    private func take(_ value: Value, into payload: inout [Value]) -> PayloadRefusal? {
        payload.removeAll(keepingCapacity: true)
        for isWhole in wholePayload { payload.append(isWhole ? value : .error(.noSuchKey)) }
        return nil
    }

    private static func number(of bytes: ArraySlice<UInt8>) -> Double? {
        switch try? JSONReader.value(of: bytes.span) {
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): text.leadingNumber
        case nil: String(validating: bytes, as: UTF8.self)?.leadingNumber
        default: nil
        }
    }

    private static func truth(of bytes: ArraySlice<UInt8>) -> Bool? {
        guard bytes.count <= 16 else { return nil }
        let word = String(decoding: bytes, as: UTF8.self).lowercased()
        switch word {
        case "true", "on", "online", "yes", "1": return true
        case "false", "off", "offline", "no", "0": return false
        default: return nil
        }
    }
}

extension Scene {
    /// True if a signal had a value, and has none since a run began.
    private func isReset(_ signal: Int, _ value: Value) -> Bool {
        guard case .error = value else { return false }
        return memory.reportedAt[signal] != .distantPast
    }

    /// Makes a signal unknown whose new value can't be used, and whose old one is no longer true.
    private mutating func forget(_ assignment: SignalAssignment, because error: EvaluationError) {
        count(error, of: assignment.program)
        if case .error = memory.values[assignment.signal] { return }
        guard keep(.error(.unset), at: assignment.signal) else { return }
        mustKeep = true
        changed.insert(assignment.signal)
    }

    /// Assigns the signals of a source; a signal whose expression has an error stays as it was.
    mutating func takeSignals(of source: Source, isRetained: Bool, _ machine: Machine) {
        for position in source.signals.indices {
            let assignment = source.signals[position]
            let value = value(of: assignment, isRetained: isRetained, machine)
            if case .error(let error) = value {
                count(error, of: assignment.program)
                continue
            }
            if let valid = assignment.valid, !value.isNumber(in: valid) {
                forget(assignment, because: .impossible)
                continue
            }
            let former = memory.values[assignment.signal]
            let isSame = former.isIdentical(to: value)
            // Also if it was reset: it comes back with what it is computed from.
            if assignment.isComputed, !assignment.dependencies.signals.intersects(reported),
                isSame || isReset(assignment.signal, former)
            {
                continue
            }
            reported.insert(assignment.signal)
            if !isRetained { memory.reportedAt[assignment.signal] = now }
            if isSame { continue }
            // A retained value may be of any age.
            if isRetained { memory.reportedAt[assignment.signal] = .distantPast }
            guard isOfUse(value, signal: assignment.signal) else {
                // The old value is no longer true, and the new one is too large to be kept only for people to see.
                _ = keep(.error(.unset), at: assignment.signal)
                continue
            }
            guard keep(value, at: assignment.signal) else { continue }
            if !former.isNumber || !value.isNumber { mustKeep = true }
            changed.insert(assignment.signal)
            if let word = definition.knownWords.unknownWord(value, of: assignment.signal) {
                note(.word(word.cut(to: UnreadAccount.wordBytes), signal: assignment.signal))
            }
        }
    }
}

extension Value {
    /// True for a number, which a device may report every second.
    fileprivate var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }

    /// Returns whether it is a number that lies between two others, or is one of them.
    fileprivate func isNumber(in range: ClosedRange<Double>) -> Bool {
        switch self {
        case .int(let number): range.contains(Double(number))
        case .uint(let number): range.contains(Double(number))
        case .double(let number): range.contains(number)
        default: false
        }
    }

    /// True if no expression can distinguish the two values; a NaN is identical to itself.
    fileprivate func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
        case (.int(let left), .int(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.null, .null): true
        case (.int, .double), (.double, .int): false
        case (.error, _), (_, .error): false
        default: equals(other)
        }
    }
}
