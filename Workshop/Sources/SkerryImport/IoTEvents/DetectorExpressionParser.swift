import SkerryDevice

/// A parser of the expressions of detector models.
struct DetectorExpressionParser {
    /// A mistake and its position in the text, in bytes of UTF-8.
    struct Failure: Error {
        var message: String
        var offset: Int
        var remedy: String?
    }

    /// The deepest nesting of expressions.
    static let depthLimit = 100

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Parses a whole text.
    static func parse(_ text: String) throws(Failure) -> DetectorExpression {
        var parser = DetectorExpressionParser(Array(text.utf8))
        let expression = try parser.expression()
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.unexpected() }
        return expression
    }

    // MARK: Operators

    /// The operators, from those that bind least tightly to those that bind most tightly.
    private static let ranks: [[DetectorExpression.Operator]] = [
        [.or], [.and], [.bitOr], [.bitXor], [.bitAnd], [.equal, .notEqual],
        [.lessOrEqual, .greaterOrEqual, .less, .greater], [.add, .subtract], [.multiply, .divide],
    ]

    private mutating func expression() throws(Failure) -> DetectorExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw Failure(message: "this is nested too deep", offset: position)
        }
        return try binary(rank: 0)
    }

    private mutating func binary(rank: Int) throws(Failure) -> DetectorExpression {
        guard rank < Self.ranks.count else { return try unary() }
        var left = try binary(rank: rank + 1)
        while let found = takeOperator(of: Self.ranks[rank]) {
            left = .binary(found, left, try binary(rank: rank + 1))
        }
        return left
    }

    private mutating func takeOperator(
        of candidates: [DetectorExpression.Operator]
    ) -> DetectorExpression.Operator? {
        skipSpace()
        for candidate in candidates where starts(with: candidate.rawValue) {
            // `|` must not match the first half of `||`, nor `&` that of `&&`.
            let isHalf =
                candidate == .bitOr && starts(with: "||") || candidate == .bitAnd && starts(with: "&&")
            if isHalf { continue }
            position += candidate.rawValue.utf8.count
            return candidate
        }
        return nil
    }

    private mutating func unary() throws(Failure) -> DetectorExpression {
        skipSpace()
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw Failure(message: "this is nested too deep", offset: position)
        }
        if take("!") { return .not(try unary()) }
        if take("~") { return .bitNot(try unary()) }
        guard take("-") else { return try primary() }
        return switch try unary() {
        case .integer(let number): .integer(0 &- number)
        case .decimal(let number): .decimal(-number)
        case let other: .minus(other)
        }
    }

    private mutating func primary() throws(Failure) -> DetectorExpression {
        skipSpace()
        guard position < bytes.count else {
            throw Failure(message: "the expression ends too early", offset: position)
        }
        switch bytes[position] {
        case UInt8(ascii: "("):
            position += 1
            let inner = try expression()
            try expect(")")
            return inner
        case UInt8(ascii: "\""): return .text(try quoted())
        case UInt8(ascii: "'"): return try template()
        case UInt8(ascii: "$"): return try reference()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return try number()
        default: return try word()
        }
    }

    // MARK: Literals

    private mutating func number() throws(Failure) -> DetectorExpression {
        let start = position
        var isWhole = true
        while position < bytes.count {
            let byte = bytes[position]
            let isExponent = byte | 0x20 == UInt8(ascii: "e")
            guard (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || isExponent else { break }
            if !(0x30...0x39).contains(byte) { isWhole = false }
            position += 1
            if isExponent, position < bytes.count, "+-".utf8.contains(bytes[position]) { position += 1 }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        if let number = Double(text), number.isFinite { return .decimal(number) }
        throw Failure(message: "'\(text)' is no number", offset: start)
    }

    /// Parses a text in double quotes.
    private mutating func quoted() throws(Failure) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += escaped()
            case let byte:
                text.append(byte)
                position += 1
            }
        }
        throw Failure(message: "the text has no end", offset: start, remedy: "close it with '\"'")
    }

    private mutating func escaped() -> [UInt8] {
        guard position < bytes.count else { return [UInt8(ascii: "\\")] }
        defer { position += 1 }
        switch bytes[position] {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case let byte: return [byte]
        }
    }

    /// Parses a text in single quotes, with embedded expressions.
    private mutating func template() throws(Failure) -> DetectorExpression {
        let start = position
        position += 1
        var parts: [DetectorExpression] = []
        var text: [UInt8] = []
        while position < bytes.count {
            if take("'") {
                if !text.isEmpty || parts.isEmpty {
                    parts.append(.text(String(decoding: text, as: UTF8.self)))
                }
                if parts.count == 1, case .text = parts[0] { return parts[0] }
                return .template(parts)
            }
            if take("${") {
                if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
                text = []
                parts.append(try expression())
                try expect("}")
            } else if take("\\") {
                text += escaped()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        throw Failure(message: "the text has no end", offset: start, remedy: "close it with \"'\"")
    }

    // MARK: Names

    private mutating func word() throws(Failure) -> DetectorExpression {
        let start = position
        guard let name = takeName() else { throw unexpected() }
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "(") { return try call(name, at: start) }
        switch name {
        case "true": return .truth(true)
        case "false": return .truth(false)
        // The types for `convert`.
        case "String", "Boolean", "Decimal": return .text(name)
        case "AND", "OR", "NOT":
            throw Failure(
                message: "'\(name)' is no operator",
                offset: start,
                remedy: "write && for and, || for or, ! for not"
            )
        default:
            throw Failure(
                message: "'\(name)' means nothing here",
                offset: start,
                remedy: "write $variable.\(name), $input.….\(name), or \"\(name)\" for a text"
            )
        }
    }

    private mutating func call(_ name: String, at start: Int) throws(Failure) -> DetectorExpression {
        guard let function = DetectorExpression.Function(rawValue: name) else {
            let known = DetectorExpression.Function.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(
                message: "there is no function '\(name)'",
                offset: start,
                remedy: "there are: \(known)"
            )
        }
        position += 1
        var arguments: [DetectorExpression] = []
        if !takeAfterSpace(")") {
            repeat { arguments.append(try expression()) } while takeAfterSpace(",")
            try expect(")")
        }
        let count = function.argumentCount
        guard arguments.count == count else {
            throw Failure(
                message:
                    "'\(name)' takes \(count == 1 ? "one value" : "\(count) values"), not \(arguments.count)",
                offset: start
            )
        }
        if function.takesName {
            guard case .text = arguments[0] else {
                throw Failure(
                    message: "'\(name)' takes a name in quotes",
                    offset: start,
                    remedy: "write \(name)(\"…\")"
                )
            }
        }
        return .call(function, arguments)
    }

    private mutating func reference() throws(Failure) -> DetectorExpression {
        let start = position
        position += 1
        let root = takeName()
        guard root == "variable" || root == "input", take("."), let name = takeName() else {
            throw Failure(
                message: "this is no reference",
                offset: start,
                remedy: "write $variable.name or $input.name.field"
            )
        }
        if root == "variable" { return .variable(name) }
        var steps: [DetectorExpression.Step] = []
        while true {
            if take(".") {
                guard let field = takeName() else { throw unexpected() }
                steps.append(.field(field))
            } else if take("[") {
                skipSpace()
                guard case .integer(let index) = try number() else { throw unexpected() }
                try expect("]")
                steps.append(.index(index))
            } else {
                return .input(name, steps)
            }
        }
    }

    /// Parses a name; one with other characters is in backticks.
    private mutating func takeName() -> String? {
        let start = position
        if take("`") {
            guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "`")) else {
                position = start
                return nil
            }
            defer { position = end + 1 }
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }
        while position < bytes.count {
            let byte = bytes[position]
            let isLetter = (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
            guard isLetter || position > start && (0x30...0x39).contains(byte) else { break }
            position += 1
        }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    // MARK: Letters

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func takeAfterSpace(_ text: String) -> Bool {
        skipSpace()
        return take(text)
    }

    private mutating func expect(_ text: String) throws(Failure) {
        guard takeAfterSpace(text) else {
            throw Failure(message: "'\(text)' is missing", offset: position)
        }
    }

    private func unexpected() -> Failure {
        guard position < bytes.count else {
            return Failure(message: "the expression ends too early", offset: position)
        }
        let rest = String(decoding: bytes[position...], as: UTF8.self)
        return Failure(message: "'\(rest.prefix(1))' is not expected here", offset: position)
    }
}

extension DetectorExpression.Function {
    fileprivate var argumentCount: Int {
        switch self {
        case .convert, .startsWith, .endsWith, .contains, .bitor, .bitand, .bitxor: 2
        case .timeout, .isNull, .isUndefined, .triggerType, .currentInput, .bitnot: 1
        }
    }

    /// True if the first argument must be a name.
    fileprivate var takesName: Bool {
        switch self {
        case .timeout, .triggerType, .currentInput, .convert: true
        default: false
        }
    }
}
