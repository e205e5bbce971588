import SkerryValues

extension Program {
    /// The highest estimated cost of an evaluation.
    ///
    /// See docs/decisions/0005-expression-cost.md.
    ///
    /// - Parameters:
    ///   - elements: How many elements any one list or map that the expression reads has at most, what is in it
    ///     spread evenly over them; nil when everything may be in one place, which makes the estimate an upper bound.
    ///   - bulk: How much there is at most in a thing that the expression reads: the bytes of its texts and its
    ///     elements, all nested ones counted; 0 for a number or a truth value.
    /// - Returns: The cost in the units of `evaluate`; `Int64.max` when it is larger than that.
    public func estimatedCost(elements: Int? = nil, bulk: (Reference) -> Int = { _ in 1000 }) -> Int64 {
        let sizes = references.map { Double(bulk($0)) }
        var estimator = CostEstimator(self, sizes: sizes, elements: elements.map { Double($0) })
        let cost = estimator.visit(code.root).cost.rounded(.up)
        // Also false for what is not a number, as infinitely many times nothing.
        return cost < 0x1p63 ? Int64(cost) : .max
    }
}

/// Bounds what instructions cost and how large their values are.
private struct CostEstimator {
    /// Upper bounds of a value: the cost of getting it and its size.
    struct Bound {
        var cost: Double
        /// Its bytes and elements with all nested ones.
        var bulk: Double
        /// Its elements, when it is a list or a map.
        var count = 0.0
        /// The bulk of one of these.
        var element = 0.0
    }

    let code: Code
    let references: [Reference]
    let sizes: [Double]
    let elements: Double?
    private var locals: [Bound]

    init(_ program: Program, sizes: [Double], elements: Double?) {
        code = program.code
        references = program.references
        self.sizes = sizes
        self.elements = elements
        locals = [Bound](repeating: Bound(cost: 0, bulk: 0), count: code.locals)
    }

    /// A value whose bulk alone is known.
    private func unknown(cost: Double, bulk: Double) -> Bound {
        guard let elements else { return Bound(cost: cost, bulk: bulk, count: bulk, element: bulk) }
        let count = min(elements, bulk)
        return Bound(cost: cost, bulk: bulk, count: count, element: count > 0 ? bulk / count : 0)
    }

    private func loaded(_ step: Instruction) -> Bound {
        let reference = Reference(kind: step.kind, index: step.index)
        let position = references.firstIndex(of: reference)
        return unknown(cost: 1, bulk: position.map { sizes[$0] } ?? 0)
    }

