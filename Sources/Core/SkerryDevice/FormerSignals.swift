import SkerryValues

/// The values of a device, and what it knows of earlier ones, at a moment to which it may return.
struct FormerSignals: Sendable {
    /// The signals, then the variables.
    var values: [Value]
    /// The values over time of the signals that follow others.
    var histories: [SignalHistory]
}

extension Scene {
    /// Restores earlier values of the device, and takes back what actions published since.
    mutating func putBack(_ former: FormerSignals) {
        publications = []
        memory.values = former.values
        memory.histories = former.histories
        memory.countStorage(limit: definition.limits.valueBytes)
        assert(memory.isMade(for: definition), "a device returns to values of another definition")
    }
}
