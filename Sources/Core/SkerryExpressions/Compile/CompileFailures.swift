import SkerryValues

extension Compiler {
    /// Notes that a part has an error whatever is read, because everything below it is written out.
    mutating func noteFailure(of part: Part, over nodes: [Int32], at id: SyntaxNode.ID) {
        guard scope.refusesFailures else { return }
        for node in nodes {
            let step = code.instructions[Int(node)]
            guard step.operation == .constant else { return }
            // What stands for another mistake fails, too.
            if case .error = code.constants[Int(step.a)] { return }
        }
        var state = EvaluationState(costLimit: 1000)
        let value = code.value(part.node, &state) { _ in .error(.unset) }
        guard state.remaining >= 0, case .error(let error) = value, error != .noSuchOverload else { return }
        // What is wrapped in dyn() is hidden on purpose.
        guard !hidesType(id) else { return }
        noteFailure(error, at: id)
    }

    private func hidesType(_ id: SyntaxNode.ID) -> Bool {
        switch tree[id].kind {
        case .call(let name, _, let arguments, _):
            return haveSameBytes(name, "dyn") || arguments.contains { hidesType($0) }
        case .binary(_, let left, let right): return hidesType(left) || hidesType(right)
        case .negate(let operand), .not(let operand): return hidesType(operand)
        case .index(let operand, let key, _): return hidesType(operand) || hidesType(key)
        case .select(let operand, _, _): return hidesType(operand)
        default: return false
        }
    }

    private mutating func noteFailure(_ error: EvaluationError, at id: SyntaxNode.ID) {
        switch tree[id].kind {
        case .binary(_, _, let divisor) where error == .divisionByZero: noteDivision(by: divisor)
        case .call(let name, let target, let arguments, _):
            if target == nil, arguments.count == 1,
                case .literal(.string(let text)) = tree[arguments[0]].kind,
                let advice = LiteralAdvice(text, for: name)
            {
                note(.badLiteral, advice.message, at: tree[arguments[0]].range, hint: advice.hint)
            } else {
                note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
            }
        case .index(let operand, let key, _):
            if case .list(let elements) = tree[operand].kind {
                noteIndex(tree.written(key), of: elements.count, at: tree[key].range)
            } else {
                note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
            }
        default: note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
        }
    }

    /// Notes a division by a zero that is written out, whatever is divided.
    mutating func noteZero(_ symbol: Symbol, _ left: SyntaxNode.ID, _ right: SyntaxNode.ID) {
        guard scope.refusesFailures, symbol == .slash || symbol == .percent, !hidesType(left) else { return }
        // Without anything to read on the left, the failure itself is noted.
        if case .literal = tree[left].kind { return }
        switch tree[right].kind {
        case .literal(.int(0)), .literal(.uint(0)): noteDivision(by: right)
        default: break
        }
    }

    private mutating func noteDivision(by divisor: SyntaxNode.ID) {
        note(.badLiteral, "this divides by zero", at: tree[divisor].range)
    }

    /// Notes an index that a list which is written out does not have.
    mutating func noteIndex(_ key: SyntaxNode.ID, of list: SyntaxNode.ID) {
        guard scope.refusesFailures, case .list(let elements) = tree[list].kind,
            case .literal(.int(let index)) = tree[key].kind,
            !elements.contains(where: { $0.isOptional }), index < 0 || index >= elements.count
        else { return }
        noteIndex(String(index), of: elements.count, at: tree[key].range)
    }

    private mutating func noteIndex(_ index: String, of count: Int, at range: SourceRange) {
        let elements = count == 1 ? "one element" : String(count) + " elements"
        note(
            .badLiteral,
            "there is no element " + index + " in a list of " + elements,
            at: range,
            hint: count > 0 ? "the first one is 0, the last one " + String(count - 1) : nil
        )
    }

    /// Reports an unknown time zone, if time zones are known at all.
    mutating func noteZone(_ function: Function, _ arguments: [SyntaxNode.ID]) {
        guard scope.refusesFailures, arguments.count == 2,
            case .literal(.string(let zone)) = tree[arguments[1]].kind,
            scope.timeZone("Europe/London") != nil
        else { return }
        switch function {
        case .getFullYear, .getMonth, .getDayOfYear, .getDayOfMonth, .getDate, .getDayOfWeek, .getHours,
            .getMinutes, .getSeconds, .getMilliseconds, .getClock:
            var state = EvaluationState(costLimit: 1000)
            let moment = Value.timestamp(CalendarTimestamp(seconds: 0, nanoseconds: 0))
            guard case .error = function.apply(moment, .string(zone), &state, code) else { return }
            noteUnknownZone(zone, at: arguments[1])
        case .toTimestamp where fixedOffset(zone) == nil && scope.timeZone(zone) == nil:
            noteUnknownZone(zone, at: arguments[1])
        default: break
        }
    }

