import SkerryValues

/// `format` of the string extension: a template with clauses such as `%s` and `%.2f`.
func formatted(_ template: String, _ arguments: [Value], _ state: inout EvaluationState) -> Value {
    var formatter = Formatter(arguments: arguments)
    var bytes = Array(template.utf8)[...]
    while let byte = bytes.popFirst() {
        if byte != UInt8(ascii: "%") {
            formatter.output.append(byte)
            continue
        }
        let start = formatter.output.count
        if let error = formatter.clause(&bytes, &state) { return .error(error) }
        guard state.spend(4 + (formatter.output.count - start) / 16) else { return .error(.costExceeded) }
    }
    return .string(String(decoding: formatter.output, as: UTF8.self))
}

/// One clause of a template of `format`, behind its percent sign: `d`, `.1f`.
struct FormatClause {
    /// The most digits that may be asked for behind the point.
    private static let precisionLimit = 1000

    /// The number of digits behind the point; nil where the clause does not say it.
    private(set) var precision: Int?
    /// The letter that says how the value is written.
    let letter: UInt8

    /// Reads a clause; nil where there is none that `format` knows.
    init?(_ bytes: inout ArraySlice<UInt8>) {
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            guard let first = bytes.first, isDigit(first) else { return nil }
            var digits = 0
            while let digit = bytes.first, isDigit(digit) {
                digits = min(digits * 10 + Int(digit - UInt8(ascii: "0")), Self.precisionLimit + 1)
                bytes.removeFirst()
            }
            guard digits <= Self.precisionLimit else { return nil }
            precision = digits
        }
        guard let letter = bytes.popFirst(), "sdfebxXo".utf8.contains(letter) else { return nil }
        self.letter = letter
    }
}

private struct Formatter {
    /// The deepest nesting of lists and maps that is written.
    private static let depthLimit = 64

    let arguments: [Value]
    var output: [UInt8] = []
    private var used = 0

    init(arguments: [Value]) { self.arguments = arguments }

    /// Reads and fills the clause after a `%`; nil when all is well.
    mutating func clause(_ bytes: inout ArraySlice<UInt8>, _ state: inout EvaluationState) -> EvaluationError?
    {
        if bytes.first == UInt8(ascii: "%") {
            output.append(bytes.removeFirst())
            return nil
        }
        guard let clause = FormatClause(&bytes), used < arguments.count else { return .invalidArgument }
        let precision = clause.precision ?? 6
        let argument = arguments[used]
        used += 1
        switch clause.letter {
        case UInt8(ascii: "s"): return write(argument, depth: 0, &state)
        case UInt8(ascii: "d"): return decimal(argument)
        case UInt8(ascii: "f"): return floating(argument) { Formatter.fixed($0, precision) }
        case UInt8(ascii: "e"): return floating(argument) { Formatter.scientific($0, precision) }
        case UInt8(ascii: "b"):
            if case .bool(let flag) = argument { return append(flag ? "1" : "0") }
            return whole(argument, radix: 2)
        case UInt8(ascii: "o"): return whole(argument, radix: 8)
        case UInt8(ascii: "x"): return hexadecimal(argument, isUpper: false)
        case UInt8(ascii: "X"): return hexadecimal(argument, isUpper: true)
        default: return .invalidArgument
        }
    }

    private mutating func append(_ text: String) -> EvaluationError? {
        output.append(contentsOf: text.utf8)
        return nil
    }

    private mutating func decimal(_ argument: Value) -> EvaluationError? {
        switch argument {
        case .int(let number): append(String(number))
        case .uint(let number): append(String(number))
        case .double(let number): append(decimalText(number))
        default: .invalidArgument
        }
    }

    private mutating func whole(_ argument: Value, radix: Int, isUpper: Bool = false) -> EvaluationError? {
        switch argument {
        case .int(let number): append(String(number, radix: radix, uppercase: isUpper))
        case .uint(let number): append(String(number, radix: radix, uppercase: isUpper))
        default: .invalidArgument
        }
    }

