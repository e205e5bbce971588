import SkerryMachine
public import SkerryValues

/// Where a device is after its definition has taken the place of another.
public enum DeviceFate: Hashable, Sendable {
    /// In the states that it was in, if it was in any.
    case goesOn
    /// One of its states is gone, and `migrate:` names another.
    case migrates(from: String, to: String)
    /// A state that it was in has no place any more: it starts in the initial state.
    case startsAnew(from: String)
}

extension Device {
    /// What became of this device, which was just read back from an image.
    ///
    /// - Parameters:
    ///   - image: The bytes it was read from.
    ///   - layout: The layout that its bytes go by.
    ///   - map: Where things of the image were found.
    ///   - definition: Its definition.
    /// - Returns: where it is now.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public func fate(
        since image: ArraySlice<UInt8>,
        layout: DefinitionLayout,
        map: LayoutMap,
        in definition: Definition
    ) throws(ImageFault) -> DeviceFate {
        let former = try Device.activeStates(of: image, layout: layout)
        var names = ""
        var hasMoved = false
        for state in former {
            names += names.isEmpty ? layout.states[state] : ",\(layout.states[state])"
            guard let place = map.chart.states[state] else { continue }
            let name = definition.chart.states[Int(place.rawValue)].name
            if !name.utf8.elementsEqual(layout.states[state].utf8) { hasMoved = true }
        }
        if former.isEmpty { return .goesOn }
        guard machine.isStarted else { return .startsAnew(from: names) }
        return hasMoved ? .migrates(from: names, to: stateName(in: definition)) : .goesOn
    }
}

/// What a layout tells of and a definition does not have any more, by name.
public struct VanishedNames: Hashable, Sendable {
    /// States that `migrate:` leads nowhere, and that a device can be in or within.
    public var states: [String]
    /// Signals; their values are forgotten.
    public var signals: [String]
    /// Variables; their values are forgotten.
    public var variables: [String]
    /// Named timers; they stop.
    public var timers: [String]

    /// Compares a layout with a definition.
    public init(from layout: DefinitionLayout, to definition: Definition) {
        let map = LayoutMap(from: layout, to: definition)
        let values = layout.signals + layout.variables
        let lost = values.indices.filter { map.values[$0] == nil }
        states = layout.states.indices.filter { map.chart.states[$0] == nil }.map { layout.states[$0] }
        signals = lost.filter { $0 < layout.signals.count }.map { values[$0] }
        variables = lost.filter { $0 >= layout.signals.count }.map { values[$0] }
        timers = layout.timers.indices.filter { map.chart.timers[$0] == nil }.map { layout.timers[$0] }
    }

    /// The names of both, each once.
    public func union(_ other: VanishedNames) -> VanishedNames {
        var result = self
        result.states += other.states.filter { !states.contains($0) }
        result.signals += other.signals.filter { !signals.contains($0) }
        result.variables += other.variables.filter { !variables.contains($0) }
        result.timers += other.timers.filter { !timers.contains($0) }
        return result
    }
}
