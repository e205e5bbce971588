import SkerryValues

/// A regular expression in the syntax of RE2, compiled.
///
/// It is searched for in time proportional to the text's length times its own size: all possibilities are
/// followed side by side (Thompson's construction), none is ever tried again.
struct Pattern: Sendable {
    /// Why a text is no regular expression, or too large a one.
    struct Problem: Error {
        var message: String
    }

    /// The most instructions a pattern may become.
    static let sizeLimit = 5000

    // Eight bytes: definitions for plugs have forty patterns or more each.
    private enum Instruction: Sendable {
        case scalar(UInt32)
        case foldedScalar(UInt32)
        case any
        case anyButNewline
        case set(UInt16)
        case assertion(PatternAssertion)
        case jump(UInt16)
        case split(UInt16, UInt16)
        case match
    }

    /// The regular expression as it is written.
    let text: String
    private var instructions: [Instruction] = []
    private var sets: [ScalarSet] = []
    /// The scalars that a match can begin with; nil if it can begin with any, or be empty.
    private var start: PatternStart?

    /// Compiles a regular expression.
    init(_ text: String) throws(Problem) {
        self.text = text
        let syntax = try PatternParser.parse(text)
        try emit(syntax.root, of: syntax)
        try append(.match)
        // Without the room for more that an array keeps.
        instructions = instructions.map { $0 }
        start = possibleStart()
    }

    /// The number of instructions of the compiled pattern.
    var size: Int { instructions.count }

    // MARK: Compiling

    private mutating func append(_ instruction: Instruction) throws(Problem) {
        guard instructions.count < Pattern.sizeLimit else { throw Problem(message: "too large") }
        instructions.append(instruction)
    }

    private var here: UInt16 { UInt16(instructions.count) }

    private mutating func emit(_ id: PatternSyntax.ID, of syntax: PatternSyntax) throws(Problem) {
        switch syntax.nodes[id] {
        case .empty: break
        case .scalar(let value, let ignoresCase):
            try append(ignoresCase ? .foldedScalar(value) : .scalar(value))
        case .any(let withNewline): try append(withNewline ? .any : .anyButNewline)
        case .set(let set):
            sets.append(set)
            try append(.set(UInt16(sets.count - 1)))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .sequence(let parts): for part in parts { try emit(part, of: syntax) }
        case .choice(let branches): try emit(branches, of: syntax)
        case .repetition(let part, let minimum, let maximum):
            guard let maximum else {
                for _ in 1..<max(minimum, 1) { try emit(part, of: syntax) }
                return try emitLoop(part, of: syntax, isSkippable: minimum == 0)
            }
            for _ in 0..<minimum { try emit(part, of: syntax) }
            var exits: [Int] = []
            for _ in minimum..<maximum {
                exits.append(instructions.count)
                try append(.split(here + 1, 0))
                try emit(part, of: syntax)
            }
            for exit in exits { instructions[exit] = .split(UInt16(exit) + 1, here) }
        }
    }

    /// Emits a part once, however often it is to be repeated; a loop within a loop would otherwise double each time.
    private mutating func emitLoop(
        _ part: PatternSyntax.ID,
        of syntax: PatternSyntax,
        isSkippable: Bool
    ) throws(Problem) {
        let start = instructions.count
        guard isSkippable else {
            try emit(part, of: syntax)
            return try append(.split(UInt16(start), here + 1))
        }
        try append(.split(here + 1, 0))
        try emit(part, of: syntax)
        try append(.jump(UInt16(start)))
        instructions[start] = .split(UInt16(start) + 1, here)
    }

    private mutating func emit(_ branches: [PatternSyntax.ID], of syntax: PatternSyntax) throws(Problem) {
        var ends: [Int] = []
        for (position, branch) in branches.enumerated() {
            guard position < branches.count - 1 else {
                try emit(branch, of: syntax)
                break
            }
            let start = instructions.count
            try append(.split(here + 1, 0))
            try emit(branch, of: syntax)
            ends.append(instructions.count)
            try append(.jump(0))
            instructions[start] = .split(UInt16(start) + 1, here)
        }
        for end in ends { instructions[end] = .jump(here) }
    }

    /// Collects what a match can begin with, whatever holds at the place where it begins.
    private func possibleStart() -> PatternStart? {
        var found = PatternStart()
        var reached = ThreadSet(capacity: instructions.count)
        var pending: [UInt16] = [0]
        while let thread = pending.popLast() {
            guard reached.insert(thread) else { continue }
            switch instructions[Int(thread)] {
            case .match, .any, .anyButNewline: return nil
            case .jump(let target): pending.append(target)
            case .split(let first, let second): pending += [first, second]
            case .assertion: pending.append(thread + 1)
            case .scalar(let value): found.insert(value)
            case .foldedScalar(let value): found.insert(folded: value)
            case .set(let index): found.insert(where: sets[Int(index)].contains)
            }
        }
        return found
    }

    // MARK: Searching

    /// Returns whether the pattern occurs in a text, as a value; an error if the value is not a text.
    func isFound(in text: Value, _ state: inout EvaluationState) -> Value {
        guard case .string(let text) = text else { return .error(.noSuchOverload) }
        guard let isFound = search(text.unicodeScalars, &state) else { return .error(.costExceeded) }
        return .bool(isFound)
    }

    /// The number of search steps that one unit of cost pays for.
    private static let stepsPerUnit = 64

