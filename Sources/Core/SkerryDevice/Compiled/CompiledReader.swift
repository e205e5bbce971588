import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Reads the parts of a definition; every number that leads to something else is checked where it is read.
struct CompiledReader {
    var image: ImageReader
    private let programs: [Program]
    /// The numbers of signals, variables and settings, once they are known.
    var signalCount = 0
    var variableCount = 0
    var settingCount = 0
    var stateCount = 0
    var timerCount = 0
    /// The parts of a message that the following expressions may read; nil outside of sources.
    var message: (paths: Int, captures: Int)?
    /// True if the expressions that follow may read the title of a state; a title itself may not.
    var knowsTitles = true

    init(image: ImageReader, programs: [Program]) {
        self.image = image
        self.programs = programs
    }

    // MARK: Numbers

    /// Reads a number below a bound.
    mutating func index(below limit: Int) throws(ImageFault) -> Int {
        let number = try image.unsigned()
        guard number < UInt64(limit) else { throw .malformed }
        return Int(number)
    }

    mutating func number() throws(ImageFault) -> Int {
        guard let number = Int32(exactly: try image.signed()) else { throw .malformed }
        return Int(number)
    }

    mutating func finite() throws(ImageFault) -> Double {
        let number = try image.double()
        guard number.isFinite else { throw .malformed }
        return number
    }

    /// Reads a length of time that is not negative.
    mutating func length() throws(ImageFault) -> Interval {
        let length = try image.interval()
        guard length >= .zero else { throw .malformed }
        return length
    }

    mutating func choice<Choice: RawRepresentable>(_: Choice.Type) throws(ImageFault) -> Choice
    where Choice.RawValue == UInt8 {
        guard let choice = Choice(rawValue: try image.tag()) else { throw .malformed }
        return choice
    }

    // MARK: Programs

    /// Reads a program that reads only what there is.
    mutating func program() throws(ImageFault) -> Program {
        let program = programs[try index(below: programs.count)]
        for reference in program.references where !isKnown(reference) { throw .malformed }
        return program
    }

    /// Reads a program that is only looked up, never evaluated.
    mutating func writtenProgram() throws(ImageFault) -> Program {
        programs[try index(below: programs.count)]
    }

    private func isKnown(_ reference: Reference) -> Bool {
        let index = Int(reference.index)
        return switch ReferenceKind(rawValue: reference.kind) {
        case .signal, .changed: index < signalCount
        case .context: index < variableCount
        case .payload: index < message?.paths ?? 0
        case .capture: index < message?.captures ?? 0
        case .timer, .timerElapsed: index < timerCount
        case .inState: index < StateSet.capacity
        case .setting: index < settingCount
        case .stateTitle: knowsTitles
        case .elapsed, .now, .since, .stateName, .deviceName, .deviceKind, .deviceAvailable, .event, .field,
            .unset, .deviceID, .item:
            true
        case nil: false
        }
    }

    mutating func template() throws(ImageFault) -> TextTemplate {
        TextTemplate(
            parts: try list { reader throws(ImageFault) in
                switch try reader.image.tag() {
                case 0: return .literal(try reader.image.text())
                case 1:
                    let program = try reader.program()
                    let start = try reader.index(below: Definition.compiledSizeLimit)
                    let length = try reader.index(below: Definition.compiledSizeLimit)
                    return .expression(program, at: start..<start + length)
                default: throw .malformed
                }
            }
        )
    }

    // MARK: Groups

    mutating func optional<Content>(
        _ read: (inout CompiledReader) throws(ImageFault) -> Content
    ) throws(ImageFault) -> Content? {
        try image.flag() ? try read(&self) : nil
    }

    mutating func list<Element>(
        limit: Int = .max,
        _ read: (inout CompiledReader) throws(ImageFault) -> Element
    ) throws(ImageFault) -> [Element] {
        let count = try image.count()
        guard count <= limit else { throw .malformed }
        var elements: [Element] = []
        elements.reserveCapacity(min(count, 64))
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }

    mutating func texts() throws(ImageFault) -> [String] {
        try list { reader throws(ImageFault) in try reader.image.text() }
    }

    mutating func optionalText() throws(ImageFault) -> String? { try image.flag() ? try image.text() : nil }

    mutating func optionalLength() throws(ImageFault) -> Interval? { try image.flag() ? try length() : nil }

    mutating func optionalDouble() throws(ImageFault) -> Double? { try image.flag() ? try finite() : nil }

    mutating func optionalNumber() throws(ImageFault) -> Int? { try image.flag() ? try number() : nil }

    mutating func optionalProgram() throws(ImageFault) -> Program? { try image.flag() ? try program() : nil }

    mutating func optionalTemplate() throws(ImageFault) -> TextTemplate? {
        try image.flag() ? try template() : nil
    }

    // MARK: Parts of several

    mutating func place() throws(ImageFault) -> Place {
        Place(line: try number(), column: try number(), file: try number())
    }

    mutating func source() throws(ImageFault) -> SourceText {
        let text = try image.text()
        let place = try place()
        return SourceText(
            text,
            at: place,
            pieces: try list { reader throws(ImageFault) in
                let offset = try reader.index(below: text.utf8.count + 1)
                return SourceText.Piece(offset: offset, at: try reader.place())
            }
        )
    }

    mutating func state() throws(ImageFault) -> StateID {
        StateID(rawValue: UInt16(truncatingIfNeeded: try index(below: stateCount)))
    }

    mutating func states() throws(ImageFault) -> StateSet {
        var states = StateSet()
        for state in try list({ reader throws(ImageFault) in try reader.state() }) { states.insert(state) }
        return states
    }

    mutating func signals() throws(ImageFault) -> SignalSet {
        var signals = SignalSet()
        let numbers = try list { reader throws(ImageFault) in try reader.index(below: reader.signalCount) }
        for number in numbers { signals.insert(number) }
        return signals
    }

    mutating func value() throws(ImageFault) -> SettingValue {
        switch try image.tag() {
        case 0: .number(try finite())
        case 1: .text(try image.text())
        case 2: .truth(try image.flag())
        case 3: .length(try image.interval())
        default: throw .malformed
        }
    }
}
