public import SkerryValues

extension Code {
    /// The outcome of a comparison operator.
    func compared(
        _ left: Value,
        _ right: Value,
        by operation: Operation,
        _ state: inout EvaluationState
    ) -> Truth {
        if case .error(let error) = left { return .error(error) }
        if case .error(let error) = right { return .error(error) }
        switch operation {
        case .equal: return equality(left, right, &state)
        case .notEqual:
            switch equality(left, right, &state) {
            case .yes: return .no
            case .no: return .yes
            case .error(let error): return .error(error)
            }
        default: break
        }
        switch (left, right) {
        case (.double(let left), .double(let right)): return ordered(left, right, by: operation)
        case (.int(let left), .int(let right)): return ordered(left, right, by: operation)
        case (.double(let left), .int(let right)): return ordered(left, Double(right), by: operation)
        case (.int(let left), .double(let right)): return ordered(Double(left), right, by: operation)
        default: break
        }
        switch (left, right) {
        case (.uint(let left), .double(let right)): return ordered(Double(left), right, by: operation)
        case (.double(let left), .uint(let right)): return ordered(left, Double(right), by: operation)
        default: break
        }
        guard let order = order(left, right) else { return .error(.noSuchOverload) }
        return ordered(order, 0, by: operation)
    }

    private func equality(_ left: Value, _ right: Value, _ state: inout EvaluationState) -> Truth {
        switch (left, right) {
        case (.double(let left), .double(let right)): Truth(left == right)
        case (.int(let left), .int(let right)): Truth(left == right)
        case (.bool(let left), .bool(let right)): Truth(left == right)
        case (.string(let left), .string(let right)): Truth(haveSameBytes(left, right))
        default: areEqual(left, right, &state) ? .yes : state.remaining < 0 ? .error(.costExceeded) : .no
        }
    }

    private func ordered<Number: Comparable>(
        _ left: Number,
        _ right: Number,
        by operation: Operation
    ) -> Truth {
        switch operation {
        case .less: Truth(left < right)
        case .lessOrEqual: Truth(left <= right)
        case .greater: Truth(left > right)
        default: Truth(left >= right)
        }
    }
}

/// Returns whether two texts are the same code points.
func haveSameBytes(_ left: String, _ right: String) -> Bool {
    let leftBytes = left.utf8
    let rightBytes = right.utf8
    guard leftBytes.count == rightBytes.count else { return false }
    let isSame = leftBytes.withContiguousStorageIfAvailable { leftBuffer in
        rightBytes.withContiguousStorageIfAvailable { haveSameBytes(leftBuffer, $0) }
    }
    if case .some(.some(let isSame)) = isSame { return isSame }
    return leftBytes.elementsEqual(rightBytes)
}

/// Compares two buffers of the same length, eight bytes at a time.
private func haveSameBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    let leftBytes = UnsafeRawBufferPointer(left)
    let rightBytes = UnsafeRawBufferPointer(right)
    var position = 0
    while position + 8 <= leftBytes.count {
        guard
            leftBytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                == rightBytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        else { return false }
        position += 8
    }
    while position < leftBytes.count {
        guard leftBytes[position] == rightBytes[position] else { return false }
        position += 1
    }
    return true
}

/// The order of two values as -1, 0 or 1; nil when there is none between their types.
///
/// A double that is not a number has no order.
func order(_ left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): sign(left ? 1 : 0, right ? 1 : 0)
    case (.uint(let left), .uint(let right)): sign(left, right)
    case (.int(let left), .int(let right)): sign(left, right)
    case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? nil : sign(left, right)
    case (.int(let left), .double(let right)): right.isNaN ? nil : sign(Double(left), right)
    case (.double(let left), .int(let right)): left.isNaN ? nil : sign(left, Double(right))
    case (.int(let left), .uint(let right)): left < 0 ? -1 : sign(UInt64(left), right)
    case (.uint(let left), .int(let right)): right < 0 ? 1 : sign(left, UInt64(right))
    case (.uint(let left), .double(let right)): right.isNaN ? nil : sign(Double(left), right)
    case (.double(let left), .uint(let right)): left.isNaN ? nil : sign(left, Double(right))
    case (.string(let left), .string(let right)): lexicographicOrder(left.utf8, right.utf8)
    case (.bytes(let left), .bytes(let right)): lexicographicOrder(left, right)
    case (.timestamp(let left), .timestamp(let right)):
        left.seconds == right.seconds
            ? sign(left.nanoseconds, right.nanoseconds) : sign(left.seconds, right.seconds)
    case (.duration(let left), .duration(let right)):
        left.seconds == right.seconds
            ? sign(left.nanoseconds, right.nanoseconds) : sign(left.seconds, right.seconds)
    default: nil
    }
}

private func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left == right ? 0 : 1
}

private func lexicographicOrder<Bytes: Sequence<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    var rest = right.makeIterator()
    for byte in left {
        guard let other = rest.next() else { return 1 }
        if byte != other { return byte < other ? -1 : 1 }
    }
    return rest.next() == nil ? 0 : -1
}

extension Value {
    /// Returns whether CEL's `==` holds: numbers compare across their types, containers by their elements.
    ///
    /// An error equals nothing, a double that is not a number not even itself.
    public func equals(_ other: Value) -> Bool {
        var state = EvaluationState(costLimit: .max)
        return areEqual(self, other, &state)
    }
}

/// Returns whether `==` holds; also false if the cost limit was exceeded, which `state` then shows.
func areEqual(_ left: Value, _ right: Value, _ state: inout EvaluationState) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let left), .uint(let right)), (.uint(let right), .int(let left)):
        left >= 0 && UInt64(left) == right
    case (.int(let left), .double(let right)), (.double(let right), .int(let left)): Double(left) == right
    case (.uint(let left), .double(let right)), (.double(let right), .uint(let left)): Double(left) == right
    case (.string(let left), .string(let right)):
        state.spend(left.utf8.count / 64) && haveSameBytes(left, right)
    case (.bytes(let left), .bytes(let right)): state.spend(left.count / 64) && left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.type(let left), .type(let right)): haveSameBytes(left, right)
    case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
        areEqual(left, right, &state)
    case (.map(let left), .map(let right)): areEqual(left, right, &state)
    default: false
    }
}

private func areEqual(_ left: [Value], _ right: [Value], _ state: inout EvaluationState) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices {
        guard state.spend(1), areEqual(left[index], right[index], &state) else { return false }
    }
    return true
}

private func areEqual(_ left: ValueMap, _ right: ValueMap, _ state: inout EvaluationState) -> Bool {
    guard left.entries.count == right.entries.count else { return false }
    for entry in left.entries {
        guard let other = right.value(of: entry.key, &state), areEqual(entry.value, other, &state) else {
            return false
        }
    }
    return true
}

extension ValueMap {
    /// The value of a key, numbers compared across their types; nil when there is none or too costly.
    func value(of key: Value, _ state: inout EvaluationState) -> Value? {
        guard state.spend(1 + entries.count / 16) else { return nil }
        if case .string(let name) = key { return self[name] }
        for entry in entries where areEqual(entry.key, key, &state) { return entry.value }
        return nil
    }
}