    private mutating func hexadecimal(_ argument: Value, isUpper: Bool) -> EvaluationError? {
        let bytes: [UInt8]
        switch argument {
        case .string(let text): bytes = Array(text.utf8)
        case .bytes(let content): bytes = content
        default: return whole(argument, radix: 16, isUpper: isUpper)
        }
        let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        for byte in bytes { output += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return nil
    }

    // MARK: Doubles

    private mutating func floating(_ argument: Value, _ write: (Double) -> [UInt8]) -> EvaluationError? {
        let number: Double
        switch argument {
        case .double(let given): number = given
        case .int(let given): number = Double(given)
        case .uint(let given): number = Double(given)
        default: return .invalidArgument
        }
        guard number.isFinite else { return append(decimalText(number)) }
        if number.sign == .minus { output.append(UInt8(ascii: "-")) }
        output += write(number)
        return nil
    }

    private static func fixed(_ number: Double, _ precision: Int) -> [UInt8] {
        var expansion = DecimalExpansion(number)
        expansion.round(fractionDigits: precision)
        var text: [UInt8] = []
        if expansion.pointPosition <= 0 { text.append(UInt8(ascii: "0")) }
        for position in 0..<max(expansion.pointPosition, 0) { text.append(expansion.digit(position)) }
        if precision > 0 {
            text.append(UInt8(ascii: "."))
            for offset in 0..<precision { text.append(expansion.digit(expansion.pointPosition + offset)) }
        }
        return text
    }

    private static func scientific(_ number: Double, _ precision: Int) -> [UInt8] {
        var expansion = DecimalExpansion(number)
        expansion.round(count: precision + 1)
        var text = [expansion.digit(0)]
        if precision > 0 {
            text.append(UInt8(ascii: "."))
            for offset in 1...precision { text.append(expansion.digit(offset)) }
        }
        let exponent = expansion.digits.isEmpty ? 0 : expansion.pointPosition - 1
        text += [UInt8(ascii: "e"), exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")]
        if exponent.magnitude < 10 { text.append(UInt8(ascii: "0")) }
        return text + Array(String(exponent.magnitude).utf8)
    }

    // MARK: Any value

    private mutating func write(
        _ value: Value,
        depth: Int,
        _ state: inout EvaluationState
    ) -> EvaluationError? {
        guard depth <= Formatter.depthLimit else { return .invalidArgument }
        guard state.spend(1 + value.weight) else { return .costExceeded }
        switch value {
        case .null: return append("null")
        case .bytes(let bytes): return append(Formatter.repaired(bytes))
        case .list(let elements):
            output.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { _ = append(", ") }
                if let error = write(element, depth: depth + 1, &state) { return error }
            }
            return append("]")
        case .map(let map): return write(map, depth: depth, &state)
        case .optional, .error: return .invalidArgument
        default: return value.text.map { append($0) } ?? .invalidArgument
        }
    }

    private mutating func write(
        _ map: ValueMap,
        depth: Int,
        _ state: inout EvaluationState
    ) -> EvaluationError? {
        var entries: [(key: String, value: Value)] = []
        for entry in map.entries { entries.append((entry.key.text ?? "", entry.value)) }
        guard state.spend(entries.count) else { return .costExceeded }
        entries.sort { $0.key.precedesByCodePoints($1.key) }
        output.append(UInt8(ascii: "{"))
        for (position, entry) in entries.enumerated() {
            _ = append((position > 0 ? ", " : "") + entry.key + ": ")
            if let error = write(entry.value, depth: depth + 1, &state) { return error }
        }
        return append("}")
    }

    /// Bytes as text, with one replacement character for each run that is no UTF-8.
    private static func repaired(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var wasBroken = false
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                text.append(scalar)
                wasBroken = false
            case .error:
                if !wasBroken { text.append("\u{FFFD}") }
                wasBroken = true
            case .emptyInput: return String(text)
            }
        }
    }
}
