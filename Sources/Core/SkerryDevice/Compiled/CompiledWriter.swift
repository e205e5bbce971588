import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Writes the parts of a definition; equal programs are written once, whichever parts have them.
///
/// The sources of a plug, for example, all take its name from the same long expression.
struct CompiledWriter {
    var image = ImageWriter(capacity: 4096)
    /// The bytes of the programs, each of which stands here once.
    private(set) var programs: [[UInt8]] = []

    mutating func program(_ program: Program) { image.count(number(of: program)) }

    private mutating func number(of program: Program) -> Int {
        var writer = ImageWriter(capacity: 256)
        program.write(to: &writer)
        if let known = programs.firstIndex(of: writer.bytes) { return known }
        programs.append(writer.bytes)
        return programs.count - 1
    }

    /// Writes how expressions are written; of those with equal programs the first one, which is the one that is found.
    mutating func written(_ expressions: [WrittenExpression]) {
        var known: Set<Int> = []
        let firsts = expressions.filter { known.insert(number(of: $0.program)).inserted }
        list(firsts) { writer, expression in
            writer.program(expression.program)
            writer.source(expression.text)
        }
    }

    mutating func template(_ template: TextTemplate) {
        list(template.parts) { writer, part in
            switch part {
            case .literal(let text):
                writer.image.tag(0)
                writer.image.text(text)
            case .expression(let program, let range):
                writer.image.tag(1)
                writer.program(program)
                writer.image.count(range.lowerBound)
                writer.image.count(range.count)
            }
        }
    }

    mutating func optional<Content>(_ content: Content?, _ write: (inout CompiledWriter, Content) -> Void) {
        image.flag(content != nil)
        if let content { write(&self, content) }
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout CompiledWriter, Element) -> Void) {
        image.count(elements.count)
        for element in elements { write(&self, element) }
    }

    mutating func texts(_ texts: [String]) { image.list(texts) { $0.text($1) } }

    mutating func optionalText(_ text: String?) { image.optional(text) { $0.text($1) } }

    mutating func optionalInterval(_ interval: Interval?) { image.optional(interval) { $0.interval($1) } }

    mutating func optionalDouble(_ number: Double?) { image.optional(number) { $0.double($1) } }

    mutating func optionalCount(_ number: Int?) { image.optional(number) { $0.signed(Int64($1)) } }

    mutating func optionalProgram(_ program: Program?) { optional(program) { $0.program($1) } }

    mutating func optionalTemplate(_ template: TextTemplate?) { optional(template) { $0.template($1) } }

    mutating func place(_ place: Place) {
        for number in [place.line, place.column, place.file] { image.signed(Int64(number)) }
    }

    mutating func source(_ source: SourceText) {
        image.text(source.text)
        place(source.place)
        list(source.pieces) { writer, piece in
            writer.image.count(piece.offset)
            writer.place(piece.place)
        }
    }

    mutating func states(_ states: StateSet) {
        image.list(Array(states)) { $0.unsigned(UInt64($1.rawValue)) }
    }

    mutating func signals(_ signals: SignalSet) {
        image.list((0..<SignalSet.capacity).filter { signals.contains($0) }) { $0.count($1) }
    }

    mutating func value(_ value: SettingValue) {
        switch value {
        case .number(let number):
            image.tag(0)
            image.double(number)
        case .text(let text):
            image.tag(1)
            image.text(text)
        case .truth(let truth):
            image.tag(2)
            image.flag(truth)
        case .length(let length):
            image.tag(3)
            image.interval(length)
        }
    }
}
