import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryExpressions

/// Programs as bytes: they come back and do the same, and no bytes make evaluating trap.
struct ProgramImageTests {
    private static func image(of program: Program) -> [UInt8] {
        var writer = ImageWriter()
        program.write(to: &writer)
        return writer.bytes
    }

    private static func program(in bytes: [UInt8]) throws(ImageFault) -> Program {
        var reader = ImageReader(bytes[...])
        return try Program(from: &reader, timeZone: { _ in nil })
    }

    private static func isSame(_ left: Value, _ right: Value) -> Bool {
        if let failure = left.failure { return right.failure == failure }
        return left.isIdentical(to: right)
    }

    @Test func `a program comes back as it was, and gives the same`() throws {
        var random = RandomExpression(seed: 17)
        var bench = Workbench.washer()
        var compiled = 0
        for _ in 0..<800 {
            let text = random.next(depth: 4)
            guard let program = try? bench.compile(text) else { continue }
            compiled += 1
            let image = Self.image(of: program)
            let read = try Self.program(in: image)
            #expect(Self.image(of: read) == image, "\(text)")
            #expect(read.type == program.type, "\(text)")
            #expect(read.references == program.references, "\(text)")
            let value = program.evaluate(from: bench, bench.paths, costLimit: 5000)
            let again = read.evaluate(from: bench, bench.paths, costLimit: 5000)
            #expect(Self.isSame(value, again), "\(text) gave \(value), and then \(again)")
        }
        #expect(compiled > 50)
    }

    @Test func `a program that is cut short is refused, wherever it is cut`() throws {
        var bench = Workbench.washer()
        let program = try bench.compile(
            "[1, 2].map(x, x > count, string(x) + operation).exists(t, t.matches('^2')) ? payload.a.?b.orValue(power) : double(count)"
        )
        let image = Self.image(of: program)
        for length in 0..<image.count {
            #expect(throws: ImageFault.self, "\(length)") {
                try Self.program(in: Array(image.prefix(length)))
            }
        }
    }

    @Test func `damaged programs are refused or evaluated within their cost, and never trap`() throws {
        var random = SimulatedRandom(seed: 18)
        var expressions = RandomExpression(seed: 19)
        let bench = Workbench.washer()
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            var compiling = bench
            guard let program = try? compiling.compile(expressions.next(depth: 4)) else { continue }
            let image = Self.image(of: program)
            for _ in 0..<40 {
                var bytes = image
                for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
                guard let damaged = try? Self.program(in: bytes) else {
                    refused += 1
                    continue
                }
                read += 1
                _ = damaged.evaluate(from: Anything(), (), costLimit: 2000)
                _ = (damaged.constants, damaged.fields, damaged.comparisons, damaged.requiredReferences)
                _ = (
                    damaged.possibleValues, damaged.returnedReferences, damaged.isComparison, damaged.hasLoop
                )
                for reference in damaged.references { _ = damaged.words(comparedWith: reference) }
            }
        }
        #expect(read > 100 && refused > 100)
    }

    /// An instruction that is never evaluated is looked at all the same.
    @Test func `a fallback of itself is refused, also where nothing evaluates it`() throws {
        #expect(try Self.program(in: Self.imageOfFallback(0, 0)).comparisons.isEmpty)
        for (first, second) in [(1, 0), (0, 1), (2, 0), (0, 2), (-1, 0), (0, -1)] as [(Int64, Int64)] {
            #expect(throws: ImageFault.malformed, "\(first), \(second)") {
                try Self.program(in: Self.imageOfFallback(first, second))
            }
        }
    }

    /// A program of the number 1, with a fallback in its middle that it does not evaluate.
    private static func imageOfFallback(_ first: Int64, _ second: Int64) -> [UInt8] {
        var writer = ImageWriter()
        ExpressionType.dyn.write(to: &writer)
        // No references.
        writer.count(0)
        writer.flag(false)
        writer.list([.int(1)]) { $0.value($1) }
        // No patterns, children and variables.
        for _ in 0..<3 { writer.count(0) }
        let steps: [(Operation, [Int64])] = [
            (.constant, [0, 0, 0]), (.fallback, [first, second, 0]), (.constant, [0, 0, 0]),
        ]
        writer.list(steps) { writer, step in
            writer.tag(step.0.rawValue)
            writer.tag(0)
            writer.unsigned(0)
            for operand in step.1 { writer.signed(operand) }
        }
        writer.signed(0)
        return writer.bytes
    }

    /// Has a value for every reference, of a type that depends on its number.
    private struct Anything: ValueSource {
        func load(_ reference: Reference, _ context: borrowing Void) -> Value {
            switch reference.index % 6 {
            case 0: .int(.min)
            case 1: .string("é😀")
            case 2: .list([.int(1), .null])
            case 3: .map(ValueMap(uniqueEntries: [.init(key: .string("a"), value: .double(.nan))]))
            case 4: .optional([.bool(true)])
            default: .error(.unset)
            }
        }
    }

    @Test func `types come back, as deep as one may be`() throws {
        let single: [ExpressionType] = [
            .bool, .int, .uint, .double, .string, .bytes, .null, .timestamp, .duration, .type, .dyn,
        ]
        let types = single + single.map { .list($0) } + single.map { .optional(.map(.string, $0)) }
        for type in types + [Self.nested(31)] {
            var writer = ImageWriter()
            type.write(to: &writer)
            var reader = ImageReader(writer.bytes[...])
            #expect(try ExpressionType(from: &reader) == type)
        }
        var writer = ImageWriter()
        Self.nested(32).write(to: &writer)
        var reader = ImageReader(writer.bytes[...])
        #expect(throws: ImageFault.malformed) { try ExpressionType(from: &reader) }
        var unknown = ImageReader([14])
        #expect(throws: ImageFault.malformed) { try ExpressionType(from: &unknown) }
    }

    /// Lists in lists, with so many levels around one type.
    private static func nested(_ levels: Int) -> ExpressionType {
        (0..<levels).reduce(.int) { type, _ in .list(type) }
    }
}

