import SkerryExpressions
import SkerryValues

/// One case: a value for each reference that some conditions read.
struct ReadingCase: ValueSource {
    /// The references that the conditions read.
    let references: [Reference]
    /// The value of each reference.
    var values: [Value]

    func load(_ reference: Reference, _ context: borrowing Void) -> Value {
        references.firstIndex(of: reference).map { values[$0] } ?? .error(.unset)
    }

    /// True if a condition holds in this case; a condition with an error does not.
    func holds(_ program: Program) -> Bool { truth(of: program) == true }

    /// The truth value of a condition; nil when it has an error.
    func truth(of program: Program) -> Bool? {
        guard case .bool(let truth) = program.evaluate(from: self, (), costLimit: 10_000) else { return nil }
        return truth
    }
}

/// A search for cases in which conditions hold, among the values that can make a difference to them.
///
/// These values are the constants in the conditions, numbers between and beside them, a text that equals none of them,
/// and no value at all. Conditions are evaluated in each case, so a case that is found is real. Of several values that
/// no condition distinguishes, only the first is tried.
struct CaseSearch {
    /// The most cases that one search tries; a search with more is not made, and gives no warning.
    static let limit = 20_000
    /// The most cases that all searches of a definition try together.
    static let limitOfAll = 500_000
    /// The most cases of one condition that are tried to find the values that it does not distinguish.
    private static let tableLimit = 500

    let references: [Reference]
    let candidates: [[Value]]
    /// The number of cases.
    let count: Int

    /// Prepares a search; nil when there are too many cases, or values that can't be tried.
    ///
    /// - Parameters:
    ///   - programs: The conditions.
    ///   - limit: The most cases to try.
    ///   - further: Constants to compare with beside those that are written in the conditions.
    ///   - candidates: The values to try for a reference, given the constants; nil when they are unknown.
    init?(
        _ programs: [Program],
        limit: Int,
        comparing further: [Value] = [],
        candidates: (_ reference: Reference, _ constants: [Value]) -> [Value]?
    ) {
        var constants = further
        var references: [Reference] = []
        for program in programs {
            constants += program.constants
            for reference in program.references where !references.contains(reference) {
                references.append(reference)
            }
        }
        var lists: [[Value]] = []
        for reference in references {
            guard let values = candidates(reference, constants), !values.isEmpty else { return nil }
            lists.append(values)
        }
        self.init(references, lists.count > 1 ? Self.distinct(lists, of: references, programs) : lists)
        guard count <= limit else { return nil }
    }

    private init(_ references: [Reference], _ candidates: [[Value]]) {
        self.references = references
        self.candidates = candidates
        var count = 1
        for values in candidates where count < .max / values.count { count *= values.count }
        self.count = count
    }

    /// The candidates of each reference without those that no condition distinguishes from an earlier one.
    private static func distinct(
        _ lists: [[Value]],
        of references: [Reference],
        _ programs: [Program]
    ) -> [[Value]] {
        // The results of all conditions for each value of each reference, over all values of the other references.
        var answers = lists.map { [[Bool]](repeating: [], count: $0.count) }
        var isKnown = [Bool](repeating: true, count: lists.count)
        for program in programs {
            let read = references.indices.filter { program.references.contains(references[$0]) }
            let table = CaseSearch(read.map { references[$0] }, read.map { lists[$0] })
            guard table.count <= tableLimit else {
                for reference in read { isKnown[reference] = false }
                continue
            }
            table.visit { trial, positions in
                let holds = trial.holds(program)
                for (index, reference) in read.enumerated() {
                    answers[reference][positions[index]].append(holds)
                }
                return false
            }
        }
        return lists.indices.map { reference in
            guard isKnown[reference] else { return lists[reference] }
            var seen: Set<[Bool]> = []
            return lists[reference].indices.filter { seen.insert(answers[reference][$0]).inserted }
                .map { lists[reference][$0] }
        }
    }

