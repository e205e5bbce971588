import SkerryMachine
public import SkerryValues

/// The consequence that an edit of its definition has for a device.
public enum DeviceFate: Hashable, Sendable {
    /// The device stays in its states, or has not started.
    case goesOn
    /// One of its states was removed, and `migrate:` names another.
    case migrates(from: String, to: String)
    /// One of its states was removed without a successor: the machine starts from the initial state.
    case startsAnew(from: String)
}

extension Device {
    /// The fate of this device, which was just restored from an image.
    ///
    /// - Parameters:
    ///   - image: The bytes that the device was restored from.
    ///   - layout: The layout of the image.
    ///   - map: The map from the layout to the definition.
    ///   - definition: The definition of the device now.
    /// - Returns: The consequence of the edit for the device.
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
            if !name.hasSameCodePoints(as: layout.states[state]) { hasMoved = true }
        }
        if former.isEmpty { return .goesOn }
        guard machine.isStarted else { return .startsAnew(from: names) }
        return hasMoved ? .migrates(from: names, to: stateName(in: definition)) : .goesOn
    }
}

/// The names in a layout that the definition no longer has.
public struct VanishedNames: Hashable, Sendable {
    /// The states without a successor in `migrate:` that a device can be in.
    public var states: [String]
    /// The signals; their values are forgotten.
    public var signals: [String]
    /// The variables; their values are forgotten.
    public var variables: [String]
    /// The named timers; they stop.
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

    /// The names that either has.
    public func union(_ other: VanishedNames) -> VanishedNames {
        var result = self
        result.states += other.states.filter { !states.contains($0) }
        result.signals += other.signals.filter { !signals.contains($0) }
        result.variables += other.variables.filter { !variables.contains($0) }
        result.timers += other.timers.filter { !timers.contains($0) }
        return result
    }
}
