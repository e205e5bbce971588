import SkerryExpressions
import SkerryMachine
import SkerryValues

/// Reads the parts of a definition; every number that leads to something else is checked where it is read.
struct CompiledReader: CompiledCoder {
    private(set) var image: ImageReader
    private let programs: [Program]
    var known = KnownParts()

    init(image: ImageReader, programs: [Program]) {
        self.image = image
        self.programs = programs
    }

    mutating func tag(_: UInt8?) throws(ImageFault) -> UInt8 { try image.tag() }

    mutating func flag(_: Bool?) throws(ImageFault) -> Bool { try image.flag() }

    mutating func unsigned(_: UInt64?) throws(ImageFault) -> UInt64 { try image.unsigned() }

    mutating func signed(_: Int64?) throws(ImageFault) -> Int64 { try image.signed() }

    mutating func double(_: Double?) throws(ImageFault) -> Double { try image.double() }

    mutating func text(_: String?) throws(ImageFault) -> String { try image.text() }

    mutating func count(_: Int?) throws(ImageFault) -> Int { try image.count() }

    mutating func program(_: Program?) throws(ImageFault) -> Program {
        let program = try writtenProgram(nil)
        for reference in program.references where !known.contain(reference) { throw .malformed }
        return program
    }

    mutating func writtenProgram(_: Program?) throws(ImageFault) -> Program {
        programs[try index(nil, below: programs.count)]
    }

    func distinct(_: [WrittenExpression]?) -> [WrittenExpression]? { nil }

    mutating func type(_: ExpressionType?) throws(ImageFault) -> ExpressionType {
        try ExpressionType(from: &image)
    }

    mutating func chart(
        _: Statechart?,
        timers: [String],
        numbers: Statechart.HostNumbers,
        limits: Statechart.Limits
    ) throws(ImageFault) -> Statechart {
        try Statechart.read(from: &image, timers: timers, numbers: numbers, limits: limits)
    }
}