    /// The first case for which a predicate holds.
    func first(where predicate: (ReadingCase) -> Bool) -> ReadingCase? {
        var found: ReadingCase?
        visit { trial, _ in
            guard predicate(trial) else { return false }
            found = trial
            return true
        }
        return found
    }

    /// Passes each case to `body`, with the positions of its values among the candidates, until `body` returns true.
    private func visit(_ body: (_ trial: ReadingCase, _ positions: [Int]) -> Bool) {
        var positions = [Int](repeating: 0, count: references.count)
        var trial = ReadingCase(references: references, values: candidates.map { $0[0] })
        while !body(trial, positions) {
            var index = positions.count - 1
            while index >= 0 {
                positions[index] = (positions[index] + 1) % candidates[index].count
                trial.values[index] = candidates[index][positions[index]]
                if positions[index] > 0 { break }
                index -= 1
            }
            if index < 0 { return }
        }
    }
}

extension ExpressionType {
    /// The values of this type that can make a difference to comparisons with constants, and the absent value.
    func telling(_ constants: [Value]) -> [Value] {
        var values: [Value] = []
        switch self {
        case .bool: values = [.bool(true), .bool(false)]
        case .int, .uint, .double: values = numbers(constants)
        case .string: values = texts(constants)
        case .duration, .timestamp: values = times(constants)
        default:
            values = numbers(constants) + texts(constants) + times(constants) + [.bool(true), .bool(false)]
            if constants.contains(where: { $0.equals(.null) }) { values.append(.null) }
        }
        return values + [.error(.unset)]
    }

    private func numbers(_ constants: [Value]) -> [Value] {
        var known: [Double] = []
        for constant in constants {
            let number: Double
            switch constant {
            case .int(let value): number = Double(value)
            case .uint(let value): number = Double(value)
            case .double(let value) where value.isFinite: number = value
            default: continue
            }
            if !known.contains(number) { known.append(number) }
        }
        if known.isEmpty { return self == .dyn ? [] : [number(0)] }
        known.sort()
        // Beside a number of 2^53 or more there is none at a distance of 1.
        let (lowest, highest) = (known[0], known[known.count - 1])
        var values = [number(lowest - max(1, lowest.ulp))]
        for (index, value) in known.enumerated() {
            if index > 0 { values.append(number(between(known[index - 1], value))) }
            values.append(number(value))
        }
        return values + [number(highest + max(1, highest.ulp))]
    }

    /// A number between two others, whole if possible.
    private func between(_ low: Double, _ high: Double) -> Double {
        let middle = low + (high - low) / 2
        let whole = middle.rounded(.down)
        return whole > low ? whole : middle
    }

    private func number(_ number: Double) -> Value {
        guard self != .double, let whole = Int64(exactly: number) else { return .double(number) }
        if self == .uint, whole >= 0 { return .uint(UInt64(whole)) }
        return .int(whole)
    }

    private func texts(_ constants: [Value]) -> [Value] {
        var values: [Value] = []
        for case .string(let text) in constants {
            let isKnown = values.contains { $0.equals(.string(text)) }
            if !isKnown { values.append(.string(text)) }
        }
        if values.isEmpty, self == .dyn { return [] }
        var other = "other"
        while values.contains(where: { $0.equals(.string(other)) }) { other += "'" }
        return values + [.string(other)]
    }

    private func times(_ constants: [Value]) -> [Value] {
        var values: [Value] = []
        for constant in constants {
            for step in -1...1 as ClosedRange<Int64> {
                switch constant {
                case .duration(let length) where self != .timestamp:
                    values.append(.duration(CalendarDuration(length.interval + .seconds(step))))
                case .timestamp(let moment) where self != .duration:
                    values.append(.timestamp(CalendarTimestamp(moment.moment + .seconds(step))))
                default: break
                }
            }
        }
        return values.isEmpty && self == .duration ? [.duration(CalendarDuration(.zero))] : values
    }
}
