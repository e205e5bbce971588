import SkerryExpressions

/// A set of signals of one definition, by their numbers from 0 to 255.
struct SignalSet: Hashable, Sendable {
    /// The largest number of signals in a definition.
    static let capacity = 256

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static func == (left: SignalSet, right: SignalSet) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }

    var isEmpty: Bool { words.0 | words.1 | words.2 | words.3 == 0 }

    func contains(_ signal: Int) -> Bool {
        let bit = UInt64(1) << UInt64(signal & 63)
        return switch signal >> 6 {
        case 0: words.0 & bit != 0
        case 1: words.1 & bit != 0
        case 2: words.2 & bit != 0
        default: words.3 & bit != 0
        }
    }

    mutating func insert(_ signal: Int) {
        assert(
            (0..<Self.capacity).contains(signal),
            "a signal beyond the capacity would count as another one"
        )
        let bit = UInt64(1) << UInt64(signal & 63)
        switch signal >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    func intersects(_ other: SignalSet) -> Bool {
        (words.0 & other.words.0) | (words.1 & other.words.1) | (words.2 & other.words.2)
            | (words.3 & other.words.3) != 0
    }

    mutating func formUnion(_ other: SignalSet) {
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
    }
}

extension SignalSet {
    /// The signals without which expressions have no value, as far as they do not ask themselves whether there is one.
    init(neededBy programs: [Program]) {
        for program in programs {
            let needed = program.asksPresence ? program.requiredReferences : program.references
            for reference in needed where reference.kind == ReferenceKind.signal.rawValue {
                insert(Int(reference.index))
            }
        }
    }
}

/// A silence that not every message of a device breaks.
struct SignalSilence: Hashable, Sendable {
    /// The signals that break it.
    var signals: SignalSet
    /// True if only a change of a signal breaks it, and not each report.
    var asksChange: Bool

    /// True if a message breaks it.
    func isBroken(byReport reported: SignalSet, change changed: SignalSet) -> Bool {
        signals.intersects(asksChange ? changed : reported)
    }
}