/// The name that a misspelt one most likely meant.
struct NearestNameTests {
    private static let names = ["power", "operation", "program", "count", "temperature", "on", "kWh"]

    @Test(
        arguments: [
            ("power", "power"), ("powr", "power"), ("poower", "power"), ("pwoer", "power"),
            ("POWER", "power"),
            ("operatoin", "operation"), ("oepration", "operation"), ("progrm", "program"), ("cuont", "count"),
            ("temprature", "temperature"), ("temperatur", "temperature"), ("tempratur", "temperature"),
            ("no", "on"),
            ("onn", "on"), ("kwh", "kWh"), ("xyz", nil), ("", nil), ("o", "on"), ("pow", nil),
            ("äpower", "power"),
            // One in three letters at most.
            ("counting", nil), ("temp", nil), ("prog", nil),
        ] as [(String, String?)]
    )
    func `is found by its letters`(_ name: String, _ expected: String?) {
        #expect(nearestName(to: name, among: Self.names) == expected)
    }

    @Test func `of equally near names the first one is meant, and a nearer one before all`() {
        #expect(nearestName(to: "ba", among: ["bb", "bc", "ca"]) == "bb")
        #expect(nearestName(to: "lamp3", among: ["lamp1", "lamp2", "lamp3"]) == "lamp3")
        #expect(nearestName(to: "power", among: []) == nil)
        // All letters changed is another name, however short it is.
        #expect(nearestName(to: "a", among: ["b"]) == nil)
    }

    @Test func `one slip of the pen in three letters or more is always found`() {
        var random = SimulatedRandom(seed: 3)
        let letters = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
        for _ in 0..<2000 {
            let name = (0..<(3 + random.below(20))).map { _ in letters[random.below(26)] }
            var slip = name
            let place = random.below(name.count)
            switch random.below(4) {
            case 0: slip.remove(at: place)
            case 1: slip.insert(letters[random.below(26)], at: place)
            case 2: slip[place] = letters[random.below(26)]
            default: if place > 0 { slip.swapAt(place, place - 1) }
            }
            let (meant, written) = (text(name), text(slip))
            #expect(nearestName(to: written, among: [meant]) == meant, "\(written), \(meant)")
            #expect(nearestName(to: meant, among: [written]) == written, "\(meant), \(written)")
        }
    }

    @Test func `names of more than 100 bytes are compared with none`() {
        let (long, longer) = (String(repeating: "a", count: 100), String(repeating: "a", count: 101))
        #expect(nearestName(to: long, among: [long]) == long)
        #expect(nearestName(to: longer, among: [long]) == nil)
        #expect(nearestName(to: long, among: [longer]) == nil)
        #expect(nearestName(to: String(repeating: "é", count: 51), among: [long]) == nil)
    }

    private func text(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
