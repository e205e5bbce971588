import SkerryValues

/// The values of a device, and what it knows of earlier ones, at a moment to which it may return.
struct FormerSignals: Sendable {
    /// The signals, then the variables.
    var values: [Value]
    /// The values over time of the signals that follow others.
    var histories: [SignalHistory]
    /// The messages that count towards the limit of a minute.
    var published: PublicationMeter?

    /// Takes note of what a device knows now.
    init(of memory: DeviceMemory) {
        values = memory.values
        histories = memory.histories
        published = memory.published
    }
}

extension Scene {
    /// Restores earlier values of the device, and takes back what actions published since.
    mutating func putBack(_ former: FormerSignals) {
        publications = []
        memory.values = former.values
        memory.histories = former.histories
        memory.published = former.published
        memory.countStorage(limit: definition.limits.valueBytes)
        assert(memory.isMade(for: definition), "a device returns to values of another definition")
    }
}
