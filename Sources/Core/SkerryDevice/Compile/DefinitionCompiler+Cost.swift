import SkerryExpressions

/// The largest input that cost estimates assume; larger input meets the limit at run time.
///
/// A payload may have 256 KiB. If estimates assumed one list of that size, hardly any loop would be allowed.
enum AssumedSize {
    /// The bytes of texts plus the number of elements in one value, nested ones included.
    static let bulk = 1000
    /// The number of elements of one list or map.
    static let elements = 100
    /// The bytes of a name, such as the name of a device.
    static let name = 100
}

extension DefinitionCompiler {
    /// Refuses an expression that can cost more than the limit when devices send values of the assumed size.
    mutating func checkCost(of program: Program, _ source: SourceText, _ range: Range<Int>? = nil) {
        let limit = Int64(parts.limits.expressionCost)
        let cost = program.estimatedCost(elements: AssumedSize.elements) { assumedBulk(of: $0) }
        guard cost > limit else { return }
        report(
            .tooCostly,
            source,
            range ?? 0..<source.text.utf8.count,
            "evaluating this can cost \(cost), and the limit is \(limit)",
            remedy: (program.hasLoop
                ? "do without a loop in a loop" : "work on shorter texts and lists, as with substring()")
                + ", or raise 'limits.expression-cost'"
        )
    }

    private func assumedBulk(of reference: Reference) -> Int {
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal:
            let index = Int(reference.index)
            guard index < parts.signalTypes.count else { return AssumedSize.bulk }
            switch parts.signalTypes[index] {
            case .bool, .int, .uint, .double, .null, .timestamp, .duration: return 0
            default: return AssumedSize.bulk
            }
        case .changed, .reported, .timer, .timerElapsed, .timerEnd, .inState, .elapsed, .now, .since,
            .deviceAvailable, .unset:
            return 0
        case .deviceName, .deviceID, .deviceKind, .stateName, .event, .capture, .setting, .zone:
            return AssumedSize.name
        case .context, .payload, .item, .stateTitle, .field, nil: return AssumedSize.bulk
        }
    }
}
