import SkerryActivity
import SkerryMachine
public import SkerryValues

/// The names behind the numbers in the images of a definition's devices.
///
/// Images count states, signals and timers by their numbers in the definition. A layout keeps the names of these
/// numbers, so that a device can be restored into a definition that was edited since. One layout is stored for all
/// devices of a definition.
///
/// See docs/decisions/0019-images-and-layouts.md.
public struct DefinitionLayout: Sendable {
    /// The version of the format of layouts.
    ///
    /// 2 was the first one; 3 has the fingerprint of the definition.
    static let version: UInt8 = 3

    /// The layout in bytes; layouts of definitions with the same text are equal.
    public let bytes: [UInt8]
    /// The id of the layout: the FNV-1a hash of its bytes.
    public let id: Int64

    let signals: [String]
    let variables: [String]
    let timers: [String]
    let states: [String]
    let transitions: [TransitionLayout]
    let fields: [String]

    struct TransitionLayout: Hashable, Sendable {
        var source: Int
        var trigger: UInt8
        /// The first target; the source itself when there is none.
        var target: Int
    }

    /// Makes the layout of a definition.
    public init(of definition: Definition) {
        signals = definition.signalNames
        variables = definition.variableNames
        timers = definition.timers.map { $0.name }
        states = definition.chart.states.map { $0.name }
        transitions = definition.chart.transitions.map {
            TransitionLayout(
                source: Int($0.source.rawValue),
                trigger: $0.trigger.layoutCode,
                target: Int(($0.targets.first ?? $0.source).rawValue)
            )
        }
        fields = definition.activity?.plan.fields.map { $0.name } ?? []
        var writer = ImageWriter()
        writer.tag(Self.version)
        // Of the text: an edit that changes no name must still be looked at, because a guard may hold now.
        writer.unsigned(definition.fingerprint)
        for names in [signals, variables, timers, states, fields] {
            writer.list(names) { $0.text($1) }
        }
        writer.list(transitions) { writer, transition in
            writer.count(transition.source)
            writer.tag(transition.trigger)
            writer.count(transition.target)
        }
        bytes = writer.bytes
        id = Int64(bitPattern: bytes.fingerprint)
    }

    /// True if these bytes hash to the id, but have a newer version of the format than this Skerry can read.
    public static func isNewer(_ bytes: [UInt8], id: Int64) -> Bool {
        guard let version = bytes.first, version > Self.version else { return false }
        return Int64(bitPattern: bytes.fingerprint) == id
    }

    /// Reads a layout.
    ///
    /// - Throws: ``ImageFault`` for bytes that are no layout.
    public init(bytes: [UInt8]) throws(ImageFault) {
        var reader = ImageReader(bytes[...])
        let version = try reader.tag()
        guard (2...Self.version).contains(version) else { throw .unknownVersion(version) }
        if version > 2 { _ = try reader.unsigned() }
        signals = try reader.texts()
        variables = try reader.texts()
        timers = try reader.texts()
        states = try reader.texts()
        fields = try reader.texts()
        transitions = try reader.list { reader throws(ImageFault) in
            TransitionLayout(
                source: Int(truncatingIfNeeded: try reader.unsigned()),
                trigger: try reader.tag(),
                target: Int(truncatingIfNeeded: try reader.unsigned())
            )
        }
        let count = states.count
        guard transitions.allSatisfy({ (0..<count).contains($0.source) && (0..<count).contains($0.target) })
        else { throw .malformed }
        self.bytes = bytes
        id = Int64(bitPattern: bytes.fingerprint)
    }
}

/// The map from the numbers of an image to those of a definition that may have changed since.
public struct LayoutMap: Sendable {
    /// True if the layout is of this very definition, including its text.
    let isIdentity: Bool
    /// For each old signal or variable, its place among the new values; nil if it was removed.
    let values: [Int?]
    let chart: ChartMap
    /// For each old transition, the old number of its source.
    let sources: [Int]
    /// For each new field, the number of the old field of this name; nil if there was none.
    let fields: [Int?]
    /// The names of the old fields.
    let fieldNames: [String]

    /// Compares a layout with the definition that its devices get.
    public init(from layout: DefinitionLayout, to definition: Definition) {
        let new = DefinitionLayout(of: definition)
        isIdentity = new.bytes == layout.bytes
        values =
            layout.signals.map { new.signals.place(of: $0) }
            + layout.variables.map { name in new.variables.place(of: name).map { $0 + new.signals.count } }
        var states: [StateID?] = []
        for name in layout.states {
            let place = new.states.place(of: name).map { StateID(rawValue: UInt16($0)) }
            states.append(
                place ?? definition.migrations.first { $0.from.hasSameCodePoints(as: name) }?.to
            )
        }
        chart = ChartMap(
            states: states,
            transitions: Self.transitions(from: layout, to: new, states: states),
            timers: layout.timers.map { name in
                new.timers.place(of: name).map { TimerID(rawValue: UInt16($0)) }
            }
        )
        sources = layout.transitions.map { $0.source }
        fields = new.fields.map { layout.fields.place(of: $0) }
        fieldNames = layout.fields
    }

    /// The new number of each old transition, matched by source, trigger, target, and its place among equals of the
    /// source.
    ///
    /// A transition of a state that existed before never matches: a device migrated into that state starts its waits
    /// from zero.
    private static func transitions(
        from old: DefinitionLayout,
        to new: DefinitionLayout,
        states: [StateID?]
    ) -> [TransitionID?] {
        let moved = old.transitions.map { transition -> DefinitionLayout.TransitionLayout? in
            guard let source = states[transition.source], let target = states[transition.target] else {
                return nil
            }
            let name = new.states[Int(source.rawValue)]
            if !name.hasSameCodePoints(as: old.states[transition.source]), old.states.place(of: name) != nil {
                return nil
            }
            return DefinitionLayout.TransitionLayout(
                source: Int(source.rawValue),
                trigger: transition.trigger,
                target: Int(target.rawValue)
            )
        }
        return moved.indices.map { number in
            guard let wanted = moved[number] else { return nil }
            let source = old.transitions[number].source
            let before = moved[..<number].indices.filter {
                moved[$0] == wanted && old.transitions[$0].source == source
            }
            let equals = new.transitions.indices.filter { new.transitions[$0] == wanted }
            return equals.dropFirst(before.count).first.map { TransitionID(rawValue: UInt16($0)) }
        }
    }
}

extension Statechart.Trigger {
    fileprivate var layoutCode: UInt8 {
        switch self {
        case .always: 0
        case .event: 1
        case .after: 2
        case .sustained: 3
        case .quiet(_, nil): 4
        case .recurring: 5
        case .quiet: 6
        case .past: 7
        }
    }
}

extension ImageReader {
    fileprivate mutating func texts() throws(ImageFault) -> [String] {
        try list { reader throws(ImageFault) in try reader.text() }
    }
}

extension [String] {
    fileprivate func place(of name: String) -> Int? {
        firstIndex { $0.hasSameCodePoints(as: name) }
    }
}
