public import SkerryValues

// Programs in compiled definitions: the code as it stands, so that a reader needs neither the parser nor the checker.

extension Program {
    /// Writes the program in a form that is the same on every platform.
    public func write(to writer: inout ImageWriter) {
        type.write(to: &writer)
        writer.list(references) { writer, reference in
            writer.tag(reference.kind)
            writer.unsigned(UInt64(reference.index))
        }
        writer.flag(isFullyTyped)
        writer.list(code.constants) { $0.value($1) }
        writer.list(code.patterns) { $0.text($1.text) }
        writer.list(code.children) { $0.signed(Int64($1)) }
        writer.count(code.locals)
        writer.list(code.instructions) { writer, step in
            writer.tag(step.operation.rawValue)
            writer.tag(step.kind)
            writer.unsigned(UInt64(step.index))
            for operand in [step.a, step.b, step.c] { writer.signed(Int64(operand)) }
        }
        writer.signed(Int64(code.root))
    }

    /// Reads what ``write(to:)`` wrote, and checks it, so that evaluating it never traps.
    ///
    /// - Parameters:
    ///   - reader: The bytes.
    ///   - timeZone: The rules of a named time zone; must return the same rules every time.
    /// - Throws: ``ImageFault`` for bytes that no writer writes.
    public convenience init(
        from reader: inout ImageReader,
        timeZone: @escaping @Sendable (String) -> TimeZoneRules?
    ) throws(ImageFault) {
        let type = try ExpressionType(from: &reader, depth: 0)
        let references = try reader.list { reader throws(ImageFault) in
            Reference(kind: try reader.tag(), index: try reader.small())
        }
        let isFullyTyped = try reader.flag()
        var code = Code(timeZone: timeZone)
        code.constants = try reader.list { reader throws(ImageFault) in try reader.value() }
        code.patterns = try reader.list { reader throws(ImageFault) in
            let text = try reader.text()
            guard let pattern = try? Pattern(text) else { throw .malformed }
            return pattern
        }
        code.children = try reader.list { reader throws(ImageFault) in try reader.number() }
        code.locals = Int(try reader.small())
        code.instructions = try reader.list { reader throws(ImageFault) in
            guard let operation = Operation(rawValue: try reader.tag()) else { throw .malformed }
            return Instruction(
                operation: operation,
                kind: try reader.tag(),
                index: try reader.small(),
                a: try reader.number(),
                b: try reader.number(),
                c: try reader.number()
            )
        }
        code.root = try reader.number()
        try CodeCheck.check(code, reading: references)
        self.init(type: type, references: references, isFullyTyped: isFullyTyped, code: code)
    }
}

extension TextTemplate {
    /// Makes a template of its parts, as a compiled definition has them.
    public init(parts: [Part]) {
        var references: [Reference] = []
        for case .expression(let program, _) in parts {
            for reference in program.references where !references.contains(reference) {
                references.append(reference)
            }
        }
        self.init(references: references, parts: parts)
    }
}

extension ExpressionType {
    /// The levels of types within types that are read.
    private static let depthLimit = 32

    /// Writes the type.
    public func write(to writer: inout ImageWriter) {
        switch self {
        case .bool: writer.tag(0)
        case .int: writer.tag(1)
        case .uint: writer.tag(2)
        case .double: writer.tag(3)
        case .string: writer.tag(4)
        case .bytes: writer.tag(5)
        case .null: writer.tag(6)
        case .timestamp: writer.tag(7)
        case .duration: writer.tag(8)
        case .type: writer.tag(9)
        case .dyn: writer.tag(10)
        case .list(let element):
            writer.tag(11)
            element.write(to: &writer)
        case .map(let key, let value):
            writer.tag(12)
            key.write(to: &writer)
            value.write(to: &writer)
        case .optional(let wrapped):
            writer.tag(13)
            wrapped.write(to: &writer)
        }
    }

    /// Reads a type.
    ///
    /// - Throws: ``ImageFault`` for bytes that no writer writes.
    public init(from reader: inout ImageReader) throws(ImageFault) {
        self = try ExpressionType(from: &reader, depth: 0)
    }

    fileprivate init(from reader: inout ImageReader, depth: Int) throws(ImageFault) {
        guard depth < Self.depthLimit else { throw .malformed }
        switch try reader.tag() {
        case 0: self = .bool
        case 1: self = .int
        case 2: self = .uint
        case 3: self = .double
        case 4: self = .string
        case 5: self = .bytes
        case 6: self = .null
        case 7: self = .timestamp
        case 8: self = .duration
        case 9: self = .type
        case 10: self = .dyn
        case 11: self = .list(try ExpressionType(from: &reader, depth: depth + 1))
        case 12:
            let key = try ExpressionType(from: &reader, depth: depth + 1)
            self = .map(key, try ExpressionType(from: &reader, depth: depth + 1))
        case 13: self = .optional(try ExpressionType(from: &reader, depth: depth + 1))
        default: throw .malformed
        }
    }
}

extension ImageReader {
    /// Reads a number of 16 bits.
    public mutating func small() throws(ImageFault) -> UInt16 {
        guard let number = UInt16(exactly: try unsigned()) else { throw .malformed }
        return number
    }

    fileprivate mutating func number() throws(ImageFault) -> Int32 {
        guard let number = Int32(exactly: try signed()) else { throw .malformed }
        return number
    }
}
