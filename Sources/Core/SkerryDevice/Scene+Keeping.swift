import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The bound that a value of a device would exceed.
public enum ValueBound: Hashable, Sendable {
    /// The size of one value.
    case value(limit: Int)
    /// The size of all values of the device.
    case device(limit: Int)
    /// The size of the values of all devices.
    case all
    /// The size of the attributes of an activity.
    case attributes(limit: Int)
    /// The lists and maps inside each other.
    case depth(limit: Int)

    /// The bound as a clause, to follow the name of the value.
    var message: String {
        switch self {
        case .value(let limit): "is larger than \(limit) bytes; the previous value stays"
        case .device(let limit):
            "would bring the values of this device beyond \(limit) bytes; the previous value stays"
        case .all:
            "does not fit: the values of all devices have reached their limit; the previous value stays"
        case .attributes(let limit): "is left out: the attributes have at most \(limit) bytes"
        case .depth(let limit): "is nested deeper than \(limit) levels; the previous value stays"
        }
    }
}

extension Scene {
    /// The size limit of a signal that no expression reads; such a signal is stored only for people and tests.
    private static let unreadBytes = 256

    /// True unless no expression reads the signal and the value is large.
    func isOfUse(_ value: Value, signal: Int) -> Bool {
        definition.readSignals.contains(signal)
            || value.storage(limit: Self.unreadBytes) <= Self.unreadBytes
    }

    /// Stores a value of the device, unless it would exceed a bound: then the value before stays.
    ///
    /// - Returns: True if the value was stored.
    mutating func keep(_ value: Value, at index: Int) -> Bool {
        let limits = definition.limits
        let size = value.storage(limit: limits.valueBytes)
        // The usual case, of a device with numbers and short texts: nothing can exceed a bound.
        if size == 0, memory.storage == 0 {
            memory.values[index] = value
            return true
        }
        let growth = size - memory.values[index].storage(limit: limits.valueBytes)
        if size > limits.valueBytes {
            refuse(index, .value(limit: limits.valueBytes))
        } else if value.isTooDeep {
            refuse(index, .depth(limit: Value.depthLimit))
            // Below, a value that shrinks is taken beyond any bound, or a device that is too large could never recover.
        } else if growth > 0, memory.storage + growth > limits.deviceBytes {
            refuse(index, .device(limit: limits.deviceBytes))
        } else if growth > 0, growth > room {
            refuse(index, .all)
        } else {
            memory.storage += growth
            assert(memory.storage >= 0, "the storage of a device is miscounted")
            room -= growth
            memory.values[index] = value
            return true
        }
        return false
    }

    /// The size limit of the name that people gave a device, in bytes.
    private static let nameBytes = 256

    /// Stores the name that people gave the device; everything that may show it is evaluated again.
    mutating func takeName(_ program: Program, _ machine: Machine) {
        switch evaluate(program, machine) {
        case .string(let text):
            // Names are shown in terminals and logs, where control characters could forge lines.
            let name = text.withoutControls
            let isKnown = memory.givenName.map { $0.hasSameCodePoints(as: name) } ?? false
            if isKnown || name.utf8.isEmpty { return }
            guard name.utf8.count <= Self.nameBytes else {
                refuse(named: "device.name", .value(limit: Self.nameBytes))
                return
            }
            memory.givenName = name
            isAnew = true
            mustKeep = true
        case .error(let error): count(error, of: program)
        default: count(.noSuchOverload, of: program)
        }
    }

    /// Counts a refused value; the first one of an input becomes a fault.
    private mutating func refuse(_ index: Int, _ bound: ValueBound) {
        let signals = definition.signalNames
        let name =
            index < signals.count ? signals[index] : definition.variableNames[index - firstVariable]
        refuse(named: name, bound)
    }

    /// Counts a refused value; the first one of an input becomes a fault.
    mutating func refuse(named name: String, _ bound: ValueBound) {
        memory.refusedValues &+= 1
        refusedValues &+= 1
        if excess == nil { excess = .valueTooLarge(name: name, bound) }
    }

    /// Restores earlier values of the device, and takes back what actions published since.
    mutating func putBack(_ values: [Value]) {
        publications = []
        memory.values = values
        memory.countStorage(limit: definition.limits.valueBytes)
    }
}

extension DeviceMemory {
    /// Computes the size of the values; a value larger than the limit counts only up to it.
    mutating func countStorage(limit: Int) {
        storage = values.reduce(0) { $0 + $1.storage(limit: limit) }
    }

    /// Forgets restored values that exceed the present limits.
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

extension String {
    /// The text with a blank for each control character.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(scalar.value < 32 || scalar.value == 127 ? " " : scalar)
        }
        return String(text)
    }
}
