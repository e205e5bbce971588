import SkerryValues

extension Program {
    /// The most that an evaluation can cost, as far as can be told before.
    ///
    /// - Parameter bulk: How much there is at most in any one thing that the expression reads: the bytes of
    ///   its texts and its elements, all nested ones counted.
    /// - Returns: An upper bound in the units of `evaluate`; `Int64.max` when it is larger than that.
    public func estimatedCost(bulk: Int = 1000) -> Int64 {
        var estimator = CostEstimator(code: code, bulk: Double(bulk))
        let cost = estimator.visit(code.root).cost.rounded(.up)
        return cost < 0x1p63 ? Int64(cost) : .max
    }
}

/// Bounds what instructions cost and how large their values are.
private struct CostEstimator {
    /// Upper bounds: the cost of getting a value, and its bytes and elements with all nested ones.
    struct Bound {
        var cost: Double
        var bulk: Double
    }

    let code: Code
    let bulk: Double
    private var locals: [Double]

    init(code: Code, bulk: Double) {
        self.code = code
        self.bulk = bulk
        locals = [Double](repeating: 0, count: code.locals)
    }

    mutating func visit(_ index: Int32) -> Bound {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant: return Bound(cost: 1, bulk: code.constants[Int(step.a)].bulk)
        case .load, .loadOptional: return Bound(cost: 1, bulk: bulk)
        case .loadPresent: return Bound(cost: 1, bulk: 0)
        case .local: return Bound(cost: 1, bulk: locals[Int(step.a)])
        case .and, .or: return Bound(cost: 1 + children(step).cost, bulk: 0)
        case .not, .negate: return Bound(cost: 1 + visit(step.a).cost, bulk: 0)
        case .conditional:
            let (first, second) = (visit(step.b), visit(step.c))
            let cost = 1 + visit(step.a).cost + max(first.cost, second.cost)
            return Bound(cost: cost, bulk: max(first.bulk, second.bulk))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return comparison(step)
        case .add, .subtract, .multiply, .divide, .remainder:
            let (left, right) = (visit(step.a), visit(step.b))
            let bulk = step.operation == .add ? left.bulk + right.bulk : 0
            return Bound(cost: 1 + left.cost + right.cost + bulk, bulk: bulk)
        case .contained:
            let (left, right) = (visit(step.a), visit(step.b))
            let search = right.bulk * (1 + equality(left.bulk, right.bulk))
            return Bound(cost: 2 + left.cost + right.cost + search, bulk: 0)
        case .select, .selectOptional, .hasField:
            let operand = visit(step.a)
            return Bound(cost: 2 + operand.cost + operand.bulk / 16, bulk: operand.bulk)
        case .element, .elementOptional:
            let (operand, key) = (visit(step.a), visit(step.b))
            let search = operand.bulk * (1 + key.bulk / 64)
            return Bound(cost: 2 + operand.cost + key.cost + search, bulk: operand.bulk)
        case .list, .map: return literal(step)
        case .call1, .call2, .call3, .callMany: return call(step)
        case .matches:
            let text = visit(step.a)
            let search = (text.bulk + 2) * Double(2 + code.patterns[Int(step.b)].size) / 64
            return Bound(cost: 2 + text.cost + search, bulk: 0)
        case .bind:
            let value = visit(step.b)
            locals[Int(step.a)] = value.bulk
            let result = visit(step.c)
            return Bound(cost: 1 + value.cost + result.cost, bulk: result.bulk)
        case .comprehension, .comprehension2: return comprehension(step)
        }
    }

    /// All children of an instruction together.
    private mutating func children(_ step: Instruction, count: Int32? = nil) -> Bound {
        var sum = Bound(cost: 0, bulk: 0)
        for position in step.a..<step.a + (count ?? step.b) {
            let child = code.children[Int(position)]
            let bound = visit(child < 0 ? ~child : child)
            sum.cost += bound.cost
            sum.bulk += bound.bulk
        }
        return sum
    }

    /// Comparing two values: maps look up every key among all.
    private func equality(_ left: Double, _ right: Double) -> Double {
        let bulk = min(left, right)
        return 1 + bulk * (1 + bulk / 16 + bulk / 64)
    }

    private mutating func comparison(_ step: Instruction) -> Bound {
        let (left, right) = (visit(step.a), visit(step.b))
        return Bound(cost: 1 + left.cost + right.cost + equality(left.bulk, right.bulk), bulk: 0)
    }

    private mutating func literal(_ step: Instruction) -> Bound {
        let isMap = step.operation == .map
        let parts = children(step, count: isMap ? step.b * 2 : step.b)
        let count = Double(step.b)
        let insertion = isMap ? inserting(count, parts.bulk) : 0
        return Bound(cost: 1 + parts.cost + insertion, bulk: parts.bulk + count)
    }

    /// Making a map of so many entries, each key compared with all before.
    private func inserting(_ count: Double, _ keyBulk: Double) -> Double {
        count * (1 + count / 16 + count * keyBulk / 64)
    }

    private mutating func comprehension(_ step: Instruction) -> Bound {
        let range = visit(step.a)
        let slot = Int(step.index)
        locals[slot] = range.bulk
        if step.operation == .comprehension2 { locals[slot + 1] = range.bulk }
        let filter = step.b >= 0 ? visit(step.b).cost : 0
        let body = visit(step.c)
        let turns = max(1, elements(of: step.a) ?? range.bulk)
        var cost = 1 + range.cost + turns * (1 + filter + body.cost)
        var bulk = turns * (1 + body.bulk)
        switch Comprehension(rawValue: step.kind) {
        case .all, .exists, .existsOne: bulk = 0
        case .filter: bulk = range.bulk
        case .transformMap:
            cost += inserting(turns, range.bulk)
            bulk += range.bulk
        case .transformMapEntry: cost += inserting(bulk, body.bulk)
        default: break
        }
        return Bound(cost: cost, bulk: bulk)
    }

    /// How many elements a list or map that is written out has.
    private func elements(of index: Int32) -> Double? {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant: return code.constants[Int(step.a)].elementCount.map { Double($0) }
        case .list, .map: return Double(step.b)
        default: return nil
        }
    }

    private mutating func call(_ step: Instruction) -> Bound {
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
        let bound = Function(rawValue: step.kind).map { work(of: $0, first, rest) } ?? Bound(cost: 0, bulk: 0)
        return Bound(cost: sum.cost + bound.cost + Double(arguments.count), bulk: bound.bulk)
    }

    /// What a function does beyond reading its arguments, and how large its value is.
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
        case .greatest, .least: Bound(cost: first + rest, bulk: 0)
        case .optionalOf, .optionalOfNonZero, .first, .last: Bound(cost: 0, bulk: first + 1)
        case .or, .orValue: Bound(cost: 0, bulk: max(first, rest))
        case .toString: Bound(cost: 0, bulk: max(first, 64))
        case .quote, .base64Encode: Bound(cost: 0, bulk: first * 2 + 4)
        case .type: Bound(cost: 0, bulk: 32)
        default: Bound(cost: 0, bulk: first)
        }
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
