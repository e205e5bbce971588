import SkerryValues

/// Which bound a value of a device would exceed.
public enum ValueBound: Hashable, Sendable {
    /// Its own size.
    case value(limit: Int)
    /// That of all values of the device.
    case device(limit: Int)
    /// That of the values of all devices.
    case all
    /// That of the attributes of an activity.
    case attributes(limit: Int)

    /// The bound in words, after the name of what was not kept.
    var message: String {
        switch self {
        case .value(let limit): "is larger than \(limit) bytes; the previous value stays"
        case .device(let limit):
            "would bring the values of this device beyond \(limit) bytes; the previous value stays"
        case .all:
            "does not fit: the values of all devices have reached their limit; the previous value stays"
        case .attributes(let limit): "is left out: the attributes have at most \(limit) bytes"
        }
    }
}

extension Scene {
    /// What a signal may take that no expression reads: it is kept for people and tests alone.
    private static let unreadBytes = 256

    /// Whether a value of a signal can be of use: one that no expression reads is kept only when it is small.
    func isOfUse(_ value: Value, signal: Int) -> Bool {
        definition.readSignals.contains(signal)
            || value.storage(limit: Self.unreadBytes) <= Self.unreadBytes
    }

    /// Keeps a value of the device, unless it would exceed a bound: then the one before stays.
    ///
    /// - Returns: whether it is kept.
    mutating func keep(_ value: Value, at index: Int) -> Bool {
        let limits = definition.limits
        let size = value.storage(limit: limits.valueBytes)
        if size == 0, memory.storage == 0 {
            memory.values[index] = value
            return true
        }
        let growth = size - memory.values[index].storage(limit: limits.valueBytes)
        if size > limits.valueBytes {
            refuse(index, .value(limit: limits.valueBytes))
        } else if growth > 0, memory.storage + growth > limits.deviceBytes {
            refuse(index, .device(limit: limits.deviceBytes))
        } else if growth > 0, growth > room {
            refuse(index, .all)
        } else {
            memory.storage += growth
            room -= growth
            memory.values[index] = value
            return true
        }
        return false
    }

    /// Counts a value that was not kept; the first one of an input is told.
    private mutating func refuse(_ index: Int, _ bound: ValueBound) {
        let signals = definition.signalNames
        let name =
            index < signals.count ? signals[index] : definition.variableNames[index - firstVariable]
        refuse(named: name, bound)
    }

    /// Counts a value that was not kept; the first one of an input is told.
    mutating func refuse(named name: String, _ bound: ValueBound) {
        memory.refusedValues &+= 1
        refusedValues &+= 1
        if excess == nil { excess = .valueTooLarge(name: name, bound) }
    }

    /// Goes back to former values of the device.
    mutating func putBack(_ values: [Value]) {
        memory.values = values
        memory.countStorage(limit: definition.limits.valueBytes)
    }
}

extension DeviceMemory {
    /// Counts what the values take.
    mutating func countStorage(limit: Int) {
        storage = values.reduce(0) { $0 + $1.storage(limit: limit) }
    }

    /// Forgets values that an image has and that are larger than they may be today.
    mutating func forgetExcess(_ limits: DeviceLimits) {
        storage = 0
        for index in values.indices {
            let size = values[index].storage(limit: limits.valueBytes)
            if size <= limits.valueBytes, storage + size <= limits.deviceBytes {
                storage += size
            } else {
                values[index] = .error(.unset)
                refusedValues &+= 1
            }
        }
    }
}
