import SkerryValues

/// An expression ready to be evaluated: instructions that refer to each other by index, children first.
struct Code: Sendable {
    var instructions: [Instruction] = []
    var constants: [Value] = []
    var children: [Int32] = []
    /// The largest number of variables of macros and bindings that are alive at once.
    var locals = 0
    var root: Int32 = 0
    var patterns: [Pattern] = []
    var timeZone: @Sendable (_ name: String) -> TimeZoneRules?
}

/// One step of an evaluation.
///
/// The meaning of `kind`, `index`, `a`, `b` and `c` depends on the operation.
struct Instruction: Sendable {
    var operation: Operation
    var kind: UInt8 = 0
    var index: UInt16 = 0
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
}

/// The operation of an instruction.
enum Operation: UInt8, Sendable {
    /// `constants[a]`.
    case constant
    /// The reference (`kind`, `index`).
    case load
    /// The reference as an optional: none when the field is absent.
    case loadOptional
    /// True if the reference has a value.
    case loadPresent
    /// The variable in slot `a`.
    case local
    /// All of the `b` children from `children[a]` on are true.
    case and
    /// One of the `b` children from `children[a]` on is true.
    case or
    /// `a` is false.
    case not
    /// Minus `a`.
    case negate
    /// `a ? b : c`.
    case conditional
    /// `a`, or `b` when `a` has no value.
    case fallback
    /// `a` compared with `b`.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// `a` and `b` put together.
    case add, subtract, multiply, divide, remainder
    /// `a in b`.
    case contained
    /// Field `constants[b]` of `a`.
    case select, selectOptional, hasField
    /// Element `b` of `a`.
    case element, elementOptional
    /// A list of the `b` children from `children[a]` on; a complemented child is optional.
    case list
    /// A map of `b` pairs of children from `children[a]` on; a complemented value is optional.
    case map
    /// Function `kind` of `a`; of `a` and `b`; of `a`, `b` and `c`.
    case call1, call2, call3
    /// Function `kind` of the `b` children from `children[a]` on.
    case callMany
    /// True if text `a` matches `patterns[b]`.
    case matches
    /// Macro `kind` over `a` with the variable in slot `index`, filter `b` (or -1) and body `c`.
    case comprehension
    /// The same with two variables, in the slots `index` and `index + 1`.
    case comprehension2
    /// `c`, with the value of `b` in slot `a`.
    case bind
}

/// The budget and the variables of a running evaluation.
struct EvaluationState {
    /// The remaining cost; negative once the limit was exceeded.
    var remaining: Int32
    /// The variables of macros and bindings, by slot.
    var locals: [Value] = []

    init(costLimit: Int32) { remaining = costLimit }

    /// Spends `cost`; false when it is not there, and from then on.
    mutating func spend(_ cost: Int) -> Bool {
        assert(cost >= 0, "a cost is negative")
        guard remaining >= 0, cost <= Int(remaining) else {
            remaining = -1
            return false
        }
        remaining -= Int32(truncatingIfNeeded: cost)
        return true
    }
}