    private mutating func noteUnknownZone(_ zone: String, at id: SyntaxNode.ID) {
        note(
            .badLiteral,
            "there is no time zone '" + zone + "'",
            at: tree[id].range,
            hint: "write one such as \"Europe/Berlin\", \"UTC\" or \"+01:00\""
        )
    }
}

extension EvaluationError {
    fileprivate var words: String {
        switch self {
        case .noSuchKey: "there is no such key"
        case .indexOutOfBounds: "there is no such element"
        case .divisionByZero: "a division by zero"
        case .overflow: "the result is too large"
        case .noSuchOverload: "the types do not fit"
        default: "an argument is not allowed"
        }
    }
}

/// The mistake in a text that can't be converted, and its correct form.
struct LiteralAdvice {
    var message: String
    var hint: String?

    /// Advice for the argument of a conversion; nil when the function is none.
    init?(_ text: String, for function: String) {
        switch function {
        case "int", "uint":
            message = "\"" + text + "\" is not a whole number"
            hint = Double(text) == nil ? "write a number" : "write int(" + text + ")"
        case "double":
            message = "\"" + text + "\" is not a number"
            hint = "write one such as 21.5"
        case "seconds", "minutes", "hours":
            message = "\"" + text + "\" is not a number of " + function
            hint = "write one such as " + function + "(10)"
        case "bool":
            message = "\"" + text + "\" is not a truth value"
            hint = "write true or false"
        case "timestamp":
            let moment = Self.moment(text)
            message =
                moment.map { $0.hasZone } == false
                ? "this moment has no time zone" : "\"" + text + "\" is not a moment"
            hint = "write timestamp(\"" + (moment?.text ?? "2026-03-01T12:00:00Z") + "\")"
        case "clock":
            message = "\"" + text + "\" is not a length of time as clocks show it"
            hint = "write one such as clock(\"1:30:00\")"
        case "duration":
            message = "\"" + text + "\" is not a length of time"
            hint = "write duration(\"" + (Self.length(text) ?? "1h30m") + "\")"
        default: return nil
        }
    }

    /// A moment that somebody wrote otherwise, and whether that had a time zone.
    private static func moment(_ text: String) -> (text: String, hasZone: Bool)? {
        var bytes = Array(text.utf8)
        if let blank = bytes.firstIndex(of: UInt8(ascii: " ")) { bytes[blank] = UInt8(ascii: "T") }
        let written = String(decoding: bytes, as: UTF8.self)
        for end in ["", "Z", ":00Z", "T00:00:00Z"] {
            if case .timestamp = CalendarTimestamp.parse(written + end) {
                return (written + end, end.isEmpty)
            }
        }
        return nil
    }

    /// A length of time that somebody wrote otherwise: `01:23:45`, `10 min`, `1d`, `PT1H`, `90`.
    static func length(_ text: String) -> String? {
        let candidates = [clock(text), units(text), text + "s"]
        for case .some(let candidate) in candidates {
            if case .duration = CalendarDuration.parse(candidate) { return candidate }
        }
        return nil
    }

    private static func clock(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.map { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2 || numbers.count == 3 else { return nil }
        var result = ""
        for (number, unit) in zip(numbers, ["h", "m", "s"]) {
            guard let number, number >= 0 else { return nil }
            result += String(number) + unit
        }
        return result
    }

    private static func units(_ text: String) -> String? {
        var result = ""
        var number: [UInt8] = []
        var word: [UInt8] = []
        func add() -> Bool {
            guard !word.isEmpty else { return number.isEmpty }
            let digits = String(decoding: number, as: UTF8.self)
            switch String(decoding: word, as: UTF8.self) {
            case "d", "day", "days":
                guard let days = Int64(digits), days < 100_000 else { return false }
                result += String(days * 24) + "h"
            case "h", "hr", "hour", "hours": result += digits + "h"
            case "m", "min", "mins", "minute", "minutes": result += digits + "m"
            case "s", "sec", "secs", "second", "seconds": result += digits + "s"
            case "ms": result += digits + "ms"
            default: return false
            }
            (number, word) = ([], [])
            return true
        }
        for byte in text.utf8 where byte != 0x20 {
            if isDigit(byte) || byte == UInt8(ascii: ".") {
                if !word.isEmpty, !add() { return nil }
                number.append(byte)
            } else if number.isEmpty {
                // `PT` of ISO 8601 stands before the numbers.
                guard byte == UInt8(ascii: "P") || byte == UInt8(ascii: "T") else { return nil }
            } else {
                word.append(byte | 0x20)
            }
        }
        return add() && !result.isEmpty ? result : nil
    }
}
