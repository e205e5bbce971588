import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Writes or reads a compiled definition.
///
/// A part describes its fields once, for both directions: a writer gets what is there, writes it and returns it; a reader gets
/// nil and returns what it reads. So what is written and what is read can't differ, and both check the same.
protocol CompiledCoder {
    /// The parts so far that later ones name by their numbers.
    var known: KnownParts { get set }

    mutating func tag(_ tag: UInt8?) throws(ImageFault) -> UInt8
    mutating func flag(_ truth: Bool?) throws(ImageFault) -> Bool
    mutating func unsigned(_ number: UInt64?) throws(ImageFault) -> UInt64
    mutating func signed(_ number: Int64?) throws(ImageFault) -> Int64
    mutating func double(_ number: Double?) throws(ImageFault) -> Double
    mutating func text(_ text: String?) throws(ImageFault) -> String
    /// The number of elements that follow, of at least one byte each.
    mutating func count(_ number: Int?) throws(ImageFault) -> Int
    /// A program that is evaluated, and so reads only what there is.
    mutating func program(_ program: Program?) throws(ImageFault) -> Program
    /// A program that is only looked up.
    mutating func writtenProgram(_ program: Program?) throws(ImageFault) -> Program
    /// The expressions that are written: of those with equal programs the first one, which is the one that is found.
    mutating func distinct(_ expressions: [WrittenExpression]?) -> [WrittenExpression]?
    mutating func type(_ type: ExpressionType?) throws(ImageFault) -> ExpressionType
    mutating func chart(
        _ chart: Statechart?,
        timers: [String],
        numbers: Statechart.HostNumbers,
        limits: Statechart.Limits
    ) throws(ImageFault) -> Statechart
}

/// A part of a compiled definition that describes its fields.
protocol CompiledPart {
    /// Writes or reads the fields in their order.
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self
}

/// The numbers of parts that later ones name by their places.
struct KnownParts {
    var signals = 0
    var variables = 0
    var settings = 0
    var states = 0
    var timers = 0
    /// The signals that follow values over time; none in what a device is recognised by.
    var forms = 0
    /// The parts of a message that the following expressions may read; nil outside of sources.
    var message: (paths: Int, captures: Int)?
    /// True if the expressions that follow may read the title of a state; a title itself may not.
    var titles = true

    func contain(_ reference: Reference) -> Bool {
        let index = Int(reference.index)
        return switch ReferenceKind(rawValue: reference.kind) {
        case .signal, .changed, .reported: index < signals
        case .context: index < variables
        case .payload: index < message?.paths ?? 0
        case .capture: index < message?.captures ?? 0
        case .timer, .timerElapsed, .timerEnd: index < timers
        case .inState: index < StateSet.capacity
        case .setting: index < settings
        case .stateTitle: titles
        case .elapsed, .now, .since, .stateName, .deviceName, .deviceKind, .deviceAvailable, .event, .field,
            .unset, .deviceID, .item, .zone:
            true
        case nil: false
        }
    }
}

// MARK: Numbers

extension CompiledCoder {
    /// A number below a bound.
    mutating func index(_ number: Int?, below limit: Int) throws(ImageFault) -> Int {
        let number = try unsigned(number.map { UInt64($0) })
        guard number < UInt64(limit) else { throw .malformed }
        return Int(number)
    }

    mutating func number(_ number: Int?) throws(ImageFault) -> Int {
        guard let number = Int32(exactly: try signed(number.map { Int64($0) })) else { throw .malformed }
        return Int(number)
    }

    /// A length of time, which may be negative.
    mutating func interval(_ interval: Interval?) throws(ImageFault) -> Interval {
        Interval(microseconds: try signed(interval?.microseconds))
    }

    mutating func choice<Choice: RawRepresentable>(_ choice: Choice?) throws(ImageFault) -> Choice
    where Choice.RawValue == UInt8 {
        guard let choice = Choice(rawValue: try tag(choice?.rawValue)) else { throw .malformed }
        return choice
    }
}

// MARK: Groups

extension CompiledCoder {
    mutating func part<Part: CompiledPart>(_ part: Part?) throws(ImageFault) -> Part {
        try Part.coded(part, by: &self)
    }

    mutating func optional<Part: CompiledPart>(_ part: Part?) throws(ImageFault) -> Part? {
        try flag(part != nil) ? try Part.coded(part, by: &self) : nil
    }

    mutating func optional<Content>(
        _ content: Content?,
        _ code: (inout Self, Content?) throws(ImageFault) -> Content
    ) throws(ImageFault) -> Content? {
        try flag(content != nil) ? try code(&self, content) : nil
    }

