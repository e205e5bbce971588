import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Writes the parts of a definition; equal programs are written once, whichever parts have them.
///
/// The sources of a plug, for example, all take its name from the same long expression.
struct CompiledWriter: CompiledCoder {
    private(set) var image = ImageWriter(capacity: 4096)
    /// The bytes of the programs, each of which stands here once.
    private(set) var programs: [[UInt8]] = []
    var known = KnownParts()

    mutating func tag(_ tag: UInt8?) -> UInt8 { write(tag) { $0.tag($1) } }

    mutating func flag(_ truth: Bool?) -> Bool { write(truth) { $0.flag($1) } }

    mutating func unsigned(_ number: UInt64?) -> UInt64 { write(number) { $0.unsigned($1) } }

    mutating func signed(_ number: Int64?) -> Int64 { write(number) { $0.signed($1) } }

    mutating func double(_ number: Double?) -> Double { write(number) { $0.double($1) } }

    mutating func text(_ text: String?) -> String { write(text) { $0.text($1) } }

    mutating func count(_ number: Int?) -> Int { write(number) { $0.count($1) } }

    mutating func program(_ program: Program?) -> Program { writtenProgram(program) }

    mutating func writtenProgram(_ program: Program?) -> Program {
        let program = present(program)
        image.count(number(of: program))
        return program
    }

    mutating func distinct(_ expressions: [WrittenExpression]?) -> [WrittenExpression]? {
        var known: Set<Int> = []
        return present(expressions).filter { known.insert(number(of: $0.program)).inserted }
    }

    mutating func type(_ type: ExpressionType?) -> ExpressionType { write(type) { $1.write(to: &$0) } }

    mutating func chart(
        _ chart: Statechart?,
        timers: [String],
        numbers: Statechart.HostNumbers,
        limits: Statechart.Limits
    ) -> Statechart {
        write(chart) { $1.write(to: &$0) }
    }

    private mutating func number(of program: Program) -> Int {
        var writer = ImageWriter(capacity: 256)
        program.write(to: &writer)
        if let known = programs.firstIndex(of: writer.bytes) { return known }
        programs.append(writer.bytes)
        return programs.count - 1
    }

    private mutating func write<Content>(
        _ content: Content?,
        _ write: (inout ImageWriter, Content) -> Void
    ) -> Content {
        let content = present(content)
        write(&image, content)
        return content
    }

    private func present<Content>(_ content: Content?) -> Content {
        guard let content else { preconditionFailure("a part without this field can't be written") }
        return content
    }
}
