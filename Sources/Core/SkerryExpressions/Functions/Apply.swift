import SkerryValues

extension Function {
    /// The function of one argument, which is no error.
    func apply(_ argument: Value, _ state: inout EvaluationState, _ code: Code) -> Value {
        guard state.spend(argument.weight) else { return .error(.costExceeded) }
        switch self {
        case .size: return argument.size
        case .dyn: return argument
        case .type: return argument.typeName.map { .type($0) } ?? .error(.noSuchOverload)
        case .toBool, .toInt, .toUint, .toDouble, .toString, .toBytes, .toTimestamp, .toDuration:
            return argument.converted(by: self)
        case .seconds: return argument.duration(inUnitsOf: 1)
        case .minutes: return argument.duration(inUnitsOf: 60)
        case .hours: return argument.duration(inUnitsOf: 3600)
        case .getFullYear, .getMonth, .getDayOfYear, .getDayOfMonth, .getDate, .getDayOfWeek, .getHours,
            .getMinutes, .getSeconds, .getMilliseconds, .getClock:
            return timeField(of: argument, zone: nil, code)
        case .ceil, .floor, .round, .trunc, .abs, .sign, .isNaN, .isInf, .isFinite, .sqrt, .bitNot:
            return mathematics(argument)
        case .optionalOf, .optionalOfNonZero, .optionalUnwrap, .hasValue, .value, .first, .last:
            return optional(argument)
        case .base64Encode:
            guard case .bytes(let bytes) = argument else { return .error(.noSuchOverload) }
            return .string(Base64.text(of: bytes))
        case .base64Decode:
            guard case .string(let text) = argument else { return .error(.noSuchOverload) }
            return Base64.bytes(of: text).map { .bytes($0) } ?? .error(.invalidArgument)
        case .join: return joined(argument, by: "", &state)
        case .sum: return sum(argument, &state, code)
        case .json, .clock, .asSeconds: return reading(of: argument)
        default: return text(argument)
        }
    }

    /// The function of two arguments, which are no errors.
    func apply(_ first: Value, _ second: Value, _ state: inout EvaluationState, _ code: Code) -> Value {
        guard state.spend(first.weight + second.weight) else { return .error(.costExceeded) }
        switch self {
        case .contains, .startsWith, .endsWith:
            guard case .string(let text) = first, case .string(let part) = second else {
                return .error(.noSuchOverload)
            }
            return search(part, in: text, &state)
        case .matches:
            guard case .string(let pattern) = second else { return .error(.noSuchOverload) }
            // A constant pattern is compiled once, with the expression; only one that is computed comes here.
            guard let compiled = try? Pattern(pattern) else { return .error(.invalidArgument) }
            guard state.spend(compiled.size / 16) else { return .error(.costExceeded) }
            return compiled.isFound(in: first, &state)
        case .getFullYear, .getMonth, .getDayOfYear, .getDayOfMonth, .getDate, .getDayOfWeek, .getHours,
            .getMinutes, .getSeconds, .getMilliseconds, .getClock:
            guard case .string(let zone) = second else { return .error(.noSuchOverload) }
            return timeField(of: first, zone: zone, code)
        case .toTimestamp:
            guard case .string(let text) = first, case .string(let zone) = second else {
                return .error(.noSuchOverload)
            }
            return CalendarTimestamp.parse(text, inZone: zone, code)
        case .bitAnd, .bitOr, .bitXor, .bitShiftLeft, .bitShiftRight: return bits(first, second)
        case .or:
            guard case .optional(let left) = first, case .optional = second else {
                return .error(.noSuchOverload)
            }
            return left.isEmpty ? second : first
        case .orValue:
            guard case .optional(let wrapped) = first else { return .error(.noSuchOverload) }
            return wrapped.first ?? second
        case .join:
            guard case .string(let separator) = second else { return .error(.noSuchOverload) }
            return joined(first, by: separator, &state)
        case .format:
            guard case .string(let template) = first, case .list(let arguments) = second else {
                return .error(.noSuchOverload)
            }
            return formatted(template, arguments, &state)
        default: return text([first, second], &state)
        }
    }

    /// The function of any other number of arguments, which are no errors.
    func apply(_ arguments: [Value], _ state: inout EvaluationState, _ code: Code) -> Value {
        switch self {
        case .optionalNone: return .optional([])
        case .greatest, .least: return extremum(arguments, &state)
        default: break
        }
        var weight = 0
        for argument in arguments { weight += argument.weight }
        guard state.spend(weight) else { return .error(.costExceeded) }
        return text(arguments, &state)
    }
}

extension Function {
    /// `json`, `clock` and `asSeconds`.
    private func reading(of argument: Value) -> Value {
        switch (self, argument) {
        case (.json, .string(let text)):
            let bytes = Array(text.utf8)
            guard let value = try? JSONReader.value(of: bytes.span) else { return .error(.invalidArgument) }
            return value
        case (.clock, .string(let text)): return CalendarDuration.parse(clock: text)
        case (.asSeconds, .duration(let length)):
            return .double(Double(length.seconds) + Double(length.nanoseconds) / 1e9)
        default: return .error(.noSuchOverload)
        }
    }
}

extension Value {
    /// The cost of reading the whole value once.
    var weight: Int {
        switch self {
        case .string(let text): text.utf8.count / 16
        case .bytes(let bytes): bytes.count / 16
        default: 0
        }
    }

    var size: Value {
        switch self {
        case .string(let text): .int(Int64(text.unicodeScalars.count))
        case .bytes(let bytes): .int(Int64(bytes.count))
        case .list(let elements): .int(Int64(elements.count))
        case .map(let map): .int(Int64(map.entries.count))
        default: .error(.noSuchOverload)
        }
    }
}