    mutating func visit(_ index: Int32) -> Bound {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant: return constant(code.constants[Int(step.a)])
        case .load, .loadOptional: return loaded(step)
        case .loadPresent: return Bound(cost: 1, bulk: 0)
        case .local:
            var value = locals[Int(step.a)]
            value.cost = 1
            return value
        case .and, .or: return Bound(cost: 1 + children(step).cost, bulk: 0)
        case .not, .negate: return Bound(cost: 1 + visit(step.a).cost, bulk: 0)
        case .conditional:
            let (first, second) = (visit(step.b), visit(step.c))
            let cost = 1 + visit(step.a).cost + max(first.cost, second.cost)
            return either(first, or: second, cost: cost)
        case .fallback:
            let (first, second) = (visit(step.a), visit(step.b))
            return either(first, or: second, cost: 1 + first.cost + second.cost)
        case .equal, .notEqual:
            let (left, right) = (visit(step.a), visit(step.b))
            return Bound(cost: 1 + left.cost + right.cost + equality(left, right), bulk: 0)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return Bound(cost: 1 + visit(step.a).cost + visit(step.b).cost, bulk: 0)
        case .add, .subtract, .multiply, .divide, .remainder:
            return arithmetic(step)
        case .contained:
            let (left, right) = (visit(step.a), visit(step.b))
            let one = unknown(cost: 0, bulk: right.element)
            let search = right.count * (1 + equality(left, one))
            return Bound(cost: 2 + left.cost + right.cost + search, bulk: 0)
        case .select, .selectOptional, .hasField:
            let operand = visit(step.a)
            return unknown(cost: 2 + operand.cost + operand.count / 16, bulk: operand.element)
        case .element, .elementOptional:
            let (operand, key) = (visit(step.a), visit(step.b))
            let search = operand.count * (1 + key.bulk / 64)
            return unknown(cost: 2 + operand.cost + key.cost + search, bulk: operand.element)
        case .list, .map: return literal(step)
        case .call1, .call2, .call3, .callMany: return call(step)
        case .matches:
            let text = visit(step.a)
            let search = (text.bulk + 2) * Double(2 + code.patterns[Int(step.b)].size) / 64
            return Bound(cost: 2 + text.cost + search, bulk: 0)
        case .bind:
            let value = visit(step.b)
            locals[Int(step.a)] = value
            var result = visit(step.c)
            result.cost += 1 + value.cost
            return result
        case .comprehension, .comprehension2: return comprehension(step)
        }
    }

    private func either(_ first: Bound, or second: Bound, cost: Double) -> Bound {
        Bound(
            cost: cost,
            bulk: max(first.bulk, second.bulk),
            count: max(first.count, second.count),
            element: max(first.element, second.element)
        )
    }

    /// All children of an instruction together; `element` is the bulk of the largest.
    private mutating func children(_ step: Instruction, count: Int32? = nil) -> Bound {
        var sum = Bound(cost: 0, bulk: 0)
        for position in step.a..<step.a + (count ?? step.b) {
            let child = code.children[Int(position)]
            let bound = visit(child < 0 ? ~child : child)
            sum.cost += bound.cost
            sum.bulk += bound.bulk
            sum.element = max(sum.element, bound.bulk)
        }
        return sum
    }

    private func constant(_ value: Value) -> Bound {
        let bulk = value.bulk
        return Bound(cost: 1, bulk: bulk, count: Double(value.elementCount ?? 0), element: bulk)
    }

    private mutating func arithmetic(_ step: Instruction) -> Bound {
        let (left, right) = (visit(step.a), visit(step.b))
        let cost = 1 + left.cost + right.cost
        guard step.operation == .add else { return Bound(cost: cost, bulk: 0) }
        let (bulk, count) = (left.bulk + right.bulk, left.count + right.count)
        let element = max(left.element, right.element)
        return Bound(cost: cost + count + bulk / 16, bulk: bulk, count: count, element: element)
    }

    /// Comparing two values: maps look up every key among all.
    private func equality(_ left: Bound, _ right: Bound) -> Double {
        let less = left.bulk < right.bulk ? left : right
        let inner = elements == nil ? less.bulk : min(less.count, less.element)
        let lookups = elements == nil ? 0 : less.count * less.count / 16
        return 1 + lookups + less.bulk * (1 + inner / 16 + inner / 64)
    }

    private mutating func literal(_ step: Instruction) -> Bound {
        let isMap = step.operation == .map
        let parts = children(step, count: isMap ? step.b * 2 : step.b)
        let count = Double(step.b)
        let insertion = isMap ? inserting(count, parts.bulk) : 0
        return Bound(
            cost: 1 + parts.cost + insertion,
            bulk: parts.bulk + count,
            count: count,
            element: parts.element
        )
    }

    /// The cost of making a map with this number of entries, each key compared with all before it.
    ///
    /// - Parameters:
    ///   - count: The number of entries.
    ///   - keys: The bulk of all keys together.
    /// - Returns: The cost, without that of the entries.
    private func inserting(_ count: Double, _ keys: Double) -> Double {
        count * (1 + count / 16 + keys / 64)
    }

    private mutating func comprehension(_ step: Instruction) -> Bound {
        let range = visit(step.a)
        let macro = Comprehension(rawValue: step.kind)
        let isOptional = macro == .optionalMap || macro == .optionalFlatMap
        let slot = Int(step.index)
        locals[slot] = isOptional ? range : unknown(cost: 0, bulk: range.element)
        if step.operation == .comprehension2 { locals[slot + 1] = locals[slot] }
        let filter = step.b >= 0 ? visit(step.b).cost : 0
        let body = visit(step.c)
        let turns = isOptional ? 1 : max(1, range.count)
        let cost = 1 + range.cost + turns * (1 + filter + body.cost)
        let bulk = turns * (1 + body.bulk)
        switch macro {
        case .all, .exists, .existsOne: return Bound(cost: cost, bulk: 0)
        case .filter: return Bound(cost: cost, bulk: range.bulk, count: range.count, element: range.element)
        case .transformMap:
            return Bound(
                cost: cost + inserting(turns, range.bulk),
                bulk: bulk + range.bulk,
                count: turns,
                element: max(body.bulk, range.element)
            )
        case .transformMapEntry:
            // Each turn makes a map of its own, whose entries are joined.
            let entries = elements == nil ? bulk : turns * max(1, body.count)
            return Bound(
                cost: cost + inserting(entries, bulk),
                bulk: bulk,
                count: entries,
                element: body.bulk
            )
        case .optionalMap, .optionalFlatMap:
            return Bound(cost: cost, bulk: bulk, count: max(1, body.count), element: body.bulk)
        default: return Bound(cost: cost, bulk: bulk, count: turns, element: body.bulk)
        }
    }

    private mutating func call(_ step: Instruction) -> Bound {
        if let formatted = formatted(step) { return formatted }
        if let replaced = replaced(step) { return replaced }
        var arguments: [Bound] = []
        switch step.operation {
        case .call1: arguments = [visit(step.a)]
        case .call2: arguments = [visit(step.a), visit(step.b)]
        case .call3: arguments = [visit(step.a), visit(step.b), visit(step.c)]
        default:
            for position in step.a..<step.a + step.b { arguments.append(visit(code.children[Int(position)])) }
        }
        var sum = Bound(cost: 1, bulk: 0)
        for argument in arguments {
            sum.cost += argument.cost + argument.bulk / 16
            sum.bulk += argument.bulk
        }
        let first = arguments.first?.bulk ?? 0
        let rest = sum.bulk - first
        let function = Function(rawValue: step.kind)
        let bound = function.map { work(of: $0, first, rest) } ?? Bound(cost: 0, bulk: 0)
        let cost = sum.cost + bound.cost + Double(arguments.count)
        if function == .split, elements == nil {
            return Bound(cost: cost, bulk: bound.bulk, count: first + 1, element: first)
        }
        return unknown(cost: cost, bulk: bound.bulk)
    }

    /// The cost of a function beyond reading its arguments, and the bulk of its value.
    private func work(of function: Function, _ first: Double, _ rest: Double) -> Bound {
        let search = first / 16 * (1 + rest / 16)
        return switch function {
        case .contains, .indexOf, .lastIndexOf: Bound(cost: search, bulk: 0)
        case .split: Bound(cost: search + first + 2, bulk: first * 2 + 2)
        case .replace: Bound(cost: search + (first + 2) * (2 + rest / 16), bulk: first + (first + 2) * rest)
        case .join: Bound(cost: first * (2 + rest / 16), bulk: first * (1 + rest))
        case .format: formatting(template: first, arguments: rest)
        case .matches:
            Bound(cost: (first + 2) * min(5002, 2 + rest * 1000) / 64 + min(313, rest * 63), bulk: 0)
        case .greatest, .least, .sum: Bound(cost: first + rest, bulk: 0)
        case .clock, .asSeconds, .getClock: Bound(cost: 0, bulk: 0)
        case .optionalOf, .optionalOfNonZero, .first, .last: Bound(cost: 0, bulk: first + 1)
        case .or, .orValue: Bound(cost: 0, bulk: max(first, rest))
        case .toString: Bound(cost: 0, bulk: max(first, 64))
        case .quote, .base64Encode: Bound(cost: 0, bulk: first * 2 + 4)
        case .type: Bound(cost: 0, bulk: 32)
        default: Bound(cost: 0, bulk: first)
        }
    }

    /// `replace` by a text that is written out: an old one that is, too, is found as often as it fits; nil for other calls.
    private mutating func replaced(_ step: Instruction) -> Bound? {
        guard step.operation == .call3, Function(rawValue: step.kind) == .replace,
            let new = writtenBytes(step.c)
        else { return nil }
        let (text, old) = (visit(step.a), visit(step.b))
        // An empty one is found before, between and after the code points, and what is computed may be empty.
        let written = writtenBytes(step.b) ?? 0
        let found = written > 0 ? text.bulk / written : text.bulk + 1
        let reading = 6 + text.cost + old.cost + (text.bulk + old.bulk + new) / 16
        let search = text.bulk / 16 * (1 + old.bulk / 16)
        let pieces = (found + 1) * (2 + new / 16)
        return unknown(cost: reading + search + pieces, bulk: text.bulk + found * max(0, new - written))
    }

    /// The length of a text that is written out, in bytes; nil for what is computed.
    private func writtenBytes(_ index: Int32) -> Double? {
        let step = code.instructions[Int(index)]
        guard step.operation == .constant, case .string(let text) = code.constants[Int(step.a)] else {
            return nil
        }
        return Double(text.utf8.count)
    }

    /// `format` of a template that is written out, with its values in a list: each clause by itself; nil for other calls.
    private mutating func formatted(_ step: Instruction) -> Bound? {
        guard step.operation == .call2, Function(rawValue: step.kind) == .format else { return nil }
        let (first, second) = (code.instructions[Int(step.a)], code.instructions[Int(step.b)])
        guard first.operation == .constant, second.operation == .list,
            case .string(let template) = code.constants[Int(first.a)]
        else { return nil }
        var bytes = Array(template.utf8)[...]
        var bulk = Double(bytes.count)
        var cost = 5 + bulk / 8
        for position in second.a..<second.a + second.b {
            let child = code.children[Int(position)]
            let value = visit(child < 0 ? ~child : child)
            let output = output(of: &bytes, value)
            bulk += output.bulk
            cost += 5 + value.cost + output.cost + output.bulk / 16
        }
        return Bound(cost: cost, bulk: bulk)
    }

    /// Returns what the next clause of a template writes of a value, and takes the clause from the template.
    private func output(of template: inout ArraySlice<UInt8>, _ value: Bound) -> Bound {
        let items = elements == nil ? value.bulk : value.count
        while let byte = template.popFirst() {
            guard byte == UInt8(ascii: "%") else { continue }
            var precision = 0.0
            while let next = template.popFirst() {
                switch next {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    precision = min(precision * 10 + Double(next - UInt8(ascii: "0")), 1000)
                    continue
                case UInt8(ascii: "."): continue
                case UInt8(ascii: "%"): break
                // A text, or a list or map with everything in it.
                case UInt8(ascii: "s"):
                    return Bound(cost: 1 + 2 * items + value.bulk / 16, bulk: value.bulk + 48 * items + 64)
                case UInt8(ascii: "x"), UInt8(ascii: "X"): return Bound(cost: 0, bulk: 2 * value.bulk + 16)
                // A number; the largest has 309 digits before its point, those that devices tell have at most 20.
                default: return Bound(cost: 0, bulk: (elements == nil ? 350 : 24) + precision)
                }
                break
            }
        }
        return Bound(cost: 0, bulk: 0)
    }

    /// `format`: a clause of two bytes can write a number of over a thousand digits.
    private func formatting(template: Double, arguments: Double) -> Bound {
        let output = template * 700 + arguments * 48
        return Bound(cost: template * 4 + arguments * 4 + output / 16, bulk: output)
    }
}

extension Value {
    /// The bytes of texts and the elements, nested ones counted.
    fileprivate var bulk: Double {
        switch self {
        case .string(let text), .type(let text): return Double(text.utf8.count)
        case .bytes(let bytes): return Double(bytes.count)
        case .list(let elements), .optional(let elements):
            var bulk = Double(elements.count)
            for element in elements { bulk += element.bulk }
            return bulk
        case .map(let map):
            var bulk = Double(map.entries.count)
            for entry in map.entries { bulk += entry.key.bulk + entry.value.bulk }
            return bulk
        default: return 0
        }
    }

    fileprivate var elementCount: Int? {
        switch self {
        case .list(let elements): elements.count
        case .map(let map): map.entries.count
        default: nil
        }
    }
}