    mutating func optionalNumber(_ number: Int?) throws(ImageFault) -> Int? {
        try flag(number != nil) ? try self.number(number) : nil
    }

    mutating func optionalChoice<Choice: RawRepresentable>(_ choice: Choice?) throws(ImageFault) -> Choice?
    where Choice.RawValue == UInt8 {
        try flag(choice != nil) ? try self.choice(choice) : nil
    }

    mutating func list<Part: CompiledPart>(_ parts: [Part]?, limit: Int = .max) throws(ImageFault) -> [Part] {
        try list(parts, limit: limit) { coder, part throws(ImageFault) in try Part.coded(part, by: &coder) }
    }

    mutating func list<Element>(
        _ elements: [Element]?,
        limit: Int = .max,
        _ code: (inout Self, Element?) throws(ImageFault) -> Element
    ) throws(ImageFault) -> [Element] {
        let count = try count(elements?.count)
        guard count <= limit else { throw .malformed }
        return try self.elements(count, of: elements, code)
    }

    /// Elements whose number is known.
    mutating func elements<Element>(
        _ count: Int,
        of elements: [Element]?,
        _ code: (inout Self, Element?) throws(ImageFault) -> Element
    ) throws(ImageFault) -> [Element] {
        var coded: [Element] = []
        coded.reserveCapacity(min(count, 64))
        for number in 0..<count { coded.append(try code(&self, elements?[number])) }
        return coded
    }
}

// MARK: Parts of several

extension String: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        try coder.text(part)
    }
}

extension Bool: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        try coder.flag(part)
    }
}

extension Double: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let number = try coder.double(part)
        guard number.isFinite else { throw .malformed }
        return number
    }
}

/// A length of time that is not negative.
extension Interval: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let length = try coder.interval(part)
        guard length >= .zero else { throw .malformed }
        return length
    }
}

extension Program: CompiledPart {
    static func coded<Coder: CompiledCoder>(
        _ part: Program?,
        by coder: inout Coder
    ) throws(ImageFault) -> Program {
        try coder.program(part)
    }
}

extension TextTemplate: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        TextTemplate(parts: try coder.list(part?.parts))
    }
}

extension TextTemplate.Part: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, literal, program, range): (UInt8, String?, Program?, Range<Int>?) =
            switch part {
            case .literal(let text): (0, text, nil, nil)
            case .expression(let program, let range): (1, nil, program, range)
            case nil: (0, nil, nil, nil)
            }
        switch try coder.tag(tag) {
        case 0: return .literal(try coder.text(literal))
        case 1:
            let program = try coder.program(program)
            let start = try coder.index(range?.lowerBound, below: Definition.compiledSizeLimit)
            let length = try coder.index(range?.count, below: Definition.compiledSizeLimit)
            return .expression(program, at: start..<start + length)
        default: throw .malformed
        }
    }
}

extension Place: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        Place(
            line: try coder.number(part?.line),
            column: try coder.number(part?.column),
            file: try coder.number(part?.file)
        )
    }
}

extension SourceText: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let text = try coder.text(part?.text)
        return SourceText(
            text,
            at: try coder.part(part?.place),
            pieces: try coder.list(part?.pieces) { coder, piece throws(ImageFault) in
                let offset = try coder.index(piece?.offset, below: text.utf8.count + 1)
                return Piece(offset: offset, at: try coder.part(piece?.place))
            }
        )
    }
}

extension StateID: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let number = try coder.index(part.map { Int($0.rawValue) }, below: coder.known.states)
        return StateID(rawValue: UInt16(truncatingIfNeeded: number))
    }
}

extension StateSet: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        var states = StateSet()
        for state in try coder.list(part.map { Array($0) }) { states.insert(state) }
        return states
    }
}

extension SignalSet: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let numbers = part.map { part in (0..<SignalSet.capacity).filter { part.contains($0) } }
        var signals = SignalSet()
        for number in try coder.list(
            numbers,
            { coder, number throws(ImageFault) in try coder.index(number, below: coder.known.signals) }
        ) {
            signals.insert(number)
        }
        return signals
    }
}

extension SettingValue: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, number, text, truth, length): (UInt8, Double?, String?, Bool?, Interval?) =
            switch part {
            case .number(let number): (0, number, nil, nil, nil)
            case .text(let text): (1, nil, text, nil, nil)
            case .truth(let truth): (2, nil, nil, truth, nil)
            case .length(let length): (3, nil, nil, nil, length)
            case nil: (0, nil, nil, nil, nil)
            }
        return switch try coder.tag(tag) {
        case 0: .number(try coder.part(number))
        case 1: .text(try coder.text(text))
        case 2: .truth(try coder.flag(truth))
        case 3: .length(try coder.interval(length))
        default: throw .malformed
        }
    }
}