    /// Returns whether the pattern occurs; nil when that costs too much to find out.
    private func search(_ text: String.UnicodeScalarView, _ state: inout EvaluationState) -> Bool? {
        // A text without anything that a match could begin with needs no automaton.
        if let start, !text.contains(where: start.contains) {
            return state.spend(text.count / Pattern.stepsPerUnit) ? false : nil
        }
        var current = ThreadSet(capacity: instructions.count)
        var following = ThreadSet(capacity: instructions.count)
        var pending: [UInt16] = []
        var scalars = text.makeIterator()
        var previous: Unicode.Scalar?
        var next = scalars.next()
        // Making the two sets counts, too.
        var steps = instructions.count / 8
        while true {
            if canBegin(with: next) {
                let gap = Gap(before: previous, after: next)
                if follow(from: 0, at: gap, into: &current, &pending) { return true }
            }
            steps += 1 + current.count
            if steps >= Pattern.stepsPerUnit {
                guard state.spend(steps / Pattern.stepsPerUnit) else { return nil }
                steps %= Pattern.stepsPerUnit
            }
            guard let scalar = next else { return false }
            next = scalars.next()
            let gapBehind = Gap(before: scalar, after: next)
            following.removeAll()
            for thread in current where takes(scalar, thread) {
                if follow(from: thread + 1, at: gapBehind, into: &following, &pending) { return true }
            }
            swap(&current, &following)
            previous = scalar
        }
    }

    private func canBegin(with scalar: Unicode.Scalar?) -> Bool {
        guard let start else { return true }
        return scalar.map(start.contains) ?? false
    }

    private func takes(_ scalar: Unicode.Scalar, _ thread: UInt16) -> Bool {
        switch instructions[Int(thread)] {
        case .scalar(let value): scalar.value == value
        case .foldedScalar(let value): caseFolded(scalar).value == value
        case .any: true
        case .anyButNewline: scalar != "\n"
        case .set(let index): sets[Int(index)].contains(scalar)
        case .assertion, .jump, .split, .match: false
        }
    }

    /// Adds everything that can be reached without taking a scalar; true when that is a match.
    private func follow(
        from start: UInt16,
        at gap: Gap,
        into threads: inout ThreadSet,
        _ pending: inout [UInt16]
    ) -> Bool {
        pending.append(start)
        while let thread = pending.popLast() {
            // Each instruction once for each scalar: this bounds the time, and ends loops that take nothing.
            guard threads.insert(thread) else { continue }
            switch instructions[Int(thread)] {
            case .match:
                return true
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .assertion(let assertion):
                if gap.satisfies(assertion) { pending.append(thread + 1) }
            case .scalar, .foldedScalar, .any, .anyButNewline, .set: break
            }
        }
        return false
    }
}

/// A place between two scalars of a text.
private struct Gap {
    let before: Unicode.Scalar?
    let after: Unicode.Scalar?

    func satisfies(_ assertion: PatternAssertion) -> Bool {
        switch assertion {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart: before == nil || before == "\n"
        case .lineEnd: after == nil || after == "\n"
        case .wordBoundary: isWord(before) != isWord(after)
        case .noWordBoundary: isWord(before) == isWord(after)
        }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.isASCII else { return false }
        return isLetter(UInt8(scalar.value)) || isDigit(UInt8(scalar.value))
    }
}

/// A set of small numbers in the order they came, emptied in constant time (Briggs and Torczon).
private struct ThreadSet: Sequence {
    private var members: [UInt16] = []
    private var places: [UInt16]

    init(capacity: Int) { places = [UInt16](repeating: 0, count: capacity) }

    var count: Int { members.count }

    mutating func insert(_ number: UInt16) -> Bool {
        let place = Int(places[Int(number)])
        if place < members.count, members[place] == number { return false }
        places[Int(number)] = UInt16(members.count)
        members.append(number)
        return true
    }

    mutating func removeAll() { members.removeAll(keepingCapacity: true) }

    func makeIterator() -> IndexingIterator<[UInt16]> { members.makeIterator() }
}

/// The scalars that a match of a pattern can begin with, so that a search passes over all others at once.
///
/// It may have scalars with which no match begins, but lacks none with which one does.
struct PatternStart: Sendable {
    /// A bit for each ASCII character, from 0 to 63 and from 64 to 127.
    private var ascii: (UInt64, UInt64) = (0, 0)
    /// True if a match may begin with a scalar that is not ASCII.
    private var hasOthers = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return hasOthers }
        let half = scalar.value < 64 ? ascii.0 : ascii.1
        return half >> UInt64(scalar.value & 63) & 1 == 1
    }

    /// Adds the scalars for which `isTaken` is true; those beyond ASCII are not asked for and all count as taken.
    mutating func insert(where isTaken: (Unicode.Scalar) -> Bool) {
        for byte in UInt8(0)..<128 where isTaken(Unicode.Scalar(byte)) { insert(ascii: byte) }
        hasOthers = true
    }

    /// Adds a scalar.
    mutating func insert(_ value: UInt32) {
        guard value < 128 else { return hasOthers = true }
        insert(ascii: UInt8(value))
    }

    /// Adds all scalars that are this one when case does not matter.
    mutating func insert(folded value: UInt32) {
        insert(value)
        if (UInt32(97)...122).contains(value) { insert(value - 32) }
        hasOthers = true
    }

    private mutating func insert(ascii byte: UInt8) {
        if byte < 64 { ascii.0 |= 1 << UInt64(byte) } else { ascii.1 |= 1 << UInt64(byte & 63) }
    }
}
