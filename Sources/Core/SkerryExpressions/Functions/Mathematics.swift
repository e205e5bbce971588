import SkerryValues

extension Function {
    /// A function of one number.
    func mathematics(_ argument: Value) -> Value {
        switch (argument, self) {
        case (.double(let number), _): mathematics(number)
        case (.int(let number), .abs): number == .min ? .error(.overflow) : .int(Swift.abs(number))
        case (.int(let number), .sign): .int(number.signum())
        case (.int(let number), .sqrt): .double(Double(number).squareRoot())
        case (.int(let number), .bitNot): .int(~number)
        // A device that reports 20.5 today reports 20 tomorrow. See docs/decisions/0007-mixed-numbers.md.
        case (.int(let number), _) where isRounding: .double(Double(number))
        case (.uint(let number), _) where isRounding: .double(Double(number))
        case (.uint, .abs): argument
        case (.uint(let number), .sign): .uint(number > 0 ? 1 : 0)
        case (.uint(let number), .sqrt): .double(Double(number).squareRoot())
        case (.uint(let number), .bitNot): .uint(~number)
        default: .error(.noSuchOverload)
        }
    }

    /// True if it makes a whole number of a decimal one.
    var isRounding: Bool {
        switch self {
        case .ceil, .floor, .round, .trunc: true
        default: false
        }
    }

    private func mathematics(_ number: Double) -> Value {
        switch self {
        case .ceil: .double(number.rounded(.up))
        case .floor: .double(number.rounded(.down))
        case .round: .double(number.rounded(.toNearestOrAwayFromZero))
        case .trunc: .double(number.rounded(.towardZero))
        case .abs: .double(number.magnitude)
        case .sign: .double(number > 0 ? 1 : number < 0 ? -1 : number.isNaN ? number : 0)
        case .isNaN: .bool(number.isNaN)
        case .isInf: .bool(number.isInfinite)
        case .isFinite: .bool(number.isFinite)
        case .sqrt: .double(number.squareRoot())
        default: .error(.noSuchOverload)
        }
    }

    /// A function of the bits of whole numbers; a shift by 64 or more leaves nothing.
    func bits(_ first: Value, _ second: Value) -> Value {
        switch (first, second) {
        case (.int(let left), .int(let right)):
            bits(UInt64(bitPattern: left), UInt64(bitPattern: right), shift: right).map {
                .int(Int64(bitPattern: $0))
            } ?? .error(.invalidArgument)
        case (.uint(let left), .uint(let right)):
            self == .bitShiftLeft || self == .bitShiftRight
                ? .error(.noSuchOverload)
                : bits(left, right, shift: 0).map { .uint($0) } ?? .error(.invalidArgument)
        case (.uint(let left), .int(let right)):
            self == .bitShiftLeft || self == .bitShiftRight
                ? bits(left, 0, shift: right).map { .uint($0) } ?? .error(.invalidArgument)
                : .error(.noSuchOverload)
        default: .error(.noSuchOverload)
        }
    }

    private func bits(_ left: UInt64, _ right: UInt64, shift: Int64) -> UInt64? {
        switch self {
        case .bitAnd: left & right
        case .bitOr: left | right
        case .bitXor: left ^ right
        case .bitShiftLeft: shift < 0 ? nil : shift > 63 ? 0 : left << UInt64(shift)
        default: shift < 0 ? nil : shift > 63 ? 0 : left >> UInt64(shift)
        }
    }

    /// `math.greatest` and `math.least`; of equal numbers the first one wins, and none is beyond NaN or below it.
    func extremum(_ arguments: [Value], _ state: inout EvaluationState) -> Value {
        var numbers = arguments
        if arguments.count == 1, case .list(let elements) = arguments[0] { numbers = elements }
        guard state.spend(numbers.count) else { return .error(.costExceeded) }
        guard var best = numbers.first else { return .error(.invalidArgument) }
        for number in numbers {
            switch number {
            case .double(let number) where number.isNaN && numbers.count > 1: return .error(.invalidArgument)
            case .int, .uint, .double: break
            default: return .error(.noSuchOverload)
            }
            if number.isBeyond(best, upwards: self == .greatest) { best = number }
        }
        return best
    }
}

extension Function {
    /// The sum of numbers or of lengths of time; 0 for an empty list.
    func sum(_ argument: Value, _ state: inout EvaluationState, _ code: Code) -> Value {
        guard case .list(let elements) = argument else { return .error(.noSuchOverload) }
        guard state.spend(elements.count) else { return .error(.costExceeded) }
        var sum: Value?
        for element in elements {
            switch element {
            case .int, .uint, .double, .duration: break
            default: return .error(.noSuchOverload)
            }
            let next = sum.map { code.combined($0, element, by: .add, &state) } ?? element
            if case .error = next { return next }
            sum = next
        }
        return sum ?? .int(0)
    }
}

extension Value {
    /// Returns whether a number lies above another one, or below it.
    fileprivate func isBeyond(_ other: Value, upwards: Bool) -> Bool {
        guard let order = order(self, other) else { return false }
        return upwards ? order > 0 : order < 0
    }
}
